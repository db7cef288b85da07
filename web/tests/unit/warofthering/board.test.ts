/** What can be touched on War of the Ring's board: all that is asked about, each once, and nothing else. */
import { describe, expect, it } from "vitest";
import { nameOf } from "../../../src/boards/warofthering/facts";
import { pressed } from "../board/drawing";
import { drawn, POSITIONS, QUESTIONS } from "./recorded";

/** What only the list of choices can offer: words that are no thing on a board. */
const ONLY_LISTED = new Set([
    ...["no", "yes", "stop", "go_on", "fight", "withdraw", "retreat", "move", "keep", "use"],
    ...["casualty", "hand", "table", "fly", "upgrade", "leader", "companion"],
]);
const isListed = (noun: string): boolean => ONLY_LISTED.has(noun) || /^\d+$/.test(noun);

describe("what may be touched", () => {
    it.each(QUESTIONS)("is on the board once: $name", ({ view, seat, nouns }) => {
        const wanted = [...nouns].filter((noun) => !isListed(noun));

        expect(pressed(drawn(view, seat, nouns)).sort()).toEqual(wanted.sort());
    });

    it("is an army under siege by itself, and the region around it too", () => {
        const sieges = QUESTIONS.flatMap(({ view, seat }) =>
            view.armies
                .filter(({ garrison }) => garrison)
                .map(({ region }) => ({ view, seat, region })),
        );
        expect(sieges.length).toBeGreaterThan(3);
        for (const { view, seat, region } of sieges.slice(0, 6)) {
            const both = [region, `${region}_garrison`];

            expect(pressed(drawn(view, seat, new Set(both))).sort()).toEqual(both);
        }
    });

    it("is nothing while nothing is lit", () => {
        for (const { view, viewer } of POSITIONS.slice(0, 12))
            expect(pressed(drawn(view, viewer))).toEqual([]);
    });

    it("has a name of its own", () => {
        const nouns = new Set(QUESTIONS.flatMap(({ nouns }) => [...nouns]));
        const unnamed = [...nouns].filter((noun) => nameOf(noun) === undefined && !isListed(noun));

        expect(unnamed).toEqual([]);
        expect(nameOf("nothing_of_this_game")).toBeUndefined();
    });
});
