/** An answer is sent once, to the question that was read, and never by itself. */
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QuestionSchema, type Question } from "$gen/bree/engine/v1/types_pb";
import { Asking, SETTLE_MS } from "../../src/ask/asking.svelte";
import type { Option } from "../../src/ask/options";
import { games, questions } from "./recorded";

let sent: string[];
let atOnce: boolean;
let results: { done: () => void; fail: (error: unknown) => void }[];
let asking: Asking;
let place: EventTarget;

beforeEach(() => {
    vi.useFakeTimers({ now: 10_000 });
    sent = [];
    results = [];
    atOnce = false;
    asking = new Asking({
        say: (action, question) => {
            sent.push(`${question.number}: ${action}`);
            return new Promise((done, fail) => results.push({ done, fail }));
        },
        explain: () => undefined,
        actAtOnce: () => atOnce,
    });
    place = new EventTarget();
    asking.presses.watch(place);
});

afterEach(() => {
    vi.useRealTimers();
});

interface Put {
    number?: bigint;
    neutral?: boolean;
    ranges?: { text: string; numbers: { first: number; last: number } }[];
}

function question(texts: string[], put: Put = {}): Question {
    const choices = texts.map((text) => {
        const [verb = "", ...nouns] = text.split(" ");
        return { action: { text, verb, nouns }, sentence: `To ${text}.` };
    });
    return create(QuestionSchema, { number: 1n, choices, ...put });
}

/** Puts a question and waits until it has been read. */
function read(texts: string[], put: Put = {}): Question {
    const asked = question(texts, put);
    asking.put(asked);
    vi.advanceTimersByTime(SETTLE_MS);
    return asked;
}

function event(kind: string, more: object = {}): void {
    const told = Object.assign(new Event(kind), more);
    Object.defineProperty(told, "timeStamp", { value: performance.now() });
    place.dispatchEvent(told);
}

const moves = ["pass", "move a b", "move a c", "move d b"];

test("touches narrow, and what is left alone is confirmed", () => {
    read(moves);
    asking.touch("a");
    expect([...asking.lit]).toEqual(["a", "b", "c"].slice(1));
    expect(asking.only).toBeUndefined();
    asking.touch("c");

    expect(asking.answer?.action?.text).toBe("move a c");
    expect([...asking.lit]).toEqual([]);
    expect([...asking.picked]).toEqual(["a", "c"]);
    expect([...asking.spoken]).toEqual(["a", "c"]);
    expect(sent).toEqual([]);
    asking.confirm();
    expect(sent).toEqual(["1: move a c"]);
});

test("a thing that stands for what it does is touched like any other", () => {
    read(["recall", "crebain a", "crebain b", "move a b"]);
    expect([...asking.lit].filter((noun) => noun.startsWith(":"))).toEqual([
        ":recall",
        ":crebain",
        ":move",
    ]);
    asking.touch(":crebain");
    expect([...asking.lit]).toEqual(["a", "b"]);
    expect([...asking.picked]).toEqual([":crebain"]);
    asking.touch(":crebain");
    expect(asking.steps).toEqual([]);
    asking.touch(":fly");
    expect(asking.steps).toEqual([]);
    asking.touch(":recall");
    expect([...asking.spoken]).toEqual([":recall"]);
    asking.confirm();

    expect(sent).toEqual(["1: recall"]);
});

test("the only choice is touched by the thing that does it, and a neutral one is confirmed", () => {
    read(["recall"], { neutral: true });
    expect(asking.only).toBeUndefined();
    expect([...asking.lit]).toEqual([":recall"]);
    asking.touch(":recall");
    expect(sent).toEqual([]);
    asking.confirm();

    expect(sent).toEqual(["1: recall"]);
});

test("what is not lit is not touched", () => {
    read(moves);
    asking.touch("z");
    asking.touch("a");
    asking.touch("d");

    expect(asking.steps).toEqual([{ kind: "noun", noun: "a" }]);
});

test("a second touch takes the first back", () => {
    read(moves);
    asking.touch("a");
    asking.touch("b");
    asking.touch("a");

    expect([...asking.picked]).toEqual(["b"]);
});

test("where a number is left to say, each touch is one more, and the one beyond the last takes it back", () => {
    const texts = ["place a 1", "place a 2", "place a 3", "place b 1", "place b 2", "place b 3"];
    const numbers = { first: 1, last: 3 };
    read(texts, { ranges: ["place a", "place b"].map((text) => ({ text, numbers })) });
    const said: (string | undefined)[] = [];
    for (let touches = 0; touches < 4; touches++) {
        asking.touch("a");
        said.push(asking.answer?.action?.text);
    }

    expect(said).toEqual(["place a 1", "place a 2", "place a 3", undefined]);
    expect(asking.isBegun).toBe(false);
});

