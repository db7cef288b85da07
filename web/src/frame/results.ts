/** How matches stand and how they ended, in words. */
import { Ending, type Outcome } from "$gen/bree/engine/v1/types_pb";
import { MatchState, type Match, type MatchSeat } from "$gen/bree/gateway/v1/gateway_pb";
import { listed, playerTitle, seatTitle } from "./words";

export function stateWords(state: MatchState): string {
    switch (state) {
        case MatchState.OPEN:
            return "open";
        case MatchState.RUNNING:
            return "running";
        case MatchState.OVER:
            return "over";
        case MatchState.CLOSED:
            return "closed";
        default:
            return "";
    }
}

/** The seats with the highest score; none if there is no winner. */
export function winnersOf(outcome: Outcome): string[] {
    if (outcome.ending !== Ending.FINISHED) return [];
    const best = Math.max(...outcome.scores.map(({ score }) => score));
    const winners = outcome.scores.filter(({ score }) => score === best);
    return winners.length === outcome.scores.length ? [] : winners.map(({ seat }) => seat);
}

export interface Result {
    kind: "aborted" | "drawn" | "lost" | "other" | "won";
    text: string;
}

/** How a match ended for an account; for everyone where it had no seat, or several. */
export function resultOf(match: Match, account = ""): Result | undefined {
    const { outcome } = match;
    if (!outcome) return undefined;
    if (outcome.ending === Ending.ABORTED) return { kind: "aborted", text: "Aborted" };
    const winners = winnersOf(outcome);
    if (winners.length === 0) return { kind: "drawn", text: "Drawn" };
    const own = match.seats.filter((seat) => account !== "" && seat.account === account);
    const [mine] = own;
    if (own.length !== 1 || !mine)
        return { kind: "other", text: `${seatsNamed(match, winners)} won` };
    return winners.includes(mine.seat)
        ? { kind: "won", text: "Won" }
        : { kind: "lost", text: "Lost" };
}

function seatsNamed(match: Match, seats: readonly string[]): string {
    return listed(seats.map((seat) => seatWords(match, seat)));
}

function seatWords(match: Match, name: string): string {
    const seat = match.seats.find((one) => one.seat === name);
    const player = seat ? playerTitle(seat.account, seat.botLevel) : "";
    return player ? `${seatTitle(name)} (${player})` : seatTitle(name);
}

export function isFree(seat: MatchSeat): boolean {
    return !seat.account && !seat.botLevel;
}

export function seatsOf(match: Match, account: string): MatchSeat[] {
    return match.seats.filter((seat) => account !== "" && seat.account === account);
}

/** Matches that can be joined by somebody who has no seat in them. */
export function joinable(match: Match, account: string): boolean {
    return (
        match.state === MatchState.OPEN &&
        match.seats.some(isFree) &&
        seatsOf(match, account).length === 0
    );
}
