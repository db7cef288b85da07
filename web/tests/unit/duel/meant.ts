/** What must be seen in a position of Duel: said by its view and by what is printed, and by no code of the board. */
import cardData from "$data/duel/data/cards.json";
import tileData from "$data/duel/data/landmarks.json";
import mapData from "$data/duel/data/map.json";
import tokenData from "$data/duel/data/tokens.json";
import trackData from "$data/duel/data/track.json";
import {
    type Board,
    type Card,
    type Player,
    type Price,
    Side,
    type SkillCount,
} from "$gen/bree/duel/v1/board_pb";
import { symbol } from "./seen";

export const SIDES = ["fellowship", "sauron"] as const;
export type SideName = (typeof SIDES)[number];
const TITLES = { fellowship: "Fellowship", sauron: "Sauron" };
const WALKERS = { fellowship: "Frodo and Sam", sauron: "The Nazgûl" };
const REASONS: Record<string, string> = {
    quest_of_the_ring: "The Quest of the Ring",
    support_of_the_races: "The Support of the Races",
    conquest: "Conquest",
    most_regions: "Present in more regions",
    equal_regions: "Present in as many regions",
};

interface Effect {
    type: string;
    amount?: number;
    count?: number;
    steps?: number;
    race?: string;
    regions?: string[] | string;
    skills?: Record<string, number>;
    options?: string[];
}
interface Printed {
    id: string;
    name: string;
    colour: string;
    chain_to: string | null;
    effects: Effect[];
}
const CARDS = new Map((cardData.cards as unknown as Printed[]).map((card) => [card.id, card]));
const nameIn = (all: readonly { id: string; name: string }[], id: string): string => {
    const found = all.find((one) => one.id === id);
    if (!found) throw new Error(`nothing is called ${id}`);
    return found.name;
};
const regionName = (id: string): string => nameIn(mapData.regions, id);
const tokenName = (id: string): string => nameIn(tokenData.tokens, id);
const landmarkName = (id: string): string => nameIn(tileData.landmarks, id);

const named = (side: Side): SideName | undefined =>
    side === Side.FELLOWSHIP ? "fellowship" : side === Side.SAURON ? "sauron" : undefined;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const many = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
const times = (count: number | undefined, what: string): string[] =>
    Array.from({ length: count ?? 0 }, () => what);

/** Whose prices are shown: the viewer's, or those of the side on turn. */
const buyer = (view: Board): SideName => named(view.side) ?? named(view.turn) ?? "fellowship";

export function status(view: Board): object {
    const turn = named(view.turn) ?? "fellowship";
    const winner = view.result && named(view.result.winner);
    const side = view.result ? winner : turn;
    const you = view.side !== Side.UNSPECIFIED && view.side === view.turn ? " (you)" : "";
    return {
        side: side ?? "",
        pieces: side ? [side] : [],
        words: view.result
            ? [winner ? `${TITLES[winner]} wins` : "A shared victory", REASONS[view.result.reason]]
            : [
                  `${TITLES[turn]}${you} to play`,
                  `Chapter ${view.chapter} of 3 · turn ${view.turns}${view.extraTurns ? ` · then ${many(view.extraTurns, "turn")} more` : ""}`,
              ],
    };
}

function bitsOf(effect: Effect): string[] {
    switch (effect.type) {
        case "produce_skills":
            return Object.entries(effect.skills ?? {}).flatMap(([skill, n]) =>
                times(n, symbol(skill)),
            );
        case "produce_skill_choice":
            return [(effect.options ?? []).map(symbol).join(" / ")];
        case "race_symbol":
            return [symbol(effect.race ?? "")];
        case "gain_coins":
            return [`+${effect.amount ?? 0}`, symbol("coin")];
        case "opponent_loses_coins":
            return [`−${effect.amount ?? 0}`, symbol("coin")];
        case "advance_quest":
            return times(effect.steps, symbol("step"));
        case "place_units":
            return times(effect.count, symbol("unit"));
        case "move_units":
            return times(effect.count, symbol("move"));
        case "remove_enemy_units":
            return times(effect.count, symbol("remove"));
        default:
            throw new Error(`no card does ${effect.type}`);
    }
}

const effectsOf = (card: string): Effect[] => CARDS.get(card)?.effects ?? [];
const does = (card: string): string => effectsOf(card).flatMap(bitsOf).join(" ");

/** What is asked for: what is produced is faint, what is lacking has a frame. */
const skillsAsked = (skills: readonly SkillCount[], price: Price | undefined): string[] =>
    skills.flatMap(({ skill, count }) => {
        const short = price?.chained
            ? 0
            : (price?.short.find((lacking) => lacking.skill === skill)?.count ?? 0);
        const lacking = Math.min(short, count);
        return [
            ...times(count - lacking, `(${symbol(skill)})`),
            ...times(lacking, `! ${symbol(skill)}`),
        ];
    });

function costs(price: Price | undefined): string {
    if (price?.chained) return "free through a chain";
    const coins = price?.coins ? many(price.coins, "coin") : "nothing";
    return coins + (price?.affordable ? "" : ", too dear now");
}

