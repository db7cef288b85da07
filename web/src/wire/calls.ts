/** Calls that bear with an outage, and that begin a session where there is none.
 *
 * Design. This stands around the transport and not within it: the deadline of a call is then that
 * of each attempt. Streams are not repeated here; `stream.ts` does that.
 */
import { ConnectError, type Transport } from "@connectrpc/connect";
import type { Refusal } from "./contract";
import { bearMs, mayRepeat, pauseMs, type Waiting } from "./patience";
import { refusalOf } from "./refusal";

/** Why calls wait, and until when. */
export interface Trouble {
    since: number;
    why: string;
    retryAt: number;
}

export interface Around {
    waiting: Waiting;

    /** Is told when a call waits for its next attempt, and without a trouble when it is over. */
    trouble: (call: object, trouble?: Trouble) => void;

    /** Somebody whom the platform does not know, or has just refused: tells whether it does now. */
    enter?: (wasRefused: boolean) => Promise<boolean>;

    /** Whether nobody can know him: then he enters first, and is not refused. */
    isStranger?: () => boolean;

    /** An answer has come; what the page knows may follow from it. */
    answered?: (method: string, request: unknown) => void;
}

export const attemptMs = 10_000;

/** These prove who calls, or need no proof. */
const openTo = new Set([
    "StartSession",
    "CreateAccount",
    "ListGames",
    "BeginLogin",
    "GetProvider",
    "BeginProviderLogin",
    "BeginMailLogin",
]);

export function patient(transport: Transport, around: Around): Transport {
    return {
        stream: transport.stream.bind(transport),
        async unary(method, signal, timeoutMs, header, input, values) {
            const call = {};
            const given = new Headers(header);
            if (method.name === "StartSession") given.set("bree-session", "cookie");
            const attempt = new Attempt(method.name, input, around, call, signal);
            try {
                await attempt.begin();
                for (;;) {
                    try {
                        const limit = timeoutMs ?? attemptMs;
                        const answer = await transport.unary(
                            method,
                            signal,
                            limit,
                            given,
                            input,
                            values,
                        );
                        around.answered?.(method.name, input);
                        return answer;
                    } catch (error) {
                        await attempt.bear(error);
                    }
                }
            } finally {
                around.trouble(call);
            }
        },
    };
}

/** The attempts of one call. */
class Attempt {
    private failures = 0;
    private since = 0;
    private hasEntered = false;

    constructor(
        private readonly method: string,
        private readonly request: object,
        private readonly around: Around,
        private readonly call: object,
        private readonly signal: AbortSignal | undefined,
    ) {}

    async begin(): Promise<void> {
        if (openTo.has(this.method) || !this.around.isStranger?.()) return;
        this.hasEntered = true;
        await this.around.enter?.(false);
    }

    /** Comes back when the call is to be made again, and throws if it is not. */
    async bear(error: unknown): Promise<void> {
        const refused = refusalOf(error);
        if (refused.reason === "UNAUTHENTICATED") {
            await this.enter(error);
            return;
        }
        const failure = ConnectError.from(error);
        const request = this.request as Readonly<Record<string, unknown>>;
        if (this.signal?.aborted || !mayRepeat(this.method, request, failure, refused)) throw error;
        await this.pause(error, refused);
    }

    private async enter(error: unknown): Promise<void> {
        const { enter } = this.around;
        if (!enter || this.hasEntered || openTo.has(this.method)) throw error;
        this.hasEntered = true;
        if (!(await enter(true))) throw error;
    }

    private async pause(error: unknown, refused: Refusal): Promise<void> {
        const now = Date.now();
        this.since ||= now;
        const ms = Math.max(refused.retryAfterMs ?? 0, pauseMs(this.failures++));
        if (now + ms - this.since > bearMs) throw error;
        // One hiccup is nobody's news.
        if (this.failures > 1) {
            const why = whyOf(refused);
            this.around.trouble(this.call, { since: this.since, why, retryAt: now + ms });
        }
        await this.around.waiting.wait(ms, this.signal);
        if (this.signal?.aborted) throw error;
    }
}

/** What people are told of an outage. What browsers say of a failed fetch tells nobody anything. */
export function whyOf(refused: Refusal): string {
    return refused.reason ? refused.message : "The platform does not answer.";
}
