import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { Ending } from "$gen/bree/engine/v1/types_pb";
import { MatchSchema, MatchState, type Match } from "$gen/bree/gateway/v1/gateway_pb";
import { Fetched } from "../../src/frame/fetched.svelte";
import { Paging } from "../../src/frame/paging.svelte";
import { joinable, resultOf } from "../../src/frame/results";
import { filterFrom, fits, requestOf } from "../../src/pages/live.svelte";
import { invitation, wrongSeat } from "../../src/pages/match/seats";
import { AWAY, refusalError } from "../harness/platform";

const settled = () => new Promise((done) => setTimeout(done));

function match(init: Parameters<typeof create<typeof MatchSchema>>[1] = {}): Match {
    return create(MatchSchema, {
        id: "a",
        game: "confrontation",
        state: MatchState.OPEN,
        seats: [{ seat: "good", account: "rosie" }, { seat: "dark" }],
        ...init,
    });
}

describe("something that is asked for", () => {
    test("is there, or refused, and may be asked for again", async () => {
        let refused = true;
        const fetched = new Fetched(() =>
            refused ? Promise.reject(refusalError(AWAY)) : Promise.resolve(7),
        );

        expect(fetched.now).toEqual({ at: "waiting" });

        await settled();

        expect(fetched.now).toMatchObject({ at: "refused", refusal: { reason: "UNAVAILABLE" } });

        refused = false;
        await fetched.again();

        expect(fetched.value).toBe(7);
    });

    test("is that of the latest question, whichever answer comes last", async () => {
        const answers: ((value: number) => void)[] = [];
        const fetched = new Fetched(() => new Promise<number>((done) => answers.push(done)));
        void fetched.again();
        answers[1]?.(2);
        answers[0]?.(1);
        await settled();

        expect(fetched.value).toBe(2);
    });
});

describe("a list in pages", () => {
    const pages: Record<string, { things: string[]; next: string }> = {
        "": { things: ["a", "b"], next: "2" },
        "2": { things: [], next: "3" },
        "3": { things: ["b", "c"], next: "" },
    };
    const paging = () =>
        new Paging(
            (token) => Promise.resolve(pages[token] ?? { things: [], next: "" }),
            (one) => one,
        );

    test("goes on over an empty page, and has nothing twice", async () => {
        const list = paging();
        await settled();

        expect([list.things, list.at]).toEqual([["a", "b"], "more"]);

        await list.more();

        expect([list.things, list.at]).toEqual([["a", "b", "c"], "whole"]);
    });

    test("takes news in, in their place or first, and drops what does not fit any more", async () => {
        const list = paging();
        await settled();
        list.merge("new", true);
        list.merge("a", false);
        list.merge("never", false);

        expect(list.things).toEqual(["new", "b"]);
    });

    test("that is refused goes on from where it was", async () => {
        let refused = false;
        const list = new Paging(
            (token) =>
                refused
                    ? Promise.reject(refusalError(AWAY))
                    : Promise.resolve(pages[token] ?? { things: [], next: "" }),
            (one: string) => one,
        );
        await settled();
        refused = true;
        await list.more();

        expect([list.at, list.refusal?.reason, list.things]).toEqual([
            "refused",
            "UNAVAILABLE",
            ["a", "b"],
        ]);

        refused = false;
        await list.more();

        expect(list.things).toEqual(["a", "b", "c"]);
    });
});

