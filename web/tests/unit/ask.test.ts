/** Every choice of every recorded question is reached, by touches and by keys, and nothing else is. */
import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { QuestionSchema, type Choice, type Question } from "$gen/bree/engine/v1/types_pb";
import { groupsOf, LONG } from "../../src/ask/groups";
import { narrow, untouched, type Step } from "../../src/ask/narrowing";
import { asked, choiceAt, textOf, type Asked, type Option } from "../../src/ask/options";
import { games, questions } from "./recorded";

const everyone = games.flatMap((game) =>
    questions(game).map(({ preset, question }) => ({
        game,
        question,
        given: asked(question),
        title: `${preset} ${question.prompt} ${question.number}`,
    })),
);

/** The steps that `step` would be told next to reach an option, or undefined if it is alone. */
function next(given: Asked, option: Option, steps: readonly Step[]): Step | undefined {
    const now = narrow(given, steps, "");
    if (now.options.length === 1) return undefined;
    const noun = option.nouns[steps.filter((step) => step.kind === "noun").length];
    if (noun !== undefined && now.lit.has(noun)) return { kind: "noun", noun };
    if (now.verbs.includes(option.verb)) return { kind: "verb", verb: option.verb };
    if (now.whole.includes(option)) return { kind: "all" };
    throw new Error(`nothing leads on to ${option.key}`);
}

/** Touches nouns in the order of the choice, then its verb, then that this is all: what is offered. */
function touches(given: Asked, option: Option): { steps: Step[]; left: readonly Option[] } {
    const steps: Step[] = [];
    for (let step = next(given, option, steps); step; step = next(given, option, steps)) {
        steps.push(step);
    }
    return { steps, left: narrow(given, steps, "").options };
}

function isAlone(left: readonly Option[], option: Option): boolean {
    return left.length === 1 && left[0] === option;
}

function question(...texts: string[]): Question {
    const choices = texts.map((text) => {
        const [verb = "", ...nouns] = text.split(" ");
        return { action: { text, verb, nouns }, sentence: `To ${text.replaceAll("_", " ")}.` };
    });
    return create(QuestionSchema, { number: 1n, prompt: "try.it", sentence: "What?", choices });
}

function touched(...nouns: string[]): Step[] {
    return nouns.map((noun) => ({ kind: "noun", noun }));
}

function left(given: Question, steps: readonly Step[], typed = ""): string[] {
    return narrow(asked(given), steps, typed).options.map((option) => textOf(option.choices[0]));
}

test("questions of all four games are recorded, small and large ones", () => {
    const sizes = everyone.map((one) => one.question.choices.length);

    expect(new Set(everyone.map((one) => one.game)).size).toBe(4);
    expect(everyone.length).toBeGreaterThan(400);
    expect(Math.max(...sizes)).toBeGreaterThan(150);
    expect(everyone.some((one) => one.question.neutral)).toBe(true);
    expect(everyone.some((one) => one.question.ranges.length > 5)).toBe(true);
});

