/** How a match is told to people. */
import { OfferKind, type Standing } from "$gen/bree/engine/v1/engine_pb";
import { Ending, type Outcome } from "$gen/bree/engine/v1/types_pb";
import type { Match, MatchSeat } from "$gen/bree/gateway/v1/gateway_pb";
import type { Refusal } from "../wire/contract";
import { askedOf } from "./standIns";

const small = new Set(["of", "the", "and", "a", "in"]);

/** "free_peoples" is "Free Peoples". */
export function seatTitle(seat: string): string {
    if (seat === "witch_king") return "Witch-king";
    return seat
        .split("_")
        .map((word, at) => (at > 0 && small.has(word) ? word : capital(word)))
        .join(" ");
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "a, b and c". */
export function listed(things: readonly string[], last = "and"): string {
    if (things.length < 2) return things[0] ?? "";
    return `${things.slice(0, -1).join(", ")} ${last} ${things.at(-1) ?? ""}`;
}

/** "after_each_battle" is "after each battle". */
export function valueWords(value: string): string {
    if (value === "true") return "yes";
    if (value === "false") return "no";
    return value.replaceAll("_", " ");
}

export function playerWords(seat: MatchSeat): string {
    if (seat.botLevel) return `${capital(seat.botLevel)} bot`;
    return seat.account || "nobody";
}

/** Who is waited for, in general terms: nobody learns what exactly somebody else is asked. */
export function waitingWords(standing: Standing | undefined, mine: readonly string[]): string {
    if (!standing) return "";
    if (standing.outcome) return "The match is over.";
    const others = standing.waiting.filter((seat) => !mine.includes(seat)).map(seatTitle);
    const own = askedOf(standing, mine).map(seatTitle);
    if (own.length > 0) return `It is your turn: ${listed(own)}.`;
    const lent = standing.waiting.filter((seat) => mine.includes(seat)).map(seatTitle);
    if (lent.length > 0) return `A bot decides for you: ${listed(lent)}.`;
    if (others.length === 0) return "Bree is working out what happens.";
    return `${listed(others)} ${others.length === 1 ? "is" : "are"} deciding.`;
}

/** How it ended, for whoever sits at these seats. */
export function outcomeWords(outcome: Outcome, mine: readonly string[]): string {
    if (outcome.ending === Ending.ABORTED) return "The match was aborted. Nobody wins or loses.";
    const best = Math.max(...outcome.scores.map(({ score }) => score));
    const winners = outcome.scores.filter(({ score }) => score === best).map(({ seat }) => seat);
    const scores = outcome.scores
        .map(({ seat, score }) => `${seatTitle(seat)} ${score}`)
        .join(", ");
    if (winners.length === outcome.scores.length) return `The match is drawn (${scores}).`;
    const [seat] = mine;
    if (mine.length === 1 && seat !== undefined) {
        return `You have ${winners.includes(seat) ? "won" : "lost"} (${scores}).`;
    }
    const verb = winners.length === 1 ? "has" : "have";
    return `${listed(winners.map(seatTitle))} ${verb} won (${scores}).`;
}

const offers: Readonly<Record<OfferKind, string>> = {
    [OfferKind.UNSPECIFIED]: "something",
    [OfferKind.TAKE_BACK]: "to take the last decision back",
    [OfferKind.ABORT]: "to abort the match",
    [OfferKind.DRAW]: "a draw",
};

export const offerWords = (kind: OfferKind): string => offers[kind];

export function mySeats(match: Match | undefined, account: string | undefined): string[] {
    if (!match || !account) return [];
    return match.seats.filter((seat) => seat.account === account).map(({ seat }) => seat);
}

const reasons: Readonly<Record<string, string>> = {
    STALE_QUESTION: "This question no longer stands: it has been answered, or others have gone on.",
    NOT_ASKED: "You are not asked anything any more.",
    REQUEST_ID_REUSED: "This question has been answered already, with something else.",
    MATCH_OVER: "The match is over.",
    HISTORY_CHANGED:
        "The platform has lost some of the last moves. The match goes on from before them; nothing was sent.",
    MATCH_FROZEN:
        "This match is frozen: its record does not replay as it should. It is kept as it is, and nothing can be played any more.",
    EDITION_UNSUPPORTED: "This match was begun by rules that are not served here any more.",
    UNKNOWN_MATCH: "There is no such match.",
    WRONG_SEAT: "Somebody else sits there.",
    OUTCOME_UNKNOWN:
        "It is not known whether this has arrived. Send it again: nothing is ever done twice.",
    UNAUTHENTICATED: "You are not logged in any more.",
    "": "The platform does not answer. Send it again: nothing is ever done twice.",
};

/** What people are told of a refusal. */
export function refusalWords({ reason, message }: Refusal): string {
    return (
        reasons[reason] ?? (message ? capital(message) + (/[.!?]$/.test(message) ? "" : ".") : "")
    );
}

/** "4:59", "1:02:03", "2 d 3 h". */
export function clockFace(ms: number): string {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
    if (days > 0) return `${days} d ${hours} h`;
    const pair = (n: number): string => String(n % 60).padStart(2, "0");
    const minutes = Math.floor(seconds / 60);
    return hours > 0 ? `${hours}:${pair(minutes)}:${pair(seconds)}` : `${minutes}:${pair(seconds)}`;
}
