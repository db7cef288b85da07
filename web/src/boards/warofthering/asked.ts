/** What somebody is asked about: figures that are picked, losses, too many units. */
import type { Army, LossChoice } from "$gen/bree/warofthering/v1/board_pb";
import { answerBlocks } from "./answers";
import type { Block, Chip, Panel } from "./blocks";
import { doing } from "../../parts/touching";
import type { Claims } from "./claims";
import {
    type Board,
    called,
    figureTitle,
    many,
    nameOf,
    regionName,
    optionOf,
    PERSONS,
    seatDoes,
    seatTitle,
    seatWords,
    sideName,
    sideOfSeat,
    unitsBySeat,
    unitsOf,
} from "./facts";
import { type Counted, counted, figureChips } from "./figures";
import { mayReturn } from "./hunt";

export function askedPanels(view: Board, claims: Claims): Panel[] {
    const found = [
        losses(view, claims),
        picked(view, claims),
        marching(claims),
        stacking(view, claims),
    ];
    return found.flatMap((panel) => panel ?? []);
}

const place = (region: string, garrison: boolean): string =>
    garrison ? `the Stronghold of ${regionName(region)}` : regionName(region);

const isUnit = ({ icon }: Counted): boolean => icon === "regular" || icon === "elite";

const armyAt = (view: Board, region: string, garrison: boolean, seat: string): Army | undefined =>
    view.armies.find(
        (army) =>
            army.region === region &&
            army.garrison === garrison &&
            sideName(army.side) === sideOfSeat(view, seat),
    );

// An army that goes.

function marching(claims: Claims): Panel | undefined {
    const answers = answerBlocks(
        "march",
        { part: "Only a part of it", decline: "No more" },
        claims,
    );
    if (!answers.length || !claims.isMeant(doing("march"))) return undefined;
    return asked("march", "Which army moves?", [
        line("Touch where it stands, then where it goes: all of it moves."),
        ...answers,
    ]);
}

// Figures that go.

const PURPOSES: Readonly<Record<string, string>> = {
    move: "moves",
    attack: "attacks",
    advance: "advances",
    companions: "goes together",
};

/** With a figure, one of it more; without, all. */
const PICKING = {
    all: "All of them",
    go: "That is all: they go",
    take: "One goes",
    leave: "One stays",
};

function picked(view: Board, claims: Claims): Panel | undefined {
    const { selection } = view;
    if (!selection) return undefined;
    const { region, garrison, seat, purpose, figures } = selection;
    const going = new Map(counted(figures).map(({ figure, count }) => [figure, count]));
    const title = `Who ${PURPOSES[purpose] ?? "goes"}${region === undefined ? "" : `: ${place(region, garrison)}`}`;
    if (region === undefined) {
        const chips = figureChips(view, counted(figures), "picked");
        const text = chips.length ? "These go:" : "Nobody is picked yet.";
        return asked("picked", title, [
            line(text),
            { kind: "chips", chips },
            ...answerBlocks("picked", { go: "They go" }, claims),
        ]);
    }
    const army = armyAt(view, region, garrison, seat);
    const tell = ({ figure, count }: Counted): string => `${going.get(figure) ?? 0} of ${count}`;
    const chips = figureChips(view, counted(army?.figures), "picked", claims, tell);
    return asked("picked", title, [
        line(`${unitsOf(figures)} of ${many(unitsOf(army?.figures), "unit")} go, as things stand.`),
        { kind: "chips", chips },
        ...answerBlocks("picked", PICKING, claims),
    ]);
}

const line = (text: string, look = ""): Block => ({ kind: "line", text, look });
const asked = (key: string, title: string, blocks: Block[]): Panel => ({
    key,
    title,
    blocks,
    isAsked: true,
});

// Losses.

