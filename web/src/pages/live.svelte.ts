/** Lists of matches that change while they are looked at. */
import {
    MatchState,
    type ListMatchesRequestSchema,
    type Match,
} from "$gen/bree/gateway/v1/gateway_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { clockShort } from "../frame/clock";
import { Paging } from "../frame/paging.svelte";
import { isFree } from "../frame/results";
import type { Wire } from "../wire/contract";

type Wanted = MessageInitShape<typeof ListMatchesRequestSchema>;

/** The matches that a request lists, page by page. */
export function matchesBy(wire: Wire, wanted: Wanted): Paging<Match> {
    return new Paging<Match>(
        async (pageToken) => {
            const found = await wire.clients.matches.listMatches({ ...wanted, pageToken });
            return { things: found.matches, next: found.nextPageToken };
        },
        ({ id }) => id,
    );
}

export type ClockFilter = "" | "day" | "live" | "none";

export interface LobbyFilter {
    game: string;
    state: "" | "open" | "running";
    clock: ClockFilter;
    mine: boolean;
}

export function filterFrom(query: URLSearchParams): LobbyFilter {
    const [state, clock] = [query.get("state") ?? "", query.get("clock") ?? ""];
    return {
        game: query.get("game") ?? "",
        state: state === "open" || state === "running" ? state : "",
        clock: clock === "none" || clock === "live" || clock === "day" ? clock : "",
        mine: query.get("mine") === "yes",
    };
}

/** What the platform can filter by itself. */
export function requestOf(filter: LobbyFilter): Wanted {
    const states = {
        "": MatchState.UNSPECIFIED,
        open: MatchState.OPEN,
        running: MatchState.RUNNING,
    };
    return { game: filter.game, state: states[filter.state], mine: filter.mine, pageSize: 20 };
}

/** Whether a match belongs into the lobby as it is filtered. */
export function fits(match: Match, filter: LobbyFilter, account: string): boolean {
    if (filter.game && match.game !== filter.game) return false;
    if (!isAt(match.state, filter.state)) return false;
    if (filter.mine && !match.seats.some((seat) => account && seat.account === account))
        return false;
    return isTimed(match, filter.clock);
}

function isAt(state: MatchState, wanted: LobbyFilter["state"]): boolean {
    if (wanted === "open") return state === MatchState.OPEN;
    if (wanted === "running") return state === MatchState.RUNNING;
    return state === MatchState.OPEN || state === MatchState.RUNNING;
}

/** A match is played in one sitting if nobody may think for a day. */
export function isTimed(match: Match, wanted: ClockFilter): boolean {
    if (wanted === "") return true;
    if (clockShort(match.clock) === "no clock") return wanted === "none";
    const longest = Math.max(Number(match.clock?.bankMs ?? 0n), Number(match.clock?.moveMs ?? 0n));
    return wanted === (longest < 86_400_000 ? "live" : "day");
}

/** Matches with a free seat first, and those that wait for people alone before those of bots. */
export function openFirst(one: Match, other: Match): number {
    return Number(other.seats.some(isFree)) - Number(one.seats.some(isFree));
}
