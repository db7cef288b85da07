/** Pictures of The Confrontation: drawn in Node, whole, and files of their own. */
import { expect, test } from "vitest";
import { picture, Refused } from "../../src/pictures/picture";
import { resolved } from "../../src/pictures/colours";
import { MOMENTS } from "./confrontation.fixtures";

const GAME = "confrontation";

/** Whether a text is one well-formed element of XML; what is wrong, if it is not. */
function fault(text: string): string | undefined {
    const open: string[] = [];
    let roots = 0;
    let rest = text.trim();
    while (rest) {
        const token = /^(?:<(\/?)([\w-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^<]+)/.exec(rest);
        if (!token) return `not understood: ${rest.slice(0, 60)}`;
        const [whole, closing, name = "", , empty] = token;
        if (/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(whole)) return `a bare & in ${whole}`;
        if (closing) {
            if (open.pop() !== name) return `${name} is closed out of turn`;
        } else if (name) {
            roots += open.length ? 0 : 1;
            if (!empty) open.push(name);
        }
        rest = rest.slice(whole.length);
    }
    return open.length || roots !== 1 ? `${roots} roots, ${open.length} left open` : undefined;
}

test.each(["light", "dark"] as const)(
    "every recorded moment is one %s file of XML",
    async (theme) => {
        expect(MOMENTS.length).toBeGreaterThan(30);
        for (const [viewer, view] of MOMENTS) {
            const text = await picture({ game: GAME, view, viewer, width: 360, theme });

            expect(fault(text)).toBeUndefined();
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