function regionsOf(card: string): string {
    const placed = effectsOf(card).filter(({ type }) => type === "place_units");
    const names = placed.flatMap(({ regions }) =>
        Array.isArray(regions)
            ? mapData.regions.filter(({ id }) => regions.includes(id)).map(({ name }) => name)
            : ["any region"],
    );
    return names.join(" or ");
}

function face(card: Card, view: Board, covers: number, isNamed: boolean): string {
    const price = card[buyer(view)];
    const asks = [
        ...(card.coins ? [`${card.coins} ${symbol("coin")}`] : []),
        ...skillsAsked(card.skills, price),
        ...(card.chainFrom ? [`< ${symbol(card.chainFrom)}`] : []),
    ];
    const under = covers ? `, under ${covers === 1 ? "a card" : `${covers} cards`}` : ", available";
    return [
        `${card.colour} by ${symbol(card.colour)}`,
        `price ${price?.chained ? "free" : `${price?.coins ?? 0} ${symbol("coin")}`}${price?.affordable ? "" : " dear"}`,
        `brings ${[does(card.card), ...(card.chainTo ? [`> ${symbol(card.chainTo)}`] : [])].filter(Boolean).join(" ")}`,
        `in ${regionsOf(card.card)}`,
        `asks ${asks.join(" ")}`,
        `named ${isNamed ? card.name.replace(/ \(.*\)$/, "") : ""}`,
        `${card.name}, ${card.colour} card, costs ${costs(price)}${under}`,
        covers ? "" : "available",
        covers ? "" : "free",
    ].join(" | ");
}

/** Each card that lies there: its place, its face if it is up, and what it is touched by. */
export const display = (
    view: Board,
    isNamed: boolean,
): { slot: number; face: string; noun: string }[] =>
    view.display
        .filter(({ taken }) => !taken)
        .map(({ slot, card, coveredBy }) => ({
            slot,
            face: card ? face(card, view, coveredBy.length, isNamed) : "back",
            noun: card?.card ?? "",
        }));

export const titles = (view: Board): Record<string, string> => ({
    display: `Cards of chapter ${view.chapter}${named(view.side) ? "" : ` · prices of ${TITLES[buyer(view)]}`}`,
    landmarks: `${view.landmarks.length ? "Landmarks" : "No landmark is face up"}${view.landmarkStack ? ` · ${view.landmarkStack} more face down` : ""}`,
    map: "Middle-earth",
    track: "The Quest of the Ring",
    stacks: "Alliance tokens",
    discard: "Discard pile",
    ...(view.revealed.length
        ? { revealed: `${TITLES[named(view.turn) ?? "fellowship"]} keeps one of these tokens` }
        : {}),
});

const tile = (...parts: string[]): string => parts.join(" | ");

export const landmarks = (view: Board): string[] =>
    view.landmarks.map(({ landmark, skills, text, [buyer(view)]: price }) =>
        tile(
            symbol(`${buyer(view)}_fort`),
            landmarkName(landmark),
            `${price?.coins ?? 0} ${symbol("coin")}${price?.affordable ? "" : " dear"}`,
            skillsAsked(skills, price).join(" "),
            `${capital(text)}.`,
            `<${landmark}>`,
            "",
        ),
    );

export const revealed = (view: Board): string[] =>
    view.revealed.map(({ token, race, text }) =>
        tile(
            symbol(race),
            `${capital(race)}: ${tokenName(token)}`,
            "",
            "",
            `${capital(text)}.`,
            `<${token}>`,
            "",
        ),
    );

export const stacks = (view: Board): string[] =>
    view.stacks.map(({ race, unseen, top }) => {
        const left = unseen + (top ? 1 : 0);
        const seen = top ? `Top: ${top.text}` : "";
        return tile(
            symbol(race),
            capital(race),
            `×${left}`,
            "",
            seen,
            `<${isCard(view, race) ? "" : race}>`,
            left ? "" : "spent",
        );
    });

/** Where a card may be had that is called as a race is, its name means the card. */
const isCard = (view: Board, race: string): boolean =>
    view.display.some(({ available, card }) => available && card?.card === race) ||
    (view.discard?.known.some(({ card }) => card === race) ?? false);

/** What stands where on the map. */
export const onMap = (view: Board): string[] =>
    view.regions.flatMap(({ region, fortress, ...of }) => {
        const fort = named(fortress);
        const isOffered = view.landmarks.some((tile) => tile.region === region);
        return [
            `${region}: name ${regionName(region)}`,
            ...SIDES.filter((side) => of[side]).map((side) => `${region}: ${side} ${of[side]}`),
            fort
                ? `${region}: fort of ${fort} ${symbol(`${fort}_fort`)}`
                : `${region}: ${isOffered ? "offered" : "site"}`,
        ];
    });

export const landLabels = (view: Board): string[] =>
    view.regions.map(({ region, fortress, ...of }) => {
        const fort = named(fortress);
        const there = [
            ...SIDES.filter((side) => of[side]).map(
                (side) => `${many(of[side], "unit")} of ${TITLES[side]}`,
            ),
            ...(fort ? [`a fortress of ${TITLES[fort]}`] : []),
        ];
        return `${regionName(region)}: ${there.join(" and ") || "nobody"}`;
    });

