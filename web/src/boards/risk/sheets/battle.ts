/** The stage of an invasion: both forces, the dice as they fell, what they cost. */
import type { Invasion } from "$gen/bree/risk/v1/board_pb";
import { type Board, many, nameOfLand } from "../facts";
import { broken, brokenBold, type Item, paragraph, SMALL, type Sheet, TEXT } from "../items";
import type { Stand, Stands } from "../lands";
import { armyName, option } from "../owners";
import { type Battles, type Fought, losers } from "../told";

const DIE = 30;
const SMALL_DIE = 20;
const GAP = 6;
/** So many rounds before the last one are told. */
const BEFORE = 3;
const HIGHEST = 6;

export function battleSheet(
    view: Board,
    stands: Stands,
    battles: Battles | undefined,
    width: number,
): Sheet {
    const { invasion } = view;
    const last = battles?.rounds.at(-1);
    const from = invasion?.from ?? last?.from;
    const to = invasion?.to ?? last?.to;
    // Dice that fell elsewhere lie smaller, until those that are announced are thrown.
    const isElsewhere = invasion !== undefined && last !== undefined && last.to !== invasion.to;
    const isAnnounced = invasion !== undefined && invasion.dice > 0 && (isElsewhere || !last);
    const shown = isAnnounced ? undefined : last;
    const size = isElsewhere ? SMALL_DIE : DIE;
    const attack = force("attack", stands.get(from ?? ""), from ?? "", width, false);
    const defence = force("defence", stands.get(to ?? ""), to ?? "", width, true);
    const top = Math.max(attack.bottom, defence.bottom) + 6;
    const items: Item[] = [
        ...attack.items,
        ...defence.items,
        { kind: "icon", key: "arrow", icon: "arrow", x: width / 2 - 9, y: 8, size: 18 },
        ...(shown ? thrown(view, shown, width, top, size) : []),
        ...(isAnnounced ? announced(invasion, width, top) : []),
    ];
    let y = top + (shown ? size + 12 : isAnnounced ? DIE + 10 : 0);
    const where = { isElsewhere, isAnnounced };
    for (const [at, line] of lines(view, battles, where).entries()) {
        const { items: said, bottom } = paragraph(`line.${at}`, line, { x: 2, y, width });
        items.push(...said);
        y = bottom + 1;
    }
    return { items, height: y + 2 };
}

/** One side: its army, where it stands and what is there. */
function force(
    key: string,
    stand: Stand | undefined,
    id: string,
    width: number,
    isRight: boolean,
): { items: Item[]; bottom: number } {
    const half = width / 2 - 14;
    const anchor = isRight ? "end" : "start";
    const more = [
        ...(stand?.leader ? ["Leader"] : []),
        ...(isRight && stand?.place === "stronghold" ? ["stronghold"] : []),
    ];
    const below = [stand ? many(stand.battalions, "battalion") : "", ...more].join(", ");
    const names = brokenBold(stand?.name ?? nameOfLand(id), TEXT, half - 36, 2);
    const said = broken(below, SMALL, half + 10, 2);
    const first = names.length > 1 ? 8 : 16;
    const next = 44;
    const line = (name: string, x: number, y: number, text: string, look: string): Item => ({
        kind: "text",
        key: `${key}.${name}`,
        x: isRight ? width - x : x,
        y,
        text,
        size: look === "bold" ? TEXT : SMALL,
        anchor,
        look,
    });
    const items: Item[] = [
        {
            kind: "owner",
            key: `${key}.of`,
            seat: stand?.holder ?? "",
            x: isRight ? width - 16 : 16,
            y: 16,
            r: 12,
            text: String(stand?.battalions ?? ""),
        },
        ...names.map((text, at) => line(`name.${at}`, 36, first + at * 16, text, "bold")),
        ...said.map((text, at) => line(`more.${at}`, 2, next + at * 15, text, "faint")),
    ];
    return { items, bottom: next + said.length * 15 - 7 };
}

