/** The steps of one match through one pair of eyes, for all tabs that look at it.
 *
 * Design. A gateway tells in one step all that has happened since the one before, so the steps of two
 * streams need not begin and end at the same revisions, and a step can be told to those alone who
 * stand where it begins. A feed keeps its steps: a tab that comes later gets those that it lacks, and
 * one for which none fits is told to begin anew.
 */
import { create } from "@bufbuild/protobuf";
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import {
    MatchUnfollowedSchema,
    type FollowedMatch,
    type MatchStep,
    type MatchUnfollowed,
} from "$gen/bree/gateway/v1/gateway_pb";
import type { Following } from "./contract";
import { followed } from "./stream";

export interface Place {
    revision: bigint;
    head: string;
}

const beginning: Place = { revision: 0n, head: "" };

interface Told {
    after: bigint;
    step: MatchStep;
}

/** Somebody who looks. */
export class Follower {
    at: Place;
    private isToldAnything = false;

    constructor(
        from: Place | undefined,
        private readonly step: (after: bigint, step: MatchStep) => void,
        readonly unfollowed: (why: MatchUnfollowed) => void,
    ) {
        this.at = from ?? beginning;
    }

    /** Takes a step, unless it has been told before; or says why it does not fit. */
    take({ after, step }: Told): ErrorReason | undefined {
        const standing = step.step?.standing;
        if (!standing || standing.revision < this.at.revision) return undefined;
        const isSame = standing.revision === this.at.revision;
        if (isSame && this.isAnother(standing.head) && !standing.outcome) {
            return ErrorReason.HISTORY_CHANGED;
        }
        if (!isSame && after !== this.at.revision) return ErrorReason.WATCH_LAGS;
        // The same revision again: nothing has happened, but clocks and the question stand anew.
        const isKnown = isSame && (this.isToldAnything || this.at.revision > 0n);
        this.at = { revision: standing.revision, head: standing.head };
        this.isToldAnything = true;
        this.step(after, isKnown ? withoutEvents(step) : step);
        return undefined;
    }

    private isAnother(head: string): boolean {
        return this.at.head !== "" && head !== this.at.head;
    }
}

export class Feed {
    readonly followers = new Set<Follower>();
    isOver = false;

    /** Since when nobody has looked. */
    idleSince = 0;
    private told: Told[] = [];
    private from: Place;
    private at: Place;

    constructor(
        readonly what: Following,
        from: Place | undefined,
    ) {
        this.from = this.at = from ?? beginning;
    }

    /** What is asked of the platform: to go on where this has come. */
    get request(): FollowedMatch {
        return followed(this.what.match, this.what.seat, this.at.revision, this.at.head);
    }

    get hasCome(): boolean {
        return this.told.length > 0;
    }

    /** Whether somebody who stands there can be told the rest. */
    reaches(place: Place | undefined): boolean {
        return (place?.revision ?? 0n) >= this.from.revision;
    }

    /** Begins anew further back: its steps are told again. */
    restart(from: Place | undefined): void {
        this.from = this.at = from ?? beginning;
        this.told = [];
        this.isOver = false;
    }

    admit(follower: Follower): void {
        this.followers.add(follower);
        this.idleSince = 0;
        const last = this.told.at(-1);
        for (const told of this.told) {
            const isNews = told === last || revisionOf(told) > follower.at.revision;
            if (isNews && !this.tell(follower, told)) return;
        }
    }

    take(step: MatchStep): void {
        const standing = step.step?.standing;
        if (!standing || standing.revision < this.at.revision) return;
        const last = this.told.at(-1);
        const isSame = last !== undefined && standing.revision === this.at.revision;
        const told = { after: isSame ? last.after : this.at.revision, step };
        if (isSame && step.step && last.step.step) {
            // The events that led there stay with it, for those who come later.
            step.step.events = last.step.step.events;
            this.told.pop();
        }
        this.told.push(told);
        this.at = { revision: standing.revision, head: standing.head };
        this.isOver = standing.outcome !== undefined;
        for (const follower of [...this.followers]) this.tell(follower, told);
    }

    drop(why: MatchUnfollowed): void {
        for (const follower of this.followers) follower.unfollowed(why);
        this.followers.clear();
    }

    private tell(follower: Follower, told: Told): boolean {
        const misfit = follower.take(told);
        if (misfit === undefined) return true;
        this.followers.delete(follower);
        follower.unfollowed(beginAnew(this.what, misfit, "The match is told anew."));
        return false;
    }
}

export function beginAnew(what: Following, reason: ErrorReason, message: string): MatchUnfollowed {
    return create(MatchUnfollowedSchema, { match: what.match, seat: what.seat, reason, message });
}

function revisionOf(told: Told): bigint {
    return told.step.step?.standing?.revision ?? 0n;
}

export function withoutEvents(step: MatchStep): MatchStep {
    return step.step ? { ...step, step: { ...step.step, events: [] } } : step;
}
