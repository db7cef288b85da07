/** Where things lie that have been drawn: every transform around them is read, and nothing of the board's own is asked. */
import type { Node } from "./tree";

export type Point = readonly [number, number];
type Matrix = readonly [number, number, number, number, number, number];

const AS_IT_IS: Matrix = [1, 0, 0, 1, 0, 0];

const times = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
    a * A + c * B,
    b * A + d * B,
    a * C + c * D,
    b * C + d * D,
    a * E + c * F + e,
    b * E + d * F + f,
];

const through = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [
    a * x + c * y + e,
    b * x + d * y + f,
];

const TRANSFORMS: Record<string, (...numbers: number[]) => Matrix> = {
    translate: (x = 0, y = 0) => [1, 0, 0, 1, x, y],
    scale: (x = 1, y = x) => [x, 0, 0, y, 0, 0],
    rotate: (degrees = 0) => {
        const angle = (degrees * Math.PI) / 180;
        return [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
    },
};

const numbersIn = (text: string): number[] =>
    [...text.matchAll(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g)].map(([number]) => Number(number));

/** What a node does to all that is within it. */
function matrixOf(node: Node): Matrix {
    let own = AS_IT_IS;
    for (const [, name = "", numbers = ""] of (node.attributes["transform"] ?? "").matchAll(
        /(\w+)\(([^)]*)\)/g,
    )) {
        const made = TRANSFORMS[name];
        if (!made) throw new Error(`not understood: ${name}`);
        own = times(own, made(...numbersIn(numbers)));
    }
    const box = numbersIn(node.attributes["viewBox"] ?? "");
    const width = Number(node.attributes["width"]);
    if (node.tag !== "svg" || box[2] === undefined) return own;
    const scale = width / box[2];
    return times(own, [scale, 0, 0, scale, -scale * (box[0] ?? 0), -scale * (box[1] ?? 0)]);
}

/** The corners of an outline. */
function outlineOf({ tag, attributes }: Node): Point[] {
    const number = (name: string): number => Number(attributes[name] ?? 0);
    if (tag === "rect") {
        const [x, y] = [number("x"), number("y")];
        return [
            [x, y],
            [x + number("width"), y + number("height")],
        ];
    }
    if (tag === "circle") return [[number("cx"), number("cy")]];
    if (tag === "text") return [[number("x"), number("y")]];
    if (tag === "polygon" || tag === "polyline")
        return paired(numbersIn(attributes["points"] ?? ""));
    if (tag === "path") return walked(attributes["d"] ?? "");
    return [[0, 0]];
}

const paired = (numbers: readonly number[]): Point[] =>
    numbers.flatMap((x, at) => (at % 2 ? [] : [[x, numbers[at + 1] ?? 0] as const]));

/** The points of a path; arcs are taken for straight. */
function walked(path: string): Point[] {
    let [x, y] = [0, 0];
    const points: Point[] = [];
    for (const [, letter = "", text = ""] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
        const kind = letter.toUpperCase();
        if (kind === "Z") continue;
        const [fromX, fromY] = letter === kind ? [0, 0] : [x, y];
        const numbers = numbersIn(text);
        if (kind === "H") x = fromX + (numbers[0] ?? 0);
        else if (kind === "V") y = fromY + (numbers[0] ?? 0);
        else {
            // Of a curve its last point counts, of lines each.
            const kept = kind === "M" || kind === "L" ? numbers : numbers.slice(-2);
            for (const [dx, dy] of paired(kept)) {
                [x, y] = letter === kind ? [dx, dy] : [x + dx, y + dy];
                points.push([x, y]);
            }
            continue;
        }
        points.push([x, y]);
    }
    return points;
}

export interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
}

/** The places of all nodes of a drawing, in its own units. */
export class Places {
    readonly #matrices = new Map<Node, Matrix>();

    constructor(root: Node) {
        this.#note(root, AS_IT_IS);
    }

    #note(node: Node, around: Matrix): void {
        const here = times(around, matrixOf(node));
        this.#matrices.set(node, here);
        for (const child of node.children) this.#note(child, here);
    }

    /** The points of an outline, a text's beginning, or where the middle of a group has been moved to. */
    of(node: Node): Point[] {
        const matrix = this.#matrices.get(node);
        if (!matrix) throw new Error(`${node.tag} is not of this drawing`);
        return outlineOf(node).map((point) => through(matrix, point));
    }

    box(node: Node): Box {
        const points = this.of(node);
        const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
        return {
            left: Math.min(...xs),
            top: Math.min(...ys),
            right: Math.max(...xs),
            bottom: Math.max(...ys),
        };
    }

    middle(node: Node): Point {
        const { left, top, right, bottom } = this.box(node);
        return [(left + right) / 2, (top + bottom) / 2];
    }
}
