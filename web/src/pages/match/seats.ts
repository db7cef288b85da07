/** Links that lead to a seat: whether it is one's own, and what is said if it is not. */
import { MatchState, type Match } from "$gen/bree/gateway/v1/gateway_pb";
import { isFree, seatsOf } from "../../frame/results";
import { listed, playerTitle, seatTitle } from "../../frame/words";

export interface WrongSeat {
    title: string;
    text: string;

    /** The seats of whoever looks. */
    own: string[];
}

/** What is wrong with the seat of an address; nothing for a spectator, or when all is over. */
export function wrongSeat(match: Match, seat: string, account: string): WrongSeat | undefined {
    if (!seat) return undefined;
    const found = match.seats.find((one) => one.seat === seat);
    const own = seatsOf(match, account).map((one) => one.seat);
    if (!found) {
        const names = listed(match.seats.map((one) => seatTitle(one.seat)));
        return { title: "The match has no such seat", text: `Its seats are ${names}.`, own };
    }
    if (match.state === MatchState.OVER || own.includes(seat)) return undefined;
    const who = playerTitle(found.account, found.botLevel);
    return {
        title: "Somebody else sits there",
        text: `${seatTitle(seat)} is played by ${who}. You can watch the match; what only a seat may know is shown to nobody else.`,
        own,
    };
}

/** What is said at the table to whoever comes by a link to a seat. */
export function invitation(match: Match, seat: string, account: string): string {
    const found = match.seats.find((one) => one.seat === seat);
    if (!seat || seatsOf(match, account).length > 0) return "";
    if (!found) return `The link names a seat that this match does not have.`;
    if (isFree(found)) return `You are invited to play ${seatTitle(seat)}.`;
    const free = match.seats.filter(isFree).map((one) => seatTitle(one.seat));
    const who = playerTitle(found.account, found.botLevel);
    const rest = free.length > 0 ? `Still free: ${listed(free)}.` : "All seats are taken.";
    return `${seatTitle(seat)} has been taken by ${who} meanwhile. ${rest}`;
}
