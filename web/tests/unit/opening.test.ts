import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import type { CreateMatchRequest, JoinMatchRequest } from "$gen/bree/gateway/v1/gateway_pb";
import { MatchState } from "$gen/bree/gateway/v1/gateway_pb";
import {
    BY_CHANCE,
    failureWords,
    LATER,
    openMatch,
    OpeningFailed,
    usualOrder,
    type Keep,
    type Order,
} from "../../src/pages/play/opening";
import { usualLevel } from "../../src/frame/words";
import { AWAY, Platform, type Refused } from "../harness/platform";
import { catalogue } from "./catalogue";

const LIMIT: Refused = {
    code: Code.ResourceExhausted,
    reason: "LIMIT_REACHED",
    message: "an account may have 50 open matches",
    metadata: { limit: "50", of: "open matches" },
};

function gameOf(name: string) {
    const game = catalogue.find((one) => one.game === name);
    if (!game) throw new Error(name);
    return game;
}

interface Kept {
    match: string;
    seat: string;
    nonce: Uint8Array;
    commitment: string;
}

function table() {
    const platform = new Platform(catalogue);
    const kept: Kept[] = [];
    const keep: Keep = (match, seat, nonce, commitment) => {
        kept.push({ match, seat, nonce, commitment });
    };
    return { platform, kept, open: (order: Order) => openMatch(platform.clients(), order, keep) };
}

async function failed(open: Promise<unknown>): Promise<OpeningFailed> {
    const error: unknown = await open.then(
        () => new Error("nothing failed"),
        (reason: unknown) => reason,
    );
    if (!(error instanceof OpeningFailed)) throw error;
    return error;
}

describe("one press", () => {
    test.each(catalogue.map((game) => [game.game, game.seats.length] as const))(
        "a match of %s with all of %d seats taken runs",
        async (name, seats) => {
            const { platform, open } = table();
            const { match, seat } = await open(usualOrder(gameOf(name), "novice"));

            const found = platform.match(match);

            expect(found.state).toBe(MatchState.RUNNING);
            expect(found.seats.filter((one) => one.botLevel === "novice")).toHaveLength(seats - 1);
            expect(found.seats.find((one) => one.account !== "")?.seat).toBe(seat);
        },
    );

    test("the seat is one by chance, and named, so that the call may be made again", async () => {
        const seats = new Set<string>();
        for (let round = 0; round < 40; round += 1) {
            const { platform, open } = table();
            const { seat } = await open(usualOrder(gameOf("duel"), "novice"));
            seats.add(seat);
            const joined = platform.calls.find(({ method }) => method === "joinMatch");

            expect((joined?.request as JoinMatchRequest).seat).toBe(seat);
        }

        expect(seats).toEqual(new Set(["fellowship", "sauron"]));
    });

    test("the nonce has 16 bytes, is another each time, and is kept beside the commitment", async () => {
        const { platform, kept, open } = table();
        const { match, seat } = await open(usualOrder(gameOf("duel"), "novice"));
        await open(usualOrder(gameOf("duel"), "novice"));

        const sent = platform.calls.filter(({ method }) => method === "joinMatch");
        const nonces = sent.map(({ request }) => (request as JoinMatchRequest).nonce);

        expect(kept[0]).toEqual({
            match,
            seat,
            nonce: nonces[0],
            commitment: platform.match(match).commitment,
        });
        expect(nonces[0]).toHaveLength(16);
        expect(nonces[0]).not.toEqual(nonces[1]);
    });

    test("a request id of its own makes each match one match", async () => {
        const { platform, open } = table();
        await open(usualOrder(gameOf("duel"), "novice"));
        await open(usualOrder(gameOf("duel"), "novice"));

        const made = platform.calls.filter(({ method }) => method === "createMatch");
        const ids = made.map(({ request }) => (request as CreateMatchRequest).requestId);

        expect(new Set(ids).size).toBe(2);
        expect(ids.every((id) => /^[!-~]{1,40}$/.test(id))).toBe(true);
    });

    test("whoever is new meets the first bot that thinks", () => {
        expect(usualLevel(["uniform", "novice", "greedy"])).toBe("novice");
        expect(usualLevel(["weak", "middling", "strong"])).toBe("middling");
        expect(usualLevel(["only"])).toBe("only");
        expect(usualLevel([])).toBe("");
    });
});