test("back takes the last away, clear all", () => {
    read(moves);
    asking.type("move");
    asking.touch("a");
    asking.choose(asking.options[0] as Option);
    expect(asking.answer?.action?.text).toBe("move a b");
    asking.back();
    expect(asking.isFromList).toBe(false);
    asking.back();
    expect(asking.steps).toEqual([]);
    expect(asking.typed).toBe("move");
    asking.back();
    expect(asking.isBegun).toBe(false);
    asking.touch("a");
    asking.clear();
    expect(asking.isBegun).toBe(false);
});

test("verbs and that this is all are offered where they narrow", () => {
    read(["pass", "part a", "march a b", "march a c"]);
    expect(asking.verbs).toEqual(["pass", "part", "march"]);
    expect(asking.whole).toEqual([]);
    asking.touch("a");
    expect(asking.verbs).toEqual(["part", "march"]);
    expect(asking.whole.map((option) => option.key)).toEqual(["part a"]);
    asking.verb("fly");
    expect(asking.options).toHaveLength(3);
    asking.all();

    expect(asking.answer?.action?.text).toBe("part a");
});

test("the same question again keeps what was touched, another forgets it", () => {
    read(moves);
    asking.touch("a");
    asking.put(question(moves));
    expect([...asking.picked]).toEqual(["a"]);
    asking.put(undefined);
    expect([...asking.lit]).toEqual([]);
    asking.put(question(moves));
    expect([...asking.picked]).toEqual(["a"]);
    asking.put(question(moves, { number: 2n }));

    expect(asking.isBegun).toBe(false);
});

test("a press that began before a question does nothing to it", () => {
    read(moves);
    event("pointerdown");
    vi.advanceTimersByTime(5);
    asking.put(question(["keep a", "leave a b"], { number: 2n }));
    vi.advanceTimersByTime(5);
    event("pointerup");
    asking.touch("b");
    asking.choose(asking.options[0] as Option);
    expect(asking.isBegun).toBe(false);
    vi.advanceTimersByTime(1000);
    event("pointerdown");
    asking.touch("b");

    expect(asking.answer?.action?.text).toBe("leave a b");
});

test("a key that is held down is one press, however often it repeats", () => {
    read(["pass"]);
    event("keydown", { repeat: false });
    asking.confirm();
    expect(sent).toEqual(["1: pass"]);
    asking.put(question(["pass"], { number: 2n }));
    vi.advanceTimersByTime(5_000);
    event("keydown", { repeat: true });
    asking.confirm();
    expect(sent).toEqual(["1: pass"]);
    event("keyup");
    event("keydown", { repeat: false });
    asking.confirm();

    expect(sent).toEqual(["1: pass", "2: pass"]);
});

test("a press soon after a question may choose and not send", () => {
    atOnce = true;
    asking.put(question(moves));
    vi.advanceTimersByTime(SETTLE_MS - 1);
    event("pointerdown");
    vi.advanceTimersByTime(50);
    asking.touch("d");
    expect(asking.answer?.action?.text).toBe("move d b");
    asking.confirm();
    expect(sent).toEqual([]);
    event("pointerdown");
    asking.confirm();

    expect(sent).toEqual(["1: move d b"]);
});

test("a click of assistive technology has no press and counts when it comes", () => {
    read(["pass"]);
    event("pointerdown");
    event("pointerup");
    asking.put(question(["keep"], { number: 2n }));
    expect(asking.isSettled).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(asking.isSettled).toBe(true);
    asking.confirm();

    expect(sent).toEqual(["2: keep"]);
});

test("an answer is sent once, and nothing is taken until another question stands", () => {
    read(moves);
    asking.touch("d");
    asking.confirm();
    asking.confirm();
    asking.touch("a");
    asking.back();
    asking.clear();
    asking.type("x");
    expect(asking.pending?.action?.text).toBe("move d b");
    expect([...asking.lit]).toEqual([]);
    expect(sent).toHaveLength(1);
    results[0]?.done();
    asking.put(question(moves));
    asking.confirm();
    expect(sent).toHaveLength(1);
    asking.put(question(moves, { number: 2n }));

    expect(asking.pending).toBeUndefined();
    expect(asking.isBegun).toBe(false);
});

test("a refused answer says why, keeps what was touched, and may be sent again", async () => {
    read(moves);
    asking.touch("d");
    asking.confirm();
    results[0]?.fail(new Error("The clock has run out."));
    await vi.advanceTimersByTimeAsync(0);
    expect(asking.refusal).toBe("The clock has run out.");
    expect(asking.pending).toBeUndefined();
    expect([...asking.picked]).toEqual(["d"]);
    asking.confirm();

    expect(asking.refusal).toBeUndefined();
    expect(sent).toHaveLength(2);
});

test("a late refusal leaves the answer to a newer question alone", async () => {
    read(["pass"]);
    asking.confirm();
    read(["keep"], { number: 2n });
    asking.confirm();
    results[0]?.fail({ message: "Too late." });
    await vi.advanceTimersByTimeAsync(0);

    expect(asking.pending?.action?.text).toBe("keep");
});

