/** What is drawn of Duel: all that can be touched, and nothing that is not known. */
import { describe, expect, it } from "vitest";
import { CARDS, RACES, sideName, TILES, TOKENS } from "../../../src/boards/duel/facts";
import { pressed } from "../board/drawing";
import { sure } from "../board/files";
import { drawn, POSITIONS, QUESTIONS } from "./recorded";

/** What only the list of choices can offer: nothing on a board is a maneuver. */
const ONLY_LISTED = new Set(["removal", "coin", "movement"]);

describe("what may be touched", () => {
    it("was recorded for every kind of question", () => {
        expect([...new Set(QUESTIONS.map(({ prompt }) => prompt))].sort()).toEqual([
            "alliance.keep",
            "alliance.race",
            "alliance.three",
            "armies.build",
            "armies.move",
            "armies.place",
            "armies.place_freely",
            "armies.raze",
            "armies.remove",
            "discard.play",
            "discard.strip",
            "maneuver.choose",
            "quest.advance",
            "turn.again",
            "turn.choose",
        ]);
    });

    it.each(QUESTIONS)("is on the board: $name", ({ view, seat, nouns }) => {
        const wanted = [...nouns].filter((noun) => !ONLY_LISTED.has(noun));

        expect(pressed(drawn(view, seat, nouns)).sort()).toEqual(wanted.sort());
    });

    it("is nothing while nothing is lit", () => {
        for (const { view, viewer } of POSITIONS) expect(pressed(drawn(view, viewer))).toEqual([]);
    });

    it("is the stack of a race, not the card of the same name, where races are chosen", () => {
        const views = [...POSITIONS, ...QUESTIONS].map(({ view }) => view);
        const places = {
            display: views.find(({ display }) =>
                display.some((slot) => slot.card?.card === "dwarves"),
            ),
            played: views.find(({ fellowship, sauron }) =>
                [fellowship, sauron].some((side) =>
                    side?.cards.some(({ card }) => card === "dwarves"),
                ),
            ),
        };
        for (const found of Object.values(places)) {
            const html = drawn(sure(found), "", new Set(["dwarves", "elves"]));

            expect(html.match(/data-noun="dwarves"/g)).toHaveLength(1);
            expect(html).toMatch(/data-noun="dwarves"[^>]*aria-label="Stack of the Dwarves/);
        }
    });

    it("is the card, not the stack of the race of that name, where cards are chosen", () => {
        const known = QUESTIONS.find(({ view }) =>
            view.display.some((slot) => slot.available && slot.card?.card === "dwarves"),
        );
        const html = drawn(sure(known).view, sure(known).seat, new Set(["dwarves"]));

        expect(html).toMatch(/data-noun="dwarves"[^>]*aria-label="Dwarves, green card/);
        expect(html.match(/data-noun="dwarves"/g)).toHaveLength(1);
    });
});

describe("what is drawn", () => {
    it.each(POSITIONS)("names nothing that the view does not: $name", ({ view, viewer, json }) => {
        const html = drawn(view, viewer);
        const known = [...CARDS.keys(), ...TILES.keys(), ...TOKENS.keys()];
        const named = known.filter((id) => html.includes(`data-noun="${id}"`));

        expect(named.filter((id) => !json.includes(`"${id}"`))).toEqual([]);
        const called = [...CARDS.values(), ...TOKENS.values()].filter(
            ({ name }) => html.includes(`aria-label="${name},`) || html.includes(`: ${name},`),
        );
        const names = new Set(called.map(({ name }) => name));
        const inView = new Set(
            known
                .filter((id) => json.includes(`"${id}"`))
                .map((id) => (CARDS.get(id) ?? TOKENS.get(id))?.name),
        );
        expect([...names].filter((name) => !inView.has(name))).toEqual([]);
    });

    it.each(POSITIONS)("has every card that lies there once: $name", ({ view, viewer }) => {
        const html = drawn(view, viewer);
        const slots = [...html.matchAll(/data-slot="(\d+)"/g)].map(([, slot]) => Number(slot));
        const left = view.display.filter(({ taken }) => !taken).map(({ slot }) => slot);
        const down = view.display.filter(({ taken, card }) => !taken && !card).length;

        expect(slots.sort((a, b) => a - b)).toEqual(left);
        expect([...html.matchAll(/aria-label="A card face down/g)]).toHaveLength(down);
    });

    it.each(POSITIONS)("has all units and fortresses: $name", ({ view, viewer }) => {
        const html = drawn(view, viewer);
        for (const region of view.regions) {
            const label = new RegExp(`data-noun="${region.region}"[^>]*aria-label="([^"]*)"`).exec(
                html,
            )?.[1];
            if (region.fellowship) expect(label).toContain(`${region.fellowship} unit`);
            if (region.sauron) expect(label).toContain(`${region.sauron} unit`);
            expect(label?.includes("a fortress of") ?? false).toBe(
                sideName(region.fortress) !== undefined,
            );
        }
    });

    it("says who has won, and how", () => {
        const said = POSITIONS.filter(({ view }) => view.result).map(({ view, viewer }) => [
            view.result?.reason,
            /(\w+ wins|A shared victory)/.exec(drawn(view, viewer))?.[1],
        ]);

        expect(new Map(said as [string, string][])).toEqual(
            new Map([
                ["conquest", expect.stringMatching(/^(Sauron|Fellowship) wins$/)],
                ["equal_regions", "A shared victory"],
                ["most_regions", expect.stringMatching(/^(Sauron|Fellowship) wins$/)],
            ] as [string, string][]),
        );
    });

    it("has a stack for each race", () => {
        const [first] = POSITIONS;
        for (const race of RACES)
            expect(drawn(sure(first).view, "")).toContain(`data-noun="${race}"`);
    });
});
