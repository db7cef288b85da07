/** What the symbols and letters mean. */
import type { Chip, Panel } from "./blocks";
import { FACES, NATION_NAMES, NATIONS } from "./facts";

const SYMBOLS: readonly (readonly [string, string])[] = [
    ["regular", "Regular"],
    ["elite", "Elite"],
    ["leader", "Leader"],
    ["nazgul", "Nazgûl"],
    ["companion", "Companion"],
    ["hobbit", "Hobbit"],
    ["minion", "Minion"],
    ["ring", "Fellowship, Corruption, Elven Ring"],
    ["crown", "Guide; leading player"],
    ["arrow", "asked now"],
    ["tree", "Free Peoples"],
    ["eye", "Shadow; Eye"],
    ["shield", "active nation"],
    ["hourglass", "passive nation"],
    ["war", "At War; hits"],
    ["reveal", "Reveal"],
    ["stop", "Stop"],
];

const chip = (key: string, icon: string | undefined, text: string): Chip => ({
    key: `legend.${key}`,
    label: text,
    bits: [...(icon ? [{ icon }] : []), { text }],
});

/** The same in every position. */
export const LEGEND: Panel = {
    key: "legend",
    title: "What the symbols mean",
    folds: "always",
    blocks: [
        {
            kind: "line",
            text: "On the map a shield with a number is an army of the Free Peoples and its units, a star one of the Shadow; a dot on it is a Leader, a Nazgûl or a character. A bar below: of the second of two team-mates, Rohan or Saruman. Dashes: under siege. A small square on a settlement: taken by that side. Closer, each kind is shown by itself.",
            look: "small faint",
        },
        {
            kind: "chips",
            caption: "Figures and marks",
            chips: SYMBOLS.map(([icon, text]) => chip(icon, icon, text)),
        },
        {
            kind: "chips",
            caption: "Dice",
            chips: Object.entries(FACES).map(([face, { icon, title }]) =>
                chip(`die.${face}`, icon, title),
            ),
        },
        {
            kind: "chips",
            caption: "Nations",
            chips: NATION_NAMES.map((nation) =>
                chip(
                    `nation.${nation}`,
                    undefined,
                    `${NATIONS[nation].code} ${NATIONS[nation].name}`,
                ),
            ),
        },
    ],
};
