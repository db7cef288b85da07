/** Who plays, what the dice show, and what each side has of rings, decks and points. */
import { Phase } from "$gen/bree/warofthering/v1/board_pb";
import { doing } from "../../parts/touching";
import { titled } from "../../parts/words";
import { answerBlocks } from "./answers";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import {
    type Board,
    codeOf,
    DEEDS,
    FACES,
    FACES_OF,
    many,
    mySide,
    other,
    optionOf,
    seatsOf,
    seatTitle,
    SIDE_TITLES,
    type SideName,
    sideName,
    sideOfSeat,
} from "./facts";
import { type Deed, NO_TALE, type Tale } from "./told";

const PHASES: readonly (readonly [Phase, string])[] = [
    [Phase.DRAW, "Cards"],
    [Phase.FELLOWSHIP, "Fellowship"],
    [Phase.HUNT_ALLOCATION, "Hunt"],
    [Phase.ACTION_ROLL, "Roll"],
    [Phase.ACTION_RESOLUTION, "Actions"],
    [Phase.VICTORY_CHECK, "Victory"],
];

const REASONS: Readonly<Record<string, string>> = {
    ring_destroyed: "The Ring is destroyed",
    corruption: "The Ring-bearers are corrupted",
    shadow_conquest: "The Shadow has conquered enough",
    free_conquest: "The Free Peoples have conquered enough",
    turn_limit: "The turns are over",
    forfeit: "Forfeited",
};

/** The turn, its phases, who sits where and who is asked. */
export function turnPanel(view: Board, tale: Tale = NO_TALE): Panel {
    const blocks: Block[] = [];
    if (view.result) {
        const why = REASONS[view.result.reason] ?? titled(view.result.reason);
        blocks.push({ kind: "line", text: `${why}. Turn ${view.turn} was the last.` });
        if (view.seats.length > 2)
            blocks.push({
                kind: "line",
                text: `Merits: ${view.result.merits.map(({ seat, merit }) => `${seatTitle(seat)} ${merit}`).join(", ")}.`,
            });
    } else {
        blocks.push({
            kind: "chips",
            chips: PHASES.map(([phase, name]) => phaseChip(view, phase, name)),
        });
    }
    blocks.push({
        kind: "chips",
        chips: view.seats.map((seat) => seatChip(view, seat)),
        least: 148,
    });
    if (view.result) return { key: "turn", title: resultWords(view.result), blocks, isAsked: true };
    if (tale.deed) blocks.push({ kind: "line", text: deedWords(tale.deed) });
    if (view.seats.length > 2) blocks.push(...orderBlocks(view, tale.deed));
    return { key: "turn", title: `Turn ${view.turn}`, blocks };
}

const resultWords = ({ winner }: NonNullable<Board["result"]>): string => {
    if (!winner) return "Nobody wins";
    return sideName(winner) === "free" ? "The Free Peoples win" : "The Shadow wins";
};

const phaseChip = (view: Board, phase: Phase, name: string): Chip => {
    const isNow = view.phase === phase;
    return {
        key: `phase.${phase}`,
        label: isNow ? `${name}: the phase now` : name,
        bits: [{ text: name, ...(isNow ? {} : { look: "faint" }) }],
        look: isNow ? "phase here" : "phase",
    };
};

function seatChip(
    view: Board,
    { seat, side, leading, nations, hand }: Board["seats"][number],
): Chip {
    const isTeam = seatsOf(view, sideName(side)).length > 1;
    const acts = view.acting.includes(seat);
    const cards = (hand?.character ?? 0) + (hand?.strategy ?? 0);
    const lines = [
        `${seat === view.seat ? "You. " : ""}${acts ? "Is asked now." : ""}`,
        `Hand: ${hand?.character ?? 0} Character, ${hand?.strategy ?? 0} Strategy, of ${hand?.limit ?? 0}`,
        ...(isTeam ? [`${leading ? "Leads. " : ""}Plays ${nations.map(codeOf).join(", ")}`] : []),
    ].filter((line) => line.trim());
    return {
        key: `seat.${seat}`,
        label: `${seatTitle(seat)}, ${many(cards, "card")} in hand. ${lines.join(" ")}`,
        bits: [
            {
                icon: acts
                    ? "arrow"
                    : isTeam && leading
                      ? "crown"
                      : sideName(side) === "free"
                        ? "tree"
                        : "eye",
            },
            { text: seatTitle(seat) },
        ],
        lines,
        look: `seat ${sideName(side)}${acts ? " acts" : ""}`,
    };
}

/** What somebody does with a die, or has done last. */
function deedWords({ kind, seat, face, deed }: Deed): string {
    const die = FACES[face]?.title ?? face;
    if (kind === "action_taken") return `${seatTitle(seat)} (${die}): ${DEEDS[deed] ?? deed}.`;
    return `${seatTitle(seat)}: ${kind === "passed" ? "passed" : `${die} thrown away`}.`;
}

