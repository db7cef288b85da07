/** Somebody comes back to a match: what has happened since is shown step by step. */
import type { Line } from "./log";
import type { Play } from "./play.svelte";
import { Seen, stepsSince } from "./since";

export class Returning {
    /** The steps that are still to be shown; none: nothing is. */
    steps: readonly Line[][] = $state.raw([]);
    private hasReturned = true;

    constructor(private readonly match: string) {}

    /** Lines are there, or more of them, while somebody looks or while nobody does. */
    look(play: Play | undefined, isHidden: boolean, mayShow: boolean): void {
        if (!play || play.lines.length === 0 || isHidden) return;
        const seen = new Seen(this.match, play.seat);
        const before = seen.revision;
        if (this.hasReturned && before !== undefined && mayShow) {
            this.steps = stepsSince(play.lines, before);
        }
        this.hasReturned = false;
        seen.note(play.standing?.revision ?? 0n);
    }

    /** Somebody looks away. */
    leave(): void {
        this.hasReturned = true;
    }

    end(): void {
        this.steps = [];
    }
}
