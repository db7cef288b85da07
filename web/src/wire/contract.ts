/** What the pages know of the platform: who they are to it, its methods, and its news.
 *
 * Design. There is one wire in a page, and one stream of news in a browser, whichever tab holds it.
 * Nothing here knows a page. What changes by itself is told to listeners; a listener is called at
 * once with what is known already, and gives up by calling what it was given.
 */
import type {
    Account,
    ListenQuestionsResponse,
    Match,
    MatchStep,
    MatchUnfollowed,
    Note,
} from "$gen/bree/gateway/v1/gateway_pb";
import type { Clients } from "./clients";

export type Stop = () => void;

/** How it is between this browser and the platform. */
export type Link =
    | { state: "well" }
    /** The stream is broken, or the gateway does not answer; it is tried again at that time. */
    | { state: "away"; since: number; why: string; retryAt: number }
    /** The session was ended elsewhere: nothing goes on before somebody logs in. */
    | { state: "ended" }
    /** The platform runs another release than this page was made for. */
    | { state: "old"; release: string };

export interface Following {
    match: string;
    seat: string;
    /** Go on after this revision of the history with this head; from the beginning without. */
    after?: { revision: bigint; head: string };
}

export interface Wire {
    /** Every method. A call that finds no session begins one of a new guest, and is made again. */
    readonly clients: Clients;

    /** The account, as soon as there is one; begins a session of a guest if there is none. */
    enter(): Promise<Account>;

    /** Told whenever the account, or its name, changes; undefined while there is none. */
    onAccount(listener: (account: Account | undefined) => void): Stop;

    onLink(listener: (link: Link) => void): Stop;

    /** Questions put to any seat of the account, in whatever match, and ends of its matches. */
    onQuestion(listener: (question: ListenQuestionsResponse) => void): Stop;

    /** Matches that have changed: those that one sits in, and those of the lobby while it is asked for. */
    onMatch(listener: (match: Match) => void, withLobby: boolean): Stop;

    /** Notes that team-mates write, in whatever match; one may be missed while the link is away. */
    onNote(listener: (note: Note) => void): Stop;

    /** The steps of a match, gapless and each once, over any number of broken connections. */
    follow(
        what: Following,
        step: (step: MatchStep) => void,
        unfollowed: (why: MatchUnfollowed) => void,
    ): Stop;

    /** Another account has been logged in here, or nobody is any more: in all tabs. */
    changed(): void;
}

/** Why a call was refused: a reason of errors.proto without its prefix, or "" from the network. */
export interface Refusal {
    reason: string;
    message: string;
    metadata: Readonly<Record<string, string>>;
    retryAfterMs?: number;
}
