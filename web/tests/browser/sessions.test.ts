/** Who one is in a browser: a guest, somebody with a name, on two devices, and on nobody else's page. */
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { Between } from "../world/guard";
import { answer, caller, guests, matchIn, playAgainstBot, resign } from "../world/guardCalls";

const ENOUGH = 10;
const COOKIE = "bree_session";

const person = guests(browserForTests().person);

/** The name that the page shows of whoever uses it. */
async function nameOn(page: Page): Promise<string> {
    const shown = page.locator("header .who");
    await shown.filter({ hasNotText: /^Guest$/ }).waitFor();
    return shown.innerText();
}

async function tokenOf(page: Page): Promise<string> {
    const cookies = await page.context().cookies();
    return cookies.find(({ name }) => name === COOKIE)?.value ?? "";
}

function newName(): string {
    return `Sam-${Math.random().toString(36).slice(2, 10)}`;
}

/** All that a script of the page can read. */
function within(page: Page): Promise<string> {
    return page.evaluate(async () => {
        const stores = [localStorage, sessionStorage].map((store) => JSON.stringify(store));
        const databases = (await indexedDB.databases()).map(({ name }) => name);
        const kept = await Promise.all(
            (await caches.keys()).map(async (key) => (await caches.open(key)).keys()),
        );
        const cached = kept.flat().map(({ url }) => url);
        const dom = document.documentElement.outerHTML;
        return [document.cookie, ...stores, ...databases, ...cached, location.href, dom].join("\n");
    });
}

describe.skipIf(isMissing)("a visitor", () => {
    test("plays at once, takes a name and keeps all; no script sees the token", async () => {
        const between = await Between.before(inject("address"));
        const page = await person({ proxy: between.proxy });
        await playAgainstBot(page, "The Confrontation");
        const match = matchIn(page);
        await page.getByRole("listbox").waitFor();
        const guest = await nameOn(page);
        // Who gives up at once has not played, and nothing is counted.
        for (let n = 0; n < ENOUGH; n++) await answer(page, () => 0);
        await resign(page);
        const who = await caller(inject("address"));
        await expect
            .poll(async () => (await who.matches.getMatch({ match })).match?.rated, {
                timeout: 30_000,
            })
            .toBe(true);
        const rated = (await who.accounts.getProfile({ account: guest })).ratings;
        expect(rated.map(({ game, matches }) => [game, matches])).toEqual([["confrontation", 1n]]);

        const name = newName();
        await page.goto("/account");
        await page.getByLabel("A name").fill(name);
        await page.getByRole("button", { name: "Take this name" }).click();
        await page.getByText(`You are called ${name} now.`).waitFor();
        expect(await nameOn(page)).toBe(name);
        for (const called of [name, guest]) {
            const { account, ratings } = await who.accounts.getProfile({ account: called });
            expect([account?.name, account?.guest]).toEqual([name, false]);
            expect(ratings.map(({ ordinal }) => ordinal)).toEqual(
                rated.map(({ ordinal }) => ordinal),
            );
        }
        await page.goto("/history");
        await page.locator(`a[href*="${match}"]`).first().waitFor();
        await page.goto(`/player/${name}`);
        await page.locator("main").getByText("Confrontation").first().waitFor();

        const token = await tokenOf(page);
        expect(token.length).toBeGreaterThan(20);
        const [cookie] = (await page.context().cookies()).filter((one) => one.name === COOKIE);
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
        expect(await page.evaluate(() => document.cookie)).toBe("");
        for (const part of [token, ...token.split(".").filter((one) => one.length > 19)]) {
            expect((await within(page)).includes(part)).toBe(false);
            expect(between.texts().filter((text) => text.includes(part))).toEqual([]);
        }
        expect(between.foreign).toEqual([]);
        await between.close();
    });

    test("logs in on a second device by a code, and out here and everywhere", async () => {
        const [first, between] = [await person(), await Between.before(inject("address"))];
        const second = await person({ proxy: between.proxy });
        const begun = (): number =>
            between.requests.filter(({ url }) => url.endsWith("/StartSession")).length;
        await playAgainstBot(first, "The Confrontation");
        const name = await nameOn(first);

        const login = async (): Promise<void> => {
            await first.goto("/account");
            await first.getByRole("button", { name: "Log in on another device" }).click();
            const code = await first.locator(".digits").innerText();
            await second.goto("/login");
            await second.getByLabel("Code or token").fill(code.toUpperCase());
            await second.getByRole("button", { name: "Log in", exact: true }).click();
            await second.getByText(`You play as ${name}.`).waitFor();
            expect(await nameOn(second)).toBe(name);
            await second.goto("/login");
            await second.getByLabel("Code or token").fill(code);
            await second.getByRole("button", { name: "Log in", exact: true }).click();
            await second.getByText("no code or token that is worth anything").waitFor();
        };

        await login();
        await second.goto("/account");
        await second.getByText("this browser, used").waitFor();
        await second.getByRole("button", { name: /^Log out Chrome/ }).waitFor();
        await second.getByRole("button", { name: "Log out here" }).click();
        await second.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
        await second.getByText("Nobody is logged in on this device.").waitFor();
        expect(await tokenOf(second)).toBe("");
        await first.reload();
        expect(await nameOn(first)).toBe(name);

        await login();
        await second.goto("/lobby");
        expect(await nameOn(second)).toBe(name);
        const sessions = begun();
        await first.getByRole("button", { name: "Log out everywhere" }).click();
        await first.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
        await first.getByText("Nobody is logged in on this device.").waitFor();
        const ended = second.getByText("You have been logged out.");
        await ended.waitFor();

        // Nobody becomes a new guest without wanting to: not by going on, loading anew, or playing.
        await second.goto("/history");
        await ended.waitFor();
        await second.goto("/");
        await ended.waitFor();
        await second.getByRole("button", { name: "Play against a bot" }).first().click();
        await second.getByRole("alert").first().waitFor();
        expect(begun()).toBe(sessions);
        await second.getByRole("link", { name: "Log in, or go on as a guest" }).click();
        await second.getByRole("button", { name: /guest/ }).click();
        const other = await nameOn(second);
        expect(other).not.toBe(name);
        expect(begun()).toBe(sessions + 1);
        await between.close();
    });
});

