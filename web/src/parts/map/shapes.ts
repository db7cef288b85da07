/** A map's outlines, read once from the game's own `data/shapes.json`.
 *
 * Design. In the file each border stands once, as a point and steps from it, and a region's ring is the
 * numbers of its borders, `~n` for one that runs the other way. So neighbours cannot but share their
 * points, and a map takes less than half of the bytes.
 */
import { boxAround, type Box, type Disc, lineOf, pathOf, type Point } from "./geometry";

interface RawShape {
    id: string;
    name?: string;
    kind?: string;
    ring: readonly number[];
    label?: readonly number[];
}

interface RawRegion extends RawShape {
    name: string;
    nation?: string;
    region?: string;
    settlement?: string;
    site?: readonly number[];
    pieces: readonly (readonly number[])[];
}

interface RawBorder {
    a: string;
    b?: string;
    kind: string;
    line: readonly number[];
}

export interface RawShapes {
    view: readonly number[];
    regions: readonly RawRegion[];
    fills: readonly RawShape[];
    borders: readonly RawBorder[];
    links?: readonly { id: string; a: string; b: string; line: readonly number[] }[];
    decor: {
        rivers: readonly { name: string; line: readonly number[] }[];
        peaks: readonly (readonly number[])[];
        trees: readonly (readonly number[])[];
        marsh: readonly (readonly number[])[];
        islands: readonly (readonly number[])[];
    };
}

/** What is named: a region, or a sea. */
export interface Area {
    id: string;
    name: string;
    ring: readonly Point[];
    path: string;
    box: Box;
    /** Where its name stands best, and how high its letters are in the map's units. */
    label: { x: number; y: number; size: number };
    /** The place of its settlement's symbol. */
    site?: Disc;
    /** The places of what stands in it, the roomiest first. */
    places: readonly Disc[];
}

export interface Region extends Area {
    /** The nation or the greater region to which it belongs; "" if there is none. */
    group: string;
    /** As the data has it; "" if there is none. */
    settlement: string;
}

/** What is no region: sea, lake, waste, massif, plateau. */
export interface Fill {
    id: string;
    kind: string;
    path: string;
}

export interface Border {
    a: string;
    b: string;
    /** `open`, `bridge`, `coast`; `mountains` and `river`, which nobody crosses. */
    kind: string;
    line: readonly Point[];
    path: string;
}

export interface Shapes {
    width: number;
    height: number;
    regions: ReadonlyMap<string, Region>;
    fills: readonly Fill[];
    /** The names of fills that have one. */
    seas: readonly Area[];
    borders: readonly Border[];
    links: readonly { id: string; a: string; b: string; path: string }[];
    decor: {
        rivers: readonly { name: string; path: string }[];
        islands: readonly string[];
        peaks: string;
        shades: string;
        trees: string;
        marsh: string;
    };
}

/** A point and the steps from it. */
export function walked(steps: readonly number[]): Point[] {
    const line: Point[] = [];
    let [x, y] = [0, 0];
    for (let n = 0; n + 1 < steps.length; n += 2) {
        x += steps[n] ?? 0;
        y += steps[n + 1] ?? 0;
        line.push([x, y]);
    }
    return line;
}

export const discOf = ([x = 0, y = 0, r = 0]: readonly number[]): Disc => ({ x, y, r });

function ringOf(numbers: readonly number[], lines: readonly Point[][]): Point[] {
    return numbers.flatMap((n) => {
        const line = lines[n < 0 ? ~n : n] ?? [];
        const along = n < 0 ? [...line].reverse() : line;
        return along.slice(0, -1);
    });
}

function areaOf(raw: RawShape, lines: readonly Point[][]): Area {
    const ring = ringOf(raw.ring, lines);
    const { label = [] } = raw;
    const [x = 0, y = 0] = label;
    return {
        id: raw.id,
        name: raw.name ?? "",
        ring,
        path: pathOf(ring),
        box: boxAround(ring),
        label: { x, y, size: label.at(-1) ?? 0 },
        places: [],
    };
}

const regionOf = (raw: RawRegion, lines: readonly Point[][]): Region => ({
    ...areaOf(raw, lines),
    group: raw.nation ?? raw.region ?? "",
    settlement: raw.settlement ?? "",
    ...(raw.site && { site: discOf(raw.site) }),
    places: raw.pieces.map(discOf),
});

export function shapesOf(raw: RawShapes): Shapes {
    const lines = raw.borders.map(({ line }) => walked(line));
    const [, , width = 0, height = 0] = raw.view;
    return {
        width,
        height,
        regions: new Map(raw.regions.map((region) => [region.id, regionOf(region, lines)])),
        fills: raw.fills.map(({ id, kind = "", ring }) => ({
            id,
            kind,
            path: pathOf(ringOf(ring, lines)),
        })),
        seas: raw.fills.filter(({ label }) => label).map((fill) => areaOf(fill, lines)),
        borders: raw.borders
            .map(({ a, b = "", kind }, n) => ({ a, b, kind, line: lines[n] ?? [] }))
            .filter(({ kind }) => kind !== "frame")
            .map((border) => ({ ...border, path: lineOf(border.line) })),
        links: (raw.links ?? []).map(({ line, ...link }) => ({
            ...link,
            path: lineOf(walked(line)),
        })),
        decor: decorOf(raw.decor),
    };
}

const peak = ([x = 0, y = 0, size = 0]: readonly number[]): string =>
    `M${x - size} ${y + size * 0.8}L${x} ${y - size}L${x + size} ${y + size * 0.8}z`;
const shade = ([x = 0, y = 0, size = 0]: readonly number[]): string =>
    `M${x} ${y - size}L${x + size} ${y + size * 0.8}h${-size * 0.7}z`;
const tree = ([x = 0, y = 0]: readonly number[]): string =>
    `M${x - 6} ${y + 3}a6 7.5 0 1 1 12 0zM${x} ${y + 3}v5`;
const reed = ([x = 0, y = 0]: readonly number[]): string =>
    `M${x - 8} ${y + 4}h16M${x} ${y + 2}v-9M${x - 4} ${y + 2}l-3 -6M${x + 4} ${y + 2}l3 -6`;

const decorOf = ({
    rivers,
    islands,
    peaks,
    trees,
    marsh,
}: RawShapes["decor"]): Shapes["decor"] => ({
    rivers: rivers.map(({ name, line }) => ({ name, path: lineOf(walked(line)) })),
    islands: islands.map((steps) => pathOf(walked(steps))),
    peaks: peaks.map(peak).join(""),
    shades: peaks.map(shade).join(""),
    trees: trees.map(tree).join(""),
    marsh: marsh.map(reed).join(""),
});
