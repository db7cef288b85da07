/** What is drawn, read back from the SVG, is what the view says: each figure, marker, card and number once. */
import { Place } from "$gen/bree/warofthering/v1/board_pb";
import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import { board } from "../../../src/boards/warofthering/board";
import { chipsIn, laidOut, nounsIn } from "../../../src/boards/warofthering/blocks";
import {
    type Board,
    countOf,
    KINDS,
    lettersOf,
    NATION_NAMES,
    NATIONS,
    seatOfNation,
    sideName,
    unitsOf,
} from "../../../src/boards/warofthering/facts";
import { SHAPES, TRACK } from "../../../src/boards/warofthering/ground";
import { counted } from "../../../src/boards/warofthering/figures";
import { panelsOf } from "../../../src/boards/warofthering/plan";
import Near from "./Near.svelte";
import { sure } from "../board/files";
import { inside } from "../board/inside";
import { groups, icons, placeOf, words } from "./read";
import { drawn, VIEWS } from "./recorded";

/** A third of all, spread over all kinds. */
const SOME = VIEWS.filter((_, at) => at % 2 === 0);

const near = (view: Board, level = 1): string => render(Near, { props: { view, level } }).body;

type Pile = Record<string, string>;

/** What must be drawn of each army: by region, field or garrison, and seat. */
function armies(view: Board): Record<string, Pile> {
    const found: Record<string, Pile> = {};
    for (const { region, garrison, side, commander, mixed, figures } of view.armies) {
        const put = (seat: string, figure: string, text: string): void => {
            const key = `${region}${garrison ? ".garrison" : ""}.${sideName(side)}.${seat}`;
            (found[key] ??= {})[figure] = text;
        };
        for (const of of figures?.nations ?? []) {
            const seat = mixed ? commander : seatOfNation(view, of.nation);
            for (const kind of KINDS)
                if (countOf(of, kind)) put(seat, `${of.nation}_${kind}`, String(countOf(of, kind)));
        }
        if (figures?.nazgul) put(commander, "nazgul", String(figures.nazgul));
        for (const who of figures?.characters ?? []) put(commander, who, lettersOf(who));
    }
    return found;
}

const seen = (html: string): Record<string, Pile> =>
    Object.fromEntries(
        [...groups(html, "data-army")].map(([key, army]) => [
            key,
            Object.fromEntries(
                [...groups(army, "data-figure")].map(([figure, part]) => [
                    figure,
                    words(part).join(" "),
                ]),
            ),
        ]),
    );

describe("on the map", () => {
    it("there are more than a hundred positions to look at", () => {
        expect(SOME.length).toBeGreaterThan(100);
        expect(
            SOME.filter(({ view }) => view.armies.some(({ garrison }) => garrison)).length,
        ).toBeGreaterThan(5);
        expect(SOME.filter(({ view }) => view.seats.length === 4).length).toBeGreaterThan(5);
    });

    it.each(SOME)("every figure stands where it is, and once: $name", ({ view }) => {
        expect(seen(near(view))).toEqual(armies(view));
    });

    it.each(SOME)("every army stands within its region: $name", ({ view }) => {
        for (const level of [0.18, 1]) {
            for (const [key, army] of groups(near(view, level), "data-army")) {
                if (key.includes(".garrison")) continue;
                const region = sure(SHAPES.regions.get(key.split(".")[0] ?? ""));
                const [x, y] = placeOf(army);
                const others = [...SHAPES.regions.values()].filter(({ ring }) =>
                    inside([x, y], ring),
                );
                expect([key, ...others.map(({ id }) => id)]).toEqual([key, region.id]);
            }
        }
    });

    it("from far away the number of all units stands there", () => {
        for (const { view } of SOME) {
            const numbers = [...groups(near(view, 0.2), "data-army").values()].flatMap(words);
            const units = view.armies.reduce((sum, { figures }) => sum + unitsOf(figures), 0);

            expect(numbers.reduce((sum, number) => sum + Number(number), 0)).toBe(units);
        }
    });

    it.each(SOME)("what was taken is marked: $name", ({ view }) => {
        const marked = [...groups(near(view), "data-taken")].map(([region, mark]) => [
            region,
            icons(mark).join(" "),
        ]);
        const taken = view.settlements
            .filter(({ owner, controller }) => owner !== controller)
            .map(({ region, controller }) => [
                region,
                sideName(controller) === "free" ? "tree" : "eye",
            ]);

        expect(marked).toEqual(taken);
    });

    it.each(SOME)("the Fellowship is where it was last seen: $name", ({ view }) => {
        const all = groups(near(view), "data-fellowship");
        const [[at, drawing]] = [...all] as [[string, string]];
        const { region, mordor, progress } = sure(view.fellowship);
        const step = TRACK[mordor ?? -1];

        expect(all.size).toBe(1);
        expect(at).toBe(region ?? `mordor ${mordor ?? ""}`);
        expect(words(drawing)).toEqual(region === undefined ? [] : [String(progress)]);
        if (region === undefined) expect(placeOf(drawing)[0]).toBe(sure(step).x);
        else expect(inside(placeOf(drawing), sure(SHAPES.regions.get(region)).ring)).toBe(true);
    });
});

