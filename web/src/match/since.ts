/** What happened since somebody looked: how far he had seen, kept in this browser. */
import { ownStore } from "./keeping";
import type { Line } from "./log";

type Store = Pick<Storage, "getItem" | "setItem">;

/** More than this is not shown one by one: who was away so long reads the log. */
export const mostSteps = 60;

export class Seen {
    constructor(
        private readonly match: string,
        private readonly seat: string,
        private readonly store: Store | undefined = ownStore(),
    ) {}

    /** The revision that was seen last; undefined if this browser has not looked at the match. */
    get revision(): bigint | undefined {
        const text = this.store?.getItem(this.key);
        return text && /^\d{1,15}$/.test(text) ? BigInt(text) : undefined;
    }

    note(revision: bigint): void {
        try {
            this.store?.setItem(this.key, String(revision));
        } catch {
            // Then all is new the next time.
        }
    }

    private get key(): string {
        return `bree.seen.${this.match}.${this.seat}`;
    }
}

/** The lines after a revision, those of one revision together, oldest first. */
export function stepsSince(lines: readonly Line[], seen: bigint): Line[][] {
    const steps: Line[][] = [];
    for (const line of lines) {
        if (line.revision <= seen) continue;
        const last = steps.at(-1);
        if (last?.[0]?.revision === line.revision) last.push(line);
        else steps.push([line]);
    }
    return steps.slice(-mostSteps);
}
