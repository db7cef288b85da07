import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ClockSchema } from "$gen/bree/engine/v1/engine_pb";
import { agoWords, clockShort, clockWords, countdown, durationWords } from "../../src/frame/clock";

const clock = (bankMs: bigint, moveMs: bigint, botLevel = "") =>
    create(ClockSchema, { bankMs, moveMs, botLevel });

describe("clocks in words", () => {
    test.each([
        [1_000, "1 second"],
        [90_000, "1 minute 30 seconds"],
        [9_000_000, "2 hours 30 minutes"],
        [86_400_000, "1 day"],
        [90_061_000, "1 day 1 hour"],
        [59_999, "1 minute"],
        [0, "no time"],
    ])("%d ms are %s", (ms, words) => {
        expect(durationWords(ms)).toBe(words);
    });

    test("no clock", () => {
        const words = "No clock: everyone takes as long as he likes.";

        expect([clockWords(undefined), clockWords(clock(0n, 0n))]).toEqual([words, words]);
        expect(clockShort(undefined)).toBe("no clock");
    });

    test("a bank, and more with each question; a bot takes over", () => {
        const its = clock(1_200_000n, 15_000n, "adept");

        expect(clockWords(its)).toBe(
            "20 minutes for each seat in the whole match, and 15 seconds more with each question. A hosted bot (adept) takes over the seat of whoever runs out.",
        );
        expect(clockShort(its)).toBe("20 min + 15 s");
    });

    test("a bank alone", () => {
        expect(clockWords(clock(3_600_000n, 0n))).toBe(
            "1 hour for each seat in the whole match. Whoever runs out forfeits.",
        );
        expect(clockShort(clock(3_600_000n, 0n))).toBe("1 h");
    });

    test("so much for each question", () => {
        expect(clockWords(clock(0n, 86_400_000n))).toBe(
            "1 day for each question. Whoever runs out forfeits.",
        );
        expect(clockShort(clock(0n, 86_400_000n))).toBe("1 d a question");
    });

    test("how long ago", () => {
        const now = new Date("2026-11-19T20:00:00Z");
        const ago = (ms: number) => agoWords(new Date(now.getTime() - ms), now);

        expect(ago(0)).toBe("just now");
        expect(ago(-5000)).toBe("just now");
        expect(ago(125_000)).toBe("2 minutes ago");
        expect(ago(2 * 86_400_000)).toBe("2 days ago");
        expect(ago(30 * 86_400_000)).toBe("on 20 October 2026");
    });

    test("a countdown never goes below nothing", () => {
        expect([countdown(299_001), countdown(9_000), countdown(-5)]).toEqual([
            "5:00",
            "0:09",
            "0:00",
        ]);
    });
});
