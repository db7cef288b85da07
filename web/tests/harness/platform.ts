/** A platform of made-up data, in memory: enough of the gateway for the pages and their tests. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport, type ConnectRouter } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import type { DescribeGameResponse } from "$gen/bree/engine/v1/engine_pb";
import {
    AccountService,
    CatalogService,
    MatchSchema,
    MatchService,
    MatchState,
    NewsService,
    NoteService,
    RatingService,
    SessionService,
    type Match,
} from "$gen/bree/gateway/v1/gateway_pb";
import type { Clients } from "../../src/wire/clients";

export interface Call {
    method: string;
    request: unknown;
}

/** What the made-up platform refuses: by method, the reasons of its next calls. */
export type Refusals = Record<string, readonly Refused[]>;

export interface Refused {
    code: Code;
    reason: string;
    message: string;
    metadata?: Record<string, string>;
}

export const AWAY: Refused = {
    code: Code.Unavailable,
    reason: "UNAVAILABLE",
    message: "the engines are away",
    metadata: { part: "engine" },
};

export class Platform {
    readonly calls: Call[] = [];
    readonly refusals = new Map<string, Refused[]>();
    matches: Match[] = [];
    me: { id: string; name: string; guest: boolean } | undefined = {
        id: "k7mq2v9x3hd4nwpe",
        name: "guest-rushy-willow",
        guest: true,
    };
    now = Date.UTC(2026, 10, 19, 20);
    pageSize = 20;

    constructor(readonly games: readonly DescribeGameResponse[]) {}

    /** The next calls of a method are refused, one for each refusal. */
    refuse(method: string, ...refused: Refused[]): void {
        this.refusals.set(method, [...(this.refusals.get(method) ?? []), ...refused]);
    }

    called(): string[] {
        return this.calls.map(({ method }) => method);
    }

    clients(): Clients {
        const transport = createRouterTransport((router) => {
            this.#serve(router);
        });
        return {
            accounts: createClient(AccountService, transport),
            catalog: createClient(CatalogService, transport),
            matches: createClient(MatchService, transport),
            news: createClient(NewsService, transport),
            notes: createClient(NoteService, transport),
            ratings: createClient(RatingService, transport),
            sessions: createClient(SessionService, transport),
            of: (service) => createClient(service, transport),
        };
    }

    match(id: string): Match {
        const found = this.matches.find((match) => match.id === id);
        if (!found) {
            throw refusalError({
                code: Code.NotFound,
                reason: "UNKNOWN_MATCH",
                message: `there is no match '${id}'`,
                metadata: { match: id },
            });
        }
        return found;
    }

    add(init: MessageInitShape<typeof MatchSchema>): Match {
        const match = create(MatchSchema, {
            commitment: "fb11f94c9d11eac26a6a7fd60b94f9a4b88a3af59def66348d0f27f547baf07e",
            createTime: timestampFromMs(this.now),
            ...init,
        });
        this.matches.unshift(match);
        return match;
    }

