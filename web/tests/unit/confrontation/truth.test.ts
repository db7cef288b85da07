/** What is drawn of The Confrontation, read back from the SVG, is the position: each piece, mark, card and number
 *  once and where it belongs, and nothing besides. */
import { arcs, barriers, regions as printed } from "$data/confrontation/data/shapes.json";
import { Side } from "$gen/bree/confrontation/v1/board_pb";
import { render } from "svelte/server";
import { expect, test } from "vitest";
import { board } from "../../../src/boards/confrontation/board";
import { drawing } from "../board/drawing";
import { sure } from "../board/files";
import { all, tagged } from "../board/tree";
import { CHARTED, POSITIONS } from "../confrontation.fixtures";
import * as meant from "./meant";
import { Seen } from "./seen";

const SECONDS = 240_000;

/** Half of them, of all agreements and all eyes, and all of the kinds that are rare. */
const SOME = POSITIONS.filter(({ view }, at) => at % 2 === 0 || view.journey || view.duty).map(
    ({ name, viewer, view }) => ({ name, view, seen: new Seen(drawing(board, view, viewer)) }),
);

test("positions of all kinds are looked at, through all eyes", () => {
    const counted = (is: (one: (typeof SOME)[number]) => unknown): number => SOME.filter(is).length;

    expect(counted(({ view }) => view.side === Side.GOOD)).toBeGreaterThan(100);
    expect(counted(({ view }) => view.side === Side.DARK)).toBeGreaterThan(100);
    expect(counted(({ view }) => view.side === Side.UNSPECIFIED)).toBeGreaterThan(100);
    expect(counted(({ view }) => view.battle)).toBeGreaterThan(80);
    expect(counted(({ view }) => view.setup)).toBeGreaterThan(80);
    expect(counted(({ view }) => view.journey)).toBeGreaterThan(5);
    expect(counted(({ view }) => view.duty)).toBeGreaterThan(1);
    expect(counted(({ view }) => view.result)).toBeGreaterThan(5);
});

test(
    "the map is the printed one, the viewer's home below",
    () => {
        for (const { name, view, seen } of SOME) {
            const turn = view.side === Side.DARK ? -1 : 1;
            const drawn = [...(seen.lands.get("shire") ?? [])];
            const lie = laidAs(drawn, sure(printed.find(({ id }) => id === "shire")).polygon);
            expect(Math.sign(lie.scale), name).toBe(turn);
            for (const { id, polygon } of printed)
                expect(lie.apart(sure(seen.lands.get(id)), polygon), id).toBeLessThan(0.01);
            for (const kind of ["river", "tunnel"]) {
                const lines = arcs.filter((arc) => arc.kind === kind).map(({ line }) => line);
                const ways = seen.ways(kind);
                expect(ways, kind).toHaveLength(lines.length);
                lines.forEach((line, at) => {
                    expect(lie.apart(sure(ways[at]), line), kind).toBeLessThan(0.01);
                });
            }
            const walls = seen.ways("barrier");
            expect(walls).toHaveLength(barriers.length);
            barriers.forEach(({ line }, at) => {
                expect(lie.apart(sure(walls[at]), line)).toBeLessThan(0.01);
            });
            expect(seen.lands.size).toBe(printed.length);
            expect(seen.names().sort(), name).toEqual(meant.names().sort());
        }
    },
    SECONDS,
);

type Line = readonly (readonly number[])[];

/** How a drawing lies to what is printed, by one of its lines: how large, negative if it is turned by half. */
function laidAs(
    drawn: Line,
    data: Line,
): { scale: number; apart: (drawn: Line, data: Line) => number } {
    const across = (line: Line, at: number, axis: number): number => sure(line[at]?.[axis]);
    const scale =
        (across(drawn, 30, 1) - across(drawn, 0, 1)) / (across(data, 30, 1) - across(data, 0, 1));
    const from = [0, 1].map((axis) => across(drawn, 0, axis) - scale * across(data, 0, axis));
    return {
        scale,
        /** By how much a line is elsewhere than it is printed. */
        apart: (drawn, data) =>
            drawn.length === data.length
                ? Math.max(
                      ...data.flatMap((_, at) =>
                          from.map((start, axis) =>
                              Math.abs(
                                  across(drawn, at, axis) - start - scale * across(data, at, axis),
                              ),
                          ),
                      ),
                  )
                : Infinity,
    };
}