/** Everything in boxes, by their keys: words and symbols. */
function boxes(view: Board): Map<string, string> {
    return new Map(
        [...groups(drawn(view, view.seat ?? ""), "data-chip")].map(([key, box]) => [
            key,
            [...icons(box).map((icon) => `<${icon}>`), ...words(box)].join(" "),
        ]),
    );
}
const ofKind = (all: Map<string, string>, start: string): string[] =>
    [...all.keys()]
        .filter((key) => key.startsWith(start))
        .map((key) => key.slice(start.length))
        .sort();

describe("in the panels", () => {
    it.each(SOME)("each number is the view's, and each thing there once: $name", ({ view }) => {
        const all = boxes(view);
        const number = (key: string): number =>
            Number(/(\d+)(?!.*\d)/.exec(all.get(key) ?? "")?.[1]);
        for (const nation of NATION_NAMES) {
            const pile = view.reserve?.nations.find((of) => of.nation === nation);
            for (const kind of KINDS) {
                if (kind === "leader" && NATIONS[nation].side === "shadow") continue;
                expect([nation, kind, number(`reserve.${nation}_${kind}`)]).toEqual([
                    nation,
                    kind,
                    pile ? countOf(pile, kind) : 0,
                ]);
            }
            const lost = view.fallen?.nations.find((of) => of.nation === nation);
            const counts = KINDS.flatMap((kind) =>
                lost && countOf(lost, kind) ? [`<${kind}>`, countOf(lost, kind)] : [],
            );
            const told = [
                ...counts.filter((of) => typeof of === "string"),
                ...counts.filter((of) => typeof of === "number"),
            ];
            if (NATIONS[nation].side === "free")
                expect(all.get(`fallen.${nation}`)).toBe(told.join(" "));
        }
        expect(number("reserve.nazgul")).toBe(view.reserve?.nazgul ?? 0);
        for (const { nation, step } of view.nations)
            for (const box of [1, 2, 3, 4])
                expect([nation, box, all.get(`politics.${nation}.${box}`) !== ""]).toEqual([
                    nation,
                    box,
                    step === box,
                ]);
    });

    it.each(SOME)("dice, rings, tiles and decks are all there: $name", ({ view }) => {
        const all = boxes(view);
        for (const side of ["free", "shadow"] as const) {
            const state = sure(view[side]);
            for (const face of new Set(ofKind(all, `dice.${side}.`))) {
                const count = state.dice.filter((die) => die === face).length;
                const text = all.get(`dice.${side}.${face}`) ?? "";
                expect([face, text.split("<").length - 1]).toEqual([face, Math.max(1, count)]);
                expect(/[A-Z]/.test(text)).toBe(count > 0);
            }
            expect(state.dice.filter((die) => !all.has(`dice.${side}.${die}`))).toEqual([]);
            expect(all.get(`rings.${side}`)?.split("<ring>").length).toBe(state.rings + 1);
            expect(all.get(`points.${side}`)).toContain(`${state.points} of ${state.goal}`);
            for (const { deck, left, discarded } of state.decks)
                expect(all.get(`deck.${side}.${deck}`)).toContain(`${left} left, ${discarded} out`);
        }
        const { hunt } = view;
        const piles = {
            pool: hunt?.pool,
            drawn: hunt?.drawn,
            waiting: hunt?.waiting,
            set_aside: hunt?.setAside,
            removed: hunt?.removed,
        };
        for (const [pile, tiles = []] of Object.entries(piles)) {
            expect(ofKind(all, `${pile}.`)).toEqual(tiles.map(({ tile }) => tile).sort());
            for (const { tile, count } of tiles)
                expect(all.get(`${pile}.${tile}`)).toContain(`×${count}`);
        }
        expect(all.get("hunt.shadow")).toContain(` ${hunt?.shadowDice ?? 0}`);
        expect(all.get("hunt.free")).toContain(` ${hunt?.freeDice ?? 0}`);
    });

    it.each(SOME)("cards and people are each in their place: $name", ({ view }) => {
        const all = boxes(view);
        for (const { seat, hand } of view.seats) {
            expect(ofKind(all, `hand.${seat}.`)).toEqual(
                (hand?.cards ?? []).map(({ card }) => card).sort(),
            );
            expect(all.get(`seat.${seat}`)).toContain(
                `${hand?.character ?? 0} Character, ${hand?.strategy ?? 0}`,
            );
        }
        const table = [...(view.free?.table ?? []), ...(view.shadow?.table ?? [])];
        expect(ofKind(all, "table.")).toEqual(table.map(({ card }) => card).sort());
        const known = [...(view.free?.decks ?? []), ...(view.shadow?.decks ?? [])].flatMap(
            (deck) => deck.known,
        );
        expect(ofKind(all, "discard.")).toEqual(known.sort());
        const company = new Set(ofKind(all, "company."));
        const elsewhere = new Set(ofKind(all, "character."));
        for (const { character, place } of view.characters)
            expect([character, company.has(character), elsewhere.has(character)]).toEqual([
                character,
                place === Place.FELLOWSHIP,
                place !== Place.FELLOWSHIP,
            ]);
    });

    it("a battle has both forces, dice, aims, re-rolls and hits", () => {
        const battles = VIEWS.filter(({ view }) => view.battle);
        expect(battles.length).toBeGreaterThan(15);
        for (const { view } of battles) {
            const all = boxes(view);
            for (const side of ["free", "shadow"] as const) {
                const force = sure(view.battle?.[side]);
                expect(all.get(`battle.${side}.dice`)).toBe(String(force.dice));
                expect(all.get(`battle.${side}.target`)?.startsWith(String(force.target))).toBe(
                    true,
                );
                expect(all.get(`battle.${side}.hits`)).toBe(`<war> ${force.hits}`);
                expect(ofKind(all, `force.${side}.`)).toEqual(
                    counted(force.figures)
                        .map(({ figure }) => figure)
                        .sort(),
                );
            }
        }
    });

    it("what is read in a box is said of it, too", () => {
        const plain = (text: string): string => text.replaceAll(/[^\p{L}\d]+/gu, " ").trim();
        for (const { view } of VIEWS) {
            for (const { noun, label, bits, lines = [] } of panelsOf(view).flatMap(chipsIn)) {
                const read = [...bits.flatMap(({ text }) => text ?? []), ...lines].join(" ");

                if (noun) expect(plain(label)).toContain(plain(read));
            }
        }
    });

    it("no two things in a panel have one key", () => {
        for (const { view } of VIEWS) {
            for (const panel of panelsOf(view)) {
                const { chips, texts } = laidOut(panel, 340);
                for (const keys of [chips, texts].map((all) => all.map(({ key }) => key)))
                    expect(keys.length).toBe(new Set(keys).size);
            }
        }
    });

    it("no noun is claimed twice", () => {
        for (const { view } of VIEWS) {
            const nouns = panelsOf(view).flatMap(nounsIn);

            expect(nouns.length).toBe(new Set(nouns).size);
        }
    });
});

describe("the picture", () => {
    it("has all of it", () => {
        const Picture = sure(board.picture);
        for (const { view } of VIEWS.filter((_, at) => at % 40 === 0)) {
            const { body } = render(Picture, {
                props: { view, viewer: view.seat ?? "", width: 1400 },
            });

            expect(seen(body)).toEqual(armies(view));
            expect(groups(body, "data-chip").has("hunt.shadow")).toBe(true);
        }
    });
});
