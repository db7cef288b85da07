/** Names at every zoom: none over another, none over a place, none too small. */
import { describe, expect, it } from "vitest";
import * as risk from "../../../src/boards/risk/ground";
import * as war from "../../../src/boards/warofthering/ground";
import { zoomAt, zoomOf, type Zoom } from "../../../src/parts/map/camera";
import { type Box, meet, overlaps, spansAt } from "../../../src/parts/map/geometry";
import {
    breaks,
    freePlaces,
    LEADING,
    LEAST_PLACE,
    type Named,
    namesOf,
    siteAt,
    SMALLEST,
    widthOf,
} from "../../../src/parts/map/names";
import type { Area, Shapes } from "../../../src/parts/map/shapes";

const MAPS = [
    { game: "Risk", ...risk },
    { game: "War of the Ring", ...war },
] as const;
/** From a phone with all of the map to as close as one may come. */
const SCALES = [0.17, 0.21, 0.26, 0.31, 0.36, 0.42, 0.5, 0.62, 0.8, 1, 1.3, 1.7, 2];
const CASES = MAPS.flatMap((map) => SCALES.map((scale) => ({ ...map, scale })));

const areasOf = ({ regions, seas }: Shapes): Area[] => [...regions.values(), ...seas];

/** A little less than it, so that what only touches does not count. */
const within = ({ x, y, width, height }: Box): Box => ({
    x: x + 0.05,
    y: y + 0.05,
    width: width - 0.1,
    height: height - 0.1,
});

function pairs<T>(all: readonly T[]): (readonly [T, T])[] {
    return all.flatMap((one, n) => all.slice(n + 1).map((other) => [one, other] as const));
}

describe.each(CASES)("the names of $game at $scale", ({ SHAPES, names, scale }) => {
    const zoom: Zoom = zoomAt(scale);
    const found = [...names(zoom).values()];
    const areas = new Map(areasOf(SHAPES).map((area) => [area.id, area]));
    const area = ({ id }: Named): Area => {
        const there = areas.get(id);
        if (!there) throw new Error(`there is no ${id}`);
        return there;
    };

    it("are nowhere upon each other", () => {
        const upon = pairs(found).filter(([a, b]) => meet(within(a.box), within(b.box)));

        expect(upon.map(([a, b]) => [a.id, b.id])).toEqual([]);
    });

    it("lie upon no place that is free and upon no symbol, of whichever region", () => {
        const taken = [...areas.values()].flatMap((one) => [
            ...(one.site ? [siteAt(one.site, zoom)] : []),
            ...freePlaces(one, names(zoom).get(one.id), zoom),
        ]);
        const upon = found.filter(({ box }) => taken.some((disc) => overlaps(disc, within(box))));

        expect(upon.map(({ id }) => id)).toEqual([]);
    });

    it("leave at least one place of each region free", () => {
        for (const one of SHAPES.regions.values()) {
            const [first] = freePlaces(one, names(zoom).get(one.id), zoom);

            expect((first?.r ?? 0) * zoom.level).toBeGreaterThan(LEAST_PLACE - 0.1);
        }
    });

    it("are high enough to be read, and no higher than is sensible", () => {
        for (const { size } of found) {
            expect(size * zoom.level).toBeGreaterThan(SMALLEST - 0.05);
            expect(size * zoom.level).toBeLessThan(17.1);
        }
    });

    it("are whole, in lines that fit their box", () => {
        for (const name of found) {
            expect(name.lines.join(" ")).toBe(area(name).name);
            expect(Math.max(...name.lines.map(widthOf)) * name.size).toBeCloseTo(name.box.width, 5);
            expect(name.lines.length * LEADING * name.size).toBeCloseTo(name.box.height, 5);
        }
    });

    it("have their middle in their own region and all of them on the map", () => {
        for (const name of found) {
            const spans = spansAt(area(name).ring, name.y + 0.25);

            expect(spans.some(([from, to]) => from <= name.x && name.x <= to)).toBe(true);
            expect(name.box.x).toBeGreaterThan(0);
            expect(name.box.y).toBeGreaterThan(0);
            expect(name.box.x + name.box.width).toBeLessThan(SHAPES.width);
            expect(name.box.y + name.box.height).toBeLessThan(SHAPES.height);
        }
    });
});

describe.each(MAPS)("the names of $game", ({ SHAPES, names }) => {
    it("are all there at half of the map's own scale, and so closer", () => {
        for (const scale of [0.55, 1, 2])
            expect(names(zoomAt(scale)).size).toBe(SHAPES.regions.size + SHAPES.seas.length);
    });

    it("are those of three regions in four on a wide screen that shows all of the map", () => {
        const scale = 670 / SHAPES.height;

        expect(names(zoomAt(scale)).size).toBeGreaterThan(SHAPES.regions.size * 0.74);
    });

    it("leave every place free as soon as one is close", () => {
        const zoom = zoomOf(1);
        for (const area of SHAPES.regions.values())
            expect(freePlaces(area, names(zoom).get(area.id), zoom)).toEqual(area.places);
    });
});

describe("naming", () => {
    const square = (id: string, x: number): Area => ({
        id,
        name: "Aa Bb",
        ring: [
            [x, 0],
            [x + 40, 0],
            [x + 40, 40],
            [x, 40],
        ],
        path: "",
        box: { x, y: 0, width: 40, height: 40 },
        label: { x: x + 20, y: 20, size: 11 },
        places: [],
    });
    const map = { width: 200, height: 40 };

    it("leaves out the less important of two that have room for one", () => {
        const here = [square("first", 40), square("second", 40)];
        const zoom = zoomOf(0.6);

        expect([...namesOf({ areas: here, map }, zoom).keys()]).toEqual(["first"]);
        expect([...namesOf({ areas: here.reverse(), map }, zoom).keys()]).toEqual(["second"]);
    });

    it("goes out of the way of what else is there", () => {
        const free = namesOf({ areas: [square("one", 40)], map }, zoomOf(1)).get("one");
        const blocks = [{ x: 60, y: 14, r: 10 }];
        const moved = namesOf({ areas: [square("one", 40)], map, blocks }, zoomOf(1)).get("one");

        expect(free).toMatchObject({ x: 60, y: 20 });
        expect(blocks.some((disc) => moved && overlaps(disc, moved.box))).toBe(false);
        expect(moved).not.toMatchObject({ x: 60, y: 20 });
    });

    it("breaks a name where it becomes narrowest", () => {
        expect(breaks("Vale of the Carnen").map(({ lines }) => lines)).toEqual([
            ["Vale of the Carnen"],
            ["Vale of the", "Carnen"],
            ["Vale", "of the", "Carnen"],
        ]);
        expect(breaks("Bree").map(({ lines }) => lines)).toEqual([["Bree"]]);
    });
});
