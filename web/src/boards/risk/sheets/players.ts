/** The panel of the players: what each has, and what each would score now. */
import { type Item, paragraph, roomOf, SMALL, type Sheet, TEXT, type ThingItem } from "../items";
import type { IconName } from "../icons";
import type { PlayerRow } from "../players";

const HEAD = 26;
const ROW = 20;
const ICON = 14;
const GAP = 8;
const PLACES = ["", "first", "second", "third", "fourth"];
const LEGEND_ROW = 16;
const WIDE = 420;

const LEGEND: readonly (readonly [IconName, string])[] = [
    ["territories", "territories"],
    ["strongholds", "strongholds"],
    ["regions", "whole regions"],
    ["cards", "cards played"],
    ["battalions", "battalions"],
    ["leaders", "Leaders"],
    ["eagle", "Territory cards"],
    ["ring", "Adventure cards"],
];

export function playersSheet(rows: readonly PlayerRow[], neutral: string, width: number): Sheet {
    const items: Item[] = [];
    let y = 0;
    for (const row of rows) {
        const { thing, height } = rowAt(row, y, width);
        items.push(thing);
        y += height + GAP;
    }
    if (neutral) {
        items.push(
            { kind: "owner", key: "neutral", seat: "neutral", x: 13, y: y + 10, r: 8, text: "" },
            { kind: "text", key: "neutral.text", x: 28, y: y + 10, text: neutral, size: SMALL },
        );
        y += 24;
    }
    const legend = legended(y + 4, width);
    return { items: [...items, ...legend.items], height: legend.bottom };
}

/** What the symbols mean, in two columns or four. */
function legended(top: number, width: number): { items: Item[]; bottom: number } {
    const columns = width < WIDE ? 2 : 4;
    const column = width / columns;
    const rows = Math.ceil(LEGEND.length / columns);
    const items = LEGEND.flatMap(([icon, text], at): Item[] => {
        const x = (at % columns) * column;
        const y = top + Math.floor(at / columns) * LEGEND_ROW + LEGEND_ROW / 2;
        const look = "faint";
        return [
            { kind: "icon", key: `legend.${icon}`, icon, x, y: y - 6, size: 12, look },
            { kind: "text", key: `means.${icon}`, x: x + 17, y, text, size: 11, look },
        ];
    });
    return { items, bottom: top + rows * LEGEND_ROW };
}

function rowAt(row: PlayerRow, y: number, width: number): { thing: ThingItem; height: number } {
    const total = `${row.total} points`;
    const room = width - 30 - roomOf(total, TEXT, true) - 18;
    const all = [nameOf(row), ...statesOf(row)].join(" · ");
    const isRoom = roomOf(all, TEXT, true) <= room;
    const title = isRoom ? all : nameOf(row);
    const notes = [...(isRoom ? [] : statesOf(row)), ...row.notes];
    const inner: Item[] = [
        { kind: "owner", key: "of", seat: row.seat, x: 15, y: 15, r: 9, text: "" },
        { kind: "text", key: "name", x: 30, y: 15, text: title, size: TEXT, look: "bold" },
        {
            kind: "text",
            key: "total",
            x: width - 8,
            y: 15,
            text: total,
            size: TEXT,
            anchor: "end",
            look: "bold",
        },
    ];
    const numbers: [IconName, string][] = row.scores.map(({ kind, count, points }) => [
        kind,
        kind === "strongholds" && count ? `${count} ×2` : String(points),
    ]);
    inner.push(...numbered("score", numbers, HEAD + ROW / 2 + 2, width));
    const has: [IconName, string][] = [
        ["battalions", String(row.battalions)],
        ["leaders", String(row.leaders)],
        ["eagle", `${row.territoryCards} T`],
        ["ring", `${row.adventureCards} A`],
    ];
    inner.push(...numbered("has", has, HEAD + 1.5 * ROW + 2, width));
    let bottom = HEAD + 2 * ROW + 4;
    const played = row.played.map(({ title, points }) => `${title} (${points})`);
    for (const [key, line] of [
        ["notes", notes.join(", ")],
        ["played", played.length ? `Played: ${played.join(", ")}` : ""],
    ] as const) {
        if (!line) continue;
        const place = { x: 8, y: bottom, width: width - 16 };
        const said = paragraph(key, line, place, { size: SMALL, look: "faint" });
        inner.push(...said.items);
        bottom = said.bottom + 3;
    }
    const height = bottom + 2;
    const look = `player${row.turn || row.won ? " turn" : ""}${row.out ? " out" : ""}`;
    inner.unshift({ kind: "box", key: "box", x: 0, y: 0, w: width, h: height, r: 6, look: "chip" });
    const thing: ThingItem = {
        kind: "thing",
        key: row.seat,
        nouns: [],
        label: row.label,
        about: row.about,
        x: 0,
        y,
        w: width,
        h: height,
        items: inner,
        look,
    };
    return { thing, height };
}

const nameOf = (row: PlayerRow): string =>
    `${row.name}${row.you ? " (you)" : ""}, ${row.alignment}`;

const statesOf = (row: PlayerRow): string[] => [
    ...(row.turn ? ["to play"] : []),
    ...(row.place ? [PLACES[row.place] ?? `number ${row.place}`] : []),
];

/** Symbols with numbers, in equal columns. */
function numbered(
    key: string,
    numbers: readonly (readonly [IconName, string])[],
    y: number,
    width: number,
): Item[] {
    const column = (width - 12) / numbers.length;
    return numbers.flatMap(([icon, text], at): Item[] => [
        {
            kind: "icon",
            key: `${key}.${at}.icon`,
            icon,
            x: 8 + at * column,
            y: y - ICON / 2,
            size: ICON,
            look: "faint",
        },
        {
            kind: "text",
            key: `${key}.${at}`,
            x: 8 + at * column + ICON + 5,
            y,
            text,
            size: TEXT,
        },
    ]);
}
