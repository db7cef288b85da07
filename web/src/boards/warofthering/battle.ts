/** A battle as a stage: both forces, their cards, dice, re-rolls and losses, round by round. */
import { BattleKind, type Force } from "$gen/bree/warofthering/v1/board_pb";
import { titled } from "../../parts/words";
import { aboutCard } from "./abouts";
import { answerBlocks } from "./answers";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import { diceChip } from "./dice";
import {
    type Board,
    called,
    CARDS,
    COMBATS,
    type Figures,
    figureTitle,
    leadersOf,
    many,
    mySide,
    PERSONS,
    regionName,
    seatTitle,
    SIDE_TITLES,
    type SideName,
    SIDES,
    sideName,
} from "./facts";
import { counted, figureChips } from "./figures";
import type { Fought, FoughtRound, SideRound, Tale } from "./told";

const KINDS: Readonly<Record<number, string>> = {
    [BattleKind.FIELD]: "A battle in the field",
    [BattleKind.SIEGE]: "An attack on the Stronghold",
    [BattleKind.SORTIE]: "A sortie of the besieged",
};

/** The battle that is fought; or the one that is just over, until somebody does something else. */
export function battlePanels(view: Board, tale: Tale, claims: Claims): Panel[] {
    const fought = tale.fought && (!tale.fought.isOver || !view.battle) ? tale.fought : undefined;
    if (!view.battle) return fought?.isOver && fought.isNow ? [overPanel(fought, tale.since)] : [];
    const { battle } = view;
    const attacker = sideName(battle.attacker);
    const order = orderOf(attacker);
    const head = `${KINDS[battle.kind] ?? "A battle"}, round ${battle.round}: ${regionName(battle.origin)}${battle.origin === battle.region ? "" : ` against ${regionName(battle.region)}`}.`;
    return [
        {
            key: "battle",
            title: `Battle: ${regionName(battle.region)}`,
            isAsked: true,
            blocks: [
                { kind: "line", text: head },
                ...answerBlocks("battle", { no_card: "No Combat card" }, claims),
                {
                    kind: "columns",
                    least: 300,
                    columns: [
                        [
                            ...order.map((side) => forceBlock(view, side, claims)),
                            comparison(view, order, attacker),
                            ...lostBlocks(view),
                        ],
                        [
                            ...cardBlocks(view, order),
                            ...roundBlocks(roundsOf(view, fought), order, tale.since, battle.round),
                        ],
                    ],
                },
            ],
        },
    ];
}

function lostBlocks(view: Board): Block[] {
    const lost = figureChips(view, counted(view.battle?.lost), "lost");
    if (!lost.length) return [];
    return [{ kind: "chips", caption: "Lost by the Free Peoples so far", chips: lost }];
}

/** The rounds that were told; what dice have hit is on the view before it is told. */
function roundsOf({ battle }: Board, fought: Fought | undefined): readonly FoughtRound[] {
    const known = (side: SideRound, force: Force | undefined): SideRound =>
        side.dice.length && side.hits === undefined ? { ...side, hits: force?.hits ?? 0 } : side;
    return (fought?.rounds ?? []).map((round, at) =>
        at + 1 === battle?.round
            ? {
                  ...round,
                  free: known(round.free, battle.free),
                  shadow: known(round.shadow, battle.shadow),
              }
            : round,
    );
}

/** The attacker comes first. */
const orderOf = (attacker: SideName): readonly SideName[] =>
    attacker === "free" ? SIDES : [...SIDES].reverse();

function forceBlock(view: Board, side: SideName, claims: Claims): Block {
    const force = view.battle?.[side];
    const isAttacker = !!view.battle && sideName(view.battle.attacker) === side;
    const whose = view.seats.length > 2 ? ` (${seatTitle(force?.seat ?? "")})` : "";
    return {
        kind: "chips",
        caption: `${SIDE_TITLES[side]}, ${isAttacker ? "attacking" : "defending"}${whose}: ${leadershipWords(view, force)}`,
        chips: figureChips(
            view,
            counted(force?.figures),
            `force.${side}`,
            side === mySide(view) ? claims : undefined,
        ),
    };
}