describe("an order", () => {
    const order: Order = { request: { game: "risk", options: [] }, seat: "red", bots: "" };

    test("for people leaves their seats free and begins nothing", async () => {
        const { platform, open } = table();
        const { match, seat } = await open(order);

        expect(seat).toBe("red");
        expect(platform.match(match).state).toBe(MatchState.OPEN);
        expect(platform.called()).toEqual(["createMatch", "joinMatch"]);
    });

    test("may leave one's own seat for later", async () => {
        const { platform, open } = table();
        const { seat } = await open({ ...order, seat: LATER, bots: "novice" });

        expect(seat).toBe("");
        expect(platform.called()).toEqual(["createMatch"]);
    });
});

describe("what fails half-way", () => {
    const usual = usualOrder(gameOf("risk"), "novice", BY_CHANCE);

    test("a limit that is reached opens nothing, and nothing has to be left", async () => {
        const { platform, open } = table();
        platform.refuse("createMatch", LIMIT);
        const error = await failed(open(usual));

        expect([error.step, error.refusal.reason, error.leftOpen]).toEqual([
            "open",
            "LIMIT_REACHED",
            "",
        ]);
        expect(platform.called()).toEqual(["createMatch"]);
        expect(failureWords(error)).toBe("The match was not opened.");
    });

    test.each([
        ["joinMatch", "seat", "You got no seat."],
        ["addBot", "bot", "The bot did not come."],
        ["startMatch", "begin", "The match did not begin."],
    ] as const)("a %s that is refused closes the match again", async (method, step, words) => {
        const { platform, open } = table();
        platform.refuse(method, AWAY);
        const error = await failed(open(usual));

        expect([error.step, error.refusal.reason, error.leftOpen]).toEqual([
            step,
            "UNAVAILABLE",
            "",
        ]);
        expect(platform.matches.map(({ state }) => state)).toEqual([MatchState.CLOSED]);
        expect(failureWords(error)).toBe(
            `${words} It was closed again, and nothing is left of it.`,
        );
    });

    test("a second bot that does not come closes it as well", async () => {
        const { platform, open } = table();
        const clients = platform.clients();
        const addBot = clients.matches.addBot.bind(clients.matches);
        clients.matches.addBot = async (...call) => {
            const answer = await addBot(...call);
            platform.refuse("addBot", LIMIT);
            return answer;
        };
        const error = await failed(openMatch(clients, usual, () => undefined));

        expect(error.step).toBe("bot");
        expect(platform.matches.map(({ state }) => state)).toEqual([MatchState.CLOSED]);
        expect(open).toBeDefined();
    });

    test("a match that cannot be closed is said to be open", async () => {
        const { platform, open } = table();
        platform.refuse("startMatch", AWAY);
        platform.refuse("leaveMatch", AWAY);
        const error = await failed(open(usual));

        expect(error.leftOpen).toBe(platform.matches[0]?.id);
        expect(failureWords(error)).toContain("you find it in the lobby");
    });

    test("a match that has begun, though the answer was lost, is played", async () => {
        const { platform } = table();
        const clients = platform.clients();
        const start = clients.matches.startMatch.bind(clients.matches);
        clients.matches.startMatch = async (...call) => {
            await start(...call);
            throw new Error("the connection broke");
        };
        const { match } = await openMatch(clients, usual, () => undefined);

        expect(platform.match(match).state).toBe(MatchState.RUNNING);
        expect(platform.called()).not.toContain("leaveMatch");
    });

    test("a seat that the match does not have is said, with those it has", async () => {
        const { open } = table();
        const error = await failed(open({ ...usual, seat: "blue" }));

        expect([error.step, error.refusal.reason]).toEqual(["seat", "UNKNOWN_SEAT"]);
        expect(error.refusal.metadata["seats"]).toBe("yellow red green black");
    });
});
