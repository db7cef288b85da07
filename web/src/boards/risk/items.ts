/** What panels are made of: texts, boxes and symbols at their places, some of them things to be touched. */
import { writing } from "../../parts/letters";
import { widthOf } from "../../parts/map/names";
import type { Explained } from "../../parts/touching";
import type { IconName } from "./icons";

interface Placed {
    /** Different from that of all others beside it. */
    key: string;
    x: number;
    y: number;
    look?: string;
}

export interface TextItem extends Placed {
    kind: "text";
    text: string;
    size: number;
    anchor?: "start" | "middle" | "end";
}

export interface IconItem extends Placed {
    kind: "icon";
    icon: IconName;
    size: number;
}

/** What belongs to an army, with a number or letter in it. */
export interface OwnerItem extends Placed {
    kind: "owner";
    seat: string;
    r: number;
    text: string;
}

export interface BoxItem extends Placed {
    kind: "box";
    w: number;
    h: number;
    r: number;
}

export interface DieItem extends Placed {
    kind: "die";
    face: number;
    size: number;
    lost: boolean;
    nth: number;
}

/** What can be touched or tells of itself. */
export interface ThingItem extends Placed {
    kind: "thing";

    /** Those by which it can be touched: the one of them that is lit. */
    nouns: readonly string[];
    label: string;
    about?: Explained | undefined;
    w: number;
    h: number;
    items: readonly Item[];
}

export type Item = TextItem | IconItem | OwnerItem | BoxItem | DieItem | ThingItem;

export interface Sheet {
    items: readonly Item[];
    height: number;
}

/** What is written, and how large. */
export const TEXT = 12.5;
export const SMALL = 11.5;
export const LINE = 17;
const SANS = 1.02;
const BOLD = 1.1;

export const roomOf = (text: string, size: number, isBold = false): number =>
    widthOf(text) * size * (isBold ? BOLD : SANS);

export const { broken, cut } = writing(roomOf);

/** As `broken`, for bold letters. */
export const brokenBold = (text: string, size: number, width: number, most?: number): string[] =>
    broken(text, (size * BOLD) / SANS, width, most);

/** Lines of text, one below the other; `y` is the top of the first. */
export function paragraph(
    key: string,
    text: string,
    at: { x: number; y: number; width: number },
    more: { size?: number; look?: string; most?: number } = {},
): { items: TextItem[]; bottom: number } {
    const size = more.size ?? TEXT;
    const leading = size * 1.32;
    const lines = broken(text, size, at.width, more.most);
    const items = lines.map((line, n) => ({
        kind: "text" as const,
        key: `${key}.${n}`,
        x: at.x,
        y: at.y + leading * (n + 0.5),
        text: line,
        size,
        ...(more.look !== undefined && { look: more.look }),
    }));
    return { items, bottom: at.y + leading * lines.length };
}

/** A small box with a symbol and a text. */
export interface Chip {
    key: string;
    nouns?: readonly string[];
    label: string;
    about?: Explained;
    icon?: IconName;
    owner?: string;
    text: string;
    look?: string;
}

export const CHIP = 28;
const GAP = 5;
const SYMBOL = 15;

/** Chips in lines, from a place on. */
export function chipped(
    chips: readonly Chip[],
    at: { x: number; y: number; width: number },
): { items: ThingItem[]; bottom: number } {
    let { x, y } = at;
    const items = chips.map((chip) => {
        const inset = (chip.icon ?? chip.owner) ? SYMBOL + 12 : 8;
        const text = cut(chip.text, SMALL, at.width - inset - 8);
        const w = Math.max(CHIP, Math.min(at.width, inset + roomOf(text, SMALL) + 8));
        if (x > at.x && x + w > at.x + at.width) [x, y] = [at.x, y + CHIP + GAP];
        const thing = chipAt({ ...chip, text }, x, y, w, inset);
        x += w + GAP;
        return thing;
    });
    return { items, bottom: chips.length ? y + CHIP + GAP : at.y };
}

function chipAt(chip: Chip, x: number, y: number, w: number, inset: number): ThingItem {
    const middle = CHIP / 2;
    const inner: Item[] = [
        { kind: "box", key: "box", x: 0, y: 0, w, h: CHIP, r: 6, look: "chip" },
        { kind: "text", key: "text", x: inset, y: middle, text: chip.text, size: SMALL },
    ];
    if (chip.icon)
        inner.push({
            kind: "icon",
            key: "icon",
            icon: chip.icon,
            x: 7,
            y: middle - SYMBOL / 2,
            size: SYMBOL,
        });
    if (chip.owner !== undefined)
        inner.push({
            kind: "owner",
            key: "of",
            seat: chip.owner,
            x: 15,
            y: middle,
            r: 7,
            text: "",
        });
    return {
        kind: "thing",
        key: chip.key,
        nouns: chip.nouns ?? [],
        label: chip.label,
        about: chip.about,
        x,
        y,
        w,
        h: CHIP,
        items: inner,
        ...(chip.look !== undefined && { look: chip.look }),
    };
}
