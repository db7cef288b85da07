/** Sentences: what a screen reader says of a thing, and its whole text for whoever points at it. */
import type { Card, Landmark, Price, Token } from "$gen/bree/duel/v1/board_pb";
import type { Explained } from "../../parts/touching";
import {
    type Board,
    CARDS,
    type Printed,
    SIDES,
    SIDE_TITLES,
    type SideName,
    TILES,
    TOKENS,
    capital,
    effectWords,
    many,
    nameOf,
    ownerOf,
    skillWords,
} from "./facts";

const pairs = (
    skills: readonly { skill: string; count: number }[],
): (readonly [string, number])[] => skills.map(({ skill, count }) => [skill, count]);

export function costWords(coins: number, skills: Iterable<readonly [string, number]>): string {
    const words = [...(coins ? [many(coins, "coin")] : []), ...skillWords(skills)];
    return words.join(", ") || "nothing";
}

/** A price in two or three words. */
export function priceWords(price: Price | undefined): string {
    if (!price) return "";
    if (price.chained) return "free through a chain";
    const coins = price.coins ? many(price.coins, "coin") : "nothing";
    return price.affordable ? coins : `${coins}, too dear now`;
}

const whose = (view: Board, side: SideName): string =>
    view.side && SIDES[view.side - 1] === side ? "you" : SIDE_TITLES[side];

/** The sides, the one whose prices are drawn first. */
const inTurn = (view: Board): readonly SideName[] =>
    ownerOf(view) === "sauron" ? ["sauron", "fellowship"] : SIDES;

/** A price and what it is made of. */
export function priceLine(view: Board, side: SideName, price: Price, more: number): string {
    const who = whose(view, side);
    if (price.chained) return `Costs ${who} nothing, through the chain.`;
    const printed = price.coins - price.missing - more;
    const parts = [
        ...(printed > 0 ? [`${printed} printed`] : []),
        ...(more > 0 ? [`${more} for fortresses on the map`] : []),
        ...(price.missing > 0 ? [`${price.missing} for missing symbols`] : []),
    ];
    const made = parts.length ? `: ${parts.join(", ")}` : "";
    const coins = view[side]?.coins ?? 0;
    const has = price.affordable
        ? ""
        : ` ${capital(who)} ${who === "you" ? "have" : "has"} ${coins}.`;
    return `Costs ${who} ${price.coins ? many(price.coins, "coin") : "nothing"}${made}.${has}${shortWords(price)}`;
}

function shortWords(price: Price): string {
    if (!price.short.length) return "";
    const total = price.short.reduce((sum, { count }) => sum + count, 0);
    const covered = total - price.missing;
    const rest = covered > 0 ? `; ${covered} of it by a choice of skills or a token` : "";
    return ` Not produced every turn: ${skillWords(pairs(price.short)).join(", ")}${rest}.`;
}

const giver = (chain: string, end: "chain_from" | "chain_to"): Printed | undefined =>
    [...CARDS.values()].find((card) => card[end] === chain);

function chainLines(card: Pick<Printed, "chain_from" | "chain_to">): string[] {
    const lines: string[] = [];
    const from = card.chain_from && giver(card.chain_from, "chain_to");
    const to = card.chain_to && giver(card.chain_to, "chain_from");
    if (card.chain_from && from) {
        lines.push(`Free for whoever has the ${card.chain_from}, which ${from.name} gives.`);
    }
    if (card.chain_to && to) {
        lines.push(`Gives the ${card.chain_to}: ${to.name} is free then (chapter ${to.chapter}).`);
    }
    return lines;
}

/** A card of the display. */
export function aboutCard(view: Board, card: Card): Explained {
    const prices = inTurn(view).flatMap((side) => {
        const price = card[side];
        return price ? [priceLine(view, side, price, 0)] : [];
    });
    return {
        title: `${card.name} (${card.colour})`,
        lines: [
            `${capital(card.text)}.`,
            `Printed cost: ${costWords(card.coins, pairs(card.skills))}.`,
            ...chainLines({ chain_from: card.chainFrom ?? null, chain_to: card.chainTo ?? null }),
            ...prices,
        ],
    };
}

/** A card that has been played or discarded: what is printed on it. */
export function aboutPrinted(id: string, where: string): Explained {
    const card = CARDS.get(id);
    if (!card) return { title: nameOf(id) ?? id, lines: [where] };
    return {
        title: `${card.name} (${card.colour})`,
        lines: [
            where,
            `${capital(effectWords(card.effects))}.`,
            `Printed cost: ${costWords(card.cost.coins, Object.entries(card.cost.skills))}.`,
            ...chainLines(card),
        ],
    };
}

/** A landmark that may be taken. */
export function aboutLandmark(view: Board, tile: Landmark): Explained {
    const prices = inTurn(view).flatMap((side) => {
        const price = tile[side];
        return price ? [priceLine(view, side, price, view[side]?.surcharge ?? 0)] : [];
    });
    return {
        title: tile.name,
        lines: [
            `${capital(tile.text)}.`,
            `Asks for ${skillWords(pairs(tile.skills)).join(", ")}; a coin more for each fortress of your own.`,
            ...prices,
        ],
    };
}

/** A landmark that has been taken. */
export function aboutTaken(id: string): Explained {
    const tile = TILES.get(id);
    return {
        title: tile?.name ?? id,
        lines: tile ? [`${capital(effectWords(tile.effects))}.`] : [],
    };
}

export function tokenTitle(token: Token): string {
    return `${capital(token.race)}: ${TOKENS.get(token.token)?.name ?? token.token}`;
}

export const aboutToken = (token: Token): Explained => ({
    title: tokenTitle(token),
    lines: [`${capital(token.text)}.`],
});

export const REASONS: Readonly<Record<string, string>> = {
    quest_of_the_ring: "the Quest of the Ring",
    support_of_the_races: "the Support of the Races",
    conquest: "Conquest",
    most_regions: "present in more regions",
    equal_regions: "present in as many regions",
    forfeit: "the other side has given up",
};
