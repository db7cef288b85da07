/** What is printed for The Confrontation and how it is called, from the game's data and by no code of the board. */
import characterData from "$data/confrontation/data/characters.json";
import boardData from "$data/confrontation/data/board.json";
import cardData from "$data/confrontation/data/cards.json";
import { type Board, Side } from "$gen/bree/confrontation/v1/board_pb";
import { bare } from "./seen";

export type SideName = "good" | "dark";
export const SIDES = ["good", "dark"] as const;
export const TITLES = { good: "Good", dark: "Dark" };
export const HOMES = { good: "shire", dark: "mordor" };
export const other = (side: SideName): SideName => (side === "good" ? "dark" : "good");
export const named = (side: Side | undefined): SideName | undefined =>
    side === Side.GOOD ? "good" : side === Side.DARK ? "dark" : undefined;
export const own = (view: Board): SideName | undefined => named(view.side);

interface Face {
    id: string;
    name: string;
    side: string;
    set: string;
    strength: number;
    description: string;
}
const FACES = Object.values(characterData.characters) as Face[];
interface Card {
    id: string;
    name: string;
    side: string;
    description: string;
    value?: number | null;
}
const CARDS: Card[] = [...cardData.cards, ...cardData.special_cards];
export const SETS = cardData.sets;
export const REGIONS = boardData.regions;
export const FORWARD = {
    good: boardData.start_zones.good_forward,
    dark: boardData.start_zones.dark_forward,
};
/** In the order of the tiles. */
export const PAIRS = characterData.draft.pairs;

export const face = (id: string): Face => one(FACES, id);
export const card = (id: string): Card => one(CARDS, id);
function one<T extends { id: string }>(all: readonly T[], id: string): T {
    const found = all.find((each) => each.id === id);
    if (!found) throw new Error(`nothing is called ${id}`);
    return found;
}

export const short = (name: string): string => name.replace(/^The /, "");
export const strength = ({ strength }: Face): string => String(strength).replace("-", "−");
export const isNamesake = (of: Face): boolean =>
    of.set === "variant" && FACES.filter(({ name }) => name === of.name).length > 1;
export const called = (id: string): string =>
    short(face(id).name) + (isNamesake(face(id)) ? " (variant)" : "");
export const regionName = (id: string): string => one(REGIONS, id).name;
/** As it stands in a sentence. */
export const inWords = (region: string): string => {
    const name = regionName(region);
    const isBare = region === "misty_mountains" || region === "gap_of_rohan";
    return isBare ? `the ${name}` : name.replace(/^The /, "the ");
};

export const plate = (id: string): string => {
    const { side, name } = face(id);
    return `${side} ${strength(face(id))} ${bare(short(name))}`;
};
export const cardFace = (id: string): string => `${card(id).side} ${bare(short(card(id).name))}`;
