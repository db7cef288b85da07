/** The feeds of all matches that some tab of the browser looks at, and what the stream is asked for. */
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import type { FollowedMatch, MatchStep, MatchUnfollowed } from "$gen/bree/gateway/v1/gateway_pb";
import type { Following } from "./contract";
import { beginAnew, Feed, type Follower } from "./feed";
import { pauseMs } from "./patience";
import { changeMs, followed } from "./stream";

/** A stream follows no more than this. */
const most = 32;

/** Whoever goes from one page to another and comes back finds the feed still there. */
export const lingerMs = 30_000;

/** What the stream that is open is to be told. */
export interface Change {
    follow: FollowedMatch[];
    unfollow: FollowedMatch[];

    /** It cannot be said in a change: steps of before and of after could not be told apart. */
    needsNew: boolean;
}

/** These pass: the same is asked again. */
const passing = new Set([
    ErrorReason.UNAVAILABLE,
    ErrorReason.OUTCOME_UNKNOWN,
    ErrorReason.RATE_LIMITED,
    ErrorReason.WATCH_LAGS,
]);

const nameOf = (what: { match: string; seat: string }): string => `${what.match} ${what.seat}`;

export class Feeds {
    private readonly feeds = new Map<string, Feed>();

    /** Those that the open stream has been asked for, and whether anything has come. */
    private readonly asked = new Map<string, { at: number; hasCome: boolean }>();

    /** Asked for once on the open stream and given up: asking again needs a new stream. */
    private readonly given = new Set<string>();
    private readonly retries = new Map<string, { failures: number; at: number }>();
    private needsNew = false;
    private leaving: FollowedMatch[] = [];

    get isEmpty(): boolean {
        return [...this.feeds.values()].every((feed) => feed.followers.size === 0);
    }

    add(what: Following, follower: Follower): void {
        const name = nameOf(what);
        let feed = this.feeds.get(name);
        if (!feed && this.feeds.size >= most && !this.makeRoom()) {
            const why = `no more than ${most} matches can be looked at in one browser`;
            follower.unfollowed(beginAnew(what, ErrorReason.LIMIT_REACHED, why));
            return;
        }
        if (!feed) this.feeds.set(name, (feed = new Feed(what, what.after)));
        else if (!feed.reaches(what.after)) {
            feed.restart(what.after);
            this.needsNew ||= this.asked.has(name);
        }
        feed.admit(follower);
    }

    remove(what: Following, follower: Follower): void {
        const feed = this.feeds.get(nameOf(what));
        feed?.followers.delete(follower);
        if (feed?.followers.size === 0) feed.idleSince = Date.now();
    }

    /** All that a new stream is asked for. */
    begin(): FollowedMatch[] {
        this.needsNew = false;
        this.given.clear();
        this.asked.clear();
        this.leaving = [];
        return this.unasked().map(({ request }) => this.ask(request));
    }

    /** What the open stream has to be told since it was last told something. */
    change(): Change {
        this.expire();
        const unfollow = this.leaving.splice(0);
        const unasked = this.unasked();
        const isLost = [...this.asked.values()].some(
            ({ at, hasCome }) => !hasCome && Date.now() - at > 2 * changeMs,
        );
        if (this.needsNew || isLost || unasked.some((feed) => this.given.has(nameOf(feed.what)))) {
            return { follow: [], unfollow: [], needsNew: true };
        }
        return {
            follow: unasked.map(({ request }) => this.ask(request)),
            unfollow,
            needsNew: false,
        };
    }

    step(step: MatchStep): void {
        const name = nameOf(step);
        const asked = this.asked.get(name);
        // What still comes of a feed that is to begin anew, or that was given up, is of no use.
        if (!asked || this.needsNew) return;
        asked.hasCome = true;
        this.retries.delete(name);
        this.feeds.get(name)?.take(step);
    }

    unfollowed(why: MatchUnfollowed): void {
        const name = nameOf(why);
        // The last word of this follow has come, so asking again cannot be mistaken.
        if (!this.asked.delete(name)) return;
        const feed = this.feeds.get(name);
        if (passing.has(why.reason)) {
            const failures = this.retries.get(name)?.failures ?? 0;
            const at = Date.now() + pauseMs(failures);
            this.retries.set(name, { failures: failures + 1, at });
            return;
        }
        this.feeds.delete(name);
        feed?.drop(why);
    }

    private ask(request: FollowedMatch): FollowedMatch {
        this.asked.set(nameOf(request), { at: Date.now(), hasCome: false });
        return request;
    }

    private unasked(): Feed[] {
        const isDue = (name: string): boolean => (this.retries.get(name)?.at ?? 0) <= Date.now();
        return [...this.feeds]
            .filter(([name, feed]) => !feed.isOver && !this.asked.has(name) && isDue(name))
            .map(([, feed]) => feed);
    }

    private expire(): void {
        for (const feed of [...this.feeds.values()]) {
            if (feed.idleSince && Date.now() - feed.idleSince >= lingerMs) this.forget(feed.what);
        }
    }

    private forget(what: Following): void {
        const name = nameOf(what);
        this.feeds.delete(name);
        this.retries.delete(name);
        if (!this.asked.delete(name)) return;
        this.given.add(name);
        this.leaving.push(followed(what.match, what.seat));
    }

    private makeRoom(): boolean {
        const idle = [...this.feeds.values()].find((feed) => feed.followers.size === 0);
        if (idle) this.forget(idle.what);
        return idle !== undefined;
    }
}
