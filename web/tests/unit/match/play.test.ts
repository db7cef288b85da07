/** One match as a fold over its steps, with answers that are refused and positions that race steps. */
import { Code } from "@connectrpc/connect";
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import type { Question } from "$gen/bree/engine/v1/types_pb";
import { MatchState } from "$gen/bree/gateway/v1/gateway_pb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Keeping } from "../../../src/match/keeping";
import { Play } from "../../../src/match/play.svelte";
import { askedOf, standInAt } from "../../../src/match/standIns";
import { waitingWords } from "../../../src/match/words";
import { refused } from "../wire/gateway";
import { storage, Table } from "./table";

const pass = (ms = 50): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

let table: Table;
let keeping: Keeping;
let play: Play;

beforeEach(async () => {
    vi.useFakeTimers();
    table = new Table();
    keeping = new Keeping(storage());
    play = new Play(table.wire, "m-1", "good", keeping);
    play.start();
    await pass();
    table.tell(4, ["one", "two"]);
    await pass();
});
afterEach(() => {
    vi.useRealTimers();
});

const asked = (): Question => {
    const question = play.shown?.question;
    if (!question) throw new Error("nothing is asked");
    return question;
};

test("steps make the log, each line once, and the position follows them", async () => {
    table.tell(5, ["three"]);
    table.tell(5);
    table.tell(7, ["four"]);
    await pass();

    expect(play.lines.map(({ sentence }) => sentence)).toEqual(["one", "two", "three", "four"]);
    expect(play.lines.map(({ revision }) => revision)).toEqual([2n, 4n, 5n, 7n]);
    expect(play.shown?.standing.revision).toBe(7n);
    expect(asked().sentence).toBe("at 7");
});

test("while a bot stands in nothing is asked here, and then the same question again", async () => {
    await play.handOver("greedy");
    await pass();

    expect(play.shown?.question).toBeUndefined();
    expect(standInAt(play.standing, "good")).toBe("greedy");
    expect(askedOf(play.standing, ["good"])).toEqual([]);
    expect(waitingWords(play.standing, ["good"])).toBe("A bot decides for you: Good.");
    await play.takeBack();
    await pass();

    expect(asked().number).toBe(12n);
    expect(askedOf(play.standing, ["good"])).toEqual(["good"]);
});

test("a question that is fetched while the seat changes hands is asked for anew", async () => {
    table.isHolding = true;
    table.tell(5);
    await pass();
    void play.handOver("greedy");
    await pass();
    table.isHolding = false;
    table.held.forEach((go) => {
        go();
    });
    await pass(500);

    expect(play.shown?.question).toBeUndefined();
    expect(play.shown?.standing.revision).toBe(5n);
});

test("a standing that was overtaken on its way does not bring the bot back", async () => {
    await play.handOver("greedy");
    const older = table.standIns;
    await play.takeBack();
    await pass();
    const newer = table.standIns;
    table.standIns = older;
    table.tell(4);
    table.standIns = newer;
    await pass();

    expect(standInAt(play.standing, "good")).toBe("");
});

test("steps that come while the position is fetched make one more call, not one each", async () => {
    const before = table.views.length;
    table.isHolding = true;
    for (const revision of [5, 6, 7, 8, 9]) table.tell(revision);
    await pass();
    expect(table.views.length - before).toBe(1);
    table.isHolding = false;
    table.held.forEach((go) => {
        go();
    });
    await pass(500);

    expect(table.views.length - before).toBeLessThan(4);
    expect(play.shown?.standing.revision).toBe(9n);
});

test("an answer says the number and the head with which its question was read", async () => {
    const question = asked();
    await Promise.all([play.say("pass", question), pass()]);

    expect(table.acts).toMatchObject([
        { question: 12n, action: "pass", requestId: "q12", head: "a4", seat: "good" },
    ]);
});

test("the answer to a question of before goes with the head of before", async () => {
    const question = asked();
    table.question = 13n;
    table.tell(6);
    await pass();
    await Promise.all([play.say("pass", question), pass()]);

    expect(table.acts).toMatchObject([{ question: 12n, requestId: "q12", head: "a4" }]);
});

