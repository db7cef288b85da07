/** What is said here of the games that this page knows, in a line. Others are known by their titles. */

const LINES: Readonly<Record<string, string>> = {
    confrontation:
        "Two play with pieces whose faces only their owner sees. The Ring-bearer slips east; whoever meets him must guess.",
    duel: "Two take turns at a display of cards, and win on a map, by the Quest of the Ring, or by the races that join them.",
    risk: "Two to four conquer Middle-earth with dice and leaders, until the Fellowship has left the map.",
    warofthering:
        "The whole war: armies, nations and cards on one side, a hidden Fellowship on the other. An evening or several.",
};

const LENGTHS: Readonly<Record<string, string>> = {
    confrontation: "about half an hour",
    duel: "about half an hour",
    risk: "one to two hours",
    warofthering: "three hours or more",
};

export function lineOf(game: string): string {
    return LINES[game] ?? "";
}

export function lengthOf(game: string): string {
    return LENGTHS[game] ?? "";
}
