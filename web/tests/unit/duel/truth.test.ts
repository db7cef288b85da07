/** What is drawn of Duel, read back from the SVG, is the position: each card, token, unit, fortress and number
 *  once and where it belongs, and nothing besides. */
import { regions as printed } from "$data/duel/data/shapes.json";
import { type Board, Side } from "$gen/bree/duel/v1/board_pb";
import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import { board } from "../../../src/boards/duel/board";
import { sure } from "../board/files";
import { inside } from "../board/inside";
import type { Box } from "../board/places";
import * as meant from "./meant";
import { drawn, VIEWS } from "./recorded";
import { type Laid, Seen } from "./seen";

const SECONDS = 240_000;

/** Half of them, of all games and all eyes, and all of the kinds that are rare. */
const SOME = VIEWS.filter(
    ({ view }, at) => at % 2 === 0 || view.revealed.length || view.extraTurns,
).map(({ name, viewer, view }) => ({
    name,
    view,
    seen: new Seen(drawn(view, viewer)),
}));
const PICTURES = VIEWS.filter((_, at) => at % 4 === 0).map(({ name, viewer, view }) => {
    const { body } = render(sure(board.picture), { props: { view, viewer, width: 1280 } });
    return { name, view, seen: new Seen(body) };
});
const ALL = [...SOME, ...PICTURES];

describe("the positions", () => {
    it("are of all chapters and ends, through all eyes", () => {
        const counted = (is: (one: (typeof SOME)[number]) => unknown): number =>
            SOME.filter(is).length;

        expect(PICTURES.length).toBeGreaterThan(100);
        for (const side of [Side.FELLOWSHIP, Side.SAURON, Side.UNSPECIFIED])
            expect(counted(({ view }) => view.side === side)).toBeGreaterThan(60);
        for (const chapter of [1, 2, 3])
            expect(counted(({ view }) => view.chapter === chapter)).toBeGreaterThan(40);
        expect(counted(({ view }) => view.revealed.length)).toBeGreaterThan(3);
        expect(new Set(SOME.map(({ view }) => view.result?.reason)).size).toBe(6);
        expect(
            counted(({ view }) => view.regions.some(({ fortress }) => fortress)),
        ).toBeGreaterThan(100);
        expect(counted(({ view }) => view.stacks.some(({ top }) => top))).toBeGreaterThan(20);
    });
});

describe("the display", () => {
    it(
        "has each card that lies there once: its face with all symbols and its price, or its back",
        () => {
            for (const { name, view, seen } of ALL)
                expect(facesOf(seen), name).toEqual(meant.display(view, hasNames(seen)));
            expect(PICTURES.every(({ seen, view }) => hasNames(seen) || !left(view))).toBe(true);
        },
        SECONDS,
    );

    it(
        "lies as the chapter's cards lie: in rows, half over each other, covered by what covers them",
        () => {
            for (const { name, view, seen } of ALL) {
                const cards = new Map(seen.display().map((card) => [card.slot, card]));
                const slots = view.display.filter(({ taken }) => !taken);
                for (const { slot, row, x, coveredBy, available } of slots) {
                    const card = sure(cards.get(slot));
                    for (const other of slots) {
                        const that = sure(cards.get(other.slot));
                        const isOver = that.at > card.at && doOverlap(card.box, that.box);
                        expect(Math.sign(Math.round(that.box.top - card.box.top)), name).toBe(
                            Math.sign(other.row - row),
                        );
                        expect(middle(that) - middle(card), name).toBeCloseTo(
                            ((other.x - x) * pitchOf(card)) / 2,
                            3,
                        );
                        if (coveredBy.includes(other.slot)) expect(isOver, name).toBe(true);
                        if (available) expect(isOver, name).toBe(false);
                    }
                }
            }
        },
        SECONDS,
    );
});

const facesOf = (seen: Seen): object[] =>
    seen
        .display()
        .map(({ slot, face, noun }) => ({
            slot,
            face: face.replace(/(\| in [^|]*)\/ /, "$1 or "),
            noun,
        }))
        .sort((a, b) => a.slot - b.slot);
const left = (view: Board): boolean => view.display.some(({ taken }) => !taken);
/** Cards that are large enough have their names on them. */
const hasNames = (seen: Seen): boolean =>
    seen.display().some(({ box }) => box.right - box.left >= 80);