/** Frodo and Sam past the middle, the Nazgûl behind them: in columns, of which a side's way has `goal`. */
export function chase(view: Board): {
    hobbits: number;
    nazgul: number;
    ticks: number;
    words: string[];
    said: string;
} {
    const { goal = 0, fellowship = 0, sauron = 0 } = view.track ?? {};
    const [behind, left] = [goal - sauron, goal - fellowship];
    return {
        hobbits: (goal + fellowship) / (2 * goal),
        nazgul: (goal + fellowship - behind) / (2 * goal),
        ticks: 2 * goal,
        words: [`Nazgûl: ${behind} behind`, `Mount Doom: ${left} to go`],
        said: `The Nazgûl are ${many(behind, "step")} behind Frodo and Sam, who have ${many(left, "step")} to Mount Doom`,
    };
}

const PAYS: Record<string, string> = {
    gain_coins: "coin",
    place_units: "unit",
    extra_turn: "again",
    remove_enemy_fortress: "remove",
};

export const lanes = (view: Board): object[] =>
    SIDES.map((side) => {
        const made = view.track?.[side] ?? 0;
        const steps = Array.from({ length: trackData.goal }, (_, at) => at + 1);
        const paid = (step: number): string => {
            if (step === trackData.goal) return symbol(side === "sauron" ? "nazgul" : "doom");
            const bonus = trackData.bonuses.find((one) => one.step === step);
            return bonus ? symbol(PAYS[bonus.effect.type] ?? "") : "";
        };
        return {
            side,
            words: `${WALKERS[side]}: ${made} of ${trackData.goal}`,
            made: steps.map((step) => step <= made),
            inOrder: true,
            pays: steps.map(paid),
            piece: `${side} ${made}`,
            at: made,
        };
    });

export function player(view: Board, side: SideName): object {
    const has = view[side];
    if (!has) throw new Error(`nothing lies before ${side}`);
    const isYou = named(view.side) === side;
    const plays = view.result === undefined && named(view.turn) === side;
    const rows = {
        Supply: [
            `${symbol("unit")} ${many(has.units, "unit")}`,
            `${symbol(`${side}_fort`)} ${has.fortresses} fortress${has.fortresses === 1 ? "" : "es"}`,
            `${symbol("place")} ${has.presence} of 7 regions`,
            `${symbol("discard")} +${has.discardIncome} a discard`,
        ],
        Skills: [
            ...has.skills.map(
                ({ skill, count }) => `${symbol(skill)} ${count}${count ? "" : " none"}`,
            ),
            ...has.choices.map(({ skills }) => skills.map(symbol).join(" / ")),
        ],
        Races: races(has),
        Chains: has.chains.map((chain) => `> ${symbol(chain)} ${chain}`),
        Tokens: has.tokens.map(
            ({ token, race }) => `${symbol(race)} ${tokenName(token)} <${token}>`,
        ),
        Landmarks: has.landmarks.map(
            (id) => `${symbol(`${side}_fort`)} ${landmarkName(id)} <${id}>`,
        ),
        Cards: cardData.colours.flatMap((colour) =>
            has.cards
                .filter((card) => card.colour === colour)
                .map(({ card }) => chip(card, colour)),
        ),
    };
    return {
        title: `${TITLES[side]}${isYou ? " (you)" : ""}${plays ? " ▸ to play" : ""}`,
        coins: String(has.coins),
        said: many(has.coins, "coin"),
        piece: side,
        rows: Object.entries(rows)
            .filter(([, chips]) => chips.length)
            .map(([caption, chips]) => ({ caption, chips })),
    };
}

function races(has: Player): string[] {
    const counts = has.races.filter(({ count }) => count);
    const hasEagle = has.tokens.some(({ token }) => token === "hobbits_eagle");
    if (!counts.length && !has.support) return [];
    return [
        ...counts.map(({ race, count }) => `${symbol(race)} ${count}`),
        ...(hasEagle ? [symbol("eagle")] : []),
        `${has.support} of 6`,
        ...(has.threeRaces ? ["allied"] : []),
    ];
}

const chip = (card: string, colour: string): string => `${symbol(colour)} ${does(card)} <${card}>`;

export function discard(view: Board): { words: string[]; chips: string[] } {
    const { count = 0, known = [], fellowshipSearched, sauronSearched } = view.discard ?? {};
    const coins =
        view.reserve === undefined
            ? "coins without end"
            : `${many(view.reserve, "coin")} in reserve`;
    const who = [fellowshipSearched ? "the Fellowship" : "", sauronSearched ? "Sauron" : ""].filter(
        Boolean,
    );
    return {
        words: [
            `${many(count, "card")}${count ? `, ${known.length} of them known` : ""}; ${coins}`,
            who.length ? `Looked through in this chapter by ${who.join(" and ")}.` : "",
        ],
        chips: known.map(({ card, colour }) => chip(card, colour)),
    };
}
