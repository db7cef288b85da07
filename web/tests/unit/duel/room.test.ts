/** That what Duel's drawing says has room where it says it. */
import { describe, expect, it } from "vitest";
import { placed, regionLines } from "../../../src/boards/duel/bits";
import { sizesFor } from "../../../src/boards/duel/display";
import { CARDS } from "../../../src/boards/duel/facts";
import { widthOf } from "../../../src/boards/duel/letters";
import { legend, NARROWEST } from "../../../src/boards/duel/plan";
import { tiled } from "../../../src/boards/duel/tiles";
import { pitchFor, placeX } from "../../../src/boards/duel/track";
import { revealedTiles } from "../../../src/boards/duel/table";
import { POSITIONS, QUESTIONS } from "./recorded";

/** What a phone's page and a picture leave a board. */
const WIDTHS = [336, 344, 560, 1248];

describe("a red card", () => {
    it("names both of its regions, squeezed by a third at most on a phone's smallest card", () => {
        const [view] = POSITIONS.filter(({ view }) => view.chapter === 2);
        if (!view) throw new Error("no second chapter was recorded");
        const room = sizesFor(view.view, 336).w - 6;
        const red = [...CARDS.values()].filter(({ colour }) => colour === "red");

        expect(red.length).toBeGreaterThan(10);
        for (const { effects } of red) {
            const lines = regionLines(effects, false);
            const widest = Math.max(...lines.map((line) => widthOf(line, 11, true)));

            expect(lines).toHaveLength(2);
            expect(room / widest).toBeGreaterThan(0.66);
        }
    });

    it("has a word between its regions on the shorter line", () => {
        const effects = (regions: string[] = []): never[] =>
            [{ type: "place_units", regions }] as never[];

        const [long, short] = [
            ["rhovanion", "mordor"],
            ["lindon", "enedwaith"],
        ];

        expect(regionLines(effects(long), true)).toEqual(["Rhovanion", "or Mordor"]);
        expect(regionLines(effects(short), true)).toEqual(["Lindon or", "Enedwaith"]);
        expect(regionLines(effects(long), false)).toEqual(["Rhovanion/", "Mordor"]);
    });
});

describe("frames", () => {
    it("do not touch each other", () => {
        const frames = [
            { icon: "ruse", look: "short" },
            { icon: "ruse", look: "short" },
        ];
        const [first, second] = placed(frames, 12).bits;

        // Each is one unit wider than its symbol on both sides, and has a line.
        expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThan(12 + 2 + 1.4);
    });
});

describe("the track", () => {
    it("keeps who has not begun and who has arrived within its width", () => {
        for (const width of WIDTHS) {
            const pitch = pitchFor(14, width);

            expect(placeX(0, pitch)).toBeGreaterThanOrEqual(11);
            expect(placeX(1, pitch) - placeX(0, pitch)).toBeGreaterThan(16);
            expect(placeX(14, pitch) + 10.5).toBeLessThanOrEqual(width);
        }
    });
});

describe("words beside symbols", () => {
    it("end within the panel, in three lines at most on a phone", () => {
        for (const width of WIDTHS) {
            const { items, height } = legend(width);
            const ends = items.map(({ x, at, text }) => x + at + widthOf(text, 11));

            expect(Math.max(...ends)).toBeLessThanOrEqual(width);
            expect(height).toBeLessThanOrEqual(7 + 2 * 20 + 18);
        }
    });
});

describe("a token that may be kept", () => {
    it("has its whole name, at every width", () => {
        const views = QUESTIONS.filter(({ view }) => view.revealed.length);

        expect(views.length).toBeGreaterThan(0);
        for (const { view } of views)
            for (const width of WIDTHS)
                for (const tile of tiled(revealedTiles(view), width, NARROWEST.revealed).tiles)
                    expect(tile.headings.join(" ")).toBe(tile.title);
    });
});
