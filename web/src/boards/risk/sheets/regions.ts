/** The panel of the regions: how much each army holds of each, and who lacks what for the bonus. */
import { cut, type Item, SMALL, type Sheet, TEXT, type ThingItem } from "../items";
import type { RegionRow } from "../regions";

const ROW = 40;
const PIP = 7;

export function regionsSheet(rows: readonly RegionRow[], width: number): Sheet {
    return {
        items: rows.map((row, at) => rowAt(row, at * (ROW + 4), width)),
        height: rows.length * (ROW + 4),
    };
}

function rowAt(row: RegionRow, y: number, width: number): ThingItem {
    const step = 2 * PIP + 3;
    const held = row.shares.flatMap(({ seat, count }) => Array.from({ length: count }, () => seat));
    const left = width - 8 - held.length * step;
    const pips: Item[] = held.map((seat, at) => ({
        kind: "owner",
        key: `pip.${at}`,
        seat,
        x: left + at * step + PIP,
        y: 12,
        r: PIP - 0.5,
        text: "",
    }));
    const name = cut(`${row.name} +${row.bonus}`, TEXT, left - 32, true);
    return {
        kind: "thing",
        key: row.id,
        nouns: [],
        label: `${row.name}, worth ${row.bonus}: ${row.about.lines.slice(1).join(" ")}`,
        about: row.about,
        x: 0,
        y,
        w: width,
        h: ROW,
        look: row.holder === undefined ? "region" : "region whole",
        items: [
            { kind: "box", key: "box", x: 0, y: 0, w: width, h: ROW, r: 6, look: "chip" },
            { kind: "box", key: "tone", x: 8, y: 5, w: 14, h: 14, r: 3, look: `tone ${row.id}` },
            { kind: "text", key: "name", x: 28, y: 12, text: name, size: TEXT, look: "bold" },
            ...pips,
            {
                kind: "text",
                key: "lacks",
                x: 8,
                y: 29,
                text: cut(row.lacking, SMALL, width - 14),
                size: SMALL,
                look: "faint",
            },
        ],
    };
}
