/** What is printed on Duel's cards, tiles and tokens, from the game's own data, and what it is called. */
import cardData from "$data/duel/data/cards.json";
import tileData from "$data/duel/data/landmarks.json";
import mapData from "$data/duel/data/map.json";
import tokenData from "$data/duel/data/tokens.json";
import { type Board, type Player, Side } from "$gen/bree/duel/v1/board_pb";

export type { Board, Player };
export { Side };

/** Fields that only some effects have; the data knows which. */
export interface Effect {
    type: string;
    amount?: number;
    count?: number;
    steps?: number;
    times?: number;
    reveal?: number;
    race?: string;
    region?: string;
    regions?: string[] | string;
    skills?: Record<string, number>;
    options?: (string | Effect)[];
}

export interface Printed {
    id: string;
    name: string;
    colour: string;
    chapter: number;
    cost: { coins: number; skills: Record<string, number> };
    chain_from: string | null;
    chain_to: string | null;
    effects: Effect[];
}

interface Tile {
    id: string;
    name: string;
    skills: Record<string, number>;
    effects: Effect[];
}

const byId = <T extends { id: string }>(all: T[]): ReadonlyMap<string, T> =>
    new Map(all.map((one) => [one.id, one]));

export const CARDS = byId(cardData.cards as unknown as Printed[]);
export const TILES = byId(tileData.landmarks as unknown as Tile[]);
export const TOKENS = byId(tokenData.tokens as { id: string; name: string; race: string }[]);
export const SKILLS: readonly string[] = cardData.skills;
export const COLOURS: readonly string[] = cardData.colours;
export const RACES: readonly string[] = cardData.races;
export const REGIONS: ReadonlyMap<string, string> = new Map(
    mapData.regions.map((region) => [region.id, region.name]),
);
const MANEUVERS: Readonly<Record<string, string>> = {
    removal: "Remove an enemy unit",
    coin: "The opponent loses a coin",
    movement: "A movement",
};

export const SIDES = ["fellowship", "sauron"] as const;
export type SideName = (typeof SIDES)[number];
export const SIDE_TITLES = { fellowship: "Fellowship", sauron: "Sauron" } as const;

export const sideName = (side: Side): SideName | undefined =>
    side === Side.FELLOWSHIP ? "fellowship" : side === Side.SAURON ? "sauron" : undefined;

/** Through whose eyes prices are drawn: the viewer's, or those of the side on turn. */
export const ownerOf = (view: Board): SideName =>
    sideName(view.side) ?? sideName(view.turn) ?? "fellowship";

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
export const spaced = (word: string): string => capital(word.replaceAll("_", " "));
export const many = (count: number, thing: string): string =>
    `${count} ${thing}${count === 1 ? "" : "s"}`;

/** What people call a noun of an action. */
export function nameOf(noun: string): string | undefined {
    const named = CARDS.get(noun) ?? TILES.get(noun) ?? TOKENS.get(noun);
    if (named) return named.name;
    if (REGIONS.has(noun)) return REGIONS.get(noun);
    if (RACES.includes(noun) || SKILLS.includes(noun)) return capital(noun);
    if (noun === "sauron") return "Sauron";
    return MANEUVERS[noun];
}

function listed(words: string[], last: string): string {
    const end = words.at(-1) ?? "";
    return words.length > 1 ? `${words.slice(0, -1).join(", ")} ${last} ${end}` : end;
}

/** Skills and how many of each, in words. */
export function skillWords(skills: Iterable<readonly [string, number]>): string[] {
    return [...skills].map(([skill, count]) => (count === 1 ? skill : `${count} ${skill}`));
}

/** Regions in the order of the map. */
export function namesOf(regions: string[] | string | undefined): string[] {
    if (!Array.isArray(regions)) return ["any region"];
    return [...REGIONS].filter(([id]) => regions.includes(id)).map(([, name]) => name);
}

const inOrder = (skills: Record<string, number>): [string, number][] =>
    SKILLS.filter((skill) => skills[skill]).map((skill) => [skill, skills[skill] ?? 0]);

const NUMBERS = ["no", "one", "two", "three", "four"];

const TEXTS: Record<string, (e: Effect) => string> = {
    produce_skills: (e) => listed(skillWords(inOrder(e.skills ?? {})), "and"),
    produce_skill_choice: (e) =>
        listed(
            SKILLS.filter((skill) => e.options?.includes(skill)),
            "or",
        ),
    race_symbol: (e) => capital(e.race ?? ""),
    gain_coins: (e) => `gain ${many(e.amount ?? 0, "coin")}`,
    opponent_loses_coins: (e) => `the opponent loses ${many(e.amount ?? 0, "coin")}`,
    advance_quest: (e) => many(e.steps ?? 0, "quest step"),
    place_units: (e) => `${many(e.count ?? 0, "unit")} in ${listed(namesOf(e.regions), "or")}`,
    move_units: (e) => many(e.count ?? 0, "movement"),
    remove_enemy_units: (e) => `remove ${many(e.count ?? 0, "enemy unit")}`,
    play_from_discard: () => "play a card from the discard pile",
    alliance_from_one_race: (e) =>
        `choose a race and keep one of its ${NUMBERS[e.reveal ?? 0] ?? ""} top tokens`,
    discard_opponent_card: () => "the opponent loses a grey card of your choice",
    place_fortress: (e) => `a fortress in ${REGIONS.get(e.region ?? "") ?? ""}`,
};

/** What is printed, in the words that views have, for what a view only names. */
export const effectWords = (effects: readonly Effect[]): string =>
    effects.map((effect) => TEXTS[effect.type]?.(effect) ?? spaced(effect.type)).join(", ");