describe.skipIf(isMissing)("a page of somebody else", () => {
    let evil: Server;
    let port = 0;

    beforeAll(async () => {
        evil = createServer((_, answer) => {
            answer.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>evil");
        });
        await new Promise<void>((resolve) => evil.listen(0, resolve));
        port = (evil.address() as AddressInfo).port;
    });
    afterAll(() => {
        evil.close();
    });

    /** Asks in every way that a page has, and tells what it could read. */
    function attack(page: Page, target: string): Promise<string[]> {
        return page.evaluate(async (to) => {
            const read: string[] = [];
            const path = `${to}/bree.gateway.v1.SessionService/EndAllSessions`;
            const kinds = ["application/json", "text/plain", "application/proto"];
            for (const mode of ["cors", "no-cors"] as const) {
                for (const kind of kinds) {
                    const headers = { "content-type": kind, "connect-protocol-version": "1" };
                    for (const said of [headers, { "content-type": kind }]) {
                        try {
                            const body = kind.endsWith("proto") ? "" : "{}";
                            const method = "POST";
                            const credentials = "include";
                            const asked = {
                                mode,
                                method,
                                credentials,
                                headers: said,
                                body,
                            } as const;
                            const text = await (await fetch(path, asked)).text();
                            if (text) read.push(text);
                        } catch {
                            // As it should be.
                        }
                    }
                }
            }
            for (const kind of kinds) navigator.sendBeacon(path, new Blob(["{}"], { type: kind }));
            for (const kind of ["text/plain", "application/x-www-form-urlencoded"]) {
                const [form, frame] = [
                    document.createElement("form"),
                    document.createElement("iframe"),
                ];
                frame.name = `into-${kind}`;
                Object.assign(form, {
                    action: path,
                    method: "post",
                    enctype: kind,
                    target: frame.name,
                });
                const field = document.createElement("input");
                Object.assign(field, { name: '{"a":"', value: '"}' });
                form.append(field);
                document.body.append(frame, form);
                form.submit();
            }
            await new Promise((resolve) => setTimeout(resolve, 500));
            return read;
        }, target);
    }

    test.each(["localhost", "127.0.0.1"])(
        "at %s makes no call and shows no frame",
        async (host) => {
            const page = await person();
            await page.goto("/");
            await playAgainstBot(page, "The Confrontation");
            const [name, token] = [await nameOn(page), await tokenOf(page)];
            const other = await page.context().newPage();
            await other.goto(`http://${host}:${port}/`);
            expect(await attack(other, inject("address"))).toEqual([]);
            await other.evaluate((address) => {
                const frame = document.createElement("iframe");
                frame.src = `${address}/settings`;
                document.body.append(frame);
                return new Promise((resolve) => {
                    frame.onload = resolve;
                });
            }, inject("address"));
            const [framed] = other.frames().slice(-1);
            expect(await framed?.locator("#app").count()).toBe(0);
            await page.reload();
            expect(await nameOn(page)).toBe(name);
            expect(await tokenOf(page)).toBe(token);
        },
    );

    test("is given nothing for the cookie, were it to send one", async () => {
        const page = await person();
        await playAgainstBot(page, "The Confrontation");
        await nameOn(page);
        const cookie = `${COOKIE}=${await tokenOf(page)}`;
        const own = { cookie, "connect-protocol-version": "1", "content-type": "application/json" };
        const origin = inject("address");
        const asked = (headers: Record<string, string>): Promise<number> =>
            statusOf("/bree.gateway.v1.AccountService/GetAccount", { ...own, ...headers });
        expect(await asked({ "sec-fetch-site": "same-origin" })).toBe(200);
        expect(await asked({ origin })).toBe(200);
        for (const site of ["same-site", "cross-site", "none", ""]) {
            expect([site, await asked({ "sec-fetch-site": site, origin })]).toEqual([site, 401]);
        }
        expect(await asked({ origin: `http://localhost:${port}` })).toBe(401);
        expect(await asked({ origin: "null" })).toBe(401);
        expect(await asked({})).toBe(401);
    });
});

