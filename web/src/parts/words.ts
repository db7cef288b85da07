/** Words for people out of the names in actions, and what makes two words the same to who types. */

const marks = /\p{M}+/gu;
const word = /[\p{L}\p{N}]+/gu;

/** Without accents and in lower case: "Barad-dûr" is found by who types "barad-dur". */
export function folded(text: string): string {
    return text.normalize("NFD").replace(marks, "").toLowerCase();
}

/** The words of a text, folded; whatever is no letter or digit parts them. */
export function wordsOf(text: string): string[] {
    return folded(text).match(word) ?? [];
}

const small = new Set(["of", "the", "and", "in", "to", "from", "with", "by", "a", "at"]);

/** "minas_tirith" as "Minas Tirith". */
export function titled(name: string): string {
    const words = name.split("_").filter((part) => part !== "");
    const told = words.map((part, at) => (at > 0 && small.has(part) ? part : capital(part)));
    return told.join(" ");
}

/** "end_combat" as "End combat". */
export function sentenced(name: string): string {
    return capital(name.replaceAll("_", " ").trim());
}

function capital(text: string): string {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** How a sentence spells the name, with its accents and hyphens, if it speaks of it. */
export function spelt(name: string, sentence: string): string | undefined {
    const sought = wordsOf(name);
    const found = [...sentence.matchAll(word)];
    for (let at = 0; sought.length > 0 && at + sought.length <= found.length; at += 1) {
        const run = found.slice(at, at + sought.length);
        if (!run.every((match, number) => folded(match[0]) === sought[number])) continue;
        const last = run[run.length - 1];
        const text = sentence.slice(run[0]?.index, (last?.index ?? 0) + (last?.[0].length ?? 0));
        return capital(text);
    }
    return undefined;
}
