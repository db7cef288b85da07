/** Looking back: replay, what happened since one looked, and through whose eyes. */
import { Code } from "@connectrpc/connect";
import { MatchState } from "$gen/bree/gateway/v1/gateway_pb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { linesOf, linesUntil, nounsIn, type Line } from "../../../src/match/log";
import { Replay } from "../../../src/match/replay.svelte";
import { Seen, stepsSince } from "../../../src/match/since";
import { Sitting } from "../../../src/match/sitting.svelte";
import { refused } from "../wire/gateway";
import { storage, Table } from "./table";

const pass = (ms = 50): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const line = (at: number, revision: bigint): Line => {
    return { at, revision, sentence: String(at), nouns: [], kind: "moved" };
};

let table: Table;
let eyes: string;
let replay: Replay;

beforeEach(() => {
    vi.useFakeTimers();
    table = new Table();
    eyes = "good";
    replay = new Replay(
        table.wire.clients,
        "m-1",
        () => eyes,
        () => 40,
    );
});
afterEach(() => {
    vi.useRealTimers();
});

test("a slider that passes many positions fetches few, and shows where it stops", async () => {
    table.isHolding = true;
    for (let at = 1; at <= 30; at++) replay.go(at);
    await pass();
    table.isHolding = false;
    table.held.forEach((go) => {
        go();
    });
    await pass();

    expect(table.views.map(({ revision }) => revision)).toEqual([1n, 30n]);
    expect(replay.shown?.standing.revision).toBe(30n);
});

test("a position that was looked at is not fetched again, but for other eyes", async () => {
    for (const at of [3, 4, 3, 4]) {
        replay.go(at);
        await pass();
    }
    expect(table.views.length).toBe(2);
    eyes = "dark";
    replay.forget();
    await pass();

    expect(table.views.at(-1)).toMatchObject({ seat: "dark", revision: 4n });
    expect(replay.shown?.seat).toBe("dark");
});

test("places that there are not are the nearest that there are", async () => {
    replay.go(-3);
    expect(replay.at).toBe(0);
    replay.go(99);
    expect(replay.at).toBe(40);
    replay.go(NaN);
    expect(replay.at).toBe(0);
    await pass();
    replay.leave();

    expect(replay.at).toBe(undefined);
    expect(replay.shown).toBe(undefined);
});

test("playing goes on to the end and stops there", async () => {
    replay.go(37);
    replay.play();
    await pass(10_000);

    expect(replay.at).toBe(40);
    expect(replay.isPlaying).toBe(false);
});

test("a refusal is shown, and playing stops", async () => {
    table.refusal = refused("UNKNOWN_REVISION", Code.OutOfRange);
    replay.go(5);
    await pass();

    expect(replay.refusal?.reason).toBe("UNKNOWN_REVISION");
    replay.go(6);
    await pass();
    expect(replay.refusal).toBe(undefined);
    expect(replay.shown?.standing.revision).toBe(6n);
});

test("the log has so many lines where the board stood", () => {
    const lines = [1n, 1n, 3n, 7n].map((revision, at) => line(at, revision));

    expect([0n, 1n, 2n, 3n, 9n].map((at) => linesUntil(lines, at))).toEqual([0, 2, 2, 3, 4]);
});

test("a line stands at the entry with which it happened; what has no words is none", () => {
    const events = ["a", "b", "c", ""].map((sentence, n) => {
        return { sentence, kind: "", facts: {}, revision: BigInt(n + 11) };
    });
    const lines = linesOf(events as never, 5);

    expect(lines.map(({ at, revision }) => [at, revision])).toEqual([
        [5, 11n],
        [6, 12n],
        [7, 13n],
    ]);
});

test("facts give the nouns that a board knows, however deep they are", () => {
    const facts = { piece: "witch_king", path: ["moria", { to: "Rohan" }], count: 3, ok: true };

    expect([...nounsIn(facts)]).toEqual(["witch_king", "moria"]);
});

test("since one looked, the steps are those after, one revision after the other", () => {
    const lines = [1n, 2n, 3n, 3n, 5n].map((revision, at) => line(at, revision));

    expect(stepsSince(lines, 2n).map((step) => step.map(({ at }) => at))).toEqual([[2, 3], [4]]);
    expect(stepsSince(lines, 5n)).toEqual([]);
    const many = Array.from({ length: 500 }, (_, at) => line(at, BigInt(at + 1)));
    expect(stepsSince(many, 0n).at(-1)?.[0]?.at).toBe(499);
    expect(stepsSince(many, 0n).length).toBeLessThan(100);
});

test("how far one has seen is kept for each seat, and nonsense is nothing", () => {
    const store = storage();
    const seen = new Seen("m-1", "good", store);
    expect(seen.revision).toBe(undefined);
    seen.note(17n);

    expect(seen.revision).toBe(17n);
    expect(new Seen("m-1", "dark", store).revision).toBe(undefined);
    store.setItem("bree.seen.m-1.good", "-1; drop");
    expect(seen.revision).toBe(undefined);
});

async function sat(wanted?: string): Promise<Sitting> {
    const sitting = new Sitting(table.wire, "m-1", wanted);
    sitting.start();
    await pass();
    return sitting;
}

test("who has a seat looks through its eyes, who has none watches", async () => {
    expect((await sat()).eyes).toBe("good");
    table.seats = [{ seat: "good", account: "merry" }];
    const watching = await sat();

    expect(watching.eyes).toBe("");
    expect(watching.choices).toEqual([""]);
});

test("a link to a seat that is taken watches and says why", async () => {
    table.seats = [
        { seat: "good", account: "merry" },
        { seat: "dark", account: "pippin" },
    ];
    const sitting = await sat("dark");

    expect(sitting.eyes).toBe("");
    expect(sitting.notice).toContain("Somebody else sits at Dark");
    expect((await sat("elves")).notice).toContain("no such seat");
});

test("once a match is over, any seat's eyes may be chosen", async () => {
    table.state = MatchState.OVER;
    const sitting = await sat("dark");

    expect(sitting.eyes).toBe("dark");
    expect(sitting.choices).toEqual(["good", "dark", ""]);
});

test("who plays against himself is led to the seat that is asked", async () => {
    table.seats = [
        { seat: "good", account: "rosie" },
        { seat: "dark", account: "rosie" },
    ];
    const sitting = await sat();
    table.waiting = ["dark"];
    table.tell(5);

    expect(sitting.askedElsewhere).toBe("dark");
    sitting.look("dark");
    table.tell(5, [], "dark");
    expect(sitting.askedElsewhere).toBe(undefined);
});
