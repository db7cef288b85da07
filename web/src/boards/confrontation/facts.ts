/** What is printed on the map, the tiles and the cards. */
import {
    cards as printedCards,
    special_cards as specialCards,
} from "$data/confrontation/data/cards.json";
import { sets } from "$data/confrontation/data/cards.json";
import { characters as printedCharacters, draft } from "$data/confrontation/data/characters.json";
import { arcs, barriers, decor, regions, view } from "$data/confrontation/data/shapes.json";
import { Side } from "$gen/bree/confrontation/v1/board_pb";
import { SOFT } from "./letters";

export type SideName = "good" | "dark";
export const SIDES: readonly SideName[] = ["good", "dark"];
export const TITLE: Record<SideName, string> = { good: "Good", dark: "Dark" };

export const otherSide = (side: SideName): SideName => (side === "good" ? "dark" : "good");

/** The side that a message names, if it names one. */
export function sideNamed(side: Side): SideName | undefined {
    if (side === Side.GOOD) return "good";
    return side === Side.DARK ? "dark" : undefined;
}

export interface Printed {
    id: string;
    name: string;
    /** Without its article, for small places. */
    short: string;
    side: SideName;
    text: string;
    notes: readonly string[];
    optionNotes: readonly { option: string; value: string; note: string }[];
}

export interface Character extends Printed {
    kind: "character";
    strength: number;
    /** Its short name with marks where it may be broken. */
    plate: string;
    /** The face of the deluxe edition, where another face has the same name. */
    isOther: boolean;
}

export interface Card extends Printed {
    kind: "card" | "special";
    /** What it adds; absent on cards of text. */
    value?: number;
}

interface Raw {
    id: string;
    name: string;
    side: string;
    description: string;
    notes?: string[];
    option_notes?: { option: string; value: string; note: string }[];
}

const shorter = (name: string): string => name.replace(/^The /, "");

function printed(raw: Raw): Printed {
    return {
        id: raw.id,
        name: raw.name,
        short: shorter(raw.name),
        side: raw.side as SideName,
        text: raw.description,
        notes: raw.notes ?? [],
        optionNotes: raw.option_notes ?? [],
    };
}

const faces = Object.values(printedCharacters) as (Raw & { strength: number; set: string })[];
const namesakes = (name: string): number => faces.filter((face) => face.name === name).length;

const BREAKS: Record<string, string> = {
    wormtongue: `Worm${SOFT}tongue`,
    treebeard: `Tree${SOFT}beard`,
};

export const CHARACTERS: ReadonlyMap<string, Character> = new Map(
    faces.map((raw) => [
        raw.id,
        {
            ...printed(raw),
            kind: "character",
            strength: raw.strength,
            plate: BREAKS[raw.id] ?? shorter(raw.name),
            isOther: raw.set === "variant" && namesakes(raw.name) > 1,
        },
    ]),
);

export const CARDS: ReadonlyMap<string, Card> = new Map([
    ...(printedCards as (Raw & { value: number | null })[]).map((raw): [string, Card] => [
        raw.id,
        { ...printed(raw), kind: "card", ...(raw.value === null ? {} : { value: raw.value }) },
    ]),
    ...(specialCards as Raw[]).map((raw): [string, Card] => [
        raw.id,
        { ...printed(raw), kind: "special" },
    ]),
]);

/** The nine cards of each side, in their order. */
export const DECKS: Record<SideName, readonly string[]> = sets.combat;

/** The special cards of a set, by side; none of a set that is off. */
export function specialSet(name: string): Record<SideName, readonly string[]> {
    if (name === "set_2002") return sets.special_2002;
    return name === "set_deluxe" ? sets.special_deluxe : { good: [], dark: [] };
}

/** The two faces of each tile, in the order in which they are drafted. */
export const TILES: Record<SideName, readonly (readonly string[])[]> = {
    good: draft.pairs.filter((pair) => isOf(pair[0], "good")),
    dark: draft.pairs.filter((pair) => isOf(pair[0], "dark")),
};

function isOf(id: string | undefined, side: SideName): boolean {
    return CHARACTERS.get(id ?? "")?.side === side;
}

/** The regions ahead of each home, in the order in which they are filled. */
export const START: Record<SideName, readonly string[]> = {
    good: ["arthedain", "cardolan", "rhudaur", "eregion", "enedwaith"],
    dark: ["dagorlad", "gondor", "mirkwood", "fangorn", "rohan"],
};

export interface Region {
    id: string;
    name: string;
    row: number;
    mountain: boolean;
    home: SideName | undefined;
    capacity: number;
    /** Where its name and its pieces stand, Good below: left, top, width, height. */
    box: readonly [number, number, number, number];
    polygon: readonly (readonly number[])[];
}

export const REGIONS: ReadonlyMap<string, Region> = new Map(
    regions.map((raw) => [
        raw.id,
        {
            ...raw,
            home: (raw.home ?? undefined) as SideName | undefined,
            box: raw.box as unknown as Region["box"],
        },
    ]),
);

export const MAP = {
    width: view[2] ?? 0,
    height: view[3] ?? 0,
    arcs,
    barriers,
    peaks: decor.peaks as unknown as readonly (readonly [number, number, number])[],
    trees: decor.trees as unknown as readonly (readonly [number, number])[],
};

const WITH_ARTICLE = ["misty_mountains", "gap_of_rohan"];

/** A region's name as it stands within a sentence. */
export function within(region: string): string {
    const name = REGIONS.get(region)?.name ?? region;
    return WITH_ARTICLE.includes(region) ? `the ${name}` : name.replace(/^The /, "the ");
}

/** A strength as it stands on a piece. */
export const strengthOf = ({ strength }: Character): string =>
    strength < 0 ? `−${-strength}` : `${strength}`;

/** A piece as its face says it, strength first, and which of two faces with one name it is. */
export function faceOf(id: string): string {
    const character = CHARACTERS.get(id);
    if (!character) return id;
    const other = character.isOther ? " (variant)" : "";
    return `${strengthOf(character)} ${character.short}${other}`;
}

/** What people call a noun. */
export function nameOf(noun: string): string | undefined {
    if (noun === "nobody") return "Nobody";
    const character = CHARACTERS.get(noun);
    if (character) return character.isOther ? `${character.name} (variant)` : character.name;
    const card = CARDS.get(noun);
    if (card) return card.kind === "card" ? `${TITLE[card.side]}’s ${card.short}` : card.name;
    return REGIONS.get(noun)?.name;
}
