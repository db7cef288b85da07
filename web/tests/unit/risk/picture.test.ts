/** Pictures of Risk: drawn in Node, whole, and files of their own. */
import { expect, test } from "vitest";
import { picture } from "../../../src/pictures/picture";
import { POSITIONS } from "./recorded";
import { elements } from "../board/xml";

const SOME = POSITIONS.filter((_, at) => at % 60 === 0);

test.each([
    [360, "light"],
    [768, "dark"],
    [1280, "light"],
] as const)(
    "at a width of %i, in the %s theme, all is one file that can be read",
    async (width, theme) => {
        expect(SOME.length).toBeGreaterThan(5);
        for (const { json, viewer } of SOME) {
            const text = await picture({ game: "risk", view: json, viewer, width, theme });

            expect(elements(text.trim())[0]).toBe("svg");
            expect(text).toContain(`viewBox="0 0 ${width} `);
            expect(text).not.toMatch(
                /var\(|light-dark|data-noun|tabindex|undefined|NaN|<script|<div/,
            );
            for (const kind of ["turn", "players", "path", "regions", "piles"])
                expect(text.split(`class="panel ${kind}`)).toHaveLength(2);
            const [own = ""] = text.split("<svg").filter((part) => part.includes('class="panel '));
            const sizes = [...own.matchAll(/font-size="([\d.]+)"/g)].map((found) =>
                Number(found[1]),
            );
            expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10);
        }
    },
    120_000,
);
