/** The notes of a team: each once, in order, however they come; and one's own, sent once. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { NoteChannel, NoteSchema } from "$gen/bree/gateway/v1/gateway_pb";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Notes } from "../../../src/match/notes.svelte";
import { refused } from "../wire/gateway";
import { Table } from "./table";

const pass = (ms = 50): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const noteOf = (number: number, more: MessageInitShape<typeof NoteSchema> = {}) =>
    create(NoteSchema, {
        match: "m-1",
        channel: NoteChannel.TEAM,
        team: "warm",
        number: BigInt(number),
        seat: "dark",
        text: `note ${number}`,
        ...more,
    });

let table: Table;
let notes: Notes;
const tell = (...told: ReturnType<typeof noteOf>[]): void => {
    for (const note of told) for (const listener of table.noteListeners) listener(note);
};
const numbers = (): number[] => notes.all.map(({ number }) => Number(number));

beforeEach(async () => {
    vi.useFakeTimers();
    table = new Table();
    table.notes = [5, 4, 3, 2, 1].map((number) => noteOf(number));
    notes = new Notes(table.wire, "m-1", "good", "warm");
    notes.start();
    await pass();
});
afterEach(() => {
    vi.useRealTimers();
});

test("the latest are there at once, and the older ones on request, to the first", async () => {
    expect(numbers()).toEqual([4, 5]);
    await notes.older();
    expect([numbers(), notes.hasMore]).toEqual([[2, 3, 4, 5], true]);
    await notes.older();
    expect([numbers(), notes.hasMore]).toEqual([[1, 2, 3, 4, 5], false]);
});

test("those that come are told once, in order, and are new until they are looked at", () => {
    tell(noteOf(7), noteOf(6), noteOf(7), noteOf(4));

    expect(numbers()).toEqual([4, 5, 6, 7]);
    expect(notes.unread).toBe(2);
    notes.read();
    expect(notes.unread).toBe(0);
});

test("one's own, from another tab, is no news", () => {
    tell(noteOf(6, { seat: "good" }));

    expect([numbers(), notes.unread]).toEqual([[4, 5, 6], 0]);
});

test("notes of another match, another team, or a channel to come are left alone", () => {
    tell(
        noteOf(6, { match: "m-2" }),
        noteOf(6, { team: "cold" }),
        noteOf(6, { channel: NoteChannel.UNSPECIFIED }),
    );

    expect(numbers()).toEqual([4, 5]);
});

test("what did not arrive is sent again under the same id", async () => {
    table.refusal = refused("LIMIT_REACHED", Code.ResourceExhausted);
    expect(await notes.say("Now?")).toBe(false);
    expect(notes.refusal?.reason).toBe("LIMIT_REACHED");
    expect(await notes.say("Now?")).toBe(true);
    expect(await notes.say("Now?")).toBe(true);
    const [first, again, other] = table.saidNotes.map(({ requestId }) => requestId);

    expect(first).toBe(again);
    expect(other).not.toBe(first);
    expect(notes.refusal).toBeUndefined();
    expect(numbers().at(-1)).toBe(99);
});
