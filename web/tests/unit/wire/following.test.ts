/** Following matches over streams that break in every place: no gap, nothing twice. */
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import type { MatchStep } from "$gen/bree/gateway/v1/gateway_pb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Following, Link } from "../../../src/wire/contract";
import { beatMs } from "../../../src/wire/stream";
import { FakeBrowser, type Kind, type Tab } from "./browser";
import { FakeGateway } from "./gateway";

/** A tab that writes down what it is told of a match. */
class Reader {
    said: string[] = [];
    revisions: bigint[] = [];
    links: Link[] = [];
    reasons: ErrorReason[] = [];

    constructor(
        readonly tab: Tab,
        readonly what: Following = { match: "m-1", seat: "good" },
    ) {
        tab.wire.onLink((link) => this.links.push(link));
        this.follow(what);
    }

    private follow(what: Following): void {
        this.tab.wire.follow(
            what,
            (step) => {
                this.take(step);
            },
            ({ reason }) => {
                this.reasons.push(reason);
                this.said = [];
                this.follow({ ...what, after: undefined });
            },
        );
    }

    private take({ step }: MatchStep): void {
        this.said.push(...(step?.events ?? []).map((event) => event.sentence));
        if (step?.standing) this.revisions.push(step.standing.revision);
    }
}

const numbers = (last: number): string[] => Array.from({ length: last }, (_, n) => String(n + 1));
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

let gateway: FakeGateway;
const start = (kind: Kind): FakeBrowser => new FakeBrowser(gateway, kind);

beforeEach(() => {
    vi.useFakeTimers();
    gateway = new FakeGateway();
});
afterEach(() => {
    vi.useRealTimers();
});

describe.each<Kind>(["worker", "leader", "alone"])("over a line of kind %s", (kind) => {
    test.each([0, 1, 2, 3, 5, 8])(
        "a stream that breaks after %i steps goes on there",
        async (at) => {
            gateway.revision = 3;
            const reader = new Reader(start(kind).tab());
            await pass(100);
            for (let n = 0; n < 8; n++) {
                if (n === at) gateway.breakAll();
                gateway.play();
                if (n % 2) await pass(20_000);
            }
            await pass(40_000);

            expect(reader.said).toEqual(numbers(11));
            expect(reader.links.at(-1)).toEqual({ state: "well" });
            expect(gateway.live.length).toBe(1);
        },
    );

    test("a stream that hangs is opened anew after three beats", async () => {
        const reader = new Reader(start(kind).tab());
        await pass(100);
        gateway.play();
        for (const open of gateway.live) open.isSilent = true;
        gateway.play();
        await pass(4.5 * beatMs);

        expect(reader.said).toEqual(numbers(2));
        expect(gateway.live.length).toBe(1);
    });

    test("while the platform is away this is said, and it is tried again less and less often", async () => {
        const reader = new Reader(start(kind).tab());
        await pass(100);
        gateway.isAway = true;
        gateway.breakAll();
        await pass(120_000);
        const tried = gateway.calls.filter((call) => call === "ListenNews").length;
        const away = reader.links.filter((link) => link.state === "away");

        expect(tried).toBeGreaterThan(8);
        expect(tried).toBeLessThan(30);
        expect(new Set(away.map((link) => link.since)).size).toBe(1);
        expect(away.every((link) => link.retryAt >= link.since)).toBe(true);
        gateway.isAway = false;
        gateway.play();
        reader.tab.wire.wake();
        await pass(100);
        expect(reader.said).toEqual(numbers(1));
    });
});

