/** What somebody is asked about: figures that are picked, losses, too many units, damage of the Hunt. */
import type { Army, LossChoice } from "$gen/bree/warofthering/v1/board_pb";
import { aboutCharacter } from "./abouts";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import {
    type Board,
    called,
    figureTitle,
    many,
    nameOf,
    regionName,
    seatsOf,
    seatTitle,
    sideName,
    sideOfSeat,
    unitsOf,
} from "./facts";
import { type Counted, counted, figureChips } from "./figures";

export function askedPanels(view: Board, claims: Claims): Panel[] {
    const found = [damage(view, claims), losses(view, claims), picked(view, claims)];
    return [...found, stacking(view, claims)].flatMap((panel) => panel ?? []);
}

const place = (region: string, garrison: boolean): string =>
    garrison ? `the Stronghold of ${regionName(region)}` : regionName(region);

const armyAt = (view: Board, region: string, garrison: boolean, seat: string): Army | undefined =>
    view.armies.find(
        (army) =>
            army.region === region &&
            army.garrison === garrison &&
            sideName(army.side) === sideOfSeat(view, seat),
    );

// Figures that go.

const PURPOSES: Readonly<Record<string, string>> = {
    move: "moves",
    attack: "attacks",
    advance: "advances",
    companions: "goes together",
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
        return asked("picked", title, [line(text), { kind: "chips", chips }]);
    }
    const army = armyAt(view, region, garrison, seat);
    const tell = ({ figure, count }: Counted): string => `${going.get(figure) ?? 0} of ${count}`;
    const chips = figureChips(view, counted(army?.figures), "picked", claims, tell);
    return asked("picked", title, [
        line(`${unitsOf(figures)} of ${many(unitsOf(army?.figures), "unit")} go, as things stand.`),
        { kind: "chips", chips },
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
    const units = counted(army).filter(({ icon }) => icon === "regular" || icon === "elite");
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
    return asked("losses", `${many(hits, "hit")} to take: ${place(region, garrison)}`, [
        line(`${seatTitle(seat)} chooses. ${poolWords(view, seat)}`),
        { kind: "chips", chips, least: 200 },
    ]);
}

function lossWords({ figure, hits, replacedBy }: LossChoice): string {
    if (replacedBy) return `Becomes a Regular: ${many(hits, "hit")}.`;
    const isForced = figure.endsWith("_elite") && hits === 1;
    return `${isForced ? "No Regular is left to replace it. " : ""}Lost: ${many(hits, "hit")}.`;
}

/** Which Regulars may take an Elite's place. */
function poolWords(view: Board, seat: string): string {
    const side = sideOfSeat(view, seat);
    const fallen = view.battle?.lost?.nations ?? [];
    const free = (view.reserve?.nations ?? []).map(({ nation, regulars }) => ({
        nation,
        count: regulars + (fallen.find((of) => of.nation === nation)?.regulars ?? 0),
    }));
    const mine = free.filter(({ nation }) => sideOf(view, nation) === side);
    const some = mine.filter(({ count }) => count > 0);
    const words = some.map(({ nation, count }) => `${nameOf(nation) ?? nation} ${count}`);
    return `Regulars to replace Elites: ${words.length ? words.join(", ") : "none"}.`;
}

const sideOf = (view: Board, nation: string): string | undefined => {
    const found = view.nations.find((one) => one.nation === nation);
    return found && sideName(found.side);
};

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
    const units = counted(army.figures).filter(
        ({ icon }) => icon === "regular" || icon === "elite",
    );
    const isTeam = seatsOf(view, sideName(army.side)).length > 1;
    const first = view.seats.find(
        ({ side, leading }) => sideName(side) === sideName(army.side) && !leading,
    );
    const turns =
        isTeam && first ? ` Team-mates take one away in turn, ${seatTitle(first.seat)} first.` : "";
    return asked("stacking", `Too many units: ${place(army.region, army.garrison)}`, [
        line(
            `${unitsOf(army.figures)} of at most ${limit}. ${view.acting.map(seatTitle).join(" and ")} decides.${turns}`,
        ),
        { kind: "chips", chips: figureChips(view, units, "stacking", claims) },
    ]);
}

// The Hunt.

const ANSWERS: Readonly<Record<string, string>> = {
    corruption: "Corruption",
    guide: "The Guide falls",
    random: "A random Companion falls",
    separate: "The Guide leaves",
    reveal: "Gollum reveals",
    table: "A card on the table",
};

function damage(view: Board, claims: Claims): Panel | undefined {
    const { huntDamage } = view;
    if (!huntDamage) return undefined;
    const corruption = view.fellowship?.corruption ?? 0;
    const chips = huntDamage.answers.map(({ answer, least, most, companion, returns }): Chip => {
        const met = least === most ? `${least}` : `${least} to ${most}`;
        const lines = [
            answer === "corruption"
                ? `Corruption ${corruption} becomes ${Math.min(12, corruption + least)}.`
                : `Meets ${met} of ${huntDamage.damage}.`,
            ...(companion
                ? [
                      `${called(companion)}${answer === "separate" ? " leaves the Fellowship." : " falls."}`,
                  ]
                : []),
            ...(returns ? ["He comes back at the end of the turn."] : []),
        ];
        return {
            key: `damage.${answer}`,
            noun: claims.take(answer),
            label: `${ANSWERS[answer] ?? answer} ${met}. ${lines.join(" ")}`,
            about: companion ? aboutCharacter(view, companion) : undefined,
            bits: [
                {
                    icon:
                        answer === "corruption"
                            ? "ring"
                            : answer === "reveal"
                              ? "reveal"
                              : answer === "table"
                                ? "card"
                                : "companion",
                },
                { text: ANSWERS[answer] ?? answer },
                { text: met, look: "count" },
            ],
            lines,
        };
    });
    return asked("damage", `Hunt damage ${huntDamage.damage} is open`, [
        { kind: "chips", chips, least: 200 },
    ]);
}
