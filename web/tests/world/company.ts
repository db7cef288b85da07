/** Two people at one table and somebody who watches, and what all of them must agree on. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { idOf, openForPeople, sitDown } from "./matches";
import { arrive, type Somebody } from "./people";
import { look } from "./sight";
import type { Act } from "./witness";

export interface Company {
    host: Somebody;
    guest: Somebody;
    watcher: Somebody;
    match: string;
}

type Arrives = (more?: BrowserContextOptions) => Promise<Page>;

/** One opens a match, the other comes by its link, and a third watches. */
export async function gather(
    person: Arrives,
    game: string,
    seats: readonly [string, string],
    hostSees: BrowserContextOptions = {},
): Promise<Company> {
    const host = await arrive((more) => person({ ...more, ...hostSees }));
    const guest = await arrive(person);
    const watcher = await arrive(person);
    const link = await openForPeople(host.page, game, seats[0]);
    await sitDown(guest.page, link);
    await host.page.getByRole("button", { name: "Begin the match" }).click();
    await watcher.page.goto(link);
    await Promise.all(
        [host, guest, watcher].map(({ page }) =>
            page.locator(".match .board .thing").first().waitFor(),
        ),
    );
    return { host, guest, watcher, match: idOf(host.page) };
}

/** Whoever is asked decides, so many times. Returns who was last. */
export async function playOn({ host, guest }: Company, decisions: number): Promise<Somebody> {
    let last = host;
    for (let made = 0; made < decisions; made++) {
        last = await nextOf([host, guest]);
        await last.player.decide();
    }
    await nextOf([host, guest]);
    return last;
}

/** Whoever of them is asked; the match must not be over. */
export async function nextOf(people: readonly Somebody[]): Promise<Somebody> {
    const next = await nextOrEnd(people);
    if (!next) throw new Error("the match is over");
    return next;
}

/** Whoever of them is asked; nobody when the match has ended. */
export async function nextOrEnd(people: readonly Somebody[]): Promise<Somebody | undefined> {
    let next: Somebody | undefined;
    const find = async (): Promise<boolean> => {
        for (const somebody of people) {
            await somebody.player.catchUp();
            const { question, isSending, ended } = await look(somebody.page);
            if (ended !== "") return true;
            if (question === "" || isSending) continue;
            next = somebody;
            return true;
        }
        return false;
    };
    await expect.poll(find, { timeout: 90_000, message: "somebody is asked" }).toBe(true);
    return next;
}

/** The newest lines of the log that a page shows, with their numbers; a long log is drawn in part. */
export function logOf({ page }: Pick<Somebody, "page">): Promise<string[]> {
    const lines = page.locator("[aria-label='Log'] li[data-at]");
    return lines.evaluateAll((drawn) =>
        drawn
            .slice(-100)
            .map((line) => `${line.getAttribute("data-at") ?? ""}. ${line.textContent.trim()}`),
    );
}

/** All pages come to show the same step of the match, and all that a watcher is told is told to both
 * players, in the same order; they may know more. Returns the log of the host.
 */
export async function expectOneLog({ host, guest, watcher }: Company): Promise<string[]> {
    const told = async (): Promise<string> => {
        const steps = await Promise.all([host, guest, watcher].map(stepOf));
        if (new Set(steps).size > 1) return `the pages are at steps ${steps.join(", ")}`;
        const open = withoutNumbers(await logOf(watcher)).slice(-60);
        for (const player of [host, guest]) {
            const known = withoutNumbers(await logOf(player));
            if (!isWithin(open, known)) return `${open.join("\n")}\nis not in\n${known.join("\n")}`;
        }
        return "one log";
    };
    await expect.poll(told, { timeout: 30_000 }).toBe("one log");
    return logOf(host);
}

/** How far the match has come, as the page has it. */
async function stepOf({ page }: Somebody): Promise<number> {
    return Number(await page.getByRole("slider", { name: /^Step/ }).getAttribute("max"));
}

const withoutNumbers = (log: readonly string[]): string[] =>
    log.map((line) => line.replace(/^\d+\. /, ""));

/** Whether all of these stand in the log, in their order. */
function isWithin(some: readonly string[], log: readonly string[]): boolean {
    let at = 0;
    for (const line of log) if (line === some[at]) at += 1;
    return at === some.length;
}

/** The published record, fetched by a page itself. */
export function recordOf(page: Page, match: string): Promise<string> {
    return page.evaluate(async (match) => {
        const answer = await fetch("/bree.gateway.v1.MatchService/GetMatchRecord", {
            method: "POST",
            headers: { "Content-Type": "application/json", "Connect-Protocol-Version": "1" },
            body: JSON.stringify({ match }),
        });
        if (!answer.ok) throw new Error(await answer.text());
        return ((await answer.json()) as { text: string }).text;
    }, match);
}

/** What a seat has answered, in order, by the record. */
export function answersIn(record: string, seat: string): string[] {
    const lines = record.split("\n").filter((line) => line.startsWith(`${seat}: `));
    return lines.map((line) => line.slice(seat.length + 2).replace(/ ~[0-9a-f]+$/, ""));
}

/** What a page has answered, each question once, however often it was sent. */
export function answersOf(acts: readonly Act[]): string[] {
    return [...new Map(acts.map((act) => [act.requestId, act.action])).values()];
}

/** One gives up; then the record holds what each page has answered. */
export async function expectRecord(company: Company): Promise<void> {
    const { page } = company.guest;
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog[open]").getByRole("button", { name: "Resign" }).click();
    for (const { page } of [company.host, company.guest, company.watcher]) {
        await expect
            .poll(async () => (await look(page)).ended, { timeout: 30_000 })
            .toMatch(/won|lost/);
    }
    await expectSameRecord(company);
}

/** The record of a match that is over holds each answer of each page, once and in order. */
export async function expectSameRecord(company: Company): Promise<void> {
    const record = await recordOf(company.watcher.page, company.match);
    for (const { witness } of [company.host, company.guest]) {
        witness.expectOnce();
        const seat = witness.acts[0]?.seat ?? "";
        expect(answersIn(record, seat), `what ${seat} answered`).toEqual(answersOf(witness.acts));
    }
}
