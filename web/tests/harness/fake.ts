/** A wire over the made-up platform, and the cases in which something goes wrong. */
import { Ending } from "$gen/bree/engine/v1/types_pb";
import { AccountSchema, MatchState } from "$gen/bree/gateway/v1/gateway_pb";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { ListenQuestionsResponse, Match } from "$gen/bree/gateway/v1/gateway_pb";
import { ListenQuestionsResponseSchema } from "$gen/bree/gateway/v1/gateway_pb";
import type { Link, Wire } from "../../src/wire/contract";
import { catalogue } from "../unit/catalogue";
import { AWAY, Platform } from "./platform";

export type Case = "" | "away" | "empty" | "ended" | "limit" | "named" | "old" | "nobody" | "slow";

/** A platform with some matches. */
export function populated(wanted: Case): Platform {
    const platform = new Platform(catalogue);
    if (wanted === "named") platform.me = { id: "k7", name: "rosie", guest: false };
    if (wanted === "nobody") platform.me = undefined;
    if (wanted !== "empty") fill(platform);
    if (wanted === "limit") {
        const refused = {
            code: Code.ResourceExhausted,
            reason: "LIMIT_REACHED",
            message: "an account may have 50 open matches",
            metadata: { limit: "50", of: "open matches" },
        };
        platform.refuse("createMatch", ...Array<typeof refused>(9).fill(refused));
    }
    if (wanted === "away") {
        for (const method of [
            "listGames",
            "listMatches",
            "getMatch",
            "getProfile",
            "listLeaders",
            "listSessions",
        ]) {
            platform.refuse(method, ...Array<typeof AWAY>(9).fill(AWAY));
        }
    }
    return platform;
}

function fill(platform: Platform): void {
    const me = platform.me?.name ?? "";
    const ago = (minutes: number) => timestampFromMs(Date.now() - minutes * 60_000);
    const two = (one: object, other: object, seats = ["good", "dark"]) => [
        { seat: seats[0] ?? "", ...one },
        { seat: seats[1] ?? "", ...other },
    ];
    const add = platform.add.bind(platform);
    const { OVER, OPEN, RUNNING, CLOSED } = MatchState;
    const ended = (good: number, dark: number) => ({
        ending: Ending.FINISHED,
        scores: [
            { seat: "good", score: good },
            { seat: "dark", score: dark },
        ],
    });
    add({
        id: "c-over1",
        game: "confrontation",
        state: OVER,
        createTime: ago(9000),
        seats: two({ account: me }, { botLevel: "novice" }),
        outcome: ended(1, 0),
        rated: true,
    });
    add({
        id: "c-over2",
        game: "confrontation",
        state: OVER,
        createTime: ago(4000),
        seats: two({ account: "rosie" }, { account: me }),
        outcome: ended(1, 0),
        rated: true,
    });
    add({
        id: "c-over3",
        game: "confrontation",
        state: OVER,
        createTime: ago(3000),
        seats: two({ account: me }, { account: "sam_g" }),
        outcome: ended(1, 1),
        rated: true,
    });
    add({
        id: "c-closed",
        game: "duel",
        state: CLOSED,
        createTime: ago(500),
        seats: two({}, {}, ["fellowship", "sauron"]),
    });
    add({
        id: "r-run2",
        game: "risk",
        state: RUNNING,
        createTime: ago(75),
        seats: ["yellow", "red", "green", "black"].map((seat, at) =>
            at === 1 ? { seat, account: "sam_g" } : { seat, botLevel: "adept" },
        ),
    });
    add({
        id: "d-run1",
        game: "duel",
        state: RUNNING,
        createTime: ago(12),
        clock: { bankMs: 1_200_000n, moveMs: 15_000n },
        seats: two({ account: "rosie" }, { account: "👑".repeat(12) }, ["fellowship", "sauron"]),
    });
    add({
        id: "c-mine1",
        game: "confrontation",
        state: RUNNING,
        createTime: ago(5),
        seats: two({ botLevel: "novice" }, { account: me }),
    });
    add({
        id: "w-open1",
        game: "warofthering",
        state: OPEN,
        creator: "rosie",
        createTime: ago(33),
        clock: { moveMs: 86_400_000n, botLevel: "adept" },
        seats: [
            { seat: "gondor", account: "rosie" },
            { seat: "rohan" },
            { seat: "witch_king", botLevel: "adept" },
            { seat: "saruman" },
        ],
        options:
            catalogue
                .find(({ game }) => game === "warofthering")
                ?.options.map(({ name, defaultValue }) => ({
                    name,
                    value: name === "players" ? "4" : defaultValue,
                })) ?? [],
    });
    add({
        id: "c-open2",
        game: "confrontation",
        state: OPEN,
        creator: "sam_g",
        createTime: ago(3),
        seats: two({ account: "sam_g" }, {}),
    });
    add({
        id: "c-open3",
        game: "confrontation",
        state: OPEN,
        creator: me,
        createTime: ago(1),
        seats: two({ account: me }, {}),
        options:
            catalogue
                .find(({ game }) => game === "confrontation")
                ?.options.map(({ name, defaultValue }) => ({ name, value: defaultValue })) ?? [],
    });
}

export interface FakeWire extends Wire {
    question(question: ListenQuestionsResponse): void;
    told(match: Match): void;
    link(link: Link): void;
}

export function fakeWire(platform: Platform): FakeWire {
    const clients = platform.clients();
    const accounts = new Set<Parameters<Wire["onAccount"]>[0]>();
    const links = new Set<(link: Link) => void>();
    const questions = new Set<(question: ListenQuestionsResponse) => void>();
    const matches = new Set<(match: Match) => void>();
    const put = <T>(set: Set<T>, one: T) => {
        set.add(one);
        return () => set.delete(one);
    };
    const account = () => (platform.me ? create(AccountSchema, platform.me) : undefined);
    return {
        clients,
        enter: async () => {
            const found = await clients.accounts.getAccount({});
            for (const listener of accounts) listener(found.account);
            if (!found.account) throw new Error("nobody");
            return found.account;
        },
        onAccount: (listener) => put(accounts, listener),
        onLink: (listener) => put(links, listener),
        onQuestion: (listener) => put(questions, listener),
        onMatch: (listener) => put(matches, listener),
        onNote: () => () => undefined,
        follow: () => () => undefined,
        changed: () => {
            for (const listener of accounts) listener(account());
        },
        question: (question) => {
            for (const listener of questions) listener(question);
        },
        told: (match) => {
            for (const listener of matches) listener(match);
        },
        link: (link) => {
            for (const listener of links) listener(link);
        },
    };
}

/** What is told by itself in a case, some moments after the page has come. */
export function happen(wire: FakeWire, wanted: Case): void {
    if (wanted === "away") {
        const now = Date.now();
        wire.link({
            state: "away",
            since: now,
            why: "The gateway does not answer.",
            retryAt: now + 24_000,
        });
    } else if (wanted === "ended") wire.link({ state: "ended" });
    else if (wanted === "old") wire.link({ state: "old", release: "0.2.0" });
    else if (wanted === "" || wanted === "named") {
        wire.question(
            create(ListenQuestionsResponseSchema, {
                match: "c-mine1",
                game: "confrontation",
                seat: "dark",
                question: {
                    number: 12n,
                    prompt: "turn.move",
                    sentence: "Which character do you move, and where?",
                },
            }),
        );
    }
}