describe("tabs that share", () => {
    test.each<Kind>(["worker", "leader"])("ten tabs hold one stream (%s)", async (kind) => {
        const browser = start(kind);
        const readers = Array.from({ length: 10 }, (_, n) => {
            return new Reader(browser.tab(), { match: `m-${n % 3}`, seat: "" });
        });
        await pass(500);
        gateway.play();
        gateway.play();
        await pass(500);

        expect(gateway.live.length).toBe(1);
        expect(gateway.live[0]?.follows.size).toBe(3);
        for (const { said } of readers) expect(said).toEqual(numbers(2));
    });

    test("a tab that comes later gets all, and the first one nothing twice", async () => {
        const browser = start("worker");
        const first = new Reader(browser.tab());
        await pass(100);
        gateway.play();
        await pass(100);
        gateway.play();
        await pass(100);
        const second = new Reader(browser.tab());
        await pass(100);
        gateway.play();
        await pass(100);

        expect(first.said).toEqual(numbers(3));
        expect(second.said).toEqual(numbers(3));
        expect(gateway.opened.length).toBe(1);
    });

    test("a leader that dies is followed by another tab, which goes on where each stands", async () => {
        const browser = start("leader");
        const [first, second, third] = [0, 1, 2].map(() => new Reader(browser.tab()));
        await pass(100);
        gateway.play();
        await pass(100);
        first?.tab.kill();
        gateway.play();
        await pass(1000);
        gateway.play();
        await pass(100);

        expect(second?.said).toEqual(numbers(3));
        expect(third?.said).toEqual(numbers(3));
        expect(gateway.live.length).toBe(1);
        expect(second?.reasons).toEqual([]);
    });

    test("a leader that is frozen is deposed by a tab that is looked at", async () => {
        const browser = start("leader");
        const [first, second] = [0, 1].map(() => new Reader(browser.tab()));
        await pass(100);
        first?.tab.freeze();
        gateway.play();
        second?.tab.wire.wake();
        await pass(10_000);

        expect(second?.said).toEqual(numbers(1));
        expect(gateway.live.length).toBe(1);
    });

    test("a tab that is killed leaves no match followed", async () => {
        const browser = start("worker");
        const first = new Reader(browser.tab(), { match: "m-1", seat: "" });
        new Reader(browser.tab(), { match: "m-2", seat: "" });
        await pass(100);
        expect(gateway.live[0]?.follows.size).toBe(2);
        first.tab.kill();
        await pass(45_000);

        expect([...(gateway.live[0]?.follows.keys() ?? [])]).toEqual(["m-2 "]);
        expect(browser.exchange?.size).toBe(1);
    });
});

describe("one match", () => {
    test("what was lost by the platform makes the match begin anew", async () => {
        const reader = new Reader(start("worker").tab());
        await pass(100);
        gateway.play();
        gateway.play();
        await pass(100);
        gateway.history = "b";
        gateway.revision = 1;
        gateway.breakAll();
        await pass(2_000);
        gateway.play();
        await pass(100);

        expect(reader.reasons).toEqual([ErrorReason.HISTORY_CHANGED]);
        expect(reader.said).toEqual(numbers(2));
    });

    test("a follow that is given up and taken up again is told from its beginning", async () => {
        const { wire } = start("worker").tab();
        const said: string[] = [];
        const tell = ({ step }: MatchStep): void => {
            said.push(...(step?.events ?? []).map((event) => event.sentence));
        };
        const stop = wire.follow({ match: "m-1", seat: "" }, tell, () => undefined);
        await pass(100);
        gateway.play();
        await pass(100);
        stop();
        await pass(60_000);
        expect(gateway.live[0]?.follows.size).toBe(0);
        gateway.play();
        wire.follow({ match: "m-1", seat: "" }, tell, () => undefined);
        await pass(1_000);

        expect(said).toEqual(["1", "1", "2"]);
        expect(gateway.live.length).toBe(1);
    });

    test("a change of the stream that is lost makes a new stream", async () => {
        const { wire } = start("worker").tab();
        const said: string[] = [];
        wire.follow(
            { match: "m-1", seat: "" },
            () => undefined,
            () => undefined,
        );
        await pass(100);
        gateway.revision = 2;
        const [open] = gateway.live;
        if (open) (open.request as { stream: string }).stream = "another";
        wire.follow(
            { match: "m-2", seat: "" },
            ({ step }) => said.push(...(step?.events ?? []).map((event) => event.sentence)),
            () => undefined,
        );
        await pass(20_000);

        expect(said).toEqual(numbers(2));
        expect(gateway.live.length).toBe(1);
    });
});

describe("what is told besides steps", () => {
    test("a note goes to all tabs, once", async () => {
        const browser = start("worker");
        const tabs = [browser.tab(), browser.tab()].map(({ wire }) => {
            const told: string[] = [];
            wire.onNote(({ text }) => told.push(text));
            wire.onMatch(() => undefined, true);
            return told;
        });
        await pass(100);
        for (const open of gateway.live) {
            open.push({ case: "note", value: { match: "m-1", text: "Muster?" } });
        }
        await pass(100);

        expect(tabs).toEqual([["Muster?"], ["Muster?"]]);
    });

    test("a question is nobody's while a bot stands in, and comes again after it", async () => {
        const { wire } = start("worker").tab();
        const told: (bigint | undefined)[] = [];
        wire.onQuestion(({ question }) => told.push(question?.number));
        wire.onMatch(() => undefined, true);
        await pass(100);
        const [open] = gateway.live;
        const ask = { match: "m-1", seat: "good", question: { number: 7n } };
        open?.push({ case: "question", value: ask });
        const seats = (standIn: string) => [{ seat: "good", account: "rosie", standIn }];
        open?.push({ case: "match", value: { id: "m-1", seats: seats("greedy") } });
        open?.push({ case: "match", value: { id: "m-1", seats: seats("greedy") } });
        await pass(100);
        open?.push({ case: "question", value: ask });
        await pass(100);

        expect(told).toEqual([7n, undefined, 7n]);
    });
});
