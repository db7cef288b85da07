/** What is repeated when a call fails, and what is not (the table of docs/gateway.md). */
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clientsOver } from "../../../src/wire/clients";
import { patient, type Trouble } from "../../../src/wire/calls";
import { bearMs, Waiting } from "../../../src/wire/patience";
import { refusalOf } from "../../../src/wire/refusal";
import { FakeGateway, refused } from "./gateway";

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const act = { match: "m-1", seat: "good", question: 12n, action: "pass", head: "h" };

let gateway: FakeGateway;
let troubles: (Trouble | undefined)[];
let waiting: Waiting;
let clients: ReturnType<typeof clientsOver>;

beforeEach(() => {
    vi.useFakeTimers();
    gateway = new FakeGateway();
    troubles = [];
    waiting = new Waiting();
    const trouble = (_: object, why?: Trouble): void => void troubles.push(why);
    clients = clientsOver(patient(gateway.transport, { waiting, trouble }));
});
afterEach(() => {
    vi.useRealTimers();
});

const fail = (method: string, ...errors: ConnectError[]): void =>
    void gateway.refusals.set(method, errors);

test.each([
    ["UNAVAILABLE", refused("UNAVAILABLE")],
    ["OUTCOME_UNKNOWN", refused("OUTCOME_UNKNOWN")],
    ["RATE_LIMITED", refused("RATE_LIMITED", Code.ResourceExhausted, { retry_after_ms: "350" })],
    ["the network", new ConnectError("failed to fetch", Code.Unknown)],
    ["the deadline", new ConnectError("late", Code.DeadlineExceeded)],
])("an answer that failed because of %s is sent again, the very same", async (_, error) => {
    fail("Act", error, error);
    const sent = clients.matches.act({ ...act, requestId: "q12" });
    await pass(10_000);
    await sent;

    expect(gateway.acts.map(({ requestId, action }) => [requestId, action])).toEqual(
        Array.from({ length: 3 }, () => ["q12", "pass"]),
    );
    expect(troubles.some((trouble) => trouble !== undefined)).toBe(true);
    expect(troubles.at(-1)).toBe(undefined);
});

test.each([
    "STALE_QUESTION",
    "HISTORY_CHANGED",
    "ILLEGAL_ACTION",
    "LIMIT_REACHED",
    "BUG",
    "MATCH_FROZEN",
] as const)("an answer refused as %s is not sent again", async (reason) => {
    fail("Act", refused(reason, Code.Aborted, { match: "m-1" }));
    const sent = clients.matches.act({ ...act, requestId: "q12" }).catch(refusalOf);
    await pass(bearMs);

    expect(await sent).toEqual({
        reason,
        message: `refused: ${reason}`,
        metadata: { match: "m-1" },
    });
    expect(gateway.acts.length).toBe(1);
});

test("what might be done twice is not repeated when nobody knows whether it was done", async () => {
    fail("Act", refused("OUTCOME_UNKNOWN"));
    const bare = clients.matches.act(act).catch(refusalOf);
    fail("JoinMatch", new ConnectError("failed to fetch", Code.Unknown));
    const random = clients.matches.joinMatch({ match: "m-1", seat: "random" }).catch(refusalOf);
    await pass(bearMs);

    expect(await bare).toMatchObject({ reason: "OUTCOME_UNKNOWN" });
    expect(await random).toMatchObject({ reason: "" });
    expect(gateway.calls.filter((call) => call === "JoinMatch").length).toBe(1);
});

test("the pause that the platform asks for is kept", async () => {
    fail("Act", refused("RATE_LIMITED", Code.ResourceExhausted, { retry_after_ms: "4000" }));
    const sent = clients.matches.act({ ...act, requestId: "q12" });
    await pass(3_990);
    expect(gateway.acts.length).toBe(1);
    await pass(20);
    await sent;

    expect(gateway.acts.length).toBe(2);
});

test("an outage is borne for a while, then whoever called is told", async () => {
    fail("Act", ...Array.from({ length: 99 }, () => refused("UNAVAILABLE")));
    const sent = clients.matches.act({ ...act, requestId: "q12" }).catch(refusalOf);
    await pass(2 * bearMs);

    expect(await sent).toMatchObject({ reason: "UNAVAILABLE" });
    expect(gateway.acts.length).toBeGreaterThan(5);
    expect(gateway.acts.length).toBeLessThan(30);
});

test("who is woken tries at once", async () => {
    fail("Act", refused("RATE_LIMITED", Code.ResourceExhausted, { retry_after_ms: "20000" }));
    const sent = clients.matches.act({ ...act, requestId: "q12" });
    await pass(10);
    waiting.wake();
    await pass(10);
    await sent;

    expect(gateway.acts.length).toBe(2);
});

test("a call that was given up is not made again", async () => {
    const gaveUp = new AbortController();
    fail("Act", refused("UNAVAILABLE"), refused("UNAVAILABLE"));
    const sent = clients.matches
        .act({ ...act, requestId: "q12" }, { signal: gaveUp.signal })
        .catch(refusalOf);
    await pass(10);
    gaveUp.abort();
    await pass(bearMs);

    expect(await sent).toMatchObject({ reason: "UNAVAILABLE" });
    expect(gateway.acts.length).toBe(1);
});

test("details that cannot be read, or are another's, leave the message", () => {
    const broken = new ConnectError("what", Code.Internal);
    broken.details = [{ type: "google.rpc.ErrorInfo", value: new Uint8Array([10, 200, 1]) }];

    expect(refusalOf(broken)).toEqual({ reason: "", message: "what", metadata: {} });
    expect(refusalOf(new TypeError("Failed to fetch"))).toMatchObject({ reason: "" });
});

test.each([
    { code: "abcd" },
    { recoveryCode: "abcd" },
    { passkey: "{}" },
    { provider: { state: "s" } },
    { mail: { address: "a@b.c", code: "d" } },
])("a proof that is worth something once is not shown twice: %o", async (proof) => {
    fail("StartSession", new ConnectError("failed to fetch", Code.Unknown));
    const sent = clients.sessions.startSession(proof).catch(refusalOf);
    await pass(bearMs);

    expect(await sent).toMatchObject({ reason: "" });
    expect(gateway.guests).toBe(0);
});