function statusOf(path: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
        const asked = request(inject("address"), { path, method: "POST", headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
        });
        asked.on("error", reject);
        asked.end("{}");
    });
}

describe("every kind of answer", () => {
    const service = "/bree.gateway.v1";
    const json = { "content-type": "application/json" };
    const stream = { "content-type": "application/connect+json" };
    const kinds: readonly (readonly [string, string, string, Record<string, string>])[] = [
        ["the page", "GET", "/", {}],
        ["a place within it", "GET", "/m/none?seat=good", {}],
        ["no such file", "GET", "/none.js", {}],
        ["no such file that is kept for ever", "GET", "/assets/none.js", {}],
        ["what only can be read", "POST", "/", {}],
        ["a method", "POST", `${service}.CatalogService/ListGames`, json],
        ["a refusal", "POST", `${service}.AccountService/GetAccount`, json],
        ["a stream", "POST", `${service}.NewsService/ListenNews`, stream],
        ["a method that is not asked so", "POST", `${service}.CatalogService/ListGames`, {}],
        ["a method that is only looked at", "GET", `${service}.CatalogService/ListGames`, {}],
        ["no such method", "POST", `${service}.CatalogService/None`, json],
        [
            "a question of a browser before a call",
            "OPTIONS",
            `${service}.CatalogService/ListGames`,
            {},
        ],
        ["health", "GET", "/healthy", {}],
    ];

    test.each(kinds)("has a strict policy: %s", async (_, method, path, headers) => {
        const response = await fetch(inject("address") + path, {
            method,
            headers,
            ...(method === "POST" ? { body: "{}" } : {}),
        });
        await response.body?.cancel();
        const policy = response.headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe|\*|https?:/);
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
        expect(response.headers.get("x-frame-options")).toBe("DENY");
        expect(response.headers.get("referrer-policy")).toBe("no-referrer");
        expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
        expect(response.headers.get("access-control-allow-origin")).toBeNull();
    });
});
