/** Small boxes that flow into lines: skills, races, tokens and cards that lie before a side. */
import type { Explained } from "../../parts/touching";
import { type Bit, placed, type PlacedBit } from "./bits";

export interface Chip {
    key: string;
    noun?: string;
    /** What a screen reader says. */
    label: string;
    about?: Explained;
    bits: readonly Bit[];
    /** The classes it is drawn with. */
    look?: string;
    mark?: string | undefined;
    /** Rather than as wide as its symbols. */
    wide?: number;
}

export interface PlacedChip extends Omit<Chip, "bits"> {
    bits: PlacedBit[];
    x: number;
    y: number;
    w: number;
}

export const CHIP = 28;
export const SYMBOL = 15;
const GAP = 4;

/** Chips from a place on, line after line; `height` is where the next thing may begin. */
export function flow(
    chips: readonly Chip[],
    left: number,
    top: number,
    width: number,
): { chips: PlacedChip[]; bottom: number } {
    let [x, y] = [left, top];
    const found = chips.map((chip) => {
        const { bits, width: natural } = placed(chip.bits, SYMBOL);
        const w = Math.min(width, chip.wide ?? Math.max(CHIP, natural + 12));
        if (x > left && x + w > left + width) [x, y] = [left, y + CHIP + GAP];
        const inset = chip.wide ? 6 : (w - natural) / 2;
        const here = { ...chip, bits: bits.map((bit) => ({ ...bit, x: bit.x + inset })), x, y, w };
        x += w + GAP;
        return here;
    });
    return { chips: found, bottom: chips.length ? y + CHIP + GAP : top };
}
