/** A match as it was: a position of the past, fetched when it is looked at, and kept.
 *
 * Design. Whoever moves a slider passes many positions and looks at few. One call is under way; the
 * latest place that is wanted is fetched next, and those passed meanwhile are not.
 */
import type { Refusal } from "../wire/contract";
import type { Clients } from "../wire/clients";
import { refusalOf } from "../wire/refusal";
import { shownOf, type Shown } from "./views.svelte";

const most = 200;
const betweenMs = 1_000;

export class Replay {
    /** The revision that is looked at; undefined is now. */
    at: number | undefined = $state();
    shown: Shown | undefined = $state.raw();
    isPlaying = $state(false);
    refusal: Refusal | undefined = $state.raw();
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nobody is shown what is kept here
    private readonly kept = new Map<string, Shown>();
    private isUnderWay = false;
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        private readonly clients: Clients,
        private readonly match: string,
        private readonly eyes: () => string,
        private readonly last: () => number,
    ) {}

    go(revision: number): void {
        this.at = Math.min(Math.max(0, Math.trunc(revision) || 0), this.last());
        this.refusal = undefined;
        const kept = this.kept.get(this.name);
        if (kept) this.shown = kept;
        else void this.fetch();
    }

    step(by: number): void {
        this.go((this.at ?? this.last()) + by);
    }

    /** Back to what is now. */
    leave(): void {
        this.pause();
        this.at = undefined;
        this.shown = undefined;
        this.refusal = undefined;
    }

    play(): void {
        if (this.at === undefined || this.at >= this.last()) this.go(0);
        this.isPlaying = true;
        this.tick();
    }

    pause(): void {
        this.isPlaying = false;
        clearTimeout(this.timer);
    }

    /** Other eyes, or another history: what was seen is not to be shown again. */
    forget(): void {
        this.kept.clear();
        if (this.at !== undefined) this.go(this.at);
    }

    private get name(): string {
        return `${this.at ?? ""} ${this.eyes()}`;
    }

    private tick(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            if (!this.isPlaying || this.at === undefined) return;
            if (this.at >= this.last()) this.pause();
            else {
                if (!this.isUnderWay) this.step(1);
                this.tick();
            }
        }, betweenMs);
    }

    private async fetch(): Promise<void> {
        if (this.isUnderWay) return;
        this.isUnderWay = true;
        try {
            while (this.at !== undefined && !this.kept.has(this.name)) await this.fetchOne(this.at);
            const kept = this.at === undefined ? undefined : this.kept.get(this.name);
            if (kept) this.shown = kept;
        } catch (error) {
            this.refusal = refusalOf(error);
            this.pause();
        } finally {
            this.isUnderWay = false;
        }
    }

    private async fetchOne(at: number): Promise<void> {
        const [name, seat] = [this.name, this.eyes()];
        const revision = BigInt(at);
        const answer = await this.clients.matches.getView({ match: this.match, seat, revision });
        const shown = shownOf(seat, answer);
        if (!shown) throw new Error("the platform told no position");
        this.kept.set(name, shown);
        const [oldest] = this.kept.keys();
        if (this.kept.size > most && oldest !== undefined && oldest !== name)
            this.kept.delete(oldest);
        if (name === this.name) this.shown = shown;
    }
}
