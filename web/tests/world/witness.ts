/** Watches one page from outside: its errors, its failed requests, and every answer that it sends. */
import { fromBinary } from "@bufbuild/protobuf";
import type { Page, Request, Response } from "playwright-core";
import { expect } from "vitest";
import { ActRequestSchema } from "../../gen/bree/gateway/v1/gateway_pb";

export interface Act {
    match: string;
    seat: string;
    question: bigint;
    action: string;
    requestId: string;

    /** The status of what the platform has said to it. */
    answers: number[];

    /** Whether it is still under way. */
    isOpen: boolean;
}

/** Whoever is faster than his first session is made a guest by this answer, once. */
const NOBODY_YET = /status of 401/;

/** What a page still waited for when it went. */
const LEFT = /ERR_ABORTED/;

/** What browsers themselves say of calls that fail. */
const NETWORK = /^console: Failed to load resource|^console: .*net::ERR_/;

export class Witness {
    readonly acts: Act[] = [];
    readonly errors: string[] = [];
    readonly failures: string[] = [];
    private readonly sent = new Map<Request, Act>();

    constructor(readonly page: Page) {
        page.on("pageerror", (error) => this.errors.push(`page: ${error.stack ?? error.message}`));
        page.on("console", (said) => {
            if (said.type() === "error" || said.type() === "warning") {
                this.errors.push(`console: ${said.text()} ${said.location().url}`);
            }
        });
        page.on("request", (request) => {
            if (request.url().endsWith("MatchService/Act")) this.act(request);
        });
        page.on("requestfailed", (request) => {
            this.end(request);
            this.failures.push(`${request.failure()?.errorText ?? "?"} ${request.url()}`);
        });
        page.on("response", (response) => {
            this.answered(response);
        });
    }

    /** Answers that were taken. */
    get taken(): Act[] {
        return this.acts.filter(({ answers }) => answers.includes(200));
    }

    /** Nothing was wrong: no errors, and nothing failed but what a page leaves behind when it goes. */
    async expectPeace(): Promise<void> {
        await this.expectAnswers();
        expect(withoutFirst(this.errors, NOBODY_YET), "errors in the console").toEqual([]);
        const failed = withoutFirst(this.failures, /^401 /).filter((one) => !LEFT.test(one));
        expect(failed, "failed requests").toEqual([]);
        this.expectOnce();
        expect(this.acts.filter(({ answers }) => answers[0] !== 200)).toEqual([]);
    }

    /** Whatever was away, the page itself has no fault. */
    async expectSound(): Promise<void> {
        await this.expectAnswers();
        expect(
            this.errors.filter((error) => !NETWORK.test(error)),
            "errors of the page",
        ).toEqual([]);
        this.expectOnce();
    }

    /** No question was answered with two different things, and none was acknowledged twice. */
    expectOnce(): void {
        const byQuestion = new Map<string, Act[]>();
        for (const act of this.acts) {
            const key = `${act.match} ${act.seat} ${act.requestId}`;
            byQuestion.set(key, [...(byQuestion.get(key) ?? []), act]);
        }
        for (const [key, acts] of byQuestion) {
            const said = new Set(acts.map(({ action, question }) => `${question} ${action}`));
            expect([...said], `what was answered under ${key}`).toHaveLength(1);
            const taken = acts.filter(({ answers }) => answers.includes(200));
            expect(taken.length, `acknowledged answers under ${key}`).toBeLessThanOrEqual(1);
        }
    }

    /** What was sent last may be known from the stream before its own answer is there. */
    private async expectAnswers(): Promise<void> {
        const open = (): number => this.acts.filter(({ isOpen }) => isOpen).length;
        await expect.poll(open, { timeout: 30_000, message: "calls without an end" }).toBe(0);
    }

    private act(request: Request): void {
        const body = request.postDataBuffer();
        if (!body) throw new Error("an answer without a body");
        const { match, seat, question, action, requestId } = fromBinary(ActRequestSchema, body);
        const act = { match, seat, question, action, requestId, answers: [], isOpen: true };
        this.acts.push(act);
        this.sent.set(request, act);
    }

    private end(request: Request): void {
        const act = this.sent.get(request);
        if (act) act.isOpen = false;
    }

    private answered(response: Response): void {
        this.sent.get(response.request())?.answers.push(response.status());
        this.end(response.request());
        const isRefused = response.status() >= 400 && !response.url().endsWith("/Act");
        if (isRefused) this.failures.push(`${response.status()} ${response.url()}`);
    }
}

function withoutFirst(told: readonly string[], expected: RegExp): string[] {
    const at = told.findIndex((one) => expected.test(one));
    return told.filter((_, place) => place !== at);
}
