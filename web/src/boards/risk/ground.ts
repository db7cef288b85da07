/** Risk's map: its outlines, and what their places are for. */
import data from "$data/risk/data/shapes.json";
import { lineOf, type Point } from "../../parts/map/geometry";
import { namer } from "../../parts/map/names";
import { type Region, shapesOf } from "../../parts/map/shapes";

export const SHAPES = shapesOf(data);

export const BRIDGES = data.bridges;
export const BRIDGE_RADIUS = 17;
export const PORTS = data.ports;
/** The steps of the Fellowship's path, in their order; some have a die on them. */
export const PATH = data.path;
export const STEP_RADIUS = 10;
export const PATH_LINE = lineOf(PATH.map(({ x, y }): Point => [x, y]));

const WORTH = ["stronghold", "site_of_power"];

/** The most important first. */
const worth = ({ settlement }: Region): number => {
    const rank = WORTH.indexOf(settlement);
    return rank < 0 ? WORTH.length : rank;
};

const TERRITORIES = [...SHAPES.regions.values()].sort((a, b) => worth(a) - worth(b));

export const names = namer({
    areas: [...TERRITORIES, ...SHAPES.seas],
    map: SHAPES,
    blocks: [
        ...BRIDGES.map(({ x, y }) => ({ x, y, r: BRIDGE_RADIUS })),
        ...PATH.map(({ x, y }) => ({ x, y, r: STEP_RADIUS })),
    ],
});
export const SEAS: ReadonlySet<string> = new Set(SHAPES.seas.map(({ id }) => id));
