/** What is the same stays the same object, and what is not is what it is now. */
import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { BoardSchema } from "$gen/bree/duel/v1/board_pb";
import { keeper, kept } from "../../src/parts/kept";

const before = (): Record<string, unknown> => ({
    coins: 3,
    lands: [
        { name: "Shire", units: 2 },
        { name: "Rohan", units: 0 },
    ],
    lit: new Set(["shire"]),
    none: undefined,
});

describe("kept", () => {
    test("gives back the very object that says the same", () => {
        const was = before();
        expect(kept(was, before())).toBe(was);
    });

    test.each<[string, (now: Record<string, unknown>) => void]>([
        ["another number", (now) => (now["coins"] = 4)],
        ["another part of a list", (now) => (now["lands"] = [{ name: "Shire", units: 3 }])],
        ["a longer list", (now) => (now["lands"] as unknown[]).push({ name: "Gondor", units: 1 })],
        ["a list the other way round", (now) => (now["lands"] as unknown[]).reverse()],
        ["another set", (now) => (now["lit"] = new Set(["rohan"]))],
        ["a field more", (now) => (now["more"] = undefined)],
        ["a field less", (now) => delete now["none"]],
        [
            "another field of the same number",
            (now) => {
                delete now["none"];
                now["nil"] = undefined;
            },
        ],
        ["a list where there was a thing", (now) => (now["lit"] = [])],
    ])("says what is now: %s", (_, change) => {
        const was = before();
        const now = before();
        change(now);
        const wanted = structuredClone(now);
        expect(kept(was, now)).not.toBe(was);
        expect(kept(was, now)).toStrictEqual(wanted);
        expect(was).toStrictEqual(before());
    });

    test("keeps each part that is the same", () => {
        const was = before();
        const now = kept<Record<string, unknown>>(was, { ...before(), coins: 4 });
        expect(now["lands"]).toBe(was["lands"]);
        expect(now["lit"]).toBe(was["lit"]);
        const [shire] = was["lands"] as unknown[];
        const moved = kept(was, { ...before(), lands: [{ name: "Shire", units: 2 }] });
        expect((moved["lands"] as unknown[])[0]).toBe(shire);
    });

    test("knows messages of the wire, and takes nothing for a record that is none", () => {
        const message = create(BoardSchema, { chapter: 2, regions: [{ region: "shire" }] });
        const same = create(BoardSchema, { chapter: 2, regions: [{ region: "shire" }] });
        expect(kept(message, same)).toBe(message);
        const later = kept(message, create(BoardSchema, { ...same, chapter: 3 }));
        expect([later.chapter, later.$typeName]).toEqual([3, message.$typeName]);
        expect(later.regions).toBe(message.regions);
        const bytes = new Uint8Array([1]);
        expect(kept({ bytes: new Uint8Array([2]) }, { bytes }).bytes).toBe(bytes);
        const day = new Date(1);
        expect(kept(new Date(0), day)).toBe(day);
    });
});

test("a keeper goes from one to the next", () => {
    const keep = keeper<{ coins: number[] } | undefined>();
    const first = keep({ coins: [1, 2] });
    expect(keep({ coins: [1, 2] })).toBe(first);
    expect(keep({ coins: [1, 3] })).toEqual({ coins: [1, 3] });
    expect(keep(undefined)).toBeUndefined();
    expect(keep({ coins: [1, 2] })).not.toBe(first);
});