test("at once: what is left alone by a touch, and only where the player wants it", () => {
    atOnce = true;
    read(["pass"]);
    expect(sent).toEqual([]);
    read(moves, { number: 2n });
    asking.type("move d");
    expect(asking.answer?.action?.text).toBe("move d b");
    expect(sent).toEqual([]);
    asking.type("");
    asking.touch("c");
    asking.put(question(moves, { number: 3n }));
    asking.touch("d");

    expect(sent).toEqual(["2: move a c"]);
});

test("at once: taking a touch back sends nothing", () => {
    read(["go a b", "go a c"]);
    asking.touch("b");
    atOnce = true;
    asking.touch("b");

    expect(sent).toEqual([]);
});

test("at once: an amount waits to be confirmed", () => {
    atOnce = true;
    read(["back", "move a 1", "move a 2", "move a 3"], {
        ranges: [{ text: "move a", numbers: { first: 1, last: 3 } }],
    });
    asking.touch("a");
    expect(asking.stepper).toEqual({ first: 1, last: 3, value: 1 });
    asking.step(2);
    expect(asking.answer?.action?.text).toBe("move a 2");
    asking.step(99);
    expect(asking.stepper?.value).toBe(3);
    asking.step(-1);
    asking.step(NaN);
    expect(asking.stepper?.value).toBe(1);
    expect(sent).toEqual([]);
    asking.back();
    asking.type("move 2");
    expect(asking.stepper?.value).toBe(2);
    asking.confirm();

    expect(sent).toEqual(["1: move a 2"]);
});

test.each([1, 2, 5])("a neutral question takes two presses with %i choices", (count) => {
    atOnce = true;
    const texts = ["stand", "retreat a", "retreat b", "retreat c", "retreat d"];
    for (const [at, wanted] of texts.slice(0, count).entries()) {
        const number = BigInt(at + 1);
        read(texts.slice(0, count), { neutral: true, number });
        expect(asking.only).toBeUndefined();
        asking.confirm();
        expect(sent).toHaveLength(at);
        asking.choose(asking.options[at] as Option);
        expect(sent).toHaveLength(at);
        asking.confirm();
        expect(sent.at(-1)).toBe(`${number}: ${wanted}`);
    }
});

test("a neutral question infers nothing: all that a choice names is touched", () => {
    read(["exchange a b"], { neutral: true });
    asking.type("exchange");
    expect(asking.only).toBeUndefined();
    asking.touch("a");
    expect(asking.only).toBeUndefined();
    expect([...asking.lit]).toEqual(["b"]);
    asking.touch("b");

    expect(asking.answer?.action?.text).toBe("exchange a b");
});

test("whatever else is the only choice stands ready to be confirmed", () => {
    read(["go a"]);
    expect([...asking.lit]).toEqual(["a"]);
    expect(asking.isDecided).toBe(false);
    asking.confirm();

    expect(sent).toEqual(["1: go a"]);
});

test("what the log and the list point at is spoken of", () => {
    read(moves);
    asking.speak(["z"]);
    expect([...asking.spoken]).toEqual(["z"]);
    asking.point(asking.options[1]);
    expect([...asking.spoken]).toEqual(["z", "a", "b"]);
    asking.point(undefined);
    asking.speak([]);

    expect([...asking.spoken]).toEqual([]);
});

test("nouns are called as the sentences call them", () => {
    const choices = [
        {
            action: {
                text: "move witch_king barad_dur",
                verb: "move",
                nouns: ["witch_king", "barad_dur"],
            },
            sentence: "Move the Witch-king to Barad-dûr.",
        },
    ];
    asking.put(create(QuestionSchema, { number: 1n, choices }));

    expect(asking.nameOf("witch_king")).toBe("Witch-king");
    expect(asking.nameOf("barad_dur")).toBe("Barad-dûr");
    expect(asking.nameOf("house_of_the_king")).toBe("House of the King");
});

test.each(games)("%s: touched and taken, every choice is sent", { timeout: 60_000 }, (game) => {
    const missed: string[] = [];
    let number = 0n;
    for (const { question: given } of questions(game)) {
        for (const choice of given.choices.filter((_, at) => at % 5 === 0)) {
            const text = choice.action?.text ?? "";
            number += 1n;
            asking.put({ ...given, number });
            vi.advanceTimersByTime(SETTLE_MS);
            for (const noun of choice.action?.nouns ?? []) asking.touch(noun);
            const option = asking.options.find((one) => one.choices.includes(choice));
            if (option) asking.choose(option);
            asking.step(Number(choice.action?.nouns.at(-1)));
            asking.confirm();
            if (sent.at(-1) !== `${number}: ${text}`) missed.push(text);
        }
    }

    expect(missed).toEqual([]);
});
