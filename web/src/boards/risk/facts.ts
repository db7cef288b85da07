/** What is printed, from the game's own data: names, cards, what they do and what sets are worth. */
import adventures from "$data/risk/data/adventure_cards.json";
import deck from "$data/risk/data/territory_cards.json";
import { Alignment, type Board } from "$gen/bree/risk/v1/board_pb";
import type { Explained } from "../../parts/touching";
import { titled } from "../../parts/words";
import { BRIDGES, SHAPES } from "./ground";

export type { Board };

export type CardSymbol = "elven_archer" | "dark_rider" | "eagle" | "wild";

export const SYMBOL_NAMES: Readonly<Record<CardSymbol, string>> = {
    elven_archer: "Elven Archer",
    dark_rider: "Dark Rider",
    eagle: "Eagle",
    wild: "Wild card",
};

interface Deed {
    id: string;
    type: string;
    title: string;
    points?: readonly number[];
    reconstructed?: boolean;
    territory?: string;
    battalions?: readonly number[];
    where?: string;
}

const DEEDS: ReadonlyMap<string, Deed> = new Map(
    (adventures.cards as readonly Deed[]).map((card) => [card.id, card]),
);
const MEANINGS: Readonly<Record<string, string>> = adventures.meanings;

/** A Territory card; the wild ones come last and have numbers. */
const SYMBOLS: ReadonlyMap<string, CardSymbol> = new Map(
    deck.cards.map(({ territory, symbol }, at) => [
        territory ?? `wild_${at - deck.cards.length + 3}`,
        symbol as CardSymbol,
    ]),
);

export const nameOfLand = (id: string): string => SHAPES.regions.get(id)?.name ?? titled(id);

export const isLand = (noun: string): boolean => SHAPES.regions.has(noun);
export const isTerritoryCard = (noun: string): boolean => SYMBOLS.has(noun);
export const isAdventure = (noun: string): boolean => DEEDS.has(noun);
export const symbolOf = (card: string): CardSymbol => SYMBOLS.get(card) ?? "wild";
export const titleOf = (card: string): string => DEEDS.get(card)?.title ?? titled(card);

export function nameOfCard(card: string): string {
    return symbolOf(card) === "wild" ? `Wild card ${card.slice(-1)}` : nameOfLand(card);
}

export function nameOfBridge(bridge: string): string {
    const found = BRIDGES.find(({ id }) => id === bridge);
    return found ? `${nameOfLand(found.a)}–${nameOfLand(found.b)}` : titled(bridge);
}

const ORDERS: Readonly<Record<string, string>> = {
    attacked: "When you are attacked",
    fellowship: "When the Ring is about to move",
};

export function nameOf(noun: string): string | undefined {
    if (isAdventure(noun)) return titleOf(noun);
    if (isLand(noun)) return nameOfLand(noun);
    if (isTerritoryCard(noun)) return nameOfCard(noun);
    return BRIDGES.some(({ id }) => id === noun) ? nameOfBridge(noun) : ORDERS[noun];
}

export const many = (number: number | bigint, thing: string): string =>
    `${number} ${thing}${Number(number) === 1 ? "" : "s"}`;

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const listed = (items: readonly string[]): string =>
    items.length > 1
        ? `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`
        : (items[0] ?? "");

// Sets of Territory cards.

const VALUES = deck.set_values;
const OF_A_KIND: Readonly<Record<string, number>> = {
    elven_archer: VALUES.three_elven_archer,
    dark_rider: VALUES.three_dark_rider,
    eagle: VALUES.three_eagle,
};

/** What three cards are worth by their best reading; 0 if they are no set. */
export function setValue(cards: readonly string[]): number {
    const symbols = cards.map(symbolOf);
    const plain = new Set(symbols.filter((symbol) => symbol !== "wild"));
    const wilds = symbols.filter((symbol) => symbol === "wild").length;
    if (plain.size + wilds >= 3) return VALUES.one_of_each;
    const [only] = plain;
    return plain.size === 1 && only ? (OF_A_KIND[only] ?? 0) : 0;
}

export const SET_LINES: readonly string[] = [
    ...Object.entries(OF_A_KIND).map(
        ([symbol, value]) => `Three ${SYMBOL_NAMES[symbol as CardSymbol]}s: ${value} battalions`,
    ),
    `One of each: ${VALUES.one_of_each} battalions`,
    "A wild card stands for any symbol.",
];

// Adventure cards.

const WHERE: Readonly<Record<string, string>> = { anywhere: "anywhere", here: "there" };
const KINDS: Readonly<Record<string, string>> = {
    mission: "Mission",
    power: "Power card",
    event: "Event",
};

export const kindOf = (card: string): string => KINDS[DEEDS.get(card)?.type ?? ""] ?? "Card";
export const isMission = (card: string): boolean => DEEDS.get(card)?.type === "mission";

const side = (alignment: Alignment): number => (alignment === Alignment.EVIL ? 1 : 0);

/** What a card scores for an army of this alignment. */
export const pointsOf = (card: string, alignment: Alignment): number =>
    DEEDS.get(card)?.points?.[side(alignment)] ?? 0;

/** What a card does for an army of this alignment, in one sentence. */
export function meaningOf(card: string, alignment: Alignment): string {
    const found = DEEDS.get(card);
    if (!found) return "";
    if (found.type !== "mission") {
        const stem = found.id.replace(/^[a-z]+_/, "").replace(/_\d$/, "");
        return `${capital(MEANINGS[stem] ?? "")}.`;
    }
    const goal = `Bring a Leader to ${nameOfLand(found.territory ?? "")}`;
    const gained = found.battalions?.[side(alignment)];
    if (!gained) return `${goal}: one more Territory card this turn.`;
    const where = WHERE[found.where ?? ""] ?? `in ${titledRegion(found.where ?? "")}`;
    return `${goal}: ${many(gained, "battalion")} ${where}.`;
}

const titledRegion = (region: string): string => (region === "rhun" ? "Rhûn" : titled(region));

export function aboutAdventure(card: string, alignment: Alignment): Explained {
    const points = pointsOf(card, alignment);
    const source = DEEDS.get(card)?.reconstructed ? ", a reconstructed value" : "";
    return {
        title: titleOf(card),
        lines: [
            meaningOf(card, alignment),
            `${kindOf(card)}. ${points ? `${many(points, "point")} once it is played${source}.` : "It scores nothing."}`,
        ],
    };
}

export function aboutTerritoryCard(card: string): Explained {
    return { title: nameOfCard(card), lines: [`${SYMBOL_NAMES[symbolOf(card)]}.`, ...SET_LINES] };
}
