/** What somebody sees who looks at the page of a match; read from the page, and from nothing else. */
import type { Page } from "playwright-core";

export interface Sight {
    /** How the match has ended, in the page's words; "" while it goes on. */
    ended: string;

    /** The sentence of the question, or "" where nothing is asked. */
    question: string;
    isSending: boolean;

    /** Why the last answer was refused. */
    refusal: string;

    /** What the page says of trouble: banners, notices, alerts. */
    alerts: string[];

    /** Nouns of the things on the board that can be seen and touched. */
    lit: string[];

    /** What the panel offers to narrow by, besides its list. */
    verbs: string[];

    /** The sentences in the list; with an amount, its range stands apart. */
    rows: { text: string; range: string }[];

    /** Whether the list can be narrowed by typing. */
    canType: boolean;

    /** The sentence that would be sent. */
    answer: string;
    isSettled: boolean;

    /** The limits of the amount in the answer, if there is one. */
    amount: { first: number; last: number } | undefined;

    /** How many lines the log has. */
    log: number;

    /** How far the page is wider than the window. */
    overflow: number;
    focused: string;
}

/** Runs in the page. */
export function see(): Sight {
    const all = (css: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(css)];
    const text = (css: string): string =>
        document.querySelector(css)?.textContent.trim().replaceAll(/\s+/g, " ") ?? "";
    const head = text(".match header > p");
    const sure = document.querySelector(".ask .sure");
    const number = document.querySelector<HTMLInputElement>(".ask .amount .number");
    const last = all("[aria-label='Log'] li[data-at]").at(-1);
    const lit = all(".board .lit[data-noun]").filter((thing) => thing.checkVisibility());
    return {
        ended: /\b(won|lost|drawn|aborted)\b/.test(head) ? head : "",
        question: text(".ask header h2"),
        isSending: document.querySelector(".ask .sending") !== null,
        refusal: text(".ask .refusal"),
        alerts: all("[role=alert], .banner").map((one) => one.textContent.trim()),
        lit: [...new Set(lit.map((thing) => thing.dataset["noun"] ?? ""))],
        verbs: all(".ask .verbs button").map((button) => button.textContent.trim()),
        rows: all(".ask [role=option]").map((row) => ({
            text: row.querySelector(".text")?.textContent.trim() ?? "",
            range: row.querySelector(".range")?.textContent.trim() ?? "",
        })),
        canType: document.querySelector(".ask [role=combobox]") !== null,
        answer: text(".ask .answer .sentence"),
        isSettled: sure?.getAttribute("aria-disabled") === "false",
        amount: number ? { first: Number(number.min), last: Number(number.max) } : undefined,
        log: last ? Number(last.dataset["at"]) + 1 : 0,
        overflow: document.documentElement.scrollWidth - innerWidth,
        focused: document.activeElement?.outerHTML.slice(0, 200) ?? "",
    };
}

export const look = (page: Page): Promise<Sight> => page.evaluate(see);

/** Whether the page waits for this player, or the match has ended. Runs in the page. */
export function isAsked(): boolean {
    const panel = document.querySelector(".ask");
    const isAnswerable = panel?.querySelector("header h2") && !panel.querySelector(".sending");
    const head = document.querySelector(".match header > p")?.textContent ?? "";
    const isReturning = document.querySelector("[aria-label='Since you looked']") !== null;
    return !!isAnswerable || isReturning || /\b(won|lost|drawn|aborted)\b/.test(head);
}

/** Whether the answer that is shown can be sent. Runs in the page. */
export function isSettled(): boolean {
    return document.querySelector(".ask .sure")?.getAttribute("aria-disabled") === "false";
}
