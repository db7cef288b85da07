import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ListenQuestionsResponseSchema } from "$gen/bree/gateway/v1/gateway_pb";
import { noticing, Turns } from "../../src/frame/turns.svelte";
import type { Wire } from "../../src/wire/contract";

const question = (match: string, seat: string, number?: bigint) =>
    create(ListenQuestionsResponseSchema, {
        match,
        seat,
        game: "duel",
        ...(number === undefined ? {} : { question: { number } }),
    });
const matchesOf = (turns: Turns) => turns.waiting.map(({ match, seat }) => `${match} ${seat}`);

describe("the questions that wait", () => {
    test("each seat is counted once, the oldest first", () => {
        const turns = new Turns();
        turns.told(question("a", "good", 1n));
        turns.told(question("b", "good", 1n));
        turns.told(question("a", "dark", 4n));

        expect(matchesOf(turns)).toEqual(["a good", "b good", "a dark"]);
    });

    test("one that is told again is no news", () => {
        const turns = new Turns();

        expect(
            [question("a", "good", 5n), question("a", "good", 5n), question("a", "good", 4n)].map(
                (one) => turns.told(one),
            ),
        ).toEqual([true, false, false]);
        expect(turns.waiting).toHaveLength(1);
    });

    test("one that is answered is gone, and stays so when it is told late", () => {
        const turns = new Turns();
        turns.told(question("a", "good", 5n));
        turns.answered("a", "good", 5n);

        expect(turns.waiting).toEqual([]);
        expect(turns.told(question("a", "good", 5n))).toBe(false);
        expect(turns.waiting).toEqual([]);
    });

    test("the next one stands, though the answer to the one before is noted late", () => {
        const turns = new Turns();
        turns.told(question("a", "good", 6n));
        turns.answered("a", "good", 5n);

        expect(matchesOf(turns)).toEqual(["a good"]);
    });

    test("a match that is over waits for nobody", () => {
        const turns = new Turns();
        turns.told(question("a", "good", 5n));
        turns.told(question("a", "dark", 6n));
        turns.told(question("a", "good"));

        expect(matchesOf(turns)).toEqual(["a dark"]);
    });

    test("another account has nothing to do with them", () => {
        const turns = new Turns();
        turns.told(question("a", "good", 5n));
        turns.answered("b", "good", 9n);
        turns.clear();

        expect(turns.waiting).toEqual([]);
        expect(turns.told(question("b", "good", 2n))).toBe(true);
    });

    test("an answer is noted when it has been taken, and not when it is refused", async () => {
        const turns = new Turns();
        turns.told(question("a", "good", 5n));
        let refused = true;
        const act = () => (refused ? Promise.reject(new Error("away")) : Promise.resolve({}));
        const wire = { clients: { matches: { act } } } as unknown as Wire;
        const noted = noticing(wire, turns);
        const answer = { match: "a", seat: "good", question: 5n, action: "x", requestId: "q5" };

        await expect(noted.clients.matches.act(answer)).rejects.toThrow("away");
        expect(turns.waiting).toHaveLength(1);

        refused = false;
        await noted.clients.matches.act(answer);

        expect(turns.waiting).toEqual([]);
    });
});