describe("the lobby", () => {
    const all = filterFrom(new URLSearchParams());

    test("has what is open or runs", () => {
        const shown = [MatchState.OPEN, MatchState.RUNNING, MatchState.OVER, MatchState.CLOSED].map(
            (state) => fits(match({ state }), all, ""),
        );

        expect(shown).toEqual([true, true, false, false]);
    });

    test("is filtered by game, state and whose it is", () => {
        const filter = filterFrom(new URLSearchParams("game=confrontation&state=open&mine=yes"));

        expect(requestOf(filter)).toMatchObject({
            game: "confrontation",
            state: MatchState.OPEN,
            mine: true,
        });
        expect(fits(match(), filter, "rosie")).toBe(true);
        expect(fits(match(), filter, "sam")).toBe(false);
        expect(fits(match(), filter, "")).toBe(false);
        expect(fits(match({ game: "duel" }), filter, "rosie")).toBe(false);
        expect(fits(match({ state: MatchState.RUNNING }), filter, "rosie")).toBe(false);
    });

    test("is filtered by clock", () => {
        const none = match();
        const live = match({ clock: { bankMs: 600_000n } });
        const days = match({ clock: { moveMs: 86_400_000n } });
        const by = (clock: string) =>
            [none, live, days].map((one) =>
                fits(one, filterFrom(new URLSearchParams({ clock })), ""),
            );

        expect(by("none")).toEqual([true, false, false]);
        expect(by("live")).toEqual([false, true, false]);
        expect(by("day")).toEqual([false, false, true]);
        expect(by("")).toEqual([true, true, true]);
    });

    test("an address that says nonsense shows all", () => {
        expect(filterFrom(new URLSearchParams("state=x&clock=y&mine=1"))).toEqual(all);
    });

    test("one joins where a seat is free and one has none", () => {
        expect([
            joinable(match(), "sam"),
            joinable(match(), "rosie"),
            joinable(match(), ""),
        ]).toEqual([true, false, true]);
        expect(
            joinable(
                match({
                    seats: [
                        { seat: "good", account: "rosie" },
                        { seat: "dark", botLevel: "novice" },
                    ],
                }),
                "sam",
            ),
        ).toBe(false);
        expect(joinable(match({ state: MatchState.RUNNING }), "sam")).toBe(false);
    });
});

describe("results", () => {
    const over = (good: number, dark: number) =>
        match({
            state: MatchState.OVER,
            seats: [
                { seat: "good", account: "rosie" },
                { seat: "dark", botLevel: "novice" },
            ],
            outcome: {
                ending: Ending.FINISHED,
                scores: [
                    { seat: "good", score: good },
                    { seat: "dark", score: dark },
                ],
            },
        });

    test("are told through the eyes of whoever looks", () => {
        expect(resultOf(over(1, 0), "rosie")).toEqual({ kind: "won", text: "Won" });
        expect(resultOf(over(0, 1), "rosie")).toEqual({ kind: "lost", text: "Lost" });
        expect(resultOf(over(1, 1), "rosie")).toEqual({ kind: "drawn", text: "Drawn" });
        expect(resultOf(over(0, 1))).toEqual({ kind: "other", text: "Dark (Novice bot) won" });
        expect(resultOf(match({ outcome: { ending: Ending.ABORTED } }), "rosie")?.kind).toBe(
            "aborted",
        );
        expect(resultOf(match())).toBeUndefined();
    });

    test("partners win together", () => {
        const seats = ["gondor", "rohan", "witch_king", "saruman"];
        const four = match({
            seats: seats.map((seat) => ({ seat })),
            outcome: {
                ending: Ending.FINISHED,
                scores: seats.map((seat, at) => ({ seat, score: at > 1 ? 2 : 0 })),
            },
        });

        expect(resultOf(four)?.text).toBe("Witch-king and Saruman won");
    });
});

describe("a link to a seat", () => {
    const running = match({
        state: MatchState.RUNNING,
        seats: [
            { seat: "good", account: "rosie" },
            { seat: "dark", botLevel: "novice" },
        ],
    });

    test("of one's own, and one to no seat, is right", () => {
        expect(wrongSeat(running, "good", "rosie")).toBeUndefined();
        expect(wrongSeat(running, "", "sam")).toBeUndefined();
    });

    test("of somebody else's says who sits there, and which seats are one's own", () => {
        expect(wrongSeat(running, "dark", "rosie")).toMatchObject({
            title: "Somebody else sits there",
            own: ["good"],
        });
        expect(wrongSeat(running, "dark", "rosie")?.text).toContain("Novice bot");
        expect(wrongSeat(running, "good", "")).toBeDefined();
    });

    test("may be any once all is over", () => {
        expect(
            wrongSeat(match({ ...running, state: MatchState.OVER }), "dark", "sam"),
        ).toBeUndefined();
    });

    test("that the match does not have says which there are", () => {
        expect(wrongSeat(running, "elves", "rosie")?.text).toBe("Its seats are Good and Dark.");
    });

    test("invites, where nobody has been faster", () => {
        expect(invitation(match(), "dark", "sam")).toBe("You are invited to play Dark.");
        expect(invitation(match(), "good", "sam")).toBe(
            "Good has been taken by rosie meanwhile. Still free: Dark.",
        );
        expect(invitation(running, "good", "sam")).toBe(
            "Good has been taken by rosie meanwhile. All seats are taken.",
        );
        expect(invitation(match(), "", "sam")).toBe("");
        expect(invitation(match(), "good", "rosie")).toBe("");
    });
});
