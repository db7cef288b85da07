/** Accounts and matches that a test needs around its browsers, by calls of its own. */
import { createClient, type Client, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { JsonValue } from "@bufbuild/protobuf";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach } from "vitest";
import {
    AccountService,
    CatalogService,
    MatchService,
    SessionService,
    type Match,
} from "../../gen/bree/gateway/v1/gateway_pb";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Caller {
    name: string;
    token: string;
    accounts: Client<typeof AccountService>;
    catalog: Client<typeof CatalogService>;
    matches: Client<typeof MatchService>;
    sessions: Client<typeof SessionService>;
}

/** An account with a token, as a program has it. */
export async function caller(address: string): Promise<Caller> {
    let token = "";
    const prove: Interceptor = (next) => (request) => {
        if (token) request.header.set("authorization", `Bearer ${token}`);
        return next(request);
    };
    const transport = createConnectTransport({
        baseUrl: address,
        interceptors: [prove],
        useBinaryFormat: true,
    });
    const accounts = createClient(AccountService, transport);
    const made = await accounts.createAccount({});
    token = made.token;
    return {
        name: made.account?.name ?? "",
        token,
        accounts,
        catalog: createClient(CatalogService, transport),
        matches: createClient(MatchService, transport),
        sessions: createClient(SessionService, transport),
    };
}

/** A match that has not begun. */
export async function openMatch(
    { matches }: Caller,
    game: string,
    options: Record<string, string> = {},
): Promise<Match> {
    const said = Object.entries(options).map(([name, value]) => ({ name, value }));
    const requestId = randomUUID();
    const { match } = await matches.createMatch({ game, options: said, requestId });
    if (!match) throw new Error("no match was opened");
    return match;
}

/** A match of hosted bots alone. */
export async function botsMatch(
    who: Caller,
    game: string,
    level: string,
    options: Record<string, string> = {},
): Promise<string> {
    const match = await openMatch(who, game, options);
    for (const { seat } of match.seats) {
        await who.matches.addBot({ match: match.id, seat, level });
    }
    await who.matches.startMatch({ match: match.id });
    return match.id;
}

/** How far a match has come, and whether it is over. */
export async function standing(
    { matches }: Caller,
    match: string,
): Promise<{ revision: number; isOver: boolean }> {
    const { standing: at } = await matches.getView({ match });
    return { revision: Number(at?.revision ?? 0n), isOver: at?.outcome !== undefined };
}

/** Waits until a match has come so far, or is over. */
export async function played(who: Caller, match: string, revision: number): Promise<number> {
    for (;;) {
        const at = await standing(who, match);
        if (at.isOver || at.revision >= revision) return at.revision;
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
}

/** What `python -m tests.page.seen` tells of a record. */
export interface Seen {
    secret: string;
    nonces: Record<string, string>;
    /** By viewer and revision. */
    viewers: Record<string, { view: string; question: JsonValue; events: JsonValue[] }[]>;
    /** By revision, of The Confrontation alone: by side, each character and where it stands. */
    truth: Record<"good" | "dark", [string, string][]>[];
}

export function seenIn(record: string, viewers: string[]): Seen {
    const told = execFileSync(`${root}.venv/bin/python`, ["-m", "tests.page.seen", ...viewers], {
        cwd: root,
        input: record,
        maxBuffer: 500_000_000,
    });
    return JSON.parse(told.toString()) as Seen;
}

type Person = (more?: BrowserContextOptions) => Promise<Page>;

/** People who go home after each test: nobody looks on while the next one is made. */
export function guests(person: Person): Person {
    const here: Page[] = [];
    afterEach(async () => {
        for (const page of here.splice(0)) await page.context().close();
    });
    return async (more) => {
        const page = await person(more);
        here.push(page);
        return page;
    };
}

/** The address of a match that a person began against a bot, from the first page. */
export async function playAgainstBot(page: Page, title: string): Promise<string> {
    await page.goto("/");
    const game = page
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading", { name: title }) });
    await game.getByRole("button", { name: "Play against a bot" }).click();
    await page.waitForURL(/\/m\/.+seat=/);
    return matchIn(page);
}

export function matchIn(page: Page): string {
    return decodeURIComponent(new URL(page.url()).pathname.split("/")[2] ?? "");
}

/** Answers a question: from the list, or by the button where one choice is left. False: it is over. */
export async function answer(page: Page, choose: (count: number) => number): Promise<boolean> {
    const list = page.getByRole("listbox");
    const sure = page.getByRole("button", { name: "Confirm" });
    const over = page.getByRole("button", { name: "Verify" });
    await list.or(sure).or(over).first().waitFor({ timeout: 60_000 });
    if (await over.isVisible()) return false;
    if (!(await sure.isVisible())) {
        const options = list.getByRole("option");
        await options.nth(choose(await options.count())).click();
    }
    const acted = page.waitForResponse((response) => response.url().endsWith("/Act"));
    await sure.click();
    await acted;
    return true;
}

/** Gives a match up, unless it is over. */
export async function resign(page: Page): Promise<void> {
    const over = page.getByRole("button", { name: "Verify" });
    if (await over.isVisible()) return;
    await page.getByRole("button", { name: "Resign" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
    await over.waitFor();
}
