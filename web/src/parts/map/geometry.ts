/** Points, rings and boxes of a map, in its own units; y grows downward. */
export type Point = readonly [x: number, y: number];

/** A place that is kept free: its middle and its radius. */
export interface Disc {
    x: number;
    y: number;
    r: number;
}

export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

/** The smallest box around all of them. */
export function boxAround(points: readonly Point[]): Box {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of points) {
        left = Math.min(left, x);
        top = Math.min(top, y);
        right = Math.max(right, x);
        bottom = Math.max(bottom, y);
    }
    return { x: left, y: top, width: right - left, height: bottom - top };
}

export const cornersOf = ({ x, y, width, height }: Box): readonly Point[] => [
    [x, y],
    [x + width, y + height],
];

/** What is left of a number in between two others. */
export const between = (low: number, value: number, high: number): number =>
    Math.min(high, Math.max(low, value));

const short = (value: number): number => Math.round(value * 10) / 10;
const at = ([x, y]: Point): string => `${short(x)} ${short(y)}`;

export const lineOf = (points: readonly Point[]): string => `M${points.map(at).join("L")}`;
export const pathOf = (ring: readonly Point[]): string => `${lineOf(ring)}z`;

/** Twice the area, with the sign of the direction in which the ring runs. */
function turnOf(ring: readonly Point[]): number {
    let sum = 0;
    let [fromX, fromY] = ring.at(-1) ?? [0, 0];
    for (const [x, y] of ring) {
        sum += fromX * y - x * fromY;
        [fromX, fromY] = [x, y];
    }
    return sum;
}

/** At sharp corners a parallel line runs away; it is cut off at so many times its distance. */
const MITRE = 1.6;

/** A ring that runs within another one, everywhere about as far from it: lines upon it do not lie upon
 *  those of a neighbour. */
export function insetOf(ring: readonly Point[], distance: number): Point[] {
    const inward = turnOf(ring) > 0 ? 1 : -1;
    const normals = ring.map(([x, y], n) => {
        const [nextX, nextY] = ring[(n + 1) % ring.length] ?? [x, y];
        const length = Math.hypot(nextX - x, nextY - y) || 1;
        return [(-(nextY - y) / length) * inward, ((nextX - x) / length) * inward] as const;
    });
    return ring.map(([x, y], n) => {
        const [ax, ay] = normals.at(n - 1) ?? [0, 0];
        const [bx, by] = normals[n] ?? [0, 0];
        const far = Math.min(MITRE, 2 / Math.max(0.01, (ax + bx) ** 2 + (ay + by) ** 2));
        return [x + (ax + bx) * far * distance, y + (ay + by) * far * distance];
    });
}

export type Span = readonly [from: number, to: number];

/** Which parts of a horizontal line lie within a ring, from left to right. */
export function spansAt(ring: readonly Point[], y: number): Span[] {
    const met: number[] = [];
    let [fromX, fromY] = ring.at(-1) ?? [0, 0];
    for (const [toX, toY] of ring) {
        if (fromY > y !== toY > y) met.push(fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY));
        [fromX, fromY] = [toX, toY];
    }
    met.sort((a, b) => a - b);
    return met.flatMap((x, n) => (n % 2 ? [[met[n - 1] ?? x, x] as const] : []));
}

/** What lies in both. */
export const common = (some: readonly Span[], others: readonly Span[]): Span[] =>
    some.flatMap(([a, b]) =>
        others
            .map(([c, d]) => [Math.max(a, c), Math.min(b, d)] as const)
            .filter(([from, to]) => from <= to),
    );

/** Whether a disc and a box have more in common than an edge. */
export function overlaps({ x, y, r }: Disc, box: Box): boolean {
    const across = x - between(box.x, x, box.x + box.width);
    const down = y - between(box.y, y, box.y + box.height);
    return across * across + down * down < r * r;
}

export const meet = (a: Box, b: Box): boolean =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

export const isIn = (box: Box, { x, y, width, height }: Box): boolean =>
    box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height;
