/** What the drawing says of cards is what the game says of them. */
import { describe, expect, it } from "vitest";
import { changes } from "../../../src/boards/duel/changes";
import { laidOut } from "../../../src/boards/duel/display";
import {
    CARDS,
    COLOURS,
    effectWords,
    nameOf,
    RACES,
    REGIONS,
    SKILLS,
    TILES,
    TOKENS,
} from "../../../src/boards/duel/facts";
import { chainIcon, ICONS } from "../../../src/boards/duel/icons";
import { broken, cut, widthOf } from "../../../src/boards/duel/letters";
import { planned } from "../../../src/boards/duel/plan";
import { aboutCard, aboutLandmark, aboutPrinted } from "../../../src/boards/duel/words";
import { sure } from "../board/files";
import { POSITIONS, QUESTIONS } from "./recorded";

const VIEWS = [...POSITIONS, ...QUESTIONS].map(({ view }) => view);

describe("texts", () => {
    it("of cards and landmarks are those of the views", () => {
        const cards = VIEWS.flatMap(({ display }) =>
            display.flatMap(({ card }) => (card ? [card] : [])),
        );
        const tiles = VIEWS.flatMap(({ landmarks }) => landmarks);

        expect(new Set(cards.map(({ card }) => card)).size).toBeGreaterThan(60);
        for (const { card, text } of cards)
            expect(effectWords(CARDS.get(card)?.effects ?? [])).toBe(text);
        expect(new Set(tiles.map(({ landmark }) => landmark)).size).toBe(7);
        for (const { landmark, text } of tiles) {
            expect(effectWords(TILES.get(landmark)?.effects ?? [])).toBe(text);
        }
    });

    it("say what a card costs both sides, and why", () => {
        const card = sure(
            VIEWS.flatMap((view) =>
                view.display.flatMap(({ card }) =>
                    card?.fellowship?.missing ? [{ view, card }] : [],
                ),
            )[0],
        );
        const lines = aboutCard(card.view, card.card).lines.join("\n");

        expect(lines).toMatch(
            /Costs (you|Fellowship) \d coins?: .*\d for missing symbols\..* Not produced/,
        );
        expect(lines).toMatch(/Costs (you|Sauron) /);
    });

    it("say of a landmark what its fortresses make dearer", () => {
        const dear = sure(
            VIEWS.filter((view) => (view.sauron?.surcharge ?? 0) > 0).flatMap((view) =>
                view.landmarks.map((tile) => ({ view, tile })),
            )[0],
        );
        const surcharge = dear.view.sauron?.surcharge ?? 0;

        expect(aboutLandmark(dear.view, dear.tile).lines.join("\n")).toContain(
            `${surcharge} for fortresses on the map`,
        );
    });

    it("tell chains in both ways", () => {
        expect(aboutPrinted("legolas", "").lines).toContain(
            "Gives the harp: Galadriel is free then (chapter 2).",
        );
        expect(aboutPrinted("galadriel", "").lines).toContain(
            "Free for whoever has the harp, which Legolas gives.",
        );
    });

    it("name every noun of every recorded question that is no number", () => {
        const nouns = new Set(QUESTIONS.flatMap(({ nouns }) => [...nouns]));

        expect(
            [...nouns].filter((noun) => nameOf(noun) === undefined && !/^\d+$/.test(noun)),
        ).toEqual([]);
        expect(nameOf("nothing_of_this_game")).toBeUndefined();
    });
});

describe("symbols", () => {
    it("are there for every skill, race, colour and chain, each its own", () => {
        const chains = [...CARDS.values()].flatMap((card) => card.chain_to ?? []);
        const wanted = [...SKILLS, ...RACES, ...COLOURS, ...chains.map(chainIcon)];

        expect(wanted.filter((name) => !ICONS[name])).toEqual([]);
        expect(new Set(wanted.map((name) => ICONS[name])).size).toBe(wanted.length);
        expect(chains).toHaveLength(17);
        expect([TOKENS.size, TILES.size, REGIONS.size]).toEqual([18, 7, 7]);
    });
});

