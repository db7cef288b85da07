import { describe, expect, test } from "vitest";
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import { adviceOn } from "../../src/frame/advice";
import { refusalOf } from "../../src/wire/refusal";
import { AWAY, refusalError } from "../harness/platform";

const refusal = (reason: string, message = "", metadata: Record<string, string> = {}) => ({
    reason,
    message,
    metadata,
});

describe("what people are told", () => {
    test.each(Object.keys(ErrorReason).filter((name) => Number.isNaN(Number(name))))(
        "%s is said in words",
        (reason) => {
            const advice = adviceOn(refusal(reason, "the platform's own words"));

            expect(advice.title).not.toBe("");
            expect(advice.text).not.toBe("");
            expect(`${advice.title} ${advice.text}`).not.toMatch(/undefined|ERROR|_/);
        },
    );

    test("a network that is away is no fault of anybody's, and may be tried again", () => {
        expect(adviceOn(refusalOf(new TypeError("Failed to fetch")))).toMatchObject({
            title: "Bree does not answer",
            again: true,
        });
        expect(adviceOn(refusalOf(new TypeError("Failed to fetch"))).text).not.toContain("fetch");
    });

    test("a store that has lost something is said in the platform's words", () => {
        const said = refusal("UNAVAILABLE", "the store is empty; its host has to see to it", {
            why: "empty",
        });

        expect(adviceOn(said).text).toBe("The store is empty; its host has to see to it.");
    });

    test("who asks too often is told for how long to wait", () => {
        const said = { ...refusal("RATE_LIMITED"), retryAfterMs: 12_000 };

        expect(adviceOn(said).text).toContain("12 seconds");
        expect(adviceOn(said).again).toBe(true);
    });

    test("what cannot be the name of a match is no match", () => {
        const said = refusal("INVALID_REQUEST", "match is 4 to 40 letters", { field: "match" });

        expect(adviceOn(said).title).toBe("There is no such match");
        expect(adviceOn(refusal("INVALID_REQUEST", "no")).title).toBe("That was refused");
    });

    test("a limit that does not pass is not to be tried again", () => {
        expect(
            adviceOn(refusal("LIMIT_REACHED", "an account may have 50 open matches")),
        ).toMatchObject({
            text: "An account may have 50 open matches. Give one of them up first.",
            again: false,
            link: { href: "/lobby?mine=yes" },
        });
    });

    test("a refusal comes from the wire with its reason and its metadata", () => {
        expect(refusalOf(refusalError(AWAY))).toMatchObject({
            reason: "UNAVAILABLE",
            message: "the engines are away",
            metadata: { part: "engine" },
        });
    });
});
