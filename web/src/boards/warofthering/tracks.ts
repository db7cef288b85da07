/** The Fellowship with its track and Mordor, and the Political Track. */
import { aboutCharacter } from "./abouts";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import {
    type Board,
    called,
    codeOf,
    isNation,
    nameOf,
    NATIONS,
    regionName,
    seatTitle,
    sideName,
} from "./facts";
import { iconOf } from "./figures";

const LAST_CORRUPTION = 12;
const DOOM = 5;

interface Track {
    key: string;
    title: string;
    last: number;
    here: number | undefined;
    look: string;
    noun?: string;
    names?: (n: number) => string;
}

/** One row of places, with the one where something stands. */
function track({ key, title, last, here, look, noun = "", names = String }: Track): Block {
    const cells = Array.from({ length: last + 1 }, (_, n): Chip => ({
        key: `${key}.${n}`,
        noun: n === here ? noun : "",
        label: n === here ? `${title} ${names(n)}` : "",
        bits: n === here ? [{ text: names(n) }] : [{ text: names(n), look: "faint" }],
        look: `step${n === here ? ` here ${look}` : here !== undefined && n < here ? " past" : ""}`,
    }));
    return { kind: "grid", weights: cells.map(() => 1), rows: [{ key, cells }], tall: 24 };
}

export function fellowshipPanel(view: Board, claims: Claims): Panel {
    const at = view.fellowship;
    const inMordor = at?.mordor !== undefined;
    const where = inMordor
        ? at.mordor === DOOM
            ? "At the Crack of Doom"
            : `On the Mordor Track, step ${at.mordor ?? 0} of ${DOOM}`
        : `Last known in ${regionName(at?.region ?? "")}`;
    const people = [...(at?.company ?? [])];
    if (at?.guide === "gollum") people.push("gollum");
    const chips = people.map((who): Chip => {
        const level = view.characters.find(({ character }) => character === who)?.level ?? 0;
        const isGuide = who === at?.guide;
        return {
            key: `company.${who}`,
            noun: claims.take(who),
            label: `${called(who)} ${level}${isGuide ? " Guide" : ""}: ${nameOf(who) ?? who}, Level ${level}`,
            about: aboutCharacter(view, who),
            bits: [
                { icon: isGuide ? "crown" : iconOf(who) },
                { text: called(who) },
                { text: String(level), look: "count" },
                ...(isGuide ? [{ text: "Guide", look: "faint" }] : []),
            ],
            look: `free person${isGuide ? " guide" : ""}`,
        };
    });
    const company: Block = {
        kind: "chips",
        caption: chips.length
            ? "In the Fellowship, with their Levels"
            : "Nobody is left in the Fellowship",
        chips,
    };
    return {
        key: "fellowship",
        title: "The Fellowship",
        blocks: [
            {
                kind: "chips",
                chips: [
                    {
                        key: "fellowship.hidden",
                        label: at?.hidden ? "Hidden" : "Revealed",
                        bits: [
                            { icon: at?.hidden ? "hidden" : "reveal" },
                            { text: at?.hidden ? "Hidden" : "Revealed" },
                        ],
                        look: at?.hidden ? "" : "alarm",
                    },
                ],
            },
            { kind: "line", text: `${where}.` },
            {
                kind: "line",
                text: `Corruption ${at?.corruption ?? 0} of ${LAST_CORRUPTION}`,
                look: "small faint",
            },
            track({
                key: "corruption",
                title: "Corruption",
                last: LAST_CORRUPTION,
                here: at?.corruption ?? 0,
                look: "corrupt",
                noun: claims.take("corruption"),
            }),
            ...(inMordor
                ? []
                : [
                      {
                          kind: "line",
                          text: `Progress ${at?.progress ?? 0}`,
                          look: "small faint",
                      } as const,
                      track({
                          key: "progress",
                          title: "Progress",
                          last: LAST_CORRUPTION,
                          here: at?.progress ?? 0,
                          look: "going",
                      }),
                  ]),
            { kind: "line", text: "Mordor Track", look: "small faint" },
            track({
                key: "mordor",
                title: "Mordor Track, step",
                last: DOOM,
                here: at?.mordor,
                look: "going",
                names: (n) => (n === DOOM ? "Doom" : String(n)),
            }),
            company,
        ],
    };
}

// Politics.

const BOXES = ["1", "2", "3", "At War"];

export function politicsPanel(view: Board, claims: Claims): Panel {
    const rows = view.nations.map(({ nation, name, side, seat, step, active }) => {
        const state = active ? "active" : "passive";
        const whose = view.seats.length > 2 ? `, played by ${seatTitle(seat)}` : "";
        const title: Chip = {
            key: `nation.${nation}`,
            noun: claims.take(nation),
            label: `${name}: ${step === BOXES.length ? "At War" : `box ${step}`}, ${state}${whose}`,
            about: {
                title: name,
                lines: [
                    step === BOXES.length
                        ? "At War: it attacks, and is recruited with dice."
                        : `Box ${step} of 3 before war. It neither attacks nor is recruited with dice.`,
                    active ? "Active." : "Passive: it cannot be At War before it is active.",
                    ...(whose ? [`${seatTitle(seat)} plays it.`] : []),
                ],
            },
            bits: [
                { icon: active ? "shield" : "hourglass" },
                { text: isNation(nation) ? NATIONS[nation].name : name },
            ],
            look: `row ${sideName(side)} n-${nation}`,
        };
        const boxes = BOXES.map((box, at): Chip => {
            const isHere = step === at + 1;
            return {
                key: `politics.${nation}.${at + 1}`,
                label: isHere ? `${name} is in ${at < 3 ? `box ${box}` : box}, ${state}` : "",
                bits: isHere
                    ? [
                          { icon: at === 3 ? "war" : active ? "shield" : "hourglass" },
                          { text: codeOf(nation) },
                      ]
                    : [],
                look: isHere ? `step here ${sideName(side)}` : "step empty",
            };
        });
        return { key: nation, cells: [title, ...boxes] };
    });
    return {
        key: "politics",
        title: "Political Track",
        blocks: [
            {
                kind: "grid",
                head: ["Shield: active", ...BOXES],
                weights: [2.3, 1, 1, 1, 1.2],
                rows,
                tall: 26,
            },
        ],
    };
}
