/** Which panels there are, and where each lies. */
import { Alignment } from "$gen/bree/risk/v1/board_pb";
import type { Told } from "../contract";
import { type Board, many } from "./facts";
import { handOf, isEmpty } from "./hand";
import type { Item, Sheet } from "./items";
import { type Stand, standing } from "./lands";
import { ordersOf } from "./orders";
import { option, own } from "./owners";
import { ringLines, rollLine, stages } from "./path";
import { playerRows } from "./players";
import { regionRows } from "./regions";
import { battleSheet } from "./sheets/battle";
import { handSheet } from "./sheets/hand";
import { pathSheet, type Rolled } from "./sheets/path";
import { playersSheet } from "./sheets/players";
import { regionsSheet } from "./sheets/regions";
import { ordersSheet, pilesSheet } from "./sheets/rest";
import { turnSheet } from "./sheets/turn";
import { lastBattles, lastRing } from "./told";
import { turnTold } from "./turn";

export type Kind = "turn" | "battle" | "hand" | "players" | "path" | "regions" | "orders" | "piles";

export const FIRST: readonly Kind[] = ["turn", "battle"];
export const REST: readonly Kind[] = ["hand", "players", "path", "regions", "orders", "piles"];

const TITLES: Readonly<Record<Kind, string>> = {
    turn: "",
    battle: "Battle",
    hand: "Your cards",
    players: "Points now",
    path: "The Fellowship",
    regions: "Regions and their bonus",
    orders: "What you have said beforehand",
    piles: "Effects and piles",
};

export interface Panel {
    kind: Kind;
    title: string;
    x: number;
    y: number;
    w: number;
    h: number;
    items: readonly Item[];
}

export interface Plan {
    panels: readonly Panel[];
    height: number;
}

/** All that is drawn of a position, whatever the width. */
export interface Position {
    view: Board;
    stands: readonly Stand[];
    told: readonly Told[] | undefined;
}

export const positioned = (view: Board, told?: readonly Told[]): Position => ({
    view,
    stands: standing(view),
    told,
});

const GAP = 10;
const MARGIN = 10;
const TITLE = 22;

function sheetOf(
    kind: Kind,
    position: Position,
    meant: ReadonlySet<string>,
    width: number,
): Sheet | undefined {
    const { view, stands, told } = position;
    switch (kind) {
        case "turn":
            return turnSheet(turnTold(view), width);
        case "battle": {
            const battles = lastBattles(told ?? []);
            if (!battles && !view.invasion) return undefined;
            const byName = new Map(stands.map((stand) => [stand.id, stand]));
            return battleSheet(view, byName, battles, width);
        }
        case "hand": {
            const hand = handOf(view);
            if (!hand || isEmpty(hand)) return undefined;
            const alignment = own(view)?.alignment ?? Alignment.GOOD;
            return handSheet(hand, alignment, meant, width);
        }
        case "players":
            return playersSheet(playerRows(view), neutralLine(stands), width);
        case "path":
            return pathSheet(stages(view), ringLines(view), rolled(position), width);
        case "regions":
            return regionsSheet(regionRows(view), width);
        case "orders": {
            const orders = view.turn === undefined ? [] : ordersOf(view);
            return orders.length ? ordersSheet(orders, width) : undefined;
        }
        case "piles":
            return pilesSheet(view, width);
    }
}

function rolled({ view, told }: Position): Rolled | undefined {
    const roll = lastRing(told ?? []);
    return roll && { die: roll.die, nth: roll.nth, line: rollLine(view, roll) };
}

function neutralLine(stands: readonly Stand[]): string {
    const held = stands.filter(({ holder }) => holder === "neutral");
    const battalions = held.reduce((sum, one) => sum + one.battalions, 0);
    const lands = held.length === 1 ? "1 territory" : `${held.length} territories`;
    return held.length ? `Neutral: ${lands}, ${many(battalions, "battalion")}` : "";
}

/** Panels in columns, each below the shortest. */
export function planned(
    kinds: readonly Kind[],
    position: Position,
    meant: ReadonlySet<string>,
    width: number,
    columns: number,
): Plan {
    const column = (width - (columns - 1) * GAP) / columns;
    const ends = Array.from({ length: columns }, () => 0);
    const panels = kinds.flatMap((kind): Panel[] => {
        const w = column - 2 * MARGIN;
        const sheet = sheetOf(kind, position, meant, w);
        if (!sheet) return [];
        const title = titleOf(kind, position.view);
        const shortest = ends.indexOf(Math.min(...ends));
        const y = ends[shortest] ?? 0;
        const h = sheet.height + (title ? TITLE : 0) + 2 * MARGIN;
        ends[shortest] = y + h + GAP;
        return [{ kind, title, x: shortest * (column + GAP), y, w: column, h, items: sheet.items }];
    });
    return { panels, height: Math.max(0, Math.max(...ends) - GAP) };
}

function titleOf(kind: Kind, view: Board): string {
    const isTeam = kind === "players" && option(view, "team_mode") === "on";
    return isTeam ? "Points; partners win together" : TITLES[kind];
}

export { GAP, MARGIN, TITLE };