    #note(method: string, request: unknown): void {
        this.calls.push({ method, request });
        const refused = this.refusals.get(method)?.shift();
        if (refused) throw refusalError(refused);
    }

    #serve(router: ConnectRouter): void {
        this.#serveAccounts(router);
        this.#serveMatches(router);
    }

    #serveAccounts(router: ConnectRouter): void {
        const account = (): { id: string; name: string; guest: boolean } => {
            if (this.me) return this.me;
            throw refusalError({
                code: Code.Unauthenticated,
                reason: "UNAUTHENTICATED",
                message: "a valid token is needed",
            });
        };
        router.service(AccountService, {
            getAccount: (request) => {
                this.#note("getAccount", request);
                return { account: account() };
            },
            claimName: (request) => {
                this.#note("claimName", request);
                this.me = { ...account(), name: request.name, guest: false };
                return { account: this.me };
            },
            rotateToken: (request) => {
                this.#note("rotateToken", request);
                return { token: "k7mq2v9x3hd4nwpe.8Jx2PzQv0sRk1yTn5mWb7cLd" };
            },
            getProfile: (request) => {
                this.#note("getProfile", request);
                return this.#profile(request.account);
            },
        });
        router.service(SessionService, {
            startSession: (request) => {
                this.#note("startSession", request);
                this.me ??= { id: "b2", name: "guest-mossy-stile", guest: true };
                return { account: this.me };
            },
            createLoginCode: (request) => {
                this.#note("createLoginCode", request);
                return { code: "kmq4-7xw2", expireTime: timestampFromMs(Date.now() + 299_000) };
            },
            listSessions: (request) => {
                this.#note("listSessions", request);
                return {
                    sessions: [
                        {
                            id: "s1",
                            device: "Firefox on Linux",
                            useTime: timestampFromMs(Date.now() - 60_000),
                        },
                        {
                            id: "s2",
                            device: "Safari on iPhone",
                            useTime: timestampFromMs(Date.now() - 2e8),
                        },
                    ],
                };
            },
            endSession: (request) => {
                this.#note("endSession", request);
                return {};
            },
            endAllSessions: (request) => {
                this.#note("endAllSessions", request);
                return { ended: 1 };
            },
        });
        router.service(CatalogService, {
            listGames: (request) => {
                this.#note("listGames", request);
                return { games: [...this.games] };
            },
        });
        router.service(RatingService, {
            listLeaders: (request) => {
                this.#note("listLeaders", request);
                return this.#leaders(request.game, request.pageToken);
            },
        });
    }

    #profile(wanted: string) {
        const name = wanted || this.me?.name || "";
        if (name === "nobody") {
            throw refusalError({
                code: Code.NotFound,
                reason: "INVALID_REQUEST",
                message: "there is no such account",
                metadata: { field: "account" },
            });
        }
        const rating = (game: string, mu: number, sigma: number, matches: bigint) => ({
            account: name,
            game,
            mu,
            sigma,
            ordinal: mu - 3 * sigma,
            matches,
        });
        const createTime = timestampFromMs(this.now - 9e9);
        return {
            account: { id: "x", name, guest: name.startsWith("guest"), createTime },
            ratings: name.startsWith("guest")
                ? []
                : [rating("confrontation", 28.41, 2.7, 41n), rating("duel", 24.2, 7.1, 2n)],
        };
    }

    #leaders(game: string, pageToken: string) {
        const names = ["bot:master", "rosie", "bot:adept", "👑".repeat(12), "bot:greedy", "sam_g"];
        const leaders = names.map((account, at) => ({
            account: pageToken ? `${account}-${pageToken}` : account,
            game,
            mu: 36.2 - 2.3 * at,
            sigma: 1.2 + at * 1.1,
            ordinal: 31 - 4.4 * at,
            matches: BigInt(200 - 38 * at),
        }));
        return { leaders, nextPageToken: pageToken ? "" : "2" };
    }

    #serveMatches(router: ConnectRouter): void {
        router.service(MatchService, {
            createMatch: (request) => {
                this.#note("createMatch", request);
                return { match: this.#created(request) };
            },
            getMatch: (request) => {
                this.#note("getMatch", request);
                return { match: this.match(request.match) };
            },
            listMatches: (request) => {
                this.#note("listMatches", request);
                const account = request.mine ? this.me?.name : request.account;
                const found = this.matches.filter(
                    (match) =>
                        (!request.game || match.game === request.game) &&
                        (!request.state || match.state === request.state) &&
                        (!account || match.seats.some((seat) => seat.account === account)),
                );
                const from = Number(request.pageToken || "0");
                const to = from + this.pageSize;
                return {
                    matches: found.slice(from, to),
                    nextPageToken: to < found.length ? String(to) : "",
                };
            },
            joinMatch: (request) => {
                this.#note("joinMatch", request);
                return this.#seat(request.match, request.seat, { account: this.me?.name ?? "" });
            },
            addBot: (request) => {
                this.#note("addBot", request);
                return this.#seat(request.match, request.seat, { botLevel: request.level });
            },
            removeBot: (request) => {
                this.#note("removeBot", request);
                return this.#seat(request.match, request.seat, { botLevel: "" });
            },
            startMatch: (request) => {
                this.#note("startMatch", request);
                const match = this.match(request.match);
                match.state = MatchState.RUNNING;
                return { match };
            },
            leaveMatch: (request) => {
                this.#note("leaveMatch", request);
                const match = this.match(request.match);
                match.state = MatchState.CLOSED;
                return { match };
            },
        });
    }

    #created(request: {
        game: string;
        options: { name: string; value: string }[];
        clock?: unknown;
    }): Match {
        const game = this.games.find((one) => one.game === request.game);
        if (!game) throw new Error("no such game");
        const chosen = new Map(request.options.map((option) => [option.name, option.value]));
        return this.add({
            id: `c-made${String(this.matches.length + 1)}`,
            game: game.game,
            options: game.options.map(({ name, defaultValue }) => ({
                name,
                value: chosen.get(name) ?? defaultValue,
            })),
            seats: game.seats.map((seat) => ({ seat })),
            state: MatchState.OPEN,
            creator: this.me?.name ?? "",
            createTime: timestampFromMs(Date.now()),
        });
    }

    #seat(id: string, wanted: string, by: { account?: string; botLevel?: string }) {
        const match = this.match(id);
        const seat = match.seats.find((one) => one.seat === wanted);
        if (!seat) {
            throw refusalError({
                code: Code.NotFound,
                reason: "UNKNOWN_SEAT",
                message: `there is no such seat: '${wanted}'`,
                metadata: {
                    match: id,
                    seat: wanted,
                    seats: match.seats.map((one) => one.seat).join(" "),
                },
            });
        }
        if (seat.account || seat.botLevel) {
            throw refusalError({
                code: Code.FailedPrecondition,
                reason: "NOT_ALLOWED",
                message: `somebody sits at ${wanted} already`,
                metadata: { needs: "a free seat", match: id },
            });
        }
        seat.account = by.account ?? "";
        seat.botLevel = by.botLevel ?? "";
        return { match, seat: wanted };
    }
}

/** An error as the gateway sends it, with a google.rpc.ErrorInfo. */
export function refusalError({ code, reason, message, metadata = {} }: Refused): ConnectError {
    const error = new ConnectError(message, code);
    const pairs = Object.entries(metadata).map(([key, value]) => [
        ...field(1, key),
        ...field(2, value),
    ]);
    const bytes = [
        ...field(1, `ERROR_REASON_${reason}`),
        ...field(2, "bree"),
        ...pairs.flatMap((pair) => [26, pair.length, ...pair]),
    ];
    error.details = [{ type: "google.rpc.ErrorInfo", value: new Uint8Array(bytes) }];
    return error;
}

/** A field of a message: its number, and a text of less than 128 bytes. */
function field(number: number, text: string): number[] {
    const bytes = new TextEncoder().encode(text);
    return [(number << 3) | 2, bytes.length, ...bytes];
}
