/** War of the Ring's map: its outlines, and what their places are for. */
import data from "$data/warofthering/data/shapes.json";
import { namer } from "../../parts/map/names";
import type { Pattern } from "../../parts/map/patterns";
import { type Region, shapesOf } from "../../parts/map/shapes";

export const SHAPES = shapesOf(data);

/** Of each nation a pattern, so that nobody need tell colours apart. */
export const NATION_PATTERNS: Readonly<Record<string, Pattern>> = {
    elves: "dots",
    dwarves: "bricks",
    north: "levels",
    rohan: "stripes",
    gondor: "bars",
    isengard: "counter",
    sauron: "hatch",
    southrons: "zigzag",
};

/** The steps of the Mordor Track, from the first to the Crack of Doom. */
export const TRACK = data.track.map(([x = 0, y = 0]) => ({ x, y }));
export const TRACK_RADIUS = 24;

const WORTH = ["stronghold", "city", "fortification", "town"];

/** The most important first. */
const worth = ({ settlement, group }: Region): number => {
    const rank = WORTH.indexOf(settlement);
    return rank < 0 ? WORTH.length + (group ? 0 : 1) : rank;
};

const REGIONS = [...SHAPES.regions.values()].sort((a, b) => worth(a) - worth(b));

export const names = namer({
    areas: [...REGIONS, ...SHAPES.seas],
    map: SHAPES,
    blocks: TRACK.map((step) => ({ ...step, r: TRACK_RADIUS })),
});
export const SEAS: ReadonlySet<string> = new Set(SHAPES.seas.map(({ id }) => id));
