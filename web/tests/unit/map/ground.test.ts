/** The grounds of the two large games as markup: what is touched, what is drawn, and that a picture needs no page. */
import { createRawSnippet } from "svelte";
import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import Risk from "../../../src/boards/risk/Ground.svelte";
import * as risk from "../../../src/boards/risk/ground";
import War from "../../../src/boards/warofthering/Ground.svelte";
import * as war from "../../../src/boards/warofthering/ground";
import { boxOf, zoomOf } from "../../../src/parts/map/camera";
import { insetOf, spansAt } from "../../../src/parts/map/geometry";
import MapView from "../../../src/parts/map/MapView.svelte";
import { PATTERNS, patternId } from "../../../src/parts/map/patterns";
import { walked } from "../../../src/parts/map/shapes";

const MAPS = [
    { game: "Risk", Ground: Risk, things: risk.BRIDGES.map(({ id }) => id), ...risk },
    { game: "War of the Ring", Ground: War, things: [], ...war },
] as const;

const nouns = (body: string): string[] =>
    [...body.matchAll(/data-noun="([^"]*)"/g)].map(([, noun = ""]) => noun);

describe.each(MAPS)("the ground of $game", ({ SHAPES, Ground, things, names }) => {
    const zoom = zoomOf(1);
    const { body } = render(Ground, { props: { zoom } });

    it("has each region once, by its noun and its name", () => {
        expect(nouns(body).sort()).toEqual([...SHAPES.regions.keys(), ...things].sort());
        for (const { name } of SHAPES.regions.values())
            expect(body).toContain(`aria-label="${name}"`);
    });

    it("writes each name that there is room for, and no other", () => {
        const texts = [...body.matchAll(/<text class="map-name[^>]*>([^]*?)<\/text>/g)].map(
            ([, inner = ""]) =>
                [...inner.matchAll(/<tspan[^>]*>([^<]*)/g)].map(([, text]) => text).join(" "),
        );

        expect(texts).toHaveLength(names(zoom).size);
        for (const { name } of SHAPES.regions.values()) expect(texts).toContain(name);
    });

    it("draws a symbol for each settlement", () => {
        const sites = [...SHAPES.regions.values()].filter(({ site }) => site);

        expect(body.match(/class="site [a-z_]+/g)).toHaveLength(sites.length);
    });

    it("draws every barrier, and only what bars, as one", () => {
        const [, barrier = ""] = /class="barrier[^"]*" d="([^"]*)"/.exec(body) ?? [];
        const bars = SHAPES.borders.filter(({ kind }) => kind === "mountains" || kind === "river");

        expect(barrier).toBe(bars.map(({ path }) => path).join(""));
    });

    it("paints a region with its owner's colour and pattern", () => {
        const [one] = SHAPES.regions.keys();
        const paint = (id: string) =>
            id === one ? ({ tone: "red", fill: "#123456", pattern: "rings" } as const) : undefined;
        const painted = render(Ground, { props: { zoom, paint } }).body;

        expect(painted.match(/class="paint red[^>]*fill="#123456"/g)).toHaveLength(1);
        expect(painted.match(/fill="url\(#[^"]*-rings\)"/g)).toHaveLength(1);
    });

    it("says what a board tells it of a region", () => {
        const label = (id: string): string => `${id}, held by nobody`;
        const told = render(Ground, {
            props: { zoom, label, about: (id: string) => ({ title: id, lines: [] }) },
        }).body;

        for (const id of SHAPES.regions.keys())
            expect(told).toContain(`aria-label="${id}, held by nobody"`);
        expect(told.match(/tabindex="0"/g)).toHaveLength(SHAPES.regions.size);
    });
});

describe("a map", () => {
    const children = createRawSnippet(() => ({ render: () => "<g id='drawn'></g>" }));
    const props = { shapes: war.SHAPES, label: "Middle-earth", children };

    it("is one <svg> in a picture, whole and without buttons", () => {
        const { body } = render(MapView, {
            props: { ...props, still: { x: 10, y: 20, width: 500 } },
        });
        const markup = body.replace(/<!--[^]*?-->/g, "").trim();

        expect(markup).toMatch(
            /^<svg x="10" y="20" width="500" height="400" viewBox="0 0 2000 1600"/,
        );
        expect(markup).toMatch(/<\/svg>$/);
        expect(markup).toContain("drawn");
        expect(markup).not.toMatch(/button|<div/);
    });

    it("has a button for each fit, of which those without a box wait", () => {
        const fits = [
            { name: "My nations", box: boxOf(war.SHAPES, ["edoras"]) },
            { name: "The battle", box: null },
        ];
        const { body } = render(MapView, { props: { ...props, fits } });

        expect(body).toMatch(/<button[^>]*>Whole map</);
        expect(body).toMatch(/<button[^>]*>My nations</);
        expect(body).toMatch(/<button[^>]*disabled[^>]*>The battle</);
    });

    it("has no box around nothing", () => {
        expect(boxOf(war.SHAPES, [])).toBeNull();
        expect(boxOf(war.SHAPES, ["nowhere"])).toBeNull();
        expect(boxOf(war.SHAPES, ["edoras"])).toEqual(war.SHAPES.regions.get("edoras")?.box);
    });
});

describe("an outline", () => {
    it("is walked from its first point by steps", () => {
        expect(walked([5, 5, 10, 0, -3, 4])).toEqual([
            [5, 5],
            [15, 5],
            [12, 9],
        ]);
    });

    it.each(MAPS)("has a ring within that keeps its distance: $game", ({ SHAPES }) => {
        for (const { ring } of SHAPES.regions.values()) {
            const outside = insetOf(ring, 4).filter(
                ([x, y]) => !spansAt(ring, y).some(([from, to]) => from <= x && x <= to),
            );

            expect(outside).toEqual([]);
        }
    });
});

describe("patterns", () => {
    it("are each another one, by a name of their own", () => {
        expect(new Set(PATTERNS.map((pattern) => patternId("here", pattern))).size).toBe(
            PATTERNS.length,
        );
        expect(new Set(Object.values(war.NATION_PATTERNS)).size).toBe(8);
        for (const { group } of war.SHAPES.regions.values())
            if (group) expect(war.NATION_PATTERNS).toHaveProperty(group);
    });
});
