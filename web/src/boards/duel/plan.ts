/** Which part of the table lies where: one column on a phone, two on a wide screen. */
import { type Bit, placed, type PlacedBit } from "./bits";
import { NO_MARKS } from "./changes";
import { flow } from "./chips";
import { laidOut } from "./display";
import { type Board, ownerOf, SIDE_TITLES, type SideName, sideName, SKILLS } from "./facts";
import { MAP_HEIGHT, MAP_WIDTH } from "./lands";
import { widthOf } from "./letters";
import { playerPlan } from "./player";
import { discardChips, landmarkTiles, revealedTiles, searchedLine, stackTiles } from "./table";
import { tiled } from "./tiles";
import { trackHeight } from "./track";

export type Kind =
    | "revealed"
    | "display"
    | "landmarks"
    | "map"
    | "track"
    | "fellowship"
    | "sauron"
    | "stacks"
    | "discard";

export interface Panel {
    kind: Kind;
    /** What stands over it; the sides name themselves. */
    title: string;
    x: number;
    y: number;
    /** Of what is in it, without its margin. */
    w: number;
    h: number;
}

export interface Plan {
    panels: Panel[];
    height: number;
    /** Around what is in a panel. */
    margin: number;
}

export const STATUS = 40;
export const TITLE = 20;
const TWO_COLUMNS = 640;
const GAP = 12;

/** How narrow a tile may be. */
export const NARROWEST = { revealed: 200, landmarks: 250, stacks: 150 };

export function planned(view: Board, width: number): Plan {
    const wide = width >= TWO_COLUMNS;
    const margin = wide ? 10 : 0;
    const plan: Plan = { panels: [], height: STATUS + GAP, margin };
    const first: SideName = sideName(view.side) ?? "fellowship";
    const second: SideName = first === "fellowship" ? "sauron" : "fellowship";
    const half = (width - GAP) / 2;
    const down = (kind: Kind, x = 0, y = plan.height, w = width): number =>
        put(plan, view, kind, x, y, w);
    if (view.revealed.length) plan.height = down("revealed");
    if (!wide) {
        const order: Kind[] = ["display", "landmarks", "map", "track", first, second];
        for (const kind of [...order, "stacks", "discard"] as const) plan.height = down(kind);
        return plan;
    }
    const ends = [plan.height, plan.height];
    const beside = (kind: Kind, column: number): void => {
        ends[column] = down(kind, column * (half + GAP), ends[column], half);
    };
    (["display", "landmarks"] as const).forEach((kind) => {
        beside(kind, 0);
    });
    (["map", "track"] as const).forEach((kind) => {
        beside(kind, 1);
    });
    beside(first, 0);
    beside(second, 1);
    for (const kind of ["stacks", "discard"] as const) {
        beside(kind, (ends[0] ?? 0) <= (ends[1] ?? 0) ? 0 : 1);
    }
    plan.height = Math.max(...ends);
    return plan;
}

function put(plan: Plan, view: Board, kind: Kind, x: number, y: number, width: number): number {
    const { margin } = plan;
    const w = width - 2 * margin;
    const title = titleOf(view, kind);
    const h = heightOf(view, kind, w) + (title ? TITLE : 0);
    plan.panels.push({ kind, title, x: x + margin, y: y + margin, w, h });
    return y + h + 2 * margin + GAP;
}

function titleOf(view: Board, kind: Kind): string {
    if (kind === "fellowship" || kind === "sauron") return "";
    if (kind === "landmarks") {
        const more = view.landmarkStack ? ` · ${view.landmarkStack} more face down` : "";
        return `${view.landmarks.length ? "Landmarks" : "No landmark is face up"}${more}`;
    }
    const { turn } = view;
    return {
        revealed: `${SIDE_TITLES[sideName(turn) ?? "fellowship"]} keeps one of these tokens`,
        display: `Cards of chapter ${view.chapter}${pricedFor(view)}`,
        map: "Middle-earth",
        track: "The Quest of the Ring",
        stacks: "Alliance tokens",
        discard: "Discard pile",
    }[kind];
}

/** Who looks on is told whose prices these are. */
const pricedFor = (view: Board): string =>
    sideName(view.side) ? "" : ` · prices of ${SIDE_TITLES[ownerOf(view)]}`;

function heightOf(view: Board, kind: Kind, w: number): number {
    switch (kind) {
        case "revealed":
            return tiled(revealedTiles(view), w, NARROWEST.revealed).height;
        case "display":
            return laidOut(view, w).height + legend(w).height;
        case "landmarks":
            return tiled(landmarkTiles(view), w, NARROWEST.landmarks).height;
        case "map":
            return (w * MAP_HEIGHT) / MAP_WIDTH;
        case "track":
            return trackHeight;
        case "stacks":
            return tiled(
                stackTiles(view, () => false),
                w,
                NARROWEST.stacks,
            ).height;
        case "discard":
            return discardTop(view) + flow(discardChips(view, false), 0, 0, w).bottom;
        default:
            return playerPlan(view, kind, w, NO_MARKS, false).height;
    }
}

/** Below the lines about the pile. */
export const discardTop = (view: Board): number => (searchedLine(view) ? 36 : 20);

/** What the symbols mean, in as many lines as they need. */
export function legend(width: number): {
    items: { bits: PlacedBit[]; text: string; x: number; y: number; at: number }[];
    height: number;
} {
    let [x, y] = [2, 7];
    const items = LEGEND.map(([bit, text]) => {
        const { bits, width: symbol } = placed([bit], 13);
        const w = symbol + 4 + widthOf(text, 11) + 7;
        if (x > 2 && x + w > width) [x, y] = [2, y + 20];
        const here = { bits, text, x, y, at: symbol + 4 };
        x += w;
        return here;
    });
    return { items, height: y + 18 };
}

const LEGEND: readonly (readonly [Bit, string])[] = [
    [{ icon: "step" }, "quest step"],
    [{ icon: "unit" }, "unit"],
    [{ icon: "move" }, "move"],
    [{ icon: "remove" }, "remove"],
    ...SKILLS.map((skill) => [{ icon: skill }, skill] as const),
    [{ icon: "strength", look: "short" }, "lacking"],
    [{ icon: "horse", look: "to" }, "gives a chain"],
    [{ icon: "horse", look: "from" }, "free by a chain"],
];
