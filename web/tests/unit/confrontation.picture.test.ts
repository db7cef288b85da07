/** Pictures of The Confrontation: drawn in Node, whole, and files of their own. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { picture, Refused } from "../../src/pictures/picture";
import { resolved } from "../../src/pictures/colours";
import { elements } from "./board/xml";
import { MOMENTS } from "./confrontation.fixtures";

const GAME = "confrontation";
const sheets = ["theme.css", "boards/confrontation/drawing.css"]
    .map((name) => readFileSync(new URL(`../../src/${name}`, import.meta.url), "utf-8"))
    .join("\n");

test.each(["light", "dark"] as const)(
    "every recorded moment is one %s file of XML",
    async (theme) => {
        expect(MOMENTS.length).toBeGreaterThan(30);
        for (const [viewer, view] of MOMENTS) {
            const text = await picture({ game: GAME, view, viewer, width: 360, theme });

            expect(elements(text.trim())[0]).toBe("svg");
            expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
            expect(text).not.toMatch(
                /var\(|light-dark|data-noun|tabindex|undefined|NaN|<script|url\(/,
            );
        }
    },
);

test.each([320, 360, 700, 1280])(
    "at a width of %i no letters are too small to read",
    async (width) => {
        for (const [viewer, view] of MOMENTS.slice(0, 6)) {
            const text = await picture({ game: GAME, view, viewer, width, theme: "light" });
            const scale = Number(
                /translate\([\d. ]+\)"><g transform="scale\(([\d.]+)\)"/.exec(text)?.[1],
            );
            const sizes = [...text.matchAll(/font-size="([\d.]+)"/g)].map((found) =>
                Number(found[1]),
            );

            expect(text).toContain(`width="${width}"`);
            expect(Math.min(...sizes) * Math.min(1, scale)).toBeGreaterThan(
                width < 360 ? 9.5 : 10.8,
            );
        }
    },
);

test("pictures for the two sides lie the other way round", async () => {
    const views = new Map(MOMENTS.slice(0, 3));
    const heights = ["good", "dark"].map(async (viewer) => {
        const view = views.get(viewer) ?? {};
        const text = await picture({ game: GAME, view, viewer, width: 360, theme: "light" });
        return text.indexOf("rotate(180)") > 0;
    });

    expect(views.size).toBe(3);
    expect((await Promise.all(heights)).sort()).toEqual([false, true]);
});

test("what is no view, or of no game that is drawn, is refused", async () => {
    const wrong = { viewer: "", width: 360, theme: "light" as const };

    await expect(picture({ ...wrong, game: GAME, view: { x: 1 } })).rejects.toThrow(Refused);
    await expect(picture({ ...wrong, game: "chess", view: {} })).rejects.toThrow(Refused);
});

test("one theme is chosen, and variables are said, those within others too", () => {
    const sheet = `/* x */ .a { --b: light-dark(#fff, #000); --c: var(--b); fill: var(--c); }
        @media (x) { * { animation: none } } .d { stroke: var(--none, red); }`;

    expect(resolved(sheet, "dark")).toBe(".a { fill: #000; } .d { stroke: red; }");
    expect(resolved(sheet, "light")).toContain("fill: #fff");
});

/** What is written on what: names of variables in the style sheets. */
const WRITTEN = [
    ["good-ink", "good-fill"],
    ["dark-ink", "dark-fill"],
    ["mark-paper", "good-edge"],
    ["mark-paper", "dark-edge"],
    ["faint", "ground"],
    ["ink", "surface"],
    ["faint", "surface"],
    ...["west", "east", "mountain", "home-good", "home-dark"].map((land) => ["ink", land] as const),
] as const;

/** What is drawn on what, and must be seen. */
const DRAWN = [
    ["good-edge", "good-fill"],
    ["dark-edge", "dark-fill"],
    ["wall", "mountain"],
    ["water", "east"],
    ["way", "mountain"],
    ["gold", "mark-paper"],
    ...["west", "east", "mountain", "home-good", "home-dark"].map((land) => ["lit", land] as const),
    ["lit", "good-fill"],
    ["lit", "dark-fill"],
] as const;

function brightness(colour: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
        .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(["light", "dark"] as const)(
    "in the %s theme everything can be read and seen",
    (theme) => {
        const colour = (name: string): string => {
            const [, value = ""] =
                /a \{ fill: (#\w+); \}$/.exec(
                    resolved(`${sheets} a { fill: var(--${name}); }`, theme),
                ) ?? [];
            expect(value, name).toMatch(/^#[0-9a-f]{6}$/);
            return value;
        };
        const contrast = (one: string, other: string): number => {
            const [low = 0, high = 0] = [colour(one), colour(other)]
                .map(brightness)
                .sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
        };

        for (const [ink, paper] of WRITTEN)
            expect(contrast(ink, paper), `${ink} on ${paper}`).toBeGreaterThanOrEqual(4.5);
        for (const [line, ground] of DRAWN)
            expect(contrast(line, ground), `${line} on ${ground}`).toBeGreaterThanOrEqual(3);
    },
);
