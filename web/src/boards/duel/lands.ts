/** The map's outlines as paths, made once. The data and its names are the game's own. */
import {
    decor,
    fills as fillData,
    regions as regionData,
    view as frame,
} from "$data/duel/data/shapes.json";

type Point = readonly number[];

const at = (point: Point): string => `${point[0] ?? 0} ${point[1] ?? 0}`;
const line = (points: readonly Point[]): string => `M${points.map(at).join("L")}`;

export interface Land {
    id: string;
    name: string;
    path: string;
    label: { x: number; y: number };
    /** Where a fortress is built, and where units stand. */
    site: Point;
    units: Point;
}

export const MAP_WIDTH = frame[2] ?? 1400;
export const MAP_HEIGHT = frame[3] ?? 1000;

/** The place nearest to below a name, so that names and numbers are read together. */
const below = (label: { x: number; y: number }, places: readonly Point[]): Point | undefined =>
    [...places].sort((a, b) => away(label, a) - away(label, b))[0];

const away = (label: { x: number; y: number }, [x = 0, y = 0]: Point): number =>
    Math.hypot(x - label.x, y - label.y - 72);

export const LANDS: readonly Land[] = regionData.map((region) => ({
    id: region.id,
    name: region.name,
    path: `${line(region.polygon)}z`,
    label: region.label,
    site: region.site,
    units: below(region.label, region.pieces) ?? region.site,
}));

export const FILLS = fillData.map(({ id, kind, name, polygon, label }) => ({
    id,
    kind,
    name,
    path: `${line(polygon)}z`,
    label,
}));

export const RIVERS = decor.rivers.map((river) => ({ name: river.name, path: line(river.line) }));

const peak = ([x = 0, y = 0, size = 0]: Point): string =>
    `M${x - size} ${y + size * 0.8}L${x} ${y - size}L${x + size} ${y + size * 0.8}z`;
const shade = ([x = 0, y = 0, size = 0]: Point): string =>
    `M${x} ${y - size}L${x + size} ${y + size * 0.8}h${-size * 0.7}z`;

export const PEAKS = decor.peaks.map(peak).join("");
export const SHADES = decor.peaks.map(shade).join("");
export const TREES = decor.trees
    .map(([x = 0, y = 0]: Point) => `M${x - 7} ${y + 8}a7 9 0 1 1 14 0z`)
    .join("");

/** Where a fortress may be built: a square, since circles are the Fellowship's and diamonds Sauron's. */
export const siteShape = (half: number): string =>
    `M${-half} ${-half}h${2 * half}v${2 * half}h${-2 * half}z`;