function overPanel({ region, attacker, rounds, left, taken }: Fought, since: number): Panel {
    const plural = (side: SideName, one: string, more: string): string =>
        `The ${SIDE_TITLES[side]} ${side === "free" ? more : one}`;
    const words = [
        ...(left
            ? [
                  left.to
                      ? `${plural(left.side, "retreats", "retreat")} to ${regionName(left.to)}.`
                      : `${plural(left.side, "withdraws", "withdraw")} into the Stronghold.`,
              ]
            : []),
        ...taken.map(({ region, by }) => `${plural(by, "takes", "take")} ${regionName(region)}.`),
    ];
    return {
        key: "battle",
        title: `The battle is over: ${regionName(region)}`,
        blocks: [
            ...(words.length ? [{ kind: "line", text: words.join(" ") } as const] : []),
            ...roundBlocks(rounds, orderOf(attacker), since),
        ],
    };
}

// Round by round.

const SHORT = { free: "Free", shadow: "Shadow" } as const;

/** The rounds as they were fought, the last one first. */
function roundBlocks(
    rounds: readonly FoughtRound[],
    order: readonly SideName[],
    since: number,
    now?: number,
): Block[] {
    return rounds
        .flatMap((round, at) => [roundBlock(round, at + 1, order, since, now)])
        .reverse()
        .flat();
}

function roundBlock(
    round: FoughtRound,
    number: number,
    order: readonly SideName[],
    since: number,
    now: number | undefined,
): Block[] {
    const look = round.at >= since ? "tumbling" : "";
    const title = number === now ? `Round ${number}, now` : `Round ${number}`;
    const lines = order.flatMap((side) => wordsOf(round[side], side));
    const rows = order.map((side) => {
        const { dice, again, hits } = round[side];
        const key = `round.${number}.${side}`;
        const name: Chip = {
            key: `${key}.side`,
            label: "",
            bits: [{ icon: SIDE_ICONS[side] }, { text: SHORT[side] }],
            look: `row ${side}`,
        };
        const told = hits === undefined ? "not counted yet" : many(hits, "hit");
        const scored: Chip = {
            key: `${key}.hits`,
            label: `${SIDE_TITLES[side]}, round ${number}: ${told}`,
            bits: [{ icon: "war" }, { text: hits === undefined ? "–" : String(hits) }],
            look: `step ${side}`,
        };
        return {
            key: `${number}.${side}`,
            cells: [
                name,
                diceChip(`${key}.dice`, `${SIDE_TITLES[side]} rolls`, dice, [], look),
                diceChip(`${key}.again`, `${SIDE_TITLES[side]} re-rolls`, again, [], look),
                scored,
            ],
        };
    });
    const more = round.more.map(({ what, dice }, n) =>
        diceChip(`round.${number}.more.${n}`, moreWords(what), dice, [], look),
    );
    return [
        {
            kind: "grid",
            head: [title, "Dice", "Re-rolled", "Hits"],
            weights: [1.85, 2, 2, 0.9],
            rows,
            tall: 24,
        },
        ...(more.length
            ? [
                  {
                      kind: "chips",
                      caption: moreWords(round.more[0]?.what ?? ""),
                      chips: more,
                  } as const,
              ]
            : []),
        ...lines.map((text): Block => ({ kind: "line", text, look: "small faint" })),
    ];
}

const SIDE_ICONS = { free: "tree", shadow: "eye" } as const;

const moreWords = (what: string): string =>
    what.startsWith("volley") ? "An additional attack rolls" : "A card rolls";

/** The card that a side played, and what it lost. */
function wordsOf({ card, lost }: SideRound, side: SideName): string[] {
    const combat = COMBATS.get(CARDS.get(card ?? "")?.combat ?? "")?.name;
    const played = combat === undefined ? "" : ` ${combat}.`;
    const fell = countedWords(lost.filter(({ isReduced }) => !isReduced));
    const reduced = countedWords(lost.filter(({ isReduced }) => isReduced));
    const words = [
        ...(fell ? [` Lost: ${fell}.`] : []),
        ...(reduced ? [` Become Regulars: ${reduced}.`] : []),
    ];
    return played || words.length ? [`${SIDE_TITLES[side]}:${played}${words.join("")}`] : [];
}