describe("letters", () => {
    it("are broken into lines that fit", () => {
        const text = "choose a race and keep one of its two top tokens";
        const lines = broken(text, 12, 120);

        expect(lines.join(" ")).toBe(text);
        for (const line of lines) expect(widthOf(line, 12)).toBeLessThanOrEqual(120);
        expect(broken(text, 12, 120, 2)).toHaveLength(2);
        expect(broken(text, 12, 120, 2)[1]).toMatch(/…$/);
    });

    it("are cut where one word is too long", () => {
        expect(widthOf(cut("Llanfairpwllgwyngyll", 12, 60), 12)).toBeLessThanOrEqual(60);
        expect(cut("Bree", 12, 60)).toBe("Bree");
    });
});

describe("the display", () => {
    it("hides no card that is free, and of covered ones only the foot", () => {
        for (const view of VIEWS) {
            for (const width of [320, 344, 620]) {
                const { cards, sizes, height } = laidOut(view, width);
                cards.forEach(({ slot, x, y }, at) => {
                    expect(x).toBeGreaterThanOrEqual(-0.01);
                    expect(x + sizes.w).toBeLessThanOrEqual(width + 0.01);
                    expect(y + sizes.h).toBeLessThanOrEqual(height);
                    const over = cards
                        .slice(at + 1)
                        .filter(
                            (later) =>
                                Math.abs(later.x - x) < sizes.w &&
                                later.y < y + sizes.h &&
                                later.slot.row > slot.row,
                        );
                    if (slot.available) expect(over).toEqual([]);
                    if (slot.card)
                        for (const later of over)
                            expect(later.y - y).toBeGreaterThanOrEqual(sizes.strip - 0.01);
                });
            }
        }
    });
});

describe("the plan", () => {
    it("lays no two parts over each other and none beyond the edge", () => {
        for (const view of VIEWS) {
            for (const width of [320, 344, 752, 1264, 1400]) {
                const { panels, height, margin } = planned(view, width);
                expect(panels).toHaveLength(view.revealed.length ? 9 : 8);
                panels.forEach((a, at) => {
                    expect(a.x + a.w + margin).toBeLessThanOrEqual(width);
                    expect(a.y + a.h + margin).toBeLessThanOrEqual(height);
                    for (const b of panels.slice(at + 1)) {
                        const apart =
                            a.x + a.w <= b.x ||
                            b.x + b.w <= a.x ||
                            a.y + a.h <= b.y ||
                            b.y + b.h <= a.y;
                        expect(apart).toBe(true);
                    }
                });
            }
        }
    });
});

describe("marks", () => {
    const after = (n: number, viewer = ""): (typeof VIEWS)[number] =>
        sure(POSITIONS.filter((position) => position.viewer === viewer)[n]).view;

    it("are none where nothing has happened", () => {
        expect(changes(after(2), after(2)).size).toBe(0);
    });

    it("say what came and what went", () => {
        const [before, later] = [after(0), after(1)];
        const marks = changes(before, later);
        const gone = later.display.filter(
            ({ taken, slot }) => taken && !before.display[slot]?.taken,
        );

        expect(gone.length).toBeGreaterThan(0);
        for (const { slot } of gone) expect(marks.get(`slot.${slot}`)).toBe("gone");
        const coins = (later.sauron?.coins ?? 0) - (before.sauron?.coins ?? 0);
        expect(marks.get("sauron.coins")).toBe(
            coins ? (coins > 0 ? `+${coins}` : `−${-coins}`) : undefined,
        );
        for (const { card } of later.sauron?.cards ?? [])
            expect(marks.get(`sauron.${card}`)).toBe("new");
    });

    it("do not compare displays of two chapters", () => {
        const chapters = POSITIONS.filter(({ viewer }) => viewer === "").map(({ view }) => view);
        const next = chapters.find(({ chapter }) => chapter === 2);

        expect(
            [...changes(sure(chapters[0]), sure(next)).keys()].filter((key) =>
                key.startsWith("slot."),
            ),
        ).toEqual([]);
    });
});