describe.each(games)("%s", { timeout: 60_000 }, (game) => {
    const all = everyone.filter((one) => one.game === game);

    test("options are the choices, in their order, each once", () => {
        for (const { given, question, title } of all) {
            const texts = given.options.flatMap((option) => option.choices.map(textOf));
            expect(texts, title).toEqual(question.choices.map(textOf));
            const keys = new Set(given.options.map((option) => option.key));
            expect(keys.size, title).toBe(given.options.length);
        }
    });

    test("touches lead to every option and to no other", () => {
        const missed = all.flatMap(({ given, title }) =>
            given.options
                .filter((option) => !isAlone(touches(given, option).left, option))
                .map((option) => `${title}: ${option.key}`),
        );

        expect(missed).toEqual([]);
    });

    test("amounts lead to every number and to no other", () => {
        const wrong: string[] = [];
        for (const option of all.flatMap(({ given }) => given.options)) {
            for (const [at, choice] of option.choices.entries()) {
                const number = (option.first ?? 0) + at;
                const isSpelt = option.first === undefined || textOf(choice).endsWith(` ${number}`);
                if (!isSpelt || choiceAt(option, number) !== choice) wrong.push(textOf(choice));
            }
        }

        expect(wrong).toEqual([]);
    });

    test("typing leads to every choice and to no other", () => {
        const missed = all.flatMap(({ given, question, title }) =>
            question.choices
                .filter((choice) => {
                    const { options, amount } = narrow(given, [], textOf(choice));
                    const only = options[0];
                    return !only || options.length > 1 || choiceAt(only, amount ?? 0) !== choice;
                })
                .map((choice) => `${title}: ${textOf(choice)}`),
        );

        expect(missed).toEqual([]);
    });

    test("what is lit leads somewhere, and what is not is in none that is left", () => {
        const wrong: string[] = [];
        for (const { given, title } of all) {
            const paths = given.options.slice(0, 40).map((option) => touches(given, option).steps);
            const ways = paths.flatMap((path) => path.map((_, at) => path.slice(0, at + 1)));
            const once = new Map(ways.map((way) => [JSON.stringify(way), way]));
            for (const steps of [[], ...once.values()]) {
                if (!isTrue(given, steps)) wrong.push(`${title}: ${JSON.stringify(steps)}`);
            }
        }

        expect(wrong).toEqual([]);
    });

    test("groups hold each option once", () => {
        for (const { given, title } of all) {
            const groups = groupsOf(given.options);
            const held = groups.flatMap((group) => group.options);
            expect(held, title).toHaveLength(given.options.length);
            expect(new Set(held), title).toEqual(new Set(given.options));
            expect(new Set(groups.map((group) => group.key)).size, title).toBe(groups.length);
            if (given.options.length <= LONG) expect(groups, title).toHaveLength(1);
        }
    });
});

/** What is said of what is left after some steps follows from the choices alone. */
function isTrue(given: Asked, steps: readonly Step[]): boolean {
    const now = narrow(given, steps, "");
    const nouns = steps.flatMap((step) => (step.kind === "noun" ? [step.noun] : []));
    const expected = new Set<string>();
    for (const option of now.options) {
        const rest = [...option.nouns];
        for (const noun of nouns) rest.splice(rest.indexOf(noun), 1);
        if (rest.length !== option.nouns.length - nouns.length) return false;
        for (const noun of rest) expected.add(noun);
    }
    const isLit =
        expected.size === now.lit.size && [...expected].every((noun) => now.lit.has(noun));
    const among = new Set(now.options);
    return (
        isLit &&
        [...now.lit].every((noun) => {
            const next = narrow(given, [...steps, { kind: "noun", noun }], "").options;
            return next.length > 0 && next.every((option) => among.has(option));
        })
    );
}

describe("orders and repetitions", () => {
    const both = question("march a b", "march b a", "march a c");

    test("the first touch may be any noun, wherever it stands", () => {
        expect(left(both, touched("a"))).toEqual(["march a b", "march b a", "march a c"]);
        expect(left(both, touched("c"))).toEqual(["march a c"]);
    });

    test("where the order alone differs, that of the touches counts", () => {
        expect(left(both, touched("a", "b"))).toEqual(["march a b"]);
        expect(left(both, touched("b", "a"))).toEqual(["march b a"]);
    });

    test("where there is one order only, any order of touches will do", () => {
        expect(left(question("march a b", "march c d"), touched("b", "a"))).toEqual(["march a b"]);
    });

    test("a noun that stands twice in a choice can be touched twice", () => {
        const twice = question("swap a a", "swap a b");

        expect(left(twice, touched("a", "a"))).toEqual(["swap a a"]);
        expect([...narrow(asked(twice), touched("a"), "").lit]).toEqual(["a", "b"]);
    });

    test("a choice among the nouns of others is reached by that this is all", () => {
        const part = question("pass", "move x", "move x y", "lead x", "move x y z");
        const all: Step[] = [{ kind: "all" }];

        expect(left(part, [...touched("x"), ...all])).toEqual(["move x", "lead x"]);
        expect(left(part, [...touched("x", "y"), ...all])).toEqual(["move x y"]);
        expect(left(part, all)).toEqual(["pass"]);
    });

    test("a touch is taken back with what was said of what it left", () => {
        const steps: Step[] = [...touched("x", "y"), { kind: "all" }];

        expect(untouched(steps, "x")).toEqual(touched("y"));
        expect(untouched(steps, "z")).toEqual(steps);
    });

    test.each([3, 4])("all orders of %i nouns, under two verbs, are told apart", (size) => {
        const names = ["a", "b", "c", "d"].slice(0, size);
        const orders = permutations(names).flatMap((order) => [
            `go ${order.join(" ")}`,
            `run ${order.join(" ")}`,
        ]);
        const given = asked(question(...orders, ...names.map((name) => `go ${name}`)));

        for (const option of given.options) {
            expect(isAlone(touches(given, option).left, option), option.key).toBe(true);
        }
    });
});