function countedWords(lost: SideRound["lost"]): string {
    const counts = new Map<string, number>();
    for (const { figure } of lost) counts.set(figure, (counts.get(figure) ?? 0) + 1);
    return [...counts]
        .map(([figure, count]) =>
            PERSONS.has(figure) ? called(figure) : many(count, figureTitle(figure)),
        )
        .join(", ");
}

function comparison(view: Board, order: readonly SideName[], attacker: SideName): Block {
    const cell = (
        side: SideName,
        key: string,
        words: string,
        text: string,
        icon?: string,
    ): Chip => ({
        key: `battle.${side}.${key}`,
        label: `${SIDE_TITLES[side]}: ${words} ${text}`,
        bits: [...(icon ? [{ icon }] : []), { text, look: "count" }],
        look: `step ${side}`,
    });
    const rows: [string, string, (force: Force | undefined) => number | string, string?][] = [
        ["dice", "Dice", (force) => force?.dice ?? 0],
        [
            "target",
            "Each hits with",
            (force) => (force?.target === 6 ? "6" : `${force?.target ?? 0}+`),
        ],
        ["rerolls", "Re-rolls", (force) => Math.min(5, force?.leadership ?? 0)],
        ["hits", "Hits this round", (force) => force?.hits ?? 0, "war"],
    ];
    return {
        kind: "grid",
        head: ["", ...order.map((side) => `${SIDE_TITLES[side]}${side === attacker ? " ⚔" : ""}`)],
        weights: [1.4, 1, 1],
        tall: 26,
        rows: rows.map(([key, words, read, icon]) => ({
            key,
            cells: [
                words,
                ...order.map((side) =>
                    cell(side, key, words, String(read(view.battle?.[side])), icon),
                ),
            ],
        })),
    };
}

/** Total Leadership and whose it is; and what of it does not count now, or is no leader's. */
export function leadershipWords(view: Board, force: Force | undefined): string {
    const total = force?.leadership ?? 0;
    const whose = sources(view, force?.figures);
    const sum = whose.reduce((all, [, worth]) => all + worth, 0);
    const words = whose.map(([words]) => words);
    if (total > sum) words.push(`${many(total - sum, "Elite")} with Saruman`);
    if (total < sum) words.push(`${sum - total} do not count now`);
    return `Leadership ${total}${words.length ? ` (${words.join(", ")})` : ""}`;
}

function sources(view: Board, figures: Figures | undefined): [string, number][] {
    const leaders = leadersOf(figures);
    const nazgul = figures?.nazgul ?? 0;
    const people = (figures?.characters ?? []).map((who): [string, number] => {
        const worth = view.characters.find(({ character }) => character === who)?.leadership ?? 0;
        return [`${called(who)} ${worth}`, worth];
    });
    const all: [string, number][] = [
        [many(leaders, "Leader"), leaders],
        [many(nazgul, "Nazgûl"), nazgul],
        ...people,
    ];
    return all.filter(([, worth]) => worth > 0);
}

function cardBlocks(view: Board, order: readonly SideName[]): Block[] {
    const chips = order.flatMap((side): Chip[] => {
        const force = view.battle?.[side];
        const own = view.battle?.yourCard;
        const mine = own && sideName(own.side) === side ? own : undefined;
        const card = force?.card ?? mine;
        if (!card && force?.back === undefined) return [];
        const title = card ? card.combat : `${titled(force?.back ?? "")} card, face down`;
        return [
            {
                key: `combat.${side}.${card?.card ?? force?.back ?? ""}`,
                label: `${SIDE_TITLES[side]}: ${title}${card && !force?.card ? ", not yet revealed" : ""}`,
                about: card ? aboutCard(card) : undefined,
                bits: [{ icon: "card" }, { text: title }],
                lines: card
                    ? [
                          card.combatText,
                          ...(force?.card ? [] : ["Only you see it until both are revealed."]),
                      ]
                    : ["It is revealed when both have chosen."],
                look: `card ${side}`,
            },
        ];
    });
    return chips.length
        ? [{ kind: "chips", caption: "Combat cards of this round", chips, least: 220 }]
        : [];
}
