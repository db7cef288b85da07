/** The seats of a match by their teams. */
import type { Match, MatchSeat } from "$gen/bree/gateway/v1/gateway_pb";

export interface TeamSeats {
    /** "" where each plays for itself. */
    name: string;
    seats: readonly MatchSeat[];
}

/** Every seat, in one team or all in one group without a name. */
export function byTeam(match: Match): readonly TeamSeats[] {
    if (match.teams.length === 0) return [{ name: "", seats: match.seats }];
    return match.teams.map(({ name, seats }) => ({
        name,
        seats: match.seats.filter(({ seat }) => seats.includes(seat)),
    }));
}

/** The name of the team of a seat that has team-mates. */
export function teamOf(match: Match, seat: string): string | undefined {
    return match.teams.find(({ seats }) => seats.length > 1 && seats.includes(seat))?.name;
}

/** The people whom somebody at these seats can write to: his team-mates, but for himself. */
export function mates(match: Match, seat: string, mine: readonly string[]): readonly MatchSeat[] {
    const team = match.teams.find(({ seats }) => seats.includes(seat));
    return match.seats.filter(
        (one) => team?.seats.includes(one.seat) && one.account && !mine.includes(one.seat),
    );
}