test(
    "each piece stands in its region, with its face and marks or as a back",
    () => {
        for (const { name, view, seen } of SOME) {
            expect(seen.pieces().sort(), name).toEqual(meant.pieces(view).sort());
            expect(seen.bare(), name).toEqual(meant.bareIn(view));
            expect(seen.overlaps(), name).toEqual([]);
        }
    },
    SECONDS,
);

test(
    "battles and journeys are marked where they are",
    () => {
        for (const { name, view, seen } of SOME) {
            expect(seen.fights(), name).toEqual(meant.fights(view));
            expect(seen.travellers(), name).toEqual(meant.travellers(view));
        }
    },
    SECONDS,
);

test(
    "both sides have their turn, their special cards and their fallen beside their homes",
    () => {
        for (const { name, view, seen } of SOME)
            expect(seen.corners(), name).toEqual(meant.corners(view));
    },
    SECONDS,
);

test(
    "both hands have their nine cards: in hand, used, played or chosen",
    () => {
        for (const { name, view, seen } of SOME)
            expect(seen.hands(), name).toEqual(meant.hands(view));
    },
    SECONDS,
);

test(
    "a battle has both who fight, their cards as far as they are known, and what these say",
    () => {
        for (const { name, view, seen } of SOME)
            expect(seen.stage(), name).toEqual(meant.stage(view));
    },
    SECONDS,
);

test(
    "what is chosen before the first turn is marked, and what may be chosen is there",
    () => {
        for (const { name, view, seen } of SOME)
            expect(seen.choosing(), name).toEqual(meant.choosing(view));
    },
    SECONDS,
);

test(
    "the turn, the game, the points, a journey and a duty are said as they are, and nothing else is read",
    () => {
        for (const { name, view, seen } of SOME) {
            expect(seen.readings(), name).toEqual([meant.status(view)]);
            const parts = ["ground", "stage", "choosing", "hand", "reading"];
            const known = parts.flatMap((part) =>
                all(seen.root, part).flatMap((node) => tagged(node, "text")),
            );
            expect(tagged(seen.root, "text").length, name).toBe(known.length);
        }
    },
    SECONDS,
);

test(
    "a picture says of backs and in words what follows for the viewer, and is else the same",
    () => {
        const Picture = sure(board.picture);
        const knowing = POSITIONS.filter(({ view }) => view.inference).filter(
            (_, at) => at % 3 === 0,
        );
        expect(knowing.length).toBeGreaterThan(80);
        for (const { name, viewer, view } of knowing) {
            const seen = new Seen(render(Picture, { props: { view, viewer, width: 1280 } }).body);
            const [status, conclusions = "", ...more] = seen.readings();

            expect(seen.pieces().sort(), name).toEqual(meant.pieces(view).sort());
            expect([status, ...more], name).toEqual([meant.status(view)]);
            let rest = conclusions;
            for (const part of meant.conclusions(view)) {
                expect(rest.split(part), `${name}: ${part}`).toHaveLength(2);
                rest = rest.replace(part, "");
            }
            expect(rest, name).toBe("");
            const hints = Object.entries(meant.hints(view));
            expect(Object.keys(seen.hints()).sort(), name).toEqual(hints.map(([id]) => id).sort());
            for (const [region, wanted] of hints) {
                const told = sure(seen.hints()[region]);
                expect(told, name).toHaveLength(wanted.length);
                wanted.forEach((any, at) => {
                    expect(any, name).toContain(told[at]);
                });
            }
        }
    },
    SECONDS,
);

test(
    "the charts have each character and card that plays once, with its text and what has become of it",
    () => {
        const Picture = sure(board.picture);
        expect(CHARTED.length).toBeGreaterThan(25);
        for (const { name, viewer, view } of CHARTED) {
            const seen = new Seen(render(Picture, { props: { view, viewer, width: 1280 } }).body);
            const charts = seen.readings().slice(-2);

            expect(charts, name).toEqual([meant.chart(view, "good"), meant.chart(view, "dark")]);
        }
    },
    SECONDS,
);
