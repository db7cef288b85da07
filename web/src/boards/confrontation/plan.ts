/** How the parts of a table lie beside each other on so much room. */
import type { Board } from "$gen/bree/confrontation/v1/board_pb";
import { SIDES, otherSide, type SideName } from "./facts";
import { GROUND } from "./ground";
import { layOf } from "./hand";
import { lowerSide } from "./position";
import { chart, knowledge, status } from "./reading";
import { choosing } from "./setup";
import { stageOf } from "./stage";

export type Kind = "status" | "ground" | "stage" | "choosing" | "hand" | "knowledge" | "chart";

export interface Block {
    key: string;
    kind: Kind;
    side: SideName;
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface Plan {
    width: number;
    height: number;
    blocks: readonly Block[];
}

export interface Wanted {
    /** What follows from what the viewer has seen. */
    knowledge: boolean;
    charts: boolean;
}

const GAP = 14;
const MARGIN = 2;
const LEAST = 300;
const NARROW = 640;
const WIDE = 1060;
const MAP = { least: 360, most: 440 };
/** Wider than this, cards and words fall apart. */
const MOST = 820;

class Stack {
    readonly blocks: Block[] = [];
    height = MARGIN;

    constructor(
        readonly x: number,
        readonly width: number,
    ) {}

    put(kind: Kind, height: number, side: SideName = "good"): void {
        if (height <= 0) return;
        const key = kind === "hand" || kind === "chart" ? `${kind} ${side}` : kind;
        this.blocks.push({ key, kind, side, x: this.x, y: this.height, width: this.width, height });
        this.height += height + (kind === "status" ? 0 : GAP);
    }
}

/** A table of so much width; whoever has less sees it smaller. */
export function plan(view: Board, room: number, wanted: Wanted): Plan {
    const width = Math.max(LEAST, room);
    const stacks = stacksFor(width - 2 * MARGIN, wanted.charts || wanted.knowledge);
    const [first, second, third] = stacks as [Stack, Stack, Stack];
    first.put("status", status(view, first.width).height);
    const isEarly = view.setup !== undefined;
    if (isEarly) happening(view, second);
    first.put("ground", (GROUND.height * first.width) / GROUND.width);
    if (!isEarly) happening(view, second);
    const lower = lowerSide(view);
    for (const side of [lower, otherSide(lower)])
        second.put("hand", layOf(second.width).height, side);
    if (wanted.knowledge) third.put("knowledge", knowledge(view, third.width).height);
    if (wanted.charts)
        for (const side of SIDES) third.put("chart", chart(view, side, third.width).height, side);
    return {
        width,
        height: Math.ceil(Math.max(...stacks.map((stack) => stack.height))),
        blocks: [...new Set(stacks)].flatMap((stack) => stack.blocks),
    };
}

/** Three columns, of which the same may stand for several. */
function stacksFor(width: number, isFull: boolean): Stack[] {
    if (width < NARROW) {
        const only = new Stack(MARGIN, width);
        return [only, only, only];
    }
    const map = Math.min(MAP.most, Math.max(MAP.least, width * 0.52));
    const rest = width - map - 24;
    const isTwo = width < WIDE || !isFull;
    const wide = Math.min(rest, MOST);
    // What is left over lies on both sides.
    const left = MARGIN + (isTwo ? (rest - wide) / 2 : 0);
    const first = new Stack(left, map);
    if (isTwo) {
        const second = new Stack(left + map + 24, wide);
        return [first, second, second];
    }
    const each = (rest - 24) / 2;
    return [first, new Stack(MARGIN + map + 24, each), new Stack(MARGIN + map + 48 + each, each)];
}

/** What is going on besides the map. */
function happening(view: Board, stack: Stack): void {
    if (view.battle) stack.put("stage", stageOf(view, view.battle, stack.width).height);
    if (view.setup) stack.put("choosing", choosing(view, view.setup, stack.width).height);
}
