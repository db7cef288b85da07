/** The table as a picture that needs no browser. */
import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import { board } from "../../../src/boards/duel/board";
import { sure } from "../board/files";
import { elements } from "../board/xml";
import { POSITIONS } from "./recorded";

const Picture = sure(board.picture);
const WIDTHS = [360, 768, 1280];

describe("a picture", () => {
    it.each(POSITIONS)("is one well-formed <svg> at every width: $name", ({ view, viewer }) => {
        for (const width of WIDTHS) {
            const { body } = render(Picture, { props: { view, viewer, width } });
            const xml = body.trim();
            const found = elements(xml.replace(/^(<!--[^>]*-->)+|(<!--[^>]*-->)+$/g, ""));

            expect(found[0]).toBe("svg");
            expect(xml).toContain(`xmlns="http://www.w3.org/2000/svg"`);
            expect(found).not.toContain("div");
            expect(found).not.toContain("style");
            expect(xml).not.toMatch(/NaN|undefined|Infinity|\[object/);
        }
    });

    it("is as wide as it is asked to be", () => {
        const [first] = POSITIONS;
        for (const width of WIDTHS) {
            const { body } = render(Picture, {
                props: { view: sure(first).view, viewer: "", width },
            });

            expect(body).toContain(`viewBox="0 0 ${width} `);
        }
    });
});

describe("the parser of this test", () => {
    it.each([
        "<a><b></a></b>",
        "<a>",
        "<a/><b/>",
        "<a b=1/>",
        `<a b="&"/>`,
        "<a>&nbsp;</a>",
        `<a b="" b=""/>`,
    ])("refuses %s", (text) => {
        expect(() => elements(text)).toThrow();
    });
});
