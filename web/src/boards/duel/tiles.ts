/** Larger boxes with a title, symbols and lines of text: landmarks, tokens, stacks of tokens. */
import type { Explained } from "../../parts/touching";
import { type Bit, placed, type PlacedBit } from "./bits";
import { broken } from "./letters";

export interface Tile {
    key: string;
    noun: string;
    label: string;
    about: Explained;
    icon: string;
    title: string;
    /** On the right of the title: a price. */
    tag: readonly Bit[];
    dear?: boolean;
    bits: readonly Bit[];
    text: string;
    look?: string;
}

export interface PlacedTile extends Omit<Tile, "bits" | "tag"> {
    x: number;
    y: number;
    w: number;
    h: number;
    headings: string[];
    tagBits: PlacedBit[];
    tagWidth: number;
    row: PlacedBit[];
    lines: string[];
    /** Where the lines begin, below the title and the symbols. */
    under: number;
}

export const TILE_TEXT = 11.5;
export const TILE_LINE = 15;
const GAP = 5;
const HEAD = 25;
const BOLD = 1.1;

/** Tiles in as many columns as fit, each row as high as its highest. */
export function tiled(
    tiles: readonly Tile[],
    width: number,
    narrowest: number,
): { tiles: PlacedTile[]; height: number } {
    const fit = Math.max(1, Math.floor((width + GAP) / (narrowest + GAP)));
    const columns = Math.min(fit, Math.max(1, tiles.length));
    const w = (width + GAP) / columns - GAP;
    const found: PlacedTile[] = [];
    let y = 0;
    for (let at = 0; at < tiles.length; at += columns) {
        const row = tiles.slice(at, at + columns).map((tile) => shaped(tile, w));
        const h = Math.max(...row.map((tile) => tile.h));
        row.forEach((tile, column) => found.push({ ...tile, h, y, x: column * (w + GAP) }));
        y += h + GAP;
    }
    return { tiles: found, height: Math.max(0, y - GAP) };
}

function shaped(tile: Tile, w: number): PlacedTile {
    const tag = placed(tile.tag, 13);
    const tagRoom = tile.tag.length ? tag.width + 14 : 0;
    const row = placed(tile.bits, 14);
    const lines = tile.text ? broken(tile.text, TILE_TEXT, w - 14, 6) : [];
    const headings = broken(tile.title, BOLD * 12.5, w - 34 - tagRoom, 2);
    const under = HEAD + (headings.length - 1) * TILE_LINE + (tile.bits.length ? 20 : 0);
    return {
        ...tile,
        x: 0,
        y: 0,
        w,
        h: under + lines.length * TILE_LINE + (lines.length ? 5 : 3),
        headings,
        tagBits: tag.bits,
        tagWidth: tag.width,
        row: row.bits,
        lines,
        under,
    };
}
