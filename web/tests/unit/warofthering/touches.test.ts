/** How many touches of the board an answer takes. The button that confirms is not counted: it can be set aside. */
import { describe, expect, it } from "vitest";
import { narrow, type Step } from "../../../src/ask/narrowing";
import { asked, type Asked, type Option } from "../../../src/ask/options";
import { doing } from "../../../src/parts/touching";
import { pressed } from "../board/drawing";
import { sure } from "../board/files";
import { drawn, QUESTIONS, type Questioned } from "./recorded";

/** What can be touched on the board, whatever has been touched already. */
function touchable({ view, seat, nouns, asked: { choices } }: Questioned): Set<string> {
    const verbs = choices.map(({ action }) => doing(action?.verb ?? ""));
    return new Set(pressed(drawn(view, seat, new Set([...nouns, ...verbs]))));
}

/** All orders in which some of the steps can be taken, the fewest first. */
function* ways(steps: readonly Step[], most: number): Generator<Step[]> {
    let last: Step[][] = [[]];
    for (let count = 1; count <= most; count++) {
        last = last.flatMap((way) =>
            steps.filter((step) => !way.includes(step)).map((step) => [...way, step]),
        );
        yield* last;
    }
}

const MOST = 4;

/** The fewest touches of the board that leave an option alone; infinite if none do. */
function touches(put: Asked, option: Option, onBoard: ReadonlySet<string>): number {
    const nouns = option.nouns.filter((noun) => onBoard.has(noun));
    const steps: Step[] = nouns.map((noun) => ({ kind: "noun", noun }));
    if (onBoard.has(doing(option.verb))) steps.push({ kind: "verb", verb: option.verb });
    for (const way of ways(steps, Math.min(MOST, steps.length))) {
        const { options } = narrow(put, way, "");
        if (options.length === 1 && options[0]?.key === option.key) return way.length;
    }
    return Infinity;
}

/** Of each option how many touches it takes; reckoned once, for it takes a while. */
const known = new Map<Questioned, readonly { verb: string; count: number }[]>();

function counted(one: Questioned): readonly { verb: string; count: number }[] {
    const there = known.get(one);
    if (there) return there;
    const [onBoard, put] = [touchable(one), asked(one.asked)];
    const counts = put.options.map((option) => ({
        verb: option.verb,
        count: touches(put, option, onBoard),
    }));
    known.set(one, counts);
    return counts;
}

function worst(prompt: string, verbs: readonly string[], what = ""): number {
    const found = QUESTIONS.filter((one) => one.prompt === prompt && one.sentence.includes(what));
    const counts = found.flatMap(counted).filter(({ verb }) => verbs.includes(verb));
    expect(counts.length).toBeGreaterThan(0);
    return Math.max(...counts.map(({ count }) => count));
}

describe("touches", { timeout: 20_000 }, () => {
    it("are two for a die and what it does, one to throw it away or pass besides", () => {
        expect(worst("turn.action", ["act"])).toBe(2);
        expect(worst("turn.action", ["skip"])).toBe(2);
        expect(worst("turn.action", ["pass"])).toBe(1);
        expect(worst("turn.action", ["ring"])).toBe(2);
    });

    it("are four for a whole army, from the die to where it goes", () => {
        expect(worst("turn.action", ["act"]) + worst("army.march", ["march"])).toBe(4);
    });

    it("are one for all of an army, and two for a part of it", () => {
        expect(worst("army.detach", ["all"])).toBe(1);
        expect(worst("army.march", ["part"])).toBe(2);
        expect(worst("army.detach", ["take", "leave"])).toBeLessThanOrEqual(2);
    });

    it("are at most four for an attack, from the die to the enemy", () => {
        const army = worst("choose.one", ["area"], "Which army attacks?");
        const enemy = worst("choose.one", ["area"], "Whom does it attack?");

        expect(worst("turn.action", ["act"]) + army + enemy).toBe(4);
    });

    it("are four to recruit, from the die to the place", () => {
        expect(worst("turn.action", ["act"]) + worst("muster.recruit", ["recruit"])).toBe(4);
    });

    it("are one for a card, a guide, a casualty, a nation, an answer to the Hunt", () => {
        expect(worst("event.card", ["play"])).toBe(1);
        expect(worst("hand.discard", ["discard"])).toBe(1);
        expect(worst("hand.swap", ["keep", "swap"])).toBe(1);
        expect(worst("battle.combat_card", ["no_card", "combat"])).toBe(1);
        expect(worst("battle.casualties", ["usual"])).toBe(1);
        expect(worst("battle.casualties", ["lose", "reduce"])).toBeLessThanOrEqual(2);
        expect(worst("stacking.remove_excess", ["remove"])).toBe(1);
        expect(worst("choose.one", ["guide"])).toBe(1);
        expect(worst("choose.one", ["nation"])).toBe(1);
        expect(worst("choose.one", ["answer"], "Hunt damage")).toBe(1);
    });

    it("can be made for all figures, and for none more", () => {
        const gather = sure(QUESTIONS.find(({ prompt }) => prompt === "companions.gather"));
        const lit = new Set([doing("go"), doing("decline")]);

        expect(pressed(drawn(gather.view, gather.seat, lit))).toEqual([":go"]);
    });
});
