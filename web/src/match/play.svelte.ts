/** One match through one pair of eyes, as a fold over its steps; and what whoever looks can do.
 *
 * Design. Steps bring the log, the standing and the news that the position has changed; `Views` brings
 * view and question together. An answer carries the number and the head with which its question was
 * read, so it can never be taken for one to another question, however often it is sent.
 */
import type { OfferKind, Standing } from "$gen/bree/engine/v1/engine_pb";
import { ErrorReason } from "$gen/bree/engine/v1/errors_pb";
import type { Question } from "$gen/bree/engine/v1/types_pb";
import {
    MatchState,
    type Match,
    type MatchStep,
    type MatchUnfollowed,
} from "$gen/bree/gateway/v1/gateway_pb";
import type { Refusal, Stop, Wire } from "../wire/contract";
import { refusal, refusalOf } from "../wire/refusal";
import { newName } from "../wire/stream";
import { Keeping } from "./keeping";
import { linesOf, type Line } from "./log";
import { Views, type Shown } from "./views.svelte";
import { isOlder, standInAt } from "./standIns";
import { refusalWords } from "./words";

export class Play {
    match: Match | undefined = $state.raw();
    lines: readonly Line[] = $state.raw([]);

    /** The newest standing that is known, and when it came. */
    standing: Standing | undefined = $state.raw();
    cameAt = $state(0);
    canUndo = $state(false);

    /** Why nothing can be shown, or nothing goes on. */
    refusal: Refusal | undefined = $state.raw();

    /** What people have to be told, such as that moves were lost. */
    notice = $state("");
    readonly views: Views;
    private readonly stops: Stop[] = [];
    private unfollow: Stop = () => undefined;

    /** With which head each question was read. */
    private readonly readAt = new WeakMap<Question, string>();
    private isStopped = false;
    private isBegun = false;

    constructor(
        readonly wire: Wire,
        readonly id: string,
        readonly seat: string,
        private readonly keeping = new Keeping(),
    ) {
        this.views = new Views(
            wire.clients,
            id,
            seat,
            (error) => {
                this.viewFailed(error);
            },
            (shown) => {
                if (shown.question) this.readAt.set(shown.question, shown.standing.head);
                this.stand(shown.standing, shown.canUndo);
            },
        );
    }

    get shown(): Shown | undefined {
        return this.views.now;
    }

    get isOver(): boolean {
        return this.standing?.outcome !== undefined || this.match?.state === MatchState.OVER;
    }

    /** With what has just been told of the match, if it was. */
    start(told?: Match): void {
        this.stops.push(
            this.wire.onMatch((match) => {
                if (match.id === this.id) this.know(match);
            }, false),
        );
        if (told) this.know(told);
        else void this.look();
    }

    stop(): void {
        this.isStopped = true;
        this.unfollow();
        this.views.stop();
        for (const stop of this.stops) stop();
    }

    /** Looks at the match from the beginning: after a failure, or when it has started. */
    async look(): Promise<void> {
        this.refusal = undefined;
        try {
            const { match } = await this.wire.clients.matches.getMatch({ match: this.id });
            if (this.isStopped || !match) return;
            this.isBegun = false;
            this.know(match);
        } catch (error) {
            this.refusal = refusalOf(error);
        }
    }

    // What one does.

    /** Answers the question that was read; fails with a sentence for whoever reads it. */
    async say(action: string, question: Question): Promise<void> {
        try {
            const { standing, canUndo } = await this.wire.clients.matches.act({
                match: this.id,
                seat: this.seat,
                question: question.number,
                action,
                requestId: `q${question.number}`,
                head: this.readAt.get(question) ?? "",
            });
            if (standing) this.move(standing, canUndo);
        } catch (error) {
            throw new Error(this.said(error), { cause: error });
        }
    }

    async resign(): Promise<void> {
        await this.tried(async (requestId) => {
            const { matches } = this.wire.clients;
            return matches.resignMatch({ match: this.id, seat: this.seat, requestId });
        });
    }

    /** Takes the last decision back: the one that was read, and no other. */
    async undo(): Promise<void> {
        const head = this.standing?.head ?? "";
        await this.tried(async (requestId) => {
            const { matches } = this.wire.clients;
            return matches.undoLast({ match: this.id, seat: this.seat, requestId, head });
        });
    }

    /** Lets a hosted bot of this level play on here. */
    async handOver(level: string): Promise<void> {
        await this.tried(async () => {
            const { matches } = this.wire.clients;
            return matches.handOverSeat({ match: this.id, seat: this.seat, level });
        });
    }

