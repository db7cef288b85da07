/** A battle as a stage: both forces, their cards, dice, re-rolls and losses, round by round. */
import { BattleKind, type Force } from "$gen/bree/warofthering/v1/board_pb";
import { titled } from "../../parts/words";
import { aboutCard } from "./abouts";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import {
    type Board,
    called,
    type Figures,
    leadersOf,
    many,
    mySide,
    regionName,
    seatTitle,
    SIDE_TITLES,
    type SideName,
    SIDES,
    sideName,
} from "./facts";
import { counted, figureChips } from "./figures";

const KINDS: Readonly<Record<number, string>> = {
    [BattleKind.FIELD]: "A battle in the field",
    [BattleKind.SIEGE]: "An attack on the Stronghold",
    [BattleKind.SORTIE]: "A sortie of the besieged",
};

/** What was seen of one round of a battle. */
export interface SeenRound {
    round: number;
    hits: Record<SideName, number>;
    cards: Record<SideName, string>;
}
export interface SeenBattle {
    at: string;
    rounds: readonly SeenRound[];
}

/** What has been seen of the battle, with what is seen now; nothing where there is none. */
export function seenBattle(before: SeenBattle | undefined, view: Board): SeenBattle | undefined {
    const { battle } = view;
    if (!battle) return undefined;
    const at = `${view.turn} ${battle.origin} ${battle.region} ${battle.kind}`;
    const earlier = before?.at === at ? before.rounds : [];
    const kept = earlier.filter(({ round }) => round < battle.round);
    const now = earlier.find(({ round }) => round === battle.round);
    const of = <T>(read: (force: Force | undefined, side: SideName) => T): Record<SideName, T> => ({
        free: read(battle.free, "free"),
        shadow: read(battle.shadow, "shadow"),
    });
    const seen: SeenRound = {
        round: battle.round,
        hits: of((force, side) => Math.max(force?.hits ?? 0, now?.hits[side] ?? 0)),
        cards: of((force, side) => force?.card?.combat ?? now?.cards[side] ?? ""),
    };
    return { at, rounds: [...kept, seen] };
}

export function battlePanels(view: Board, seen: SeenBattle | undefined, claims: Claims): Panel[] {
    const { battle } = view;
    if (!battle) return [];
    const attacker = sideName(battle.attacker);
    const mine = mySide(view);
    const head = `${KINDS[battle.kind] ?? "A battle"}, round ${battle.round}: ${regionName(battle.origin)}${battle.origin === battle.region ? "" : ` against ${regionName(battle.region)}`}.`;
    const order = attacker === "free" ? SIDES : [...SIDES].reverse();
    const lost = counted(battle.lost);
    const past = (seen?.rounds ?? []).filter(({ round }) => round < battle.round);
    return [
        {
            key: "battle",
            title: `Battle: ${regionName(battle.region)}`,
            isAsked: true,
            blocks: [
                { kind: "line", text: head },
                comparison(view, order, attacker),
                ...order.flatMap((side): Block[] => [
                    {
                        kind: "chips",
                        caption: `${SIDE_TITLES[side]}${side === attacker ? ", attacking" : ", defending"}${view.seats.length > 2 ? ` (${seatTitle(battle[side]?.seat ?? "")})` : ""}: ${leadershipWords(view, battle[side])}`,
                        chips: figureChips(
                            view,
                            counted(battle[side]?.figures),
                            `force.${side}`,
                            side === mine ? claims : undefined,
                        ),
                    },
                ]),
                ...cardBlocks(view, order),
                ...(lost.length
                    ? [
                          {
                              kind: "chips",
                              caption: "Lost by the Free Peoples so far",
                              chips: figureChips(view, lost, "lost"),
                          } as const,
                      ]
                    : []),
                ...past.map(({ round, hits, cards }) => ({
                    kind: "line" as const,
                    look: "small faint",
                    text: `Round ${round}: ${order.map((side) => `${SIDE_TITLES[side]} ${many(hits[side], "hit")}${cards[side] ? ` (${cards[side]})` : ""}`).join("; ")}.`,
                })),
            ],
        },
    ];
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

/** Total Leadership and whose it is. */
export function leadershipWords(view: Board, force: Force | undefined): string {
    const total = force?.leadership ?? 0;
    const whose = sources(view, force?.figures);
    return `Leadership ${total}${whose.length ? ` (${whose.join(", ")})` : ""}`;
}

function sources(view: Board, figures: Figures | undefined): string[] {
    const leaders = leadersOf(figures);
    const people = (figures?.characters ?? []).flatMap((who) => {
        const worth = view.characters.find(({ character }) => character === who)?.leadership ?? 0;
        return worth ? [`${called(who)} ${worth}`] : [];
    });
    return [
        ...(leaders ? [many(leaders, "Leader")] : []),
        ...(figures?.nazgul ? [many(figures.nazgul, "Nazgûl")] : []),
        ...people,
    ];
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
