/** What is said to a person when something was refused: what is the matter, and what to do. */
import type { Refusal } from "../wire/contract";
import { durationWords } from "./clock";
import { to } from "./places";
import { seatTitle, sentence } from "./words";

export interface Advice {
    title: string;
    text: string;

    /** Whether the same may succeed when it is tried again. */
    again: boolean;
    link?: { href: string; text: string };
}

const HOME = { href: to.home, text: "To the first page" };
const MINE = { href: to.lobby({ mine: "yes" }), text: "My matches" };
const LOBBY = { href: to.lobby(), text: "To the lobby" };

type Say = (refusal: Refusal) => Advice;

const away: Say = (refusal) => ({
    title: "Bree does not answer",
    text:
        refusal.message && refusal.metadata["why"]
            ? sentence(refusal.message)
            : "Either the platform is away for a moment, or your connection is. Matches wait: nothing is lost.",
    again: true,
});

function noMatch({ metadata }: Refusal): Advice {
    const name = metadata["match"];
    return {
        title: "There is no such match",
        text: `Nothing here is called ${name ? `“${name}”` : "so"}. Perhaps a letter of the link got lost.`,
        again: false,
        link: LOBBY,
    };
}

const refused: Say = ({ message }) => ({
    title: "That was refused",
    text: sentence(message),
    again: false,
});

const SAYINGS: Readonly<Record<string, Say>> = {
    "": away,
    UNAVAILABLE: away,
    OUTCOME_UNKNOWN: (refusal) => ({
        ...away(refusal),
        text: "The connection broke before the answer came. It was done whole or not at all: look, and try again.",
    }),
    RATE_LIMITED: (refusal) => ({
        title: "A little slower, please",
        text: `So much was asked in a short time that the platform wants a pause of ${durationWords(Math.max(1000, refusal.retryAfterMs ?? 1000))}.`,
        again: true,
    }),
    LIMIT_REACHED: (refusal) => ({
        title: "That is as much as one may have",
        text: `${sentence(refusal.message)} ${refusal.retryAfterMs ? `Some of it ends by itself: try again in ${durationWords(refusal.retryAfterMs)}.` : "Give one of them up first."}`,
        again: refusal.retryAfterMs !== undefined,
        ...(/match|^$/.test(refusal.metadata["of"] ?? "") ? { link: MINE } : {}),
    }),
    UNAUTHENTICATED: () => ({
        title: "You are not logged in any more",
        text: "The session on this device has ended, here or from another device.",
        again: false,
        link: { href: to.login, text: "Log in" },
    }),
    UNKNOWN_MATCH: noMatch,
    // What cannot even be the name of a match is none, either.
    INVALID_REQUEST: (refusal) =>
        refusal.metadata["field"] === "match" ? noMatch(refusal) : refused(refusal),
    UNKNOWN_SEAT: (refusal) => ({
        title: "The match has no such seat",
        text: `Its seats are ${(refusal.metadata["seats"] ?? "").split(" ").map(seatTitle).join(", ")}.`,
        again: false,
    }),
    WRONG_SEAT: (refusal) => ({
        title: "Somebody else sits there",
        text: `The seat ${seatTitle(refusal.metadata["seat"] ?? "")} is not yours. You can watch the match as a spectator.`,
        again: false,
    }),
    UNKNOWN_GAME: (refusal) => ({
        title: "This game is not served here",
        text: `Nobody here plays “${refusal.metadata["game"] ?? ""}” at the moment.`,
        again: false,
        link: HOME,
    }),
    SEATS_NOT_FILLED: (refusal) => ({
        title: "A seat is still free",
        text: `Nobody sits at ${seatTitle(refusal.metadata["seat"] ?? "")}. Invite somebody, or add a bot.`,
        again: false,
    }),
    MATCH_FROZEN: (refusal) => ({
        title: "This match is frozen",
        text: `${sentence(refusal.message)} Its record is kept as it is; no other match is concerned.`,
        again: false,
    }),
    BUG: (refusal) => ({
        title: "That is a mistake of Bree's",
        text: `It is not your fault, and nothing was changed. The host finds it under the number ${refusal.metadata["incident"] ?? "?"}.`,
        again: true,
    }),
};

/** What is said of a refusal. Those without words of their own are said in the platform's. */
export function adviceOn(refusal: Refusal): Advice {
    return (SAYINGS[refusal.reason] ?? refused)(refusal);
}
