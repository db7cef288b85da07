/** The panel of the regions: how much each army holds of each, and who lacks what for the bonus. */
import { broken, type Item, roomOf, SMALL, type Sheet, TEXT, type ThingItem } from "../items";
import type { RegionRow } from "../regions";

const HEAD = 22;
const LINE = 15;
const GAP = 4;
/** How far apart armies are: where there are many, they lie over each other a little. */
const APART = 17;
const PIP = 6.5;

export function regionsSheet(rows: readonly RegionRow[], width: number): Sheet {
    const items: Item[] = [];
    let y = 0;
    for (const row of rows) {
        const thing = rowAt(row, y, width);
        items.push(thing);
        y += thing.h + GAP;
    }
    return { items, height: y };
}

function rowAt(row: RegionRow, y: number, width: number): ThingItem {
    const name = `${row.name} +${row.bonus}`;
    const held = row.shares.flatMap(({ seat, count }) => Array.from({ length: count }, () => seat));
    const room = width - 28 - roomOf(name, TEXT, true) - 16;
    const step = Math.min(APART, room / held.length);
    const pips: Item[] = held.map((seat, at) => ({
        kind: "owner",
        key: `pip.${at}`,
        seat,
        x: width - 8 - PIP - (held.length - 1 - at) * step,
        y: 12,
        r: Math.min(PIP, step * 0.5),
        text: "",
    }));
    const lines = broken(row.lacking, SMALL, width - 16, 2);
    const h = HEAD + lines.length * LINE + 4;
    return {
        kind: "thing",
        key: row.id,
        nouns: [],
        label: `${row.name}, worth ${row.bonus}: ${row.about.lines.slice(1).join(" ")}`,
        about: row.about,
        x: 0,
        y,
        w: width,
        h,
        look: row.holder === undefined ? "region" : "region whole",
        items: [
            { kind: "box", key: "box", x: 0, y: 0, w: width, h, r: 6, look: "chip" },
            { kind: "box", key: "tone", x: 8, y: 5, w: 14, h: 14, r: 3, look: `tone ${row.id}` },
            { kind: "text", key: "name", x: 28, y: 12, text: name, size: TEXT, look: "bold" },
            ...pips,
            ...lines.map((text, at): Item => ({
                kind: "text",
                key: `lacks.${at}`,
                x: 8,
                y: HEAD + (at + 0.5) * LINE,
                text,
                size: SMALL,
                look: "faint",
            })),
        ],
    };
}
