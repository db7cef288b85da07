/** An invasion and a move are pulled from one territory to another: to all where they may go, and to no other. */
import { expect, test } from "vitest";
import { Asking } from "../../../src/ask/asking.svelte";
import { isLand } from "../../../src/boards/risk/facts";
import { pulledArrow, spots } from "../../../src/boards/risk/figures";
import { SHAPES } from "../../../src/boards/risk/ground";
import { cardsMeant } from "../../../src/boards/risk/hand";
import { endsOf } from "../../../src/boards/risk/pull";
import { zoomOf } from "../../../src/parts/map/camera";
import { ASKED } from "./recorded";

const WAYS = ["invade", "assault", "below", "march", "lead"];

function asked(question: (typeof ASKED)[number]["question"]): Asking {
    const asking = new Asking({
        say: () => Promise.resolve(),
        explain: () => undefined,
        actAtOnce: () => false,
    });
    asking.put(question);
    return asking;
}

test("every invasion and every move of every recorded question can be pulled, and nothing else", () => {
    let pulls = 0;
    for (const { name, question, view } of ASKED) {
        const wanted = question.choices.flatMap(({ action }) =>
            action && WAYS.includes(action.verb) ? [action.nouns.slice(0, 2).join(" ")] : [],
        );
        const asking = asked(question);
        const cards = cardsMeant(view, asking.lit, asking.picked);
        const found = [...SHAPES.regions.keys()].flatMap((from) =>
            [...endsOf(view, from, asking, cards)].map((to) => `${from} ${to}`),
        );
        pulls += found.length;

        expect(found.sort(), name).toEqual([...new Set(wanted)].sort());
    }
    expect(pulls).toBeGreaterThan(500);
});

test("what is pulled leaves the choices between these two alone", () => {
    const moves = ASKED.filter(({ question }) =>
        ["combat.invade", "fortify.march"].includes(question.prompt),
    );
    let pulled = 0;
    for (const { name, question, view } of moves) {
        const asking = asked(question);
        const [from = ""] = [...asking.lit].filter(
            (noun) => isLand(noun) && endsOf(view, noun, asking, new Set()).size,
        );
        if (from === "") continue;
        pulled += 1;
        const to = [...endsOf(view, from, asking, new Set())].at(-1) ?? "";
        for (const noun of [from, to]) if (asking.lit.has(noun)) asking.touch(noun);
        const left = asking.remaining.map(({ action }) => action?.nouns.slice(0, 2));

        // With a Leader or without one it may go the other way, too: that is another deed.
        expect(left, name).toContainEqual([from, to]);
        for (const nouns of left) expect(nouns?.toSorted(), name).toEqual([from, to].sort());
    }
    expect(pulled).toBeGreaterThan(30);
});

test("who watches pulls nothing", () => {
    for (const { view } of ASKED.slice(0, 40))
        for (const from of SHAPES.regions.keys())
            expect(
                endsOf({ ...view, seat: "" }, from, { beyond: () => new Set(["umbar"]) }, new Set())
                    .size,
            ).toBe(0);
});

test("the arrow ends where the pointer is, or at the army of the territory below", () => {
    const at = spots(zoomOf(1));
    const pulled = { from: "umbar", x: 100, y: 40, ends: new Set(["harad"]), to: undefined };
    const tip = (path = ""): number[] =>
        (/L(-?\d+) (-?\d+)L(-?\d+) (-?\d+)z$/.exec(path) ?? []).slice(1, 3).map(Number);
    const far = (path: string | undefined, x: number, y: number): number =>
        Math.hypot((tip(path)[0] ?? 0) - x, (tip(path)[1] ?? 0) - y);
    const harad = at.get("harad") ?? { x: 0, y: 0, r: 0 };

    expect(far(pulledArrow(pulled, at), 100, 40)).toBeLessThan(6);
    const there = pulledArrow({ ...pulled, to: "harad" }, at);
    expect(far(there, harad.x, harad.y)).toBeLessThan(harad.r * 2);
    expect(pulledArrow({ ...pulled, from: "nowhere" }, at)).toBeUndefined();
});
