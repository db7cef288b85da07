/** One stream of news that is opened again whenever it breaks, hangs or ends. */
import { create } from "@bufbuild/protobuf";
import {
    FollowedMatchSchema,
    type FollowedMatch,
    type ListenNewsResponse,
} from "$gen/bree/gateway/v1/gateway_pb";
import { whyOf } from "./calls";
import type { Clients } from "./clients";
import type { Refusal } from "./contract";
import type { HostLink } from "./messages";
import { pauseMs, Waiting } from "./patience";
import { refusalOf } from "./refusal";

export const beatMs = 10_000;

/** What comes of a change of what the stream tells must show within this. */
export const changeMs = 5_000;

const longestPauseMs = 15_000;

/** A stream that lived so long has worked; what breaks it begins a new outage. */
const steadyMs = 10_000;

export interface Listener {
    /** What a new stream is to tell. */
    wanted(): { matches: FollowedMatch[]; withLobby: boolean };
    heard(news: ListenNewsResponse): void;
    link(link: HostLink): void;

    /** The platform does not know who this is. The stream stays closed until it is opened again. */
    nobody(): void;

    /** The account is to be deleted, and is told nothing until somebody keeps it. */
    leaving(): void;
}

export function followed(match: string, seat: string, revision = 0n, head = ""): FollowedMatch {
    return create(FollowedMatchSchema, { match, seat, afterRevision: revision, head });
}

export class Stream {
    private name = "";
    private open: AbortController | undefined;
    private readonly waiting = new Waiting();
    private heardAt = 0;
    private startedAt = 0;
    private isStarted = false;
    private outage: { since: number; failures: number } | undefined;

    constructor(
        private readonly clients: Clients,
        private readonly listener: Listener,
    ) {}

    get isOpen(): boolean {
        return this.open !== undefined;
    }

    /** Whether it has begun to tell. */
    get isTelling(): boolean {
        return this.isStarted;
    }

    start(): void {
        if (this.open) return;
        this.open = new AbortController();
        void this.run(this.open);
    }

    stop(): void {
        this.open?.abort();
        this.open = undefined;
        this.isStarted = false;
        this.outage = undefined;
        this.waiting.wake();
    }

    /** Opens a new stream in the place of this one, without a pause. */
    renew(): void {
        const outage = this.outage;
        this.stop();
        this.outage = outage;
        this.start();
    }

    /** The machine may have slept, or there is a network again: what is doubtful is tried at once. */
    wake(): void {
        if (!this.open) return;
        if (!this.isStarted) this.waiting.wake();
        else if (Date.now() - this.heardAt > 1.5 * beatMs) this.renew();
    }

    /** Changes what the stream tells. If that cannot be said, a new stream is told it. */
    async change(what: {
        follow: FollowedMatch[];
        unfollow: FollowedMatch[];
        withLobby?: boolean;
    }): Promise<void> {
        const opened = this.open;
        try {
            await this.clients.news.changeNews(
                { stream: this.name, ...what },
                { timeoutMs: changeMs, ...(opened ? { signal: opened.signal } : {}) },
            );
        } catch {
            if (opened && this.open === opened && !opened.signal.aborted) this.renew();
        }
    }

    private async run(mine: AbortController): Promise<void> {
        while (!mine.signal.aborted) {
            const refused = await this.listen(mine.signal);
            this.isStarted = false;
            if (this.open !== mine) return;
            if (refused.reason === "UNAUTHENTICATED") {
                this.stop();
                this.listener.nobody();
                return;
            }
            const isLeaving = refused.reason === "NOT_ALLOWED" && "when" in refused.metadata;
            if (isLeaving) this.listener.leaving();
            await this.pause(refused, mine.signal, !isLeaving);
        }
    }

    /** Listens until the stream ends, and says why it did. */
    private async listen(signal: AbortSignal): Promise<Refusal> {
        const attempt = new AbortController();
        const end = (): void => {
            attempt.abort();
        };
        signal.addEventListener("abort", end);
        this.name = newName();
        this.heardAt = Date.now();
        const watch = setInterval(() => {
            if (Date.now() - this.heardAt > 3 * beatMs) end();
        }, beatMs / 2);
        try {
            const wanted = { stream: this.name, beatMs, ...this.listener.wanted() };
            const options = { signal: attempt.signal, timeoutMs: 0 };
            for await (const news of this.clients.news.listenNews(wanted, options)) {
                if (signal.aborted) break;
                this.hear(news);
            }
            return { reason: "", message: "", metadata: {} };
        } catch (error) {
            return refusalOf(error);
        } finally {
            clearInterval(watch);
            signal.removeEventListener("abort", end);
        }
    }

    private hear(news: ListenNewsResponse): void {
        this.heardAt = Date.now();
        if (!this.isStarted) {
            this.isStarted = true;
            this.startedAt = this.heardAt;
            this.listener.link({ state: "well" });
        }
        this.listener.heard(news);
    }

    private async pause(refused: Refusal, signal: AbortSignal, isNews: boolean): Promise<void> {
        const now = Date.now();
        const lived = this.startedAt ? now - this.startedAt : 0;
        if (!this.outage || lived > steadyMs) this.outage = { since: now, failures: 0 };
        this.startedAt = 0;
        const { since, failures } = this.outage;
        const ms = Math.max(refused.retryAfterMs ?? 0, pauseMs(failures, longestPauseMs));
        this.outage.failures += 1;
        const why = whyOf(refused);
        if (isNews) this.listener.link({ state: "away", since, why, retryAt: now + ms });
        await this.waiting.wait(ms, signal);
    }
}

/** A name that no other stream has. `crypto.randomUUID` is for secure pages only. */
export function newName(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
