/** The position through one pair of eyes: fetched after each step, one call at a time, the newest wins.
 *
 * Design. View, question and standing belong together, so they are taken from one answer and shown
 * together. While a call is under way, more steps only mark that another one is needed.
 */
import { tick } from "svelte";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Standing } from "$gen/bree/engine/v1/engine_pb";
import type { Question } from "$gen/bree/engine/v1/types_pb";
import type { GetViewResponse } from "$gen/bree/gateway/v1/gateway_pb";
import type { Clients } from "../wire/clients";

export interface Shown {
    seat: string;
    view: Any;
    question?: Question;
    standing: Standing;
    canUndo: boolean;

    /** Whether the view has the charts, which are told once. */
    hasCharts: boolean;
}

/** A gateway that lags behind is asked again after this. */
const lagMs = 150;

export class Views {
    now: Shown | undefined = $state.raw();
    private wanted = 0n;
    private isUnderWay = false;
    private isWantedAgain = false;
    private epoch = 0;
    private hasCharts = false;

    constructor(
        private readonly clients: Clients,
        private readonly match: string,
        private readonly seat: string,
        private readonly failed: (error: unknown) => void,
        private readonly came: (shown: Shown) => void = () => undefined,
    ) {}

    /** The position of this revision, or a later one, is to be shown. */
    want(revision: bigint): void {
        if (revision > this.wanted) this.wanted = revision;
        if (this.isUnderWay || this.isUpToDate) return;
        void this.fetch(this.epoch);
    }

    /** Another history: what was known of revisions is worth nothing. */
    forget(): void {
        this.epoch += 1;
        this.wanted = 0n;
        this.isUnderWay = false;
        this.now = undefined;
    }

    /** Looks again, whatever is known. */
    again(): void {
        if (this.isUnderWay) this.isWantedAgain = true;
        else void this.fetch(this.epoch);
    }

    stop(): void {
        this.epoch += 1;
        this.isUnderWay = true;
    }

    private get isUpToDate(): boolean {
        return this.now !== undefined && this.now.standing.revision >= this.wanted;
    }

    private get lacks(): boolean {
        return !this.isUpToDate || this.isWantedAgain;
    }

    private async fetch(epoch: number): Promise<void> {
        this.isUnderWay = true;
        try {
            do {
                this.isWantedAgain = false;
                const withCharts = !this.hasCharts;
                const { match, seat } = this;
                const answer = await this.clients.matches.getView({ match, seat, withCharts });
                if (epoch !== this.epoch) return;
                this.take(answer, withCharts);
                if (!this.isUpToDate) await new Promise((resolve) => setTimeout(resolve, lagMs));
                if (epoch !== this.epoch) return;
            } while (this.lacks);
        } catch (error) {
            if (epoch === this.epoch) this.failed(error);
        } finally {
            if (epoch === this.epoch) this.isUnderWay = false;
        }
    }

    private take(answer: GetViewResponse, hasCharts: boolean): void {
        const shown = shownOf(this.seat, answer, hasCharts);
        this.hasCharts ||= shown !== undefined;
        // An older answer never takes the place of a newer one; the same one tells clocks and offers.
        if (shown && (this.now?.standing.revision ?? 0n) <= shown.standing.revision) {
            const start = performance.now();
            this.now = shown;
            this.came(shown);
            void tick().then(() => {
                performance.measure("bree:drawn", { start }); // `web/bench` asks how long it took
                performance.clearMeasures("bree:drawn");
            });
        }
    }
}

export function shownOf(
    seat: string,
    answer: GetViewResponse,
    hasCharts = false,
): Shown | undefined {
    const { view, question, standing, canUndo } = answer;
    if (!view || !standing) return undefined;
    return { seat, view, standing, canUndo, hasCharts, ...(question ? { question } : {}) };
}
