/** Where the cards of a chapter lie: rows that overlap, the lowest first. */
import layouts from "$data/duel/data/layouts.json";
import type { Slot } from "$gen/bree/duel/v1/board_pb";
import type { Board } from "./facts";

export interface Sizes {
    /** A card. */
    w: number;
    h: number;
    /** Of what a card brings: symbols, and for a red one its regions on two lines. */
    face: number;
    /** How much of a card is seen under the next row: face up, face down. */
    strip: number;
    closed: number;
    /** Of symbols, against the smallest card. */
    scale: number;
    named: boolean;
}

export interface LaidOut {
    slot: Slot;
    x: number;
    y: number;
}

const GAP = 3;
const LARGEST = 124;
export const NAME_LINE = 13;

const rowsOf = (view: Board): Map<number, Slot[]> => {
    const rows = new Map<number, Slot[]>();
    for (const slot of view.display) rows.set(slot.row, [...(rows.get(slot.row) ?? []), slot]);
    return rows;
};

export function sizesFor(view: Board, width: number): Sizes {
    const halves = Math.max(1, ...view.display.map((slot) => Math.abs(slot.x)));
    const w = Math.min(LARGEST, (width + GAP) / (halves + 1) - GAP);
    const scale = Math.min(1.35, Math.max(1, w / 66));
    const named = w >= 80;
    const face = 13 * scale + 25;
    const strip = 4 + 18 * scale + (named ? 2 * NAME_LINE + 2 : 0) + face + 18 * scale;
    return { w, h: strip + 8, face, strip, closed: 13 * scale, scale, named };
}

/** What still lies there, and the places that are empty, from the bottom of the pile to its top, and how high all of it is. */
export function laidOut(
    view: Board,
    width: number,
): { cards: LaidOut[]; empty: LaidOut[]; sizes: Sizes; height: number } {
    const sizes = sizesFor(view, width);
    const cards: LaidOut[] = [];
    const empty: LaidOut[] = [];
    let y = 2;
    let height = 0;
    for (const [, row] of [...rowsOf(view)].sort(([a], [b]) => a - b)) {
        for (const slot of row) {
            const x = width / 2 + (slot.x * (sizes.w + GAP)) / 2 - sizes.w / 2;
            (slot.taken ? empty : cards).push({ slot, x, y });
            if (!slot.taken) height = y + sizes.h + 3;
        }
        y += isOpen(view.chapter, row) ? sizes.strip : sizes.closed;
    }
    return { cards, empty, sizes, height };
}

/** Rows keep their height, so that nothing jumps when a card of them is turned up: a card that is
 * free has nothing over it. */
const isOpen = (chapter: number, row: readonly Slot[]): boolean =>
    row.some(({ slot }) => layouts.chapters[chapter - 1]?.slots[slot]?.face_up);
