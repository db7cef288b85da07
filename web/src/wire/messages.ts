/** What tabs say to whoever holds the browser's one stream, and what they are told. */
import type {
    Account,
    ListenQuestionsResponse,
    Match,
    MatchStep,
    MatchUnfollowed,
    Note,
} from "$gen/bree/gateway/v1/gateway_pb";
import type { Following, Refusal } from "./contract";

/** A match that a tab follows, under a number that it never uses again. */
export interface Wish extends Following {
    id: number;
}

/** All that a tab wants. It says all of it each time, so nothing depends on what was heard before. */
export interface Wishes {
    lobby: boolean;
    follows: readonly Wish[];

    /** Whether this browser has had a session: then a new guest is never made without being asked for. */
    known: boolean;
}

export type FromTab =
    | { kind: "wishes"; wishes: Wishes }
    /** Who am I? A guest, if nobody. `refused`: the platform has just said that it knows nobody. */
    | { kind: "enter"; request: number; known: boolean; refused: boolean }
    | { kind: "changed" }
    /** There is a network again, or the machine has slept. */
    | { kind: "wake" }
    | { kind: "answered"; match: string; seat: string; question: bigint }
    | { kind: "ping" }
    | { kind: "bye" };

export type HostLink =
    | { state: "well" }
    | { state: "away"; since: number; why: string; retryAt: number }
    | { state: "ended" };

export type ToTab =
    /** Somebody holds the stream now, and knows nothing of the tab. */
    | { kind: "host" }
    | { kind: "pong" }
    | { kind: "link"; link: HostLink }
    | { kind: "account"; account: Account | undefined }
    | { kind: "release"; release: string }
    | { kind: "entered"; request: number; account: Account }
    | { kind: "refused"; request: number; refusal: Refusal; ended: boolean }
    | { kind: "question"; question: ListenQuestionsResponse }
    | { kind: "match"; match: Match }
    | { kind: "note"; note: Note }
    | { kind: "step"; follow: number; after: bigint; step: MatchStep }
    | { kind: "unfollowed"; follow: number; why: MatchUnfollowed };