/** In which order the seats use their dice, where a side has two, and who of them is asked. */
function orderBlocks(view: Board, deed: Deed | undefined): Block[] {
    const of = (side: SideName, leading: boolean): string =>
        view.seats.find((seat) => sideName(seat.side) === side && seat.leading === leading)?.seat ??
        "";
    const [free, first, second] = [of("free", true), of("shadow", false), of("shadow", true)];
    const three =
        optionOf(view, "three_player_order") === "published"
            ? [free, first, free, second]
            : [first, free, second, free];
    const order = view.seats.length === 3 ? three : [of("free", false), first, free, second];
    const isPlayed = view.phase === Phase.ACTION_RESOLUTION;
    const now = isPlayed ? placeIn(order, view.acting, deed?.seat) : -1;
    const chips = order.map((seat, at): Chip => {
        const leads = view.seats.some((one) => one.seat === seat && one.leading);
        const isTeam = seatsOf(view, sideOfSeat(view, seat) ?? "free").length > 1;
        return {
            key: `order.${at}`,
            label: `${at + 1}. ${seatTitle(seat)}${at === now ? ", asked now" : ""}`,
            bits: [
                ...(at === now ? [{ icon: "arrow" }] : []),
                ...(leads && isTeam ? [{ icon: "crown" }] : []),
                { text: seatTitle(seat), ...(at === now ? {} : { look: "faint" }) },
            ],
            look: at === now ? "phase here" : "phase",
        };
    });
    return [
        { kind: "chips", caption: "Order of actions; the crown leads", chips },
        ...(view.phase === Phase.DRAW
            ? [
                  {
                      kind: "line",
                      text: "After drawing, team-mates may swap one card each, unseen.",
                      look: "small faint",
                  } as const,
              ]
            : []),
    ];
}

/** Who acts twice a round is where he follows whoever acted before him. */
function placeIn(order: readonly string[], acting: readonly string[], before?: string): number {
    const isActing = (seat: string): boolean => acting.includes(seat);
    const follows = order.findIndex(
        (seat, at) => isActing(seat) && order[(at + order.length - 1) % order.length] === before,
    );
    return follows < 0 ? order.findIndex(isActing) : follows;
}

/** What can be done instead of using a die. */
const INSTEAD = { pass: "Pass", skip: "Throw a die away" };
const RING_WORDS = ["No Elven Ring", "Elven Ring"] as const;

/** The dice of a side, which are nobody's own, its rings and points. */
export function dicePanel(
    view: Board,
    side: SideName,
    claims: Claims | undefined,
    tale: Tale = NO_TALE,
): Panel {
    const state = view[side];
    // Two names for one motion: the dice of the next turn fall again.
    const fell = (tale.rolled[side] ?? -1) >= tale.since ? ` fell${view.turn % 2}` : "";
    const dice = state?.dice ?? [];
    const chips = FACES_OF[side].map((face): Chip => {
        const count = dice.filter((one) => one === face).length;
        const { title, icon, use } = FACES[face] ?? { title: face, icon: "", use: "" };
        return {
            key: `dice.${side}.${face}`,
            noun: claims?.take(face) ?? "",
            label: `${title}: ${count ? many(count, "die") : "no die"}`,
            about: {
                title,
                lines: [use, count ? `${many(count, "die")} unused.` : "No die shows it."],
            },
            bits: count
                ? [...Array.from({ length: count }, () => ({ icon })), { text: title }]
                : [{ icon, look: "faint" }],
            look: `die ${side}${count ? fell : " none"}`,
        };
    });
    const team = seatsOf(view, side);
    const shared = team.length > 1 ? `, shared by ${team.map(seatTitle).join(" and ")}` : "";
    const used = state?.usedRing.length
        ? ` Used this turn by ${state.usedRing.map(seatTitle).join(" and ")}.`
        : "";
    const rings = state?.rings ?? 0;
    return {
        key: `dice.${side}`,
        title: `Dice of the ${SIDE_TITLES[side]}`,
        blocks: [
            {
                kind: "chips",
                caption: `${dice.length ? `${dice.length} unused` : "None unused"}${shared}; ${state?.diceNextTurn ?? 0} next turn`,
                chips,
            },
            {
                kind: "chips",
                chips: [
                    {
                        key: `rings.${side}`,
                        noun: claims?.takeMeant(doing("ring")) ?? "",
                        label: `${many(rings, "Elven Ring")}.${used}`,
                        about: {
                            title: "Elven Rings",
                            lines: [
                                `${many(rings, "ring")}.${used}`,
                                "A ring changes what one unused die shows, once a turn. The Free Peoples' then go to the Shadow; the Shadow's leave the game.",
                            ],
                        },
                        bits: [
                            ...Array.from({ length: rings }, () => ({ icon: "ring" })),
                            {
                                text: RING_WORDS[rings] ?? "Elven Rings",
                                ...(rings ? {} : { look: "faint" }),
                            },
                        ],
                    },
                    {
                        key: `points.${side}`,
                        label: `${many(state?.points ?? 0, "Victory Point")} of ${state?.goal ?? 0}`,
                        about: {
                            title: "Victory Points",
                            lines: [
                                `${state?.points ?? 0}; with ${state?.goal ?? 0} at the end of a turn this side wins.`,
                                "Two for a Stronghold that is taken, one for a City.",
                            ],
                        },
                        bits: [
                            { icon: "flag" },
                            { text: `${state?.points ?? 0} of ${state?.goal ?? 0} points` },
                        ],
                    },
                ],
            },
            ...(used
                ? [{ kind: "line", text: `Elven Ring:${used}`, look: "small faint" } as const]
                : []),
            ...(claims ? answerBlocks("dice", INSTEAD, claims) : []),
        ],
    };
}

/** What the die that is touched can do: only while it is a question. */
export function deedsPanel(claims: Claims): Panel[] {
    const chips = Object.entries(DEEDS)
        .map(([deed, title]): Chip => ({
            key: `deed.${deed}`,
            noun: claims.takeMeant(deed),
            label: title,
            bits: [{ text: title }],
            look: "deed",
        }))
        .filter(({ noun }) => noun !== "");
    if (!chips.length) return [];
    return [
        {
            key: "deeds",
            title: "What can be done",
            blocks: [{ kind: "chips", chips }],
            isAsked: true,
        },
    ];
}

export const dicePanels = (view: Board, claims: Claims, tale: Tale): Panel[] => {
    const mine = mySide(view);
    return [dicePanel(view, mine, claims, tale), dicePanel(view, other(mine), undefined, tale)];
};
