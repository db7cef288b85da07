/** Names and login codes, as the platform takes them. */

/** What is wrong with a name, or nothing; whether it is taken only the platform knows. */
export function nameProblem(name: string): string {
    const said = name.trim();
    if (said.length < 2) return "A name has at least two letters.";
    if (said.length > 24) return "A name has at most 24 letters.";
    if (!/^[A-Za-z0-9_-]+$/.test(said))
        return "Only the letters a to z, digits, “-” and “_”, please.";
    return "";
}

/** A code as it is typed, without what does not matter in it. */
export function codeOf(typed: string): string {
    return typed.replaceAll(/[\s-]/g, "").toLowerCase();
}

/** Whether what was typed is the token of an account and no login code: "k7mq2v9x3hd4nwpe.8Jx2…". */
export function isToken(typed: string): boolean {
    return /^[a-z0-9]+\.\S{16,}$/.test(typed.trim());
}

/** A code in groups of four, which is easier to read aloud. */
export function codeInGroups(code: string): string {
    return code.includes("-") ? code : (code.match(/.{1,4}/g) ?? []).join("-");
}