test("a stale answer is said in a sentence, and the position is looked at again", async () => {
    table.refusal = refused("STALE_QUESTION", Code.Aborted);
    table.revision = 9;
    table.question = 14n;
    const said = play.say("pass", asked()).catch((error: unknown) => (error as Error).message);
    await pass();

    expect(await said).toContain("no longer stands");
    expect(asked().number).toBe(14n);
    expect(table.acts.length).toBe(1);
});

test("an answer to a lost history begins the match anew and sends nothing again", async () => {
    table.refusal = refused("HISTORY_CHANGED", Code.Aborted);
    table.history = "b";
    table.revision = 2;
    const said = play.say("pass", asked()).catch((error: unknown) => (error as Error).message);
    await pass();
    table.tell(2, ["anew"]);
    await pass();

    expect(await said).toContain("lost");
    expect(play.lines.map(({ sentence }) => sentence)).toEqual(["anew"]);
    expect(play.shown?.standing.head).toBe("b2");
    expect(table.acts.length).toBe(1);
    expect(table.follows.length).toBe(1);
});

test("what the stream tells of a lost history does the same, and heads of before are doubted", async () => {
    table.history = "b";
    table.revision = 1;
    table.unfollow(ErrorReason.HISTORY_CHANGED);
    await pass();
    table.tell(1, ["anew"]);
    await pass();

    expect(play.notice).toContain("lost");
    expect(play.lines.length).toBe(1);
    expect(keeping.of("m-1").heads).toEqual([[1, "b1"]]);
});

test("a match that is told anew is not said to have lost anything", async () => {
    table.unfollow(ErrorReason.WATCH_LAGS);
    table.tell(4, ["one", "two"]);
    await pass();

    expect(play.notice).toBe("");
    expect(play.lines.length).toBe(2);
});

test("a frozen match says so and keeps what was shown", async () => {
    table.unfollow(ErrorReason.MATCH_FROZEN);
    await pass();

    expect(play.refusal?.reason).toBe("MATCH_FROZEN");
    expect(play.shown?.standing.revision).toBe(4n);
});

test("what is not known to have arrived may be sent again: it is the same request", async () => {
    table.refusal = refused("OUTCOME_UNKNOWN");
    const question = asked();
    const said = play.say("pass", question).catch((error: unknown) => (error as Error).message);
    await pass();
    await Promise.all([play.say("pass", question), pass()]);

    expect(await said).toContain("Send it again");
    expect(new Set(table.acts.map(({ requestId }) => requestId))).toEqual(new Set(["q12"]));
});

test("an older position never takes the place of a newer one", async () => {
    table.isHolding = true;
    table.tell(5);
    await pass();
    table.isHolding = false;
    play.views.forget();
    table.revision = 8;
    play.views.want(8n);
    await pass();
    table.held.forEach((go) => {
        go();
    });
    await pass();

    expect(play.shown?.standing.revision).toBe(8n);
});

test("a gateway that lags behind is asked again, and what it says is not shown", async () => {
    table.tell(9);
    await pass();
    table.revision = 6;
    play.views.want(10n);
    await pass(10);
    expect(play.shown?.standing.revision).toBe(9n);
    table.revision = 10;
    await pass(1_000);

    expect(play.shown?.standing.revision).toBe(10n);
});

test("the end is known from the step", async () => {
    table.state = MatchState.OVER;
    const { standing } = table;
    (table as unknown as { waiting: string[] }).waiting = [];
    Object.defineProperty(table, "standing", {
        get: () => ({ ...standing, revision: 5n, head: "a5", waiting: [], outcome: { ending: 1 } }),
    });
    table.tell(5, ["done"]);
    await pass();

    expect(play.isOver).toBe(true);
    expect(play.match?.state).toBe(MatchState.OVER);
});

test("what proves the match later is kept while it is played", () => {
    expect(keeping.of("m-1")).toEqual({ commitment: "c0", nonces: [], heads: [[4, "a4"]] });
});

test("a match that is unknown is refused with its reason", async () => {
    table.refusal = refused("UNKNOWN_MATCH", Code.NotFound);
    const other = new Play(table.wire, "m-2", "", keeping);
    other.start();
    await pass();

    expect(other.refusal?.reason).toBe("UNKNOWN_MATCH");
    expect(other.shown).toBe(undefined);
});
