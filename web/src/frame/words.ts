/** How the platform's words look to people. */

const SMALL = new Set(["of", "the", "and", "a", "in"]);

/** "witch_king" is "Witch-king", "free_peoples" is "Free Peoples". */
export function seatTitle(seat: string): string {
    if (seat === "witch_king") return "Witch-king";
    return seat
        .split("_")
        .map((word, at) => (at > 0 && SMALL.has(word) ? word : capital(word)))
        .join(" ");
}

/** "after_each_battle" is "after each battle". */
export function valueWords(value: string): string {
    if (value === "true") return "yes";
    if (value === "false") return "no";
    return value.replaceAll("_", " ");
}

/** "draw_ply_cap" is "Draw ply cap". */
export function optionTitle(name: string): string {
    return capital(valueWords(name));
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With a capital and a full stop. */
export function sentence(text: string): string {
    if (!text) return "";
    return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}

/** "1 match", "2 matches". */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
    return `${count} ${Number(count) === 1 ? one : many}`;
}

/** "a, b and c". */
export function listed(things: readonly string[], last = "and"): string {
    if (things.length < 2) return things[0] ?? "";
    return `${things.slice(0, -1).join(", ")} ${last} ${things.at(-1) ?? ""}`;
}

const LEVELS: Readonly<Record<string, string>> = {
    uniform: "plays by chance: good for trying things out",
    random: "plays by chance: good for trying things out",
    novice: "thinks for a moment and often slips: a first opponent",
    apprentice: "thinks a little ahead, and still slips",
    greedy: "takes at once what looks best, and never looks further",
    adept: "thinks ahead through many ways the match may go",
    master: "thinks longest, and is the strongest there is here",
};

/** What a hosted bot of a level is like; empty for levels that came later than this page. */
export function levelWords(level: string): string {
    return LEVELS[level] ?? "";
}

/** The level with which somebody new should begin: the first that thinks at all. */
export function usualLevel(levels: readonly string[]): string {
    return levels.find((level) => level === "novice") ?? levels[1] ?? levels[0] ?? "";
}

/** What a player is called; hosted bots are known by their level. */
export function playerTitle(account: string, botLevel: string): string {
    return botLevel ? `${capital(botLevel)} bot` : account;
}
