/** The viewer's own cards, and the sets among them. */
import { Alignment } from "$gen/bree/risk/v1/board_pb";
import {
    type Board,
    isLand,
    isTerritoryCard,
    meaningOf,
    nameOfCard,
    pointsOf,
    setValue,
    symbolOf,
    titleOf,
    kindOf,
    type CardSymbol,
} from "./facts";
import { own } from "./owners";

export interface HeldTerritory {
    card: string;
    name: string;
    symbol: CardSymbol;
}

export interface HeldAdventure {
    card: string;
    title: string;
    kind: string;
    meaning: string;
    points: number;

    /** What the card does is an action of its own, which it stands for. */
    verb: string | undefined;
}

export interface CardSet {
    key: string;
    cards: readonly string[];
    names: readonly string[];
    value: number;
}

export interface Hand {
    territory: readonly HeldTerritory[];
    adventure: readonly HeldAdventure[];
    secrets: readonly string[];

    /** The best first; of sets with the same symbols one. */
    sets: readonly CardSet[];
}

/** The card for which an invasion across mountains is an action of its own. */
const WAY = /^power_the_way_is_under_the_mountains/;

/** Whether there is no card in it: before any were dealt. */
export const isEmpty = ({ territory, adventure, secrets }: Hand): boolean =>
    territory.length + adventure.length + secrets.length === 0;

export function handOf(view: Board): Hand | undefined {
    const player = own(view);
    if (!player) return undefined;
    const alignment = player.alignment || Alignment.GOOD;
    const cards = player.territoryCards?.known ?? [];
    const ways = (player.adventureCards?.known ?? []).filter((card) => WAY.test(card));
    return {
        territory: cards.map((card) => ({
            card,
            name: nameOfCard(card),
            symbol: symbolOf(card),
        })),
        adventure: (player.adventureCards?.known ?? []).map((card) => ({
            card,
            title: titleOf(card),
            kind: kindOf(card),
            meaning: meaningOf(card, alignment),
            points: pointsOf(card, alignment),
            verb: card === ways[0] ? "below" : undefined,
        })),
        secrets: player.secrets?.known ?? [],
        sets: setsIn(cards),
    };
}

export function setsIn(cards: readonly string[]): CardSet[] {
    const found = new Map<string, CardSet>();
    cards.forEach((a, i) => {
        cards.slice(i + 1).forEach((b, j) => {
            for (const c of cards.slice(i + j + 2)) {
                const set = [a, b, c];
                const value = setValue(set);
                const key = set.map(symbolOf).sort().join(" ");
                if (value && !found.has(key))
                    found.set(key, { key, cards: set, names: set.map(nameOfCard), value });
            }
        });
    });
    return [...found.values()].sort((a, b) => b.value - a.value);
}

/** Three cards make a set. */
const SET = 3;

/** Those nouns that mean cards of the hand now. A card has the name of its territory; while battalions are
 *  placed, a name means the territory where they may go, until it is said that a set is turned in. */
export function cardsMeant(
    view: Board,
    lit: ReadonlySet<string>,
    picked: ReadonlySet<string>,
): ReadonlySet<string> {
    const held = new Set(own(view)?.territoryCards?.known ?? []);
    const nouns = [...lit, ...picked].filter((noun) => isLand(noun) || isTerritoryCard(noun));
    const isSet = (found: readonly string[]): boolean =>
        found.length >= SET && found.every((noun) => held.has(noun));
    if (picked.has(":turn_in") || isSet(nouns)) return held;
    if (!lit.has(":turn_in")) return new Set();
    const mine = new Set(
        view.territories
            .filter(({ holder }) => holder === view.seat)
            .map(({ territory }) => view.map?.territories[territory]?.territory),
    );
    return new Set([...held].filter((card) => !mine.has(card)));
}
