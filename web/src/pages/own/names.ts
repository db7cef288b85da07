/** Names and codes, as the platform takes them. */
import type { Refusal } from "../../wire/contract";

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

/** A code of another device has eight letters and digits, a recovery code twice as many. */
const LONGEST_LOGIN_CODE = 12;

/** What was typed to log in, by the field of the request in which it goes. */
export function proofOf(
    typed: string,
): { token: string } | { code: string } | { recoveryCode: string } {
    if (isToken(typed)) return { token: typed.trim() };
    const code = codeOf(typed);
    return code.length > LONGEST_LOGIN_CODE ? { recoveryCode: code } : { code };
}

/** Whether somebody has typed a name to confirm something; capitals are no matter. */
export function isTyped(typed: string, name: string): boolean {
    return typed.trim().toLowerCase() === name.toLowerCase();
}

/** Whether a refusal is about the name that was wanted, or about names: then it is said beside it. */
export function isAboutName({ reason, metadata }: Refusal): boolean {
    if (reason === "LIMIT_REACHED") return metadata["of"]?.startsWith("new names") ?? false;
    return reason === "NOT_ALLOWED" || reason === "INVALID_REQUEST";
}

/** What is wrong with an address of mail, as far as can be seen of it. */
export function addressProblem(typed: string): string {
    const said = typed.trim();
    if (!said) return "Type your address, such as rosie@example.org.";
    if (said.length > 254) return "An address has at most 254 letters.";
    return /^[\x21-\x7e]+@[\x21-\x7e]+\.[\x21-\x7e]+$/.test(said)
        ? ""
        : "That is no address of mail. One looks like rosie@example.org.";
}