const middle = ({ box }: Laid): number => (box.left + box.right) / 2;
/** Three units lie between two cards of a row. */
const pitchOf = ({ box }: Laid): number => box.right - box.left + 3;
const doOverlap = (a: Box, b: Box): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.01 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.01;

describe("tiles and tokens", () => {
    it(
        "are there once, with their prices and what they do, under their titles",
        () => {
            for (const { name, view, seen } of ALL) {
                for (const [kind, title] of Object.entries(meant.titles(view)))
                    expect(seen.title(kind), name).toBe(title);
                expect(seen.tiles("landmarks"), name).toEqual(meant.landmarks(view));
                expect(seen.tiles("stacks"), name).toEqual(meant.stacks(view));
                expect(seen.has("revealed") ? seen.tiles("revealed") : [], name).toEqual(
                    meant.revealed(view),
                );
            }
        },
        SECONDS,
    );
});

describe("the map", () => {
    it(
        "is the printed one",
        () => {
            for (const { name, seen } of ALL) {
                const lands = seen.lands();
                expect(lands.size).toBe(printed.length);
                const [first] = printed;
                const drawn = sure(lands.get(sure(first).id));
                const data = sure(first).polygon;
                const span = (ring: readonly (readonly number[])[]): number =>
                    Math.max(...ring.map(([x = 0]) => x)) - Math.min(...ring.map(([x = 0]) => x));
                const scale = span(drawn) / span(data);
                const from = [0, 1].map(
                    (axis) => sure(drawn[0]?.[axis]) - scale * sure(data[0]?.[axis]),
                );
                for (const { id, polygon } of printed) {
                    const ring = sure(lands.get(id));
                    const apart = polygon.flatMap((point, at) =>
                        from.map((start, axis) =>
                            Math.abs(sure(ring[at]?.[axis]) - start - scale * sure(point[axis])),
                        ),
                    );
                    expect(ring, name).toHaveLength(polygon.length);
                    expect(Math.max(...apart), `${name}: ${id}`).toBeLessThan(0.01);
                }
            }
        },
        SECONDS,
    );

    it(
        "has all units, fortresses and places for them in their regions",
        () => {
            for (const { name, view, seen } of ALL) {
                const lands = seen.lands();
                const found = seen.onMap().map(({ what, at }) => {
                    const there = [...lands]
                        .filter(([, ring]) => inside(at, ring))
                        .map(([id]) => id);
                    return `${there.join("+")}: ${what}`;
                });

                expect(found.sort(), name).toEqual(meant.onMap(view).sort());
                expect(seen.landLabels().sort(), name).toEqual(meant.landLabels(view).sort());
                const pieces = seen.onMap().filter(({ what }) => !what.startsWith("name"));
                const places = pieces.map(({ at }) => at.map(Math.round).join());
                expect(new Set(places).size, name).toBe(places.length);
            }
        },
        SECONDS,
    );
});

describe("the track", () => {
    it(
        "has hobbits and Nazgûl where they are, and both sides on their steps",
        () => {
            for (const { name, view, seen } of ALL) {
                const { hobbits, nazgul, gap, ...rest } = seen.chase();
                const wanted = meant.chase(view);
                expect(hobbits, name).toBeCloseTo(wanted.hobbits, 6);
                expect(nazgul, name).toBeCloseTo(wanted.nazgul, 6);
                expect(gap, name).toEqual([nazgul, hobbits]);
                const { ticks, words, said } = wanted;
                expect(rest, name).toEqual({ ticks, words, said });
                expect(seen.lanes(), name).toEqual(meant.lanes(view));
            }
        },
        SECONDS,
    );
});

describe("what lies before a side", () => {
    it.each(meant.SIDES)(
        "is all there, each thing once: %s",
        (side) => {
            for (const { name, view, seen } of ALL)
                expect(seen.player(side), name).toEqual(meant.player(view, side));
        },
        SECONDS,
    );
});

describe("the rest", () => {
    it(
        "is whose turn it is or who has won, and the discard pile as far as it is known",
        () => {
            for (const { name, view, seen } of ALL) {
                expect(seen.status(), name).toEqual(meant.status(view));
                expect(seen.discard(), name).toEqual(meant.discard(view));
            }
        },
        SECONDS,
    );

    it(
        "is not more than that",
        () => {
            for (const { name, seen } of ALL) expect(seen.loose(), name).toEqual([]);
        },
        SECONDS,
    );
});