function thrown(view: Board, round: Fought, width: number, top: number, die: number): Item[] {
    const highest = option(view, "cap_dice_at_6") === "true" ? HIGHEST : Infinity;
    const lost = losers(round, highest);
    const step = die + GAP;
    const dice = (key: string, faces: readonly number[], side: "ours" | "theirs"): Item[] =>
        faces.map((face, at) => ({
            kind: "die",
            key: `${key}.${round.nth}.${at}`,
            x: side === "ours" ? at * step : width - die - at * step,
            y: top,
            face,
            size: die,
            lost: lost[at] === side,
            nth: at,
        }));
    const bonus = (side: "ours" | "theirs", more: number, count: number): Item[] => {
        const x = side === "ours" ? count * step + 2 : width - count * step - 2;
        const anchor = side === "ours" ? "start" : "end";
        const text = `+${more}`;
        const y = top + die / 2;
        return more
            ? [{ kind: "text", key: `${side}.bonus`, x, y, text, size: TEXT, anchor, look: "bold" }]
            : [];
    };
    const [more, moreTheirs] = round.bonus;
    return [
        ...dice("attack", round.attack, "ours"),
        ...dice("defence", round.defence, "theirs"),
        ...bonus("ours", more, round.attack.length),
        ...bonus("theirs", moreTheirs, round.defence.length),
    ];
}

/** Dice that have been announced and not thrown. */
function announced(invasion: Invasion | undefined, width: number, top: number): Item[] {
    const empty = (key: string, count: number, x: (at: number) => number): Item[] =>
        Array.from({ length: count }, (_, at) => ({
            kind: "box",
            key: `${key}.${at}`,
            x: x(at),
            y: top,
            w: DIE,
            h: DIE,
            r: 6,
            look: "announced",
        }));
    const step = DIE + GAP;
    return [
        ...empty("attack", invasion?.dice ?? 0, (at) => at * step),
        ...empty("defence", invasion?.defence ?? 0, (at) => width - DIE - at * step),
    ];
}

function lines(
    view: Board,
    battles: Battles | undefined,
    { isElsewhere, isAnnounced }: { isElsewhere: boolean; isAnnounced: boolean },
): string[] {
    const last = battles?.rounds.at(-1);
    if (!battles || !last) return conditions(view.invasion);
    const way = `${nameOfLand(last.to)} from ${nameOfLand(last.from)}`;
    if (isElsewhere) {
        const dice = isAnnounced ? `: ${inShort(last)}` : "";
        return [`The last dice fell in ${way}${dice}.`, ...conditions(view.invasion)];
    }
    const [ours, theirs] = last.lost;
    const taken = battles.conquered ? ` ${nameOfLand(last.to)} is taken.` : "";
    const armies = `${armyName(battles.attacker)} against ${armyName(battles.defender)}`;
    const before = battles.rounds.slice(0, -1).slice(-BEFORE).reverse();
    return [
        `The attacker loses ${ours}, the defender ${theirs}.${taken}`,
        ...(view.invasion ? [] : [`Last fought: ${armies}.`]),
        ...(before.length ? [`Before: ${before.map(inShort).join("; ")}.`] : []),
        ...conditions(view.invasion),
    ];
}

const inShort = ({
    attack,
    defence,
    bonus: [more, moreTheirs],
    lost: [ours, theirs],
}: Fought): string => {
    const plus = (number: number): string => (number ? ` +${number}` : "");
    return `${attack.join(" ")}${plus(more)} : ${defence.join(" ")}${plus(moreTheirs)} (−${ours}, −${theirs})`;
};

function conditions(invasion: Invasion | undefined): string[] {
    if (!invasion) return [];
    const told = [
        ...(invasion.pressUntil ? [`you fight on until ${invasion.pressUntil} are left`] : []),
        ...(invasion.stands ? ["you defend with two dice, unasked"] : []),
        ...(invasion.belowMountains ? ["across the mountains"] : []),
        ...(invasion.blackSails ? ["Black Sails: +1 at sea"] : []),
        ...(invasion.noWalls ? ["the stronghold gives no bonus"] : []),
        ...(invasion.corsairsPaid ? ["the Corsairs are paid"] : []),
    ];
    const first = told.join("; ");
    return first ? [`${first.slice(0, 1).toUpperCase()}${first.slice(1)}.`] : [];
}