    /** Plays on oneself, from the question that stands. */
    async takeBack(): Promise<void> {
        await this.tried(async () => {
            const { matches } = this.wire.clients;
            return matches.takeBackSeat({ match: this.id, seat: this.seat });
        });
    }

    async offer(kind: OfferKind): Promise<void> {
        await this.tried(async (requestId) => {
            const { matches } = this.wire.clients;
            return matches.makeOffer({ match: this.id, seat: this.seat, kind, requestId });
        });
    }

    async answerOffer(offer: bigint, accept: boolean): Promise<void> {
        await this.tried(async (requestId) => {
            const { matches } = this.wire.clients;
            return matches.answerOffer({
                match: this.id,
                seat: this.seat,
                offer,
                accept,
                requestId,
            });
        });
    }

    private async tried(
        call: (requestId: string) => Promise<{ standing?: Standing; canUndo?: boolean }>,
    ): Promise<void> {
        this.notice = "";
        try {
            const { standing, canUndo } = await call(newName());
            if (standing) this.move(standing, canUndo ?? false);
        } catch (error) {
            this.notice = this.said(error);
        }
    }

    /** What people are told of a failure; what it says of the match is looked up. */
    private said(error: unknown): string {
        const refused = refusalOf(error);
        if (refused.reason === "HISTORY_CHANGED") this.beginAnew(true);
        else if (looksAgain.has(refused.reason)) this.views.again();
        if (refused.reason === "MATCH_FROZEN") this.refusal = refused;
        return refusalWords(refused);
    }

    // What happens.

    private know(match: Match): void {
        this.match = match;
        this.keeping.commitment(this.id, match.commitment);
        const isPlayed = match.state === MatchState.RUNNING || match.state === MatchState.OVER;
        if (isPlayed && !this.isBegun) this.begin();
    }

    private begin(): void {
        this.unfollow();
        this.isBegun = true;
        this.lines = [];
        this.unfollow = this.wire.follow(
            { match: this.id, seat: this.seat },
            (step) => {
                this.take(step);
            },
            (why) => {
                this.unfollowed(why);
            },
        );
        this.views.want(0n);
    }

    private beginAnew(isLost: boolean): void {
        if (isLost) {
            this.notice = refusalWords(refusal("HISTORY_CHANGED", ""));
            this.keeping.doubtHeads(this.id);
        }
        this.standing = undefined;
        this.views.forget();
        this.begin();
    }

    private take({ step }: MatchStep): void {
        const standing = step?.standing;
        if (!standing) return;
        const fresh = linesOf(step.events, this.lines.length);
        if (fresh.length > 0) this.lines = [...this.lines, ...fresh];
        this.keeping.head(this.id, standing);
        this.move(standing, step.canUndo);
        if (standing.outcome && this.match?.state !== MatchState.OVER) void this.lookAtEnd();
    }

    private move(standing: Standing, canUndo: boolean): void {
        this.stand(standing, canUndo);
        this.views.want(standing.revision);
    }

    /** The newest standing counts, whoever has told it. */
    private stand(standing: Standing, canUndo: boolean): void {
        const before = this.standing;
        if (before && isOlder(standing, before)) return;
        this.standing = standing;
        // The same position has another question when somebody else plays the seat.
        if (before && standInAt(before, this.seat) !== standInAt(standing, this.seat)) {
            this.views.again();
        }
        this.cameAt = Date.now();
        this.canUndo = canUndo;
    }

    private unfollowed(why: MatchUnfollowed): void {
        if (why.reason === ErrorReason.HISTORY_CHANGED) this.beginAnew(true);
        else if (why.reason === ErrorReason.WATCH_LAGS) this.beginAnew(false);
        else this.refusal = refusal(ErrorReason[why.reason], why.message, why.metadata);
    }

    private viewFailed(error: unknown): void {
        const refused = refusalOf(error);
        // The steps go on, and each of them asks for the position again.
        if (!this.shown || final.has(refused.reason)) this.refusal = refused;
        else this.notice = refusalWords(refused);
    }

    private async lookAtEnd(): Promise<void> {
        try {
            const { match } = await this.wire.clients.matches.getMatch({ match: this.id });
            if (match) this.match = match;
        } catch {
            // The outcome is known from the step; what else the match says of it can wait.
        }
    }
}

/** After these the position is another than the one shown. */
const looksAgain = new Set([
    "STALE_QUESTION",
    "NOT_ASKED",
    "MATCH_OVER",
    "REQUEST_ID_REUSED",
    "ILLEGAL_ACTION",
]);

const final = new Set(["MATCH_FROZEN", "UNKNOWN_MATCH", "WRONG_SEAT", "EDITION_UNSUPPORTED"]);