function losses(view: Board, claims: Claims): Panel | undefined {
    const { losses } = view;
    if (!losses) return undefined;
    const { seat, region, garrison, hits, choices } = losses;
    const army = view.battle
        ? (sideOfSeat(view, seat) === "free" ? view.battle.free : view.battle.shadow)?.figures
        : armyAt(view, region, garrison, seat)?.figures;
    const units = counted(army).filter(isUnit);
    const hobbits = mayReturn(view)
        ? (army?.characters ?? []).filter((who) => PERSONS.get(who)?.hobbit)
        : [];
    const byUnit = new Map<string, LossChoice[]>();
    for (const choice of choices)
        byUnit.set(choice.figure, [...(byUnit.get(choice.figure) ?? []), choice]);
    const chips = units.map(({ figure, nation, icon, count }): Chip => {
        const ways = (byUnit.get(figure) ?? []).map((way) => lossWords(way));
        const words = ways.length ? ways : ["Takes no hit now."];
        return {
            key: `losses.${figure}`,
            noun: claims.take(figure),
            label: `${figureTitle(figure)} ${count}. ${words.join(" ")}`,
            about: { title: figureTitle(figure), lines: words },
            bits: [{ icon }, { text: figureTitle(figure) }, { text: String(count), look: "count" }],
            lines: words,
            look: `unit n-${nation}`,
        };
    });
    const bare = choices.filter(isForced).map(({ figure }) => figureTitle(figure));
    return asked("losses", `${many(hits, "hit")} to take: ${place(region, garrison)}`, [
        line(`${seatDoes(seat, "chooses", "choose")}. ${poolWords(view, seat)}`),
        ...(bare.length
            ? [
                  line(
                      `No Regular is left to replace ${bare.join(" or ")}: one hit kills it.`,
                      "alarm",
                  ),
              ]
            : []),
        { kind: "chips", chips, least: 200 },
        ...answerBlocks("losses", LOSING, claims),
        ...(hobbits.length
            ? [
                  line(
                      `If the army falls, ${hobbits.map(called).join(" and ")} will be back in the Fellowship at the end of the turn.`,
                      "small faint",
                  ),
              ]
            : []),
    ]);
}

/** All hits at once; or, with an Elite, which of the two. */
const LOSING = {
    usual: "All as usual: Regulars first",
    reduce: "It becomes a Regular",
    lose: "It is lost",
};

/** An Elite that can only be lost, since no Regular is left to take its place. */
const isForced = ({ figure, hits, replacedBy }: LossChoice): boolean =>
    figure.endsWith("_elite") && hits === 1 && replacedBy === undefined;

const lossWords = ({ hits, replacedBy }: LossChoice): string =>
    `${replacedBy === undefined ? "Lost" : "Becomes a Regular"}: ${many(hits, "hit")}.`;

/** Which Regulars may take an Elite's place: of its nation, not on the map, and where it was agreed on not lost
 *  before this battle. */
function poolWords(view: Board, seat: string): string {
    const isEarlier = optionOf(view, "replacement_source") !== "guide";
    const piles = [view.reserve, view.battle?.lost, ...(isEarlier ? [view.fallen] : [])];
    const own = view.nations.filter(({ side }) => sideName(side) === sideOfSeat(view, seat));
    const words = own.flatMap(({ nation }) => {
        const counts = piles.map(
            (pile) => pile?.nations.find((of) => of.nation === nation)?.regulars ?? 0,
        );
        const count = counts.reduce((all, one) => all + one, 0);
        return count ? [`${nameOf(nation) ?? nation} ${count}`] : [];
    });
    return `Regulars to replace Elites: ${words.length ? words.join(", ") : "none"}.`;
}

// Stacking.

export const LIMITS = { field: 10, garrison: 5 } as const;

function stacking(view: Board, claims: Claims): Panel | undefined {
    if (view.selection || view.losses || view.battle) return undefined;
    const army = view.armies.find(
        ({ figures, garrison, side }) =>
            unitsOf(figures) > (garrison ? LIMITS.garrison : LIMITS.field) &&
            view.acting.some((seat) => sideOfSeat(view, seat) === sideName(side)),
    );
    if (!army) return undefined;
    const limit = army.garrison ? LIMITS.garrison : LIMITS.field;
    const surplus = unitsOf(army.figures) - limit;
    const leads = (seat: string): boolean =>
        view.seats.some((one) => one.seat === seat && one.leading);
    const there = unitsBySeat(view, army.figures).map(([seat]) => seat);
    const order = there.sort((a, b) => Number(leads(a)) - Number(leads(b)));
    const turns =
        order.length > 1
            ? ` ${seatWords(view, army.figures)}. They take one away in turn, ${order.map(seatTitle).join(" before ")}.`
            : "";
    return asked("stacking", `Too many units: ${place(army.region, army.garrison)}`, [
        line(
            `${unitsOf(army.figures)} of at most ${limit}: ${surplus} to go back to the reinforcements. ${view.acting.map((seat) => seatDoes(seat, "removes", "remove")).join(" and ")} the next.${turns}`,
        ),
        {
            kind: "chips",
            chips: figureChips(view, counted(army.figures).filter(isUnit), "stacking", claims),
        },
    ]);
}
