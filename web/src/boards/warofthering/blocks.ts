/** What stands in a panel, and where it comes to lie in so much width.
 *
 * Design. A panel is data: lines of text, boxes that flow, and grids of boxes. One component draws them all,
 * in a page and in a picture alike; and what has not changed is the same object and is not drawn again.
 */
import type { Explained } from "../../parts/touching";
import { broken, cut, widthOf } from "./letters";

/** A symbol or a short word. */
export interface Bit {
    icon?: string;
    text?: string;
    look?: string;
}

/** A box: a die, a card, some figures, a place on a track. */
export interface Chip {
    key: string;
    noun?: string;
    /** What a screen reader says; of an empty place nothing. */
    label: string;
    about?: Explained | undefined;
    bits: readonly Bit[];
    /** Below the bits: whole sentences. */
    lines?: readonly string[];
    look?: string;
}

export type Block =
    | { kind: "line"; text: string; look?: string }
    | { kind: "chips"; caption?: string; chips: readonly Chip[]; least?: number }
    | {
          kind: "grid";
          head?: readonly string[];
          /** How wide its columns are to each other. */
          weights: readonly number[];
          rows: readonly { key: string; cells: readonly (Chip | string)[] }[];
          tall?: number;
      }
    /** Beside each other, where each has at least so much room; else one below the other. */
    | { kind: "columns"; columns: readonly (readonly Block[])[]; least: number };

export interface Panel {
    key: string;
    title: string;
    blocks: readonly Block[];
    /** Whether it is folded away where there is little room, or until somebody wants to see it. */
    folds?: "narrow" | "always";
    /** Whether it is what somebody is asked about. */
    isAsked?: boolean;
}

export interface PlacedText {
    key: string;
    x: number;
    y: number;
    size: number;
    text: string;
    look: string;
}
export interface PlacedBit extends Bit {
    x: number;
}
export interface PlacedChip extends Omit<Chip, "bits" | "lines"> {
    bits: PlacedBit[];
    /** The middle line of its bits. */
    middle: number;
    /** What stands below, line by line. */
    words: { y: number; text: string }[];
    x: number;
    y: number;
    w: number;
    h: number;
}
export interface Placed {
    texts: PlacedText[];
    chips: PlacedChip[];
    height: number;
}

export const CHIP = 28;
export const LETTERS = 13;
export const SMALL = 12;
export const ICON = 16;
const GAP = 5;
/** Numbers and codes are never cut. */
const SHORT = 3;
const INSET = 7;
/** In boxes without an edge, and between them: all phases of a turn stand in one line on a phone. */
const NEAR = 1.5;
const CLOSE_BY = 4;
const BETWEEN = 4;
const LINE = 17;
const WORDS = 16;

const isBold = ({ look }: Bit): boolean => look !== "faint";

const bitWidth = (bit: Bit): number =>
    (bit.icon ? ICON : 0) + (bit.text ? widthOf(bit.text, LETTERS, isBold(bit)) : 0);

export function bitsAt(bits: readonly Bit[], room: number): { bits: PlacedBit[]; width: number } {
    let x = 0;
    const placed: PlacedBit[] = [];
    for (const bit of bits) {
        const left = room - x - (bit.icon ? ICON : 0);
        const isShort = (bit.text?.length ?? 0) <= SHORT;
        const here =
            bit.text === undefined || isShort
                ? bit
                : { ...bit, text: cut(bit.text, LETTERS, left, isBold(bit)) };
        placed.push({ ...here, x });
        x += bitWidth(here) + BETWEEN;
    }
    return { bits: placed, width: Math.max(0, x - BETWEEN) };
}

// A panel that has not changed lies as it lay, in whatever column it is tried.
const known = new WeakMap<Panel, Map<number, Placed>>();

/** All blocks of a panel, one below the other. */
export function laidOut(panel: Panel, width: number): Placed {
    const widths = known.get(panel) ?? new Map<number, Placed>();
    known.set(panel, widths);
    const placed = widths.get(width) ?? placedIn(panel, width);
    widths.set(width, placed);
    return placed;
}

const placedIn = (panel: Panel, width: number): Placed => stacked(panel.blocks, width, "");

/** One below the other; `where` begins the keys of what has none of its own. */
function stacked(blocks: readonly Block[], width: number, where: string): Placed {
    const placed: Placed = { texts: [], chips: [], height: 0 };
    for (const [at, block] of blocks.entries()) {
        const key = `${where}${at}`;
        if (block.kind === "line") putLine(placed, block.text, width, block.look ?? "", `l${key}`);
        else if (block.kind === "chips") putChips(placed, block, width, key);
        else if (block.kind === "grid") putGrid(placed, block, width, key);
        else putColumns(placed, block, width, key);
    }
    return placed;
}

const GUTTER = 20;

function putColumns(
    to: Placed,
    { columns, least }: Extract<Block, { kind: "columns" }>,
    width: number,
    key: string,
): void {
    const filled = columns.filter((blocks) => blocks.length);
    const each = (width + GUTTER) / filled.length - GUTTER;
    const isBeside = each >= least;
    const top = to.height;
    for (const [n, blocks] of filled.entries()) {
        const own = stacked(blocks, isBeside ? each : width, `${key}.${n}.`);
        const [x, y] = isBeside ? [n * (each + GUTTER), top] : [0, to.height];
        to.texts.push(...own.texts.map((text) => ({ ...text, x: text.x + x, y: text.y + y })));
        to.chips.push(...own.chips.map((chip) => ({ ...chip, x: chip.x + x, y: chip.y + y })));
        to.height = Math.max(to.height, y + own.height);
    }
}

