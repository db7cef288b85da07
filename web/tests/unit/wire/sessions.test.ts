/** Who the browser is: one guest for all tabs, and never silently another one. */
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Link } from "../../../src/wire/contract";
import { deviceOf } from "../../../src/wire/device";
import { refusalOf } from "../../../src/wire/refusal";
import { FakeBrowser, type Kind } from "./browser";
import { FakeGateway, leaving, refused } from "./gateway";

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const kinds: Kind[] = ["worker", "leader"];

let gateway: FakeGateway;

beforeEach(() => {
    vi.useFakeTimers();
    gateway = new FakeGateway();
});
afterEach(() => {
    vi.useRealTimers();
});

test.each(kinds)("calls of two tabs that nobody knows begin one session (%s)", async (kind) => {
    gateway.account = undefined;
    const browser = new FakeBrowser(gateway, kind);
    const [one, two] = [browser.tab(), browser.tab()];
    const names: (string | undefined)[] = [];
    two.wire.onAccount((account) => names.push(account?.name));
    const answers = Promise.all([
        one.wire.clients.matches.getMatch({ match: "m-1" }),
        two.wire.clients.matches.getMatch({ match: "m-2" }),
    ]);
    await pass(1_000);

    expect((await answers).map(({ match }) => match?.id)).toEqual(["m-1", "m-2"]);
    expect(gateway.guests).toBe(1);
    expect(names).toEqual([undefined, "guest1"]);
});

test("nobody who only looks at the catalogue is made a guest", async () => {
    gateway.account = undefined;
    const { wire } = new FakeBrowser(gateway, "worker").tab();
    await Promise.all([wire.clients.catalog.listGames({}), pass(60_000)]);

    expect(gateway.guests).toBe(0);
    expect(gateway.opened.length).toBe(0);
});

test("a session that was ended elsewhere is said, and no guest takes its place", async () => {
    const browser = new FakeBrowser(gateway, "worker");
    const links: Link[] = [];
    const { wire } = browser.tab();
    wire.onLink((link) => links.push(link));
    await Promise.all([wire.enter(), pass(1_000)]);
    gateway.account = undefined;
    gateway.breakAll(refused("UNAUTHENTICATED", Code.Unauthenticated));
    await pass(60_000);
    const call = wire.clients.matches.getMatch({ match: "m-1" }).catch(refusalOf);
    await pass(1_000);

    expect(links.at(-1)).toEqual({ state: "ended" });
    expect(gateway.guests).toBe(0);
    expect(await call).toMatchObject({ reason: "UNAUTHENTICATED" });
});

test("the browser remembers over a reload that it had a session", async () => {
    const browser = new FakeBrowser(gateway, "leader");
    const first = browser.tab();
    await Promise.all([first.wire.enter(), pass(1_000)]);
    first.kill();
    gateway.account = undefined;
    const second = browser.tab();
    const links: Link[] = [];
    second.wire.onLink((link) => links.push(link));
    const entered = second.wire.enter().catch(refusalOf);
    await pass(1_000);

    expect(await entered).toMatchObject({ reason: "UNAUTHENTICATED" });
    expect(links.at(-1)).toEqual({ state: "ended" });
    expect(gateway.guests).toBe(0);
});

test("who logs in anew is told in all tabs, and the stream goes on", async () => {
    const browser = new FakeBrowser(gateway, "worker");
    const [one, two] = [browser.tab(), browser.tab()];
    await Promise.all([one.wire.enter(), pass(1_000)]);
    gateway.account = undefined;
    gateway.breakAll(refused("UNAUTHENTICATED", Code.Unauthenticated));
    await pass(1_000);
    const links: Link[] = [];
    const names: (string | undefined)[] = [];
    two.wire.onLink((link) => links.push(link));
    two.wire.onAccount((account) => names.push(account?.name));
    gateway.account = { id: "a2", name: "merry" };
    one.wire.changed();
    await pass(1_000);

    expect(links.at(-1)).toEqual({ state: "well" });
    expect(names.at(-1)).toBe("merry");
    expect(gateway.live.length).toBe(1);
});

test("who logs out is nobody in all tabs, and no stream is left", async () => {
    const browser = new FakeBrowser(gateway, "worker");
    const [one, two] = [browser.tab(), browser.tab()];
    await Promise.all([one.wire.enter(), pass(1_000)]);
    const names: (string | undefined)[] = [];
    two.wire.onAccount((account) => names.push(account?.name));
    gateway.account = undefined;
    one.wire.changed();
    await pass(30_000);

    expect(names).toEqual(["rosie", undefined]);
    expect(gateway.live.length).toBe(0);
    expect(gateway.guests).toBe(0);
});

test("a page of another release than the platform's is old", async () => {
    gateway.release = "1.1";
    const browser = new FakeBrowser(gateway, "worker");
    const links: Link[] = [];
    const { wire } = browser.tab("1.0");
    wire.onLink((link) => links.push(link));
    await Promise.all([wire.enter(), pass(1_000)]);

    expect(links.at(-1)).toEqual({ state: "old", release: "1.1" });
});

test("questions that stand are told to tabs that come later, but not those answered", async () => {
    const browser = new FakeBrowser(gateway, "worker");
    const { wire } = browser.tab();
    await Promise.all([wire.enter(), pass(1_000)]);
    for (const match of ["m-1", "m-2"]) {
        gateway.live[0]?.push({
            case: "question",
            value: { match, seat: "good", question: { number: 7n } },
        });
    }
    await pass(100);
    const act = { match: "m-1", seat: "good", question: 7n, action: "pass", requestId: "q7" };
    await Promise.all([wire.clients.matches.act(act), pass(100)]);
    const told: string[] = [];
    browser.tab().wire.onQuestion(({ match }) => told.push(match));
    await pass(1_000);

    expect(told).toEqual(["m-2"]);
});

test("devices have names that people know", () => {
    const on = (system: string, rest: string): string =>
        deviceOf(`Mozilla/5.0 (${system}) ${rest}`);

    expect(on("X11; Linux x86_64; rv:150.0", "Gecko/20100101 Firefox/150.0")).toBe(
        "Firefox on Linux",
    );
    expect(on("Linux; Android 10; K", "AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36")).toBe(
        "Chrome on Android",
    );
    expect(on("iPhone; CPU iPhone OS 19_0 like Mac OS X", "Version/19.0 Safari/604.1")).toBe(
        "Safari on iOS",
    );
    expect(deviceOf("curl/8")).toBe("A browser");
});

test.each(kinds)(
    "an account that is to be deleted is no outage, and is told once (%s)",
    async (kind) => {
        const browser = new FakeBrowser(gateway, kind);
        const { wire } = browser.tab();
        const links: Link[] = [];
        const leaves: boolean[] = [];
        wire.onLink((link) => links.push(link));
        wire.onAccount((account) => leaves.push(account?.leaveTime !== undefined));
        await Promise.all([wire.enter(), pass(1_000)]);
        gateway.account = { id: "a1", name: "rosie", leaveTime: { seconds: 9n, nanos: 0 } };
        gateway.breakAll(leaving());
        await pass(1_000);
        const asked = gateway.calls.length;
        await pass(120_000);

        expect(leaves).toEqual([false, false, true]);
        expect(links.some(({ state }) => state !== "well")).toBe(false);
        expect(gateway.calls.length).toBe(asked);

        gateway.account = { id: "a1", name: "rosie" };
        wire.changed();
        await pass(1_000);

        expect(leaves.at(-1)).toBe(false);
        expect(gateway.live.length).toBe(1);
    },
);