function permutations(names: string[]): string[][] {
    if (names.length === 0) return [[]];
    return names.flatMap((name) =>
        permutations(names.filter((other) => other !== name)).map((rest) => [name, ...rest]),
    );
}

test("any questions of few nouns: touches reach every choice", () => {
    let seed = 7;
    const pick = (below: number): number => {
        seed = (seed * 48271) % 2147483647;
        return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
        const texts = new Set<string>();
        for (let count = 1 + pick(25); count > 0; count -= 1) {
            const nouns = Array.from({ length: pick(5) }, () => "abcd"[pick(4)]);
            texts.add([["go", "run", "sit"][pick(3)], ...nouns].join(" "));
        }
        const given = asked(question(...texts));
        for (const option of given.options) {
            expect(isAlone(touches(given, option).left, option), option.key).toBe(true);
            const typed = narrow(given, [], textOf(option.choices[0])).options;
            expect(isAlone(typed, option), option.key).toBe(true);
        }
    }
});

describe("typing", () => {
    const places = create(QuestionSchema, {
        choices: [
            said("pass", "Do nothing."),
            said("place barad_dur 1", "Place 1 in Barad-dûr, beside 2."),
            said("place barad_dur 2", "Place 2 in Barad-dûr, beside 2."),
            said("place barad_dur 3", "Place 3 in Barad-dûr, beside 2."),
            said("place lorien 1", "Place 1 in Lórien, beside 3."),
        ],
        ranges: [{ text: "place barad_dur", numbers: { first: 1, last: 3 } }],
    });

    test.each([
        ["barad", ["place barad_dur 1"]],
        ["BARAD-DÛR", ["place barad_dur 1"]],
        ["lórien", ["place lorien 1"]],
        ["lor pl", ["place lorien 1"]],
        ["place", ["place barad_dur 1", "place lorien 1"]],
        ["orien", []],
        ["  ", ["pass", "place barad_dur 1", "place lorien 1"]],
        ["do nothing.", ["pass"]],
    ])("%j", (typed, expected) => {
        expect(left(places, [], typed)).toEqual(expected);
    });

    test("a number that is typed last is the amount", () => {
        expect(narrow(asked(places), [], "bar 3").amount).toBe(3);
        expect(narrow(asked(places), [], "bar").amount).toBeUndefined();
        expect(narrow(asked(places), [], "bar 4").options).toEqual([]);
        expect(narrow(asked(places), touched("barad_dur"), "2").amount).toBe(2);
    });

    test("the number of an amount is no noun; any other number is one", () => {
        const { lit } = narrow(asked(places), [], "");

        expect([...lit]).toEqual(["barad_dur", "lorien", "1"]);
    });

    test("a text among the beginnings of others is reached when it is typed out", () => {
        const nested = question("move x", "move x y", "move x y z");

        expect(left(nested, [], "move x")).toEqual(["move x"]);
        expect(left(nested, [], "mov x")).toHaveLength(3);
    });
});

function said(text: string, sentence: string): Pick<Choice, "sentence"> & { action: object } {
    const [verb = "", ...nouns] = text.split(" ");
    return { action: { text, verb, nouns }, sentence };
}

test("thousands of choices are looked at once each for a touch", () => {
    let looks = 0;
    const many = Array.from({ length: 3000 }, (_, at) => `go r${at % 60} s${at}`);
    const given = asked(question(...many));
    const counted = given.options.map((option) => ({
        ...option,
        get nouns(): readonly string[] {
            looks += 1;
            return option.nouns;
        },
    }));
    narrow({ ...given, options: counted }, touched("r7"), "");

    expect(looks).toBeLessThanOrEqual(3000 * 3);
});