function putLine(to: Placed, text: string, width: number, look: string, key: string): void {
    const size = look.includes("small") ? SMALL : LETTERS;
    const room = look.includes("strong") ? width / 1.12 : width;
    for (const [at, line] of broken(text, size, room).entries()) {
        to.texts.push({ key: `${key}.${at}`, x: 0, y: to.height + 13, size, text: line, look });
        to.height += LINE;
    }
    to.height += 2;
}

function putChips(
    to: Placed,
    { caption, chips, least }: Extract<Block, { kind: "chips" }>,
    width: number,
    at: string,
): void {
    if (caption) putLine(to, caption, width, "small faint", `c${at}`);
    if (!chips.length) return;
    if (least) putTiles(to, chips, width, least);
    else putFlow(to, chips, width);
    to.height += GAP - 1;
}

/** Boxes as wide as what is in them. */
function putFlow(to: Placed, chips: readonly Chip[], width: number): void {
    let [x, y] = [0, to.height];
    for (const chip of chips) {
        const isPhase = chip.look?.includes("phase") === true;
        const [inset, gap] = isPhase ? [NEAR, CLOSE_BY] : [INSET, GAP];
        const { bits, width: natural } = bitsAt(chip.bits, width - 2 * inset);
        const w = Math.min(width, Math.max(CHIP, natural + 2 * inset));
        if (x > 0 && x + w > width) [x, y] = [0, y + CHIP + GAP];
        to.chips.push(chipAt(chip, bits, (w - natural) / 2, { x, y, w, h: CHIP }));
        x += w + gap;
    }
    to.height = y + CHIP;
}

/** Boxes side by side of one width, each as high as its text. */
function putTiles(to: Placed, chips: readonly Chip[], width: number, least: number): void {
    const columns = Math.max(1, Math.floor((width + GAP) / (least + GAP)));
    const w = (width + GAP) / columns - GAP;
    for (let first = 0; first < chips.length; first += columns) {
        const row = chips.slice(first, first + columns).map((chip) => ({
            chip,
            words: (chip.lines ?? []).flatMap((line) => broken(line, SMALL, w - 2 * INSET)),
        }));
        const most = Math.max(...row.map(({ words }) => words.length));
        const h = CHIP + most * WORDS + (most ? 5 : 0);
        for (const [n, { chip, words }] of row.entries()) {
            const { bits } = bitsAt(chip.bits, w - 2 * INSET);
            to.chips.push(
                chipAt(chip, bits, INSET, { x: n * (w + GAP), y: to.height, w, h }, words),
            );
        }
        to.height += h + GAP;
    }
    to.height -= GAP;
}

function putGrid(
    to: Placed,
    { head, weights, rows, tall = CHIP }: Extract<Block, { kind: "grid" }>,
    room: number,
    at: string,
): void {
    const width = Math.min(room, WIDEST);
    const sum = weights.reduce((all, one) => all + one, 0);
    const widths = weights.map((one) => (one / sum) * width);
    const lefts = widths.map((_, n) => widths.slice(0, n).reduce((all, one) => all + one, 0));
    if (head) {
        for (const [n, text] of head.entries()) {
            const w = widths[n] ?? 0;
            const shown = cut(text, SMALL, w);
            const x = n === 0 ? 0 : (lefts[n] ?? 0) + w / 2;
            const look = `small faint${n === 0 ? "" : " middle"}`;
            if (text)
                to.texts.push({
                    key: `h${at}.${n}`,
                    x,
                    y: to.height + 13,
                    size: SMALL,
                    text: shown,
                    look,
                });
        }
        to.height += LINE;
    }
    for (const { key, cells } of rows) {
        for (const [n, cell] of cells.entries()) {
            const [x, w] = [lefts[n] ?? 0, (widths[n] ?? 0) - 2];
            if (typeof cell === "string") {
                const y = to.height + tall / 2 + 4.5;
                const text = cut(cell, LETTERS, w);
                if (cell)
                    to.texts.push({ key: `${key}.${n}`, x, y, size: LETTERS, text, look: "" });
                continue;
            }
            const { bits, width: natural } = bitsAt(cell.bits, w - 4);
            const left = cell.look?.includes("row") ? 3 : (w - natural) / 2;
            to.chips.push(chipAt(cell, bits, left, { x, y: to.height, w, h: tall }));
        }
        to.height += tall + 2;
    }
    to.height += 4;
}

/** So wide a grid can still be read across. */
const WIDEST = 480;

interface Place {
    x: number;
    y: number;
    w: number;
    h: number;
}

/** `left` is where its bits begin; below them stands what it has to say. */
function chipAt(
    { key, noun, label, about, look }: Chip,
    bits: PlacedBit[],
    left: number,
    place: Place,
    words: readonly string[] = [],
): PlacedChip {
    const one = Math.min(place.h, CHIP);
    return {
        key,
        label,
        ...(noun !== undefined && { noun }),
        ...(about && { about }),
        ...(look !== undefined && { look }),
        bits: bits.map((bit) => ({ ...bit, x: bit.x + left })),
        middle: one / 2,
        words: words.map((text, n) => ({ y: one + 9 + n * WORDS, text })),
        ...place,
    };
}

/** All boxes of a panel. */
export const chipsIn = ({ blocks }: { blocks: readonly Block[] }): Chip[] =>
    blocks.flatMap((block) => {
        if (block.kind === "line") return [];
        if (block.kind === "chips") return block.chips;
        if (block.kind === "columns")
            return block.columns.flatMap((own) => chipsIn({ blocks: own }));
        return block.rows.flatMap(({ cells }) => cells.filter((cell) => typeof cell !== "string"));
    });

/** The nouns of what can be touched in a panel. */
export const nounsIn = (panel: Panel): string[] =>
    chipsIn(panel).flatMap(({ noun }) => (noun ? [noun] : []));
