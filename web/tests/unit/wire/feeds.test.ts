/** Steps that do not fit are told to nobody: whoever cannot be told without a gap begins anew. */
import { create } from "@bufbuild/protobuf";
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import { MatchStepSchema, type MatchStep } from "$gen/bree/gateway/v1/gateway_pb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Follower } from "../../../src/wire/feed";
import { Feeds, lingerMs } from "../../../src/wire/feeds";

const what = { match: "m-1", seat: "good" };

function step(after: number, revision: number, head = `h${revision}`): MatchStep {
    const events = Array.from({ length: revision - after }, (_, n) => ({
        kind: "moved",
        sentence: String(after + n + 1),
    }));
    const standing = { revision: BigInt(revision), head };
    return create(MatchStepSchema, { ...what, step: { events, standing } });
}

class Reader {
    said: string[] = [];
    reasons: ErrorReason[] = [];
    readonly follower: Follower;

    constructor(after?: { revision: bigint; head: string }) {
        this.follower = new Follower(
            after,
            (_, { step: told }) => {
                this.said.push(...(told?.events ?? []).map(({ sentence }) => sentence));
            },
            ({ reason }) => this.reasons.push(reason),
        );
    }
}

let feeds: Feeds;

beforeEach(() => {
    vi.useFakeTimers();
    feeds = new Feeds();
});
afterEach(() => {
    vi.useRealTimers();
});

test("a step that begins before where a tab stands is not told to it in part or twice", () => {
    const behind = new Reader({ revision: 2n, head: "h2" });
    const ahead = new Reader({ revision: 4n, head: "h4" });
    feeds.add({ ...what, after: { revision: 2n, head: "h2" } }, behind.follower);
    feeds.add({ ...what, after: { revision: 4n, head: "h4" } }, ahead.follower);
    feeds.begin();
    feeds.step(step(2, 6));

    expect(behind.said).toEqual(["3", "4", "5", "6"]);
    expect(ahead.said).toEqual([]);
    expect(ahead.reasons).toEqual([ErrorReason.WATCH_LAGS]);
});

test("a tab that lags behind where the stream begins makes the stream begin further back", () => {
    const ahead = new Reader({ revision: 4n, head: "h4" });
    feeds.add({ ...what, after: { revision: 4n, head: "h4" } }, ahead.follower);
    feeds.begin();
    feeds.step(step(4, 4));
    const whole = new Reader();
    feeds.add(what, whole.follower);

    expect(feeds.change().needsNew).toBe(true);
    feeds.step(step(4, 5)); // of the stream of before
    expect(whole.said).toEqual([]);
    expect(feeds.begin()).toMatchObject([{ afterRevision: 0n }]);
    feeds.step(step(0, 5));
    expect(whole.said).toEqual(["1", "2", "3", "4", "5"]);
});

test("another head at the same revision is another history", () => {
    const reader = new Reader({ revision: 4n, head: "other" });
    feeds.add({ ...what, after: { revision: 4n, head: "other" } }, reader.follower);
    feeds.begin();
    feeds.step(step(4, 4));

    expect(reader.reasons).toEqual([ErrorReason.HISTORY_CHANGED]);
});

test("what was given up is asked for again on a new stream only", () => {
    const reader = new Reader();
    feeds.add(what, reader.follower);
    feeds.begin();
    feeds.step(step(0, 3));
    feeds.remove(what, reader.follower);
    vi.advanceTimersByTime(lingerMs + 1);
    expect(feeds.change()).toMatchObject({ unfollow: [{ match: "m-1" }], needsNew: false });
    const again = new Reader();
    feeds.add(what, again.follower);

    expect(feeds.change().needsNew).toBe(true);
    feeds.step(step(3, 4)); // still on its way when it was given up
    expect(again.said).toEqual([]);
});

test("whoever comes back soon finds all steps there", () => {
    const reader = new Reader();
    feeds.add(what, reader.follower);
    feeds.begin();
    feeds.step(step(0, 3));
    feeds.remove(what, reader.follower);
    vi.advanceTimersByTime(lingerMs - 1);
    feeds.change();
    feeds.step(step(3, 4));
    const again = new Reader();
    feeds.add(what, again.follower);

    expect(again.said).toEqual(["1", "2", "3", "4"]);
    expect(feeds.change()).toEqual({ follow: [], unfollow: [], needsNew: false });
});

test("no more is followed than a stream may, and who comes too late is told", () => {
    for (let n = 0; n < 32; n++) {
        feeds.add({ match: `m-${n}`, seat: "" }, new Reader().follower);
    }
    const late = new Reader();
    feeds.add({ match: "m-late", seat: "" }, late.follower);

    expect(late.reasons).toEqual([ErrorReason.LIMIT_REACHED]);
    expect(feeds.begin().length).toBe(32);
});
