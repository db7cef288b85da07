/** An account that lasts: its ways in, its name, its programs and its data, in a real browser. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { CDPSession, Locator, Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { Between } from "../world/guard";
import { caller, guests, openMatch } from "../world/guardCalls";

const PATIENCE = { timeout: 30_000 };

const person = guests(browserForTests().person);

/** Somebody at the address that the host has given, on his account's page.
 *
 * A device of a test answers also what a browser only offers: so nothing is offered, if not asked for.
 */
async function atHome(isOffered = false): Promise<Page> {
    const page = await person({ baseURL: inject("named") });
    if (!isOffered) {
        await page.addInitScript(() => {
            PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
        });
    }
    await page.goto("/account");
    await ready(page);
    return page;
}

async function ready(page: Page): Promise<void> {
    await page.getByRole("heading", { name: "Recovery codes" }).waitFor(PATIENCE);
    await page.locator("main .skeleton").first().waitFor({ state: "detached" });
}

/** A device that keeps passkeys, and says yes to whatever is asked. */
async function deviceOf(page: Page): Promise<CDPSession> {
    const device = await page.context().newCDPSession(page);
    await device.send("WebAuthn.enable");
    await device.send("WebAuthn.addVirtualAuthenticator", {
        options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
        },
    });
    return device;
}

const dialog = (page: Page): Locator => page.getByRole("dialog");
const nameOn = (page: Page): Promise<string> =>
    page
        .locator("header .who")
        .filter({ hasNotText: /^Guest$/ })
        .innerText();

function newName(): string {
    return `Rosie-${Math.random().toString(36).slice(2, 10)}`;
}

async function takeName(page: Page): Promise<string> {
    const name = newName();
    await page.getByLabel("A name").fill(name);
    await page.getByRole("button", { name: "Take this name" }).click();
    await page.getByText(`You are called ${name} now.`).waitFor();
    return name;
}

async function leave(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Log out here" }).click();
    await dialog(page).getByRole("button", { name: "Log out" }).click();
    await page.getByText("Nobody is logged in on this device.").waitFor();
}

async function confirmed(page: Page, button: string, name: string): Promise<void> {
    await dialog(page)
        .getByLabel(/To confirm/)
        .fill("somebody else");
    await dialog(page).getByRole("button", { name: button }).click();
    await dialog(page).getByText(`Type ${name} here`).waitFor();
    await dialog(page)
        .getByLabel(/To confirm/)
        .fill(name);
    await dialog(page).getByRole("button", { name: button }).click();
}

describe.skipIf(isMissing)("an account is kept", () => {
    test("by a passkey: made, refused twice on one device, shown, removed", async () => {
        const page = await atHome();
        await deviceOf(page);
        const banner = page.getByRole("complementary", { name: "Keep this account" });
        await banner.getByText("You play as a guest.").waitFor();
        const name = await takeName(page);
        await page.getByText("Only your devices know you.").waitFor();

        await page.getByRole("button", { name: "Add a passkey", exact: true }).click();
        await dialog(page).getByLabel("Its name").fill("my laptop");
        await dialog(page).getByRole("button", { name: "Make it" }).click();
        await page.getByText("The passkey is kept.").waitFor();
        await page.getByRole("listitem").filter({ hasText: "my laptop" }).waitFor();
        await page.getByText("Only your devices know you.").waitFor({ state: "detached" });

        await page.getByRole("button", { name: "Add a passkey", exact: true }).click();
        await dialog(page).getByRole("button", { name: "Make it" }).click();
        await dialog(page).getByText("already has a passkey for your account").waitFor();
        await page.keyboard.press("Escape");

        await leave(page);
        await page.getByRole("button", { name: "Log in with a passkey" }).click();
        await page.getByText(`You play as ${name}.`).waitFor();
        expect(await nameOn(page)).toBe(name);

        await page.goto("/account#passkeys");
        await page.getByRole("button", { name: "Remove my laptop" }).click();
        await dialog(page).getByRole("button", { name: "Remove it" }).click();
        await dialog(page).getByText("This is the last way in that lasts").waitFor();
        await dialog(page).getByRole("button", { name: "Remove it all the same" }).click();
        await page.getByText("Only your devices know you.").waitFor();

        await leave(page);
        await page.getByRole("button", { name: "Log in with a passkey" }).click();
        await page.getByText("This passkey opens nothing here").waitFor();
        expect(await page.getByText("Nobody is logged in on this device.").count()).toBe(1);
    });

    test("by a passkey that the browser offers by itself", async () => {
        const page = await atHome(true);
        await deviceOf(page);
        const name = await nameOn(page);
        await page.getByRole("button", { name: "Add a passkey", exact: true }).click();
        await dialog(page).getByRole("button", { name: "Make it" }).click();
        await page.getByText("The passkey is kept.").waitFor();
        await page.getByRole("button", { name: "Log out here" }).click();
        await dialog(page).getByRole("button", { name: "Log out" }).click();
        await page.getByText(`You play as ${name}.`).waitFor();
    });

    test("by recovery codes: shown once, saved, each worth something once", async () => {
        const page = await atHome();
        const name = await takeName(page);
        await page.getByText("You have none.").first().waitFor();
        await page.getByRole("button", { name: "Make ten codes" }).click();
        const list = page.getByRole("list", { name: "Recovery codes" });
        await list.waitFor();
        const codes = await list.getByRole("listitem").allInnerTexts();
        expect(new Set(codes).size).toBe(10);
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save as a file" }).click();
        const file = readFileSync(await (await saving).path(), "utf8");
        for (const code of codes) expect(file).toContain(code);
        await page.getByRole("button", { name: "I have put them away" }).click();
        await page.reload();
        await ready(page);
        expect(await page.getByText(codes[0] ?? "").count()).toBe(0);
        await page.getByText("10 codes of ten are left").waitFor();
        await leave(page);

        const logIn = async (code: string): Promise<void> => {
            await page.getByLabel("Code or token").fill(code);
            await page.getByRole("button", { name: "Log in", exact: true }).click();
        };
        await logIn((codes[3] ?? "").toLowerCase().replaceAll("-", " "));
        await page.getByText(`You play as ${name}.`).waitFor();
        await page.goto("/account#recovery");
        await page.getByText("9 codes of ten are left").waitFor();
        await page.getByRole("button", { name: "Make new codes" }).click();
        await dialog(page).getByRole("button", { name: "Make them" }).click();
        await list.waitFor();
        await page.getByRole("button", { name: "I have put them away" }).click();
        await leave(page);
        for (const code of [codes[3], codes[4]]) {
            await logIn(code ?? "");
            await page.getByText("no code or token that is worth anything").waitFor();
        }
    });

    test("by a provider: linked, logged in, unlinked; given up; nobody else's answer", async () => {
        const page = await atHome();
        const name = await takeName(page);
        const who = join(inject("outside"), "who");
        writeFileSync(who, "");
        await page.getByRole("button", { name: "Link with Brandywine" }).click();
        await page.getByText("It was given up there.").waitFor();
        await page.getByRole("link", { name: "To your account" }).click();

        writeFileSync(who, `s-${name} Rosie of ${name}`);
        await page.getByRole("button", { name: "Link with Brandywine" }).click();
        await page.getByText("Brandywine is linked with your account.").waitFor();
        expect(page.url()).toBe(`${inject("named")}/account#provider`);
        await page.getByText(`Rosie of ${name}`).waitFor();
        const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
        expect(kept).not.toContain("binding");

        await leave(page);
        await page.getByRole("button", { name: "Go on with Brandywine" }).click();
        await page.getByText(`You play as ${name}.`).waitFor();

        // An address that somebody else made up logs nobody in, and is not kept in the history.
        await page.goto("/login?state=theirs&code=theirs");
        await page.getByText("belongs to nothing that was begun in this tab").waitFor();
        expect(page.url()).toBe(`${inject("named")}/login`);
        expect(await nameOn(page)).toBe(name);

        await page.goto("/account#provider");
        await page.getByRole("button", { name: /^Unlink Rosie/ }).click();
        await dialog(page).getByRole("button", { name: "Unlink" }).click();
        await dialog(page).getByRole("button", { name: "Unlink all the same" }).click();
        await page.getByRole("button", { name: "Link with Brandywine" }).waitFor();
    });

    test("by a provider, on a device that nobody was known on: no guest comes in his place", async () => {
        const between = await Between.before(inject("named"));
        between.friend = "127.0.0.1";
        const page = await person({ baseURL: inject("named"), proxy: between.proxy });
        await page.goto("/account");
        await ready(page);
        const name = await takeName(page);
        writeFileSync(join(inject("outside"), "who"), `s-${name} Rosie of ${name}`);
        await page.getByRole("button", { name: "Link with Brandywine" }).click();
        await page.getByText("Brandywine is linked with your account.").waitFor();
        await leave(page);

        // Whoever comes back is a stranger at first: a guest that was begun for him may come last.
        between.lateMs = (path, asked) => {
            if (!path.endsWith("/StartSession")) return 0;
            return asked.length > 100 ? 800 : 2500;
        };
        await page.getByRole("button", { name: "Go on with Brandywine" }).click();
        await page.getByText(`You play as ${name}.`).waitFor();
        await new Promise((resolve) => setTimeout(resolve, 3000));
        await page.goto("/account");
        await ready(page);
        expect(await nameOn(page)).toBe(name);
        await between.close();
    });

    test("by mail: confirmed by its code, logged in with another, removed", async () => {
        const page = await atHome();
        const name = await takeName(page);
        const address = `${name.toLowerCase()}@example.org`;
        await page.getByLabel("Your address").fill("no address");
        await page.getByRole("button", { name: "Send a code" }).click();
        await page.getByText("That is no address of mail.").waitFor();
        await page.getByLabel("Your address").fill(address);
        await page.getByRole("button", { name: "Send a code" }).click();
        await page.getByLabel("The code that came").fill("aaaa-aaaa");
        await page.getByRole("button", { name: "Confirm the address" }).click();
        await page.locator("#mail").getByRole("alert").waitFor();
        await page.getByLabel("The code that came").fill(await codeAt(address, 1));
        await page.getByRole("button", { name: "Confirm the address" }).click();
        await page.locator("#mail").getByText(`Codes go to ${address}`).waitFor();

        await leave(page);
        await page.getByLabel("E-mail address").fill(address);
        await page.getByRole("button", { name: "Send me a code" }).click();
        await page.getByLabel("The code that came by mail").fill(await codeAt(address, 2));
        await page.getByRole("button", { name: "Log in by mail" }).click();
        await page.getByText(`You play as ${name}.`).waitFor();

        await page.goto("/account#mail");
        await page.locator("#mail").getByRole("button", { name: "Remove it" }).click();
        await dialog(page).getByRole("button", { name: "Remove it" }).click();
        await dialog(page).getByRole("button", { name: "Remove it all the same" }).click();
        await page.getByLabel("Your address").waitFor();
    });
});

/** The code in the so-many-th mail that has come to an address. */
async function codeAt(address: string, number: number): Promise<string> {
    const mails = join(inject("outside"), "mails");
    const lines = (): string[] =>
        readFileSync(mails, "utf8")
            .split("\n")
            .filter((line) => line.toLowerCase().startsWith(`${address} `));
    await expect.poll(() => lines().length, PATIENCE).toBeGreaterThanOrEqual(number);
    return lines()[number - 1]?.split(" ")[1] ?? "";
}

describe.skipIf(isMissing)("a name", () => {
    test("is taken, and another one, and then not for a while; the old one leads there", async () => {
        const page = await atHome();
        const name = await takeName(page);
        const [second, third] = [newName(), newName()];
        const rename = async (wanted: string): Promise<void> => {
            await page.getByLabel("Another name").fill(wanted);
            await page.getByRole("button", { name: "Take this name" }).click();
            await dialog(page).getByText("nobody else can take it").waitFor();
            await dialog(page).getByRole("button", { name: "Take this name" }).click();
        };
        await rename(second);
        await page.getByText(`You are called ${second} now.`).waitFor();
        await rename(third);
        await page.getByText("once in 30 days").waitFor();
        expect(await nameOn(page)).toBe(second);
        await page.goto(`/player/${name}`);
        await page.getByRole("heading", { name: second }).waitFor();
        await page.goto("/account#name");
        await page.getByLabel("Another name").fill("no name!");
        await page.getByRole("button", { name: "Take this name" }).click();
        await page.getByText("Only the letters a to z").waitFor();
    });
});

describe.skipIf(isMissing)("programs", () => {
    test("have tokens that are shown once, may do what they say, and are revoked", async () => {
        const page = await atHome();
        const name = await nameOn(page);
        await page.getByRole("button", { name: "Make a token" }).click();
        await dialog(page).getByRole("button", { name: "Make it" }).click();
        await dialog(page).getByText("Give it a name").waitFor();
        await dialog(page).getByLabel("What it is for").fill("my reader");
        await dialog(page).getByRole("radio", { name: "Look" }).check();
        await dialog(page).getByRole("button", { name: "Make it" }).click();
        const field = page.getByLabel("The token my reader");
        const token = await field.inputValue();
        expect(await field.evaluate((it) => it === document.activeElement)).toBe(true);

        expect(await asked("AccountService/GetAccount", token)).toMatchObject({
            account: { name },
        });
        expect(await asked("MatchService/CreateMatch", token)).toMatchObject({
            code: "permission_denied",
        });
        await page.getByRole("button", { name: "I have kept it" }).click();
        await page.reload();
        await ready(page);
        expect((await page.content()).includes(token)).toBe(false);
        await page.getByText("may look").waitFor();
        await page.getByRole("button", { name: "Revoke my reader" }).click();
        await dialog(page).getByRole("button", { name: "Revoke it" }).click();
        await page.getByText("The token is revoked.").waitFor();
        await expect
            .poll(() => asked("AccountService/GetAccount", token), PATIENCE)
            .toMatchObject({ code: "unauthenticated" });
    });

    test("say that they are: marked everywhere, and what they play", async () => {
        const page = await atHome();
        const name = await takeName(page);
        await page.getByRole("button", { name: "This account is a bot" }).click();
        await confirmed(page, "It is a bot", name);
        await page.getByRole("heading", { name: "What this bot plays" }).waitFor();
        await page.getByLabel("Duel").check();
        await page.getByLabel("Matches with other bots a day").fill("101");
        await page.getByRole("button", { name: "Say so" }).click();
        await page.getByText("A whole number from 0 to 100").waitFor();
        await page.getByLabel("Matches with other bots a day").fill("3");
        await page.getByRole("button", { name: "Say so" }).click();
        await page.getByText("That is what this bot plays now.").waitFor();
        await page.reload();
        await ready(page);
        await page.getByRole("heading", { name: "What this bot plays" }).waitFor();
        await expect.poll(() => page.getByLabel("Duel").isChecked()).toBe(true);
        expect(await page.getByLabel("Matches with other bots a day").inputValue()).toBe("3");

        const other = await person();
        await other.goto(`/player/${name}`);
        await other.locator(".badge.program").waitFor();
        expect(await other.locator(".badge.program").getAttribute("title")).toContain("program");
        await page.goto("/new/duel");
        await page.getByRole("button", { name: /Open the match/ }).click();
        await page.waitForURL(/\/m\//);
        await other.goto(new URL(page.url()).pathname);
        await other.getByRole("list", { name: "Seats" }).locator(".badge.program").waitFor();
    });

    test("are not met by whoever does not want to", async () => {
        const page = await atHome();
        const wish = page.getByLabel("I do not want to meet bots");
        const kept = page.waitForResponse((answer) => answer.url().endsWith("/SetWishes"));
        await wish.check();
        await (await kept).finished();
        await page.reload();
        await ready(page);
        await expect.poll(() => wish.isChecked(), PATIENCE).toBe(true);
    });
});

describe.skipIf(isMissing)("one's own data", () => {
    test("is saved, deleted and kept: everything else waits in between", async () => {
        const page = await atHome();
        const name = await takeName(page);
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save my data" }).click();
        const saved = await saving;
        expect(saved.suggestedFilename()).toMatch(new RegExp(`^bree-${name}-.*\\.tar\\.gz$`));
        const tar = gunzipSync(readFileSync(await saved.path()));
        expect(tar.includes("README.txt")).toBe(true);
        expect(tar.includes(name)).toBe(true);
        await page.getByText("The file is saved").waitFor();
        await page.getByRole("button", { name: "Save my data" }).click();
        await page.getByText("once an hour").waitFor();

        const match = (await openMatch(await caller(inject("address")), "duel")).id;
        await page.getByRole("button", { name: "Delete my account" }).click();
        await confirmed(page, "Delete it in a week", name);
        const said = page.getByRole("heading", { name: "Your account is to be deleted" });
        await said.waitFor();
        for (const path of ["/lobby", `/m/${match}`, "/settings", "/"]) {
            await page.goto(path);
            await said.waitFor();
        }
        expect(await page.getByText("Bree is away.").count()).toBe(0);
        await page.goto("/about");
        await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
        await page.goto(`/player/${name}`);
        await page.getByRole("button", { name: "Keep my account" }).click();
        await page.getByText("Your account stays.").waitFor();
        await page.getByRole("heading", { level: 1, name }).waitFor();
        await page.goto("/lobby");
        await page.getByRole("heading", { level: 1, name: "Lobby" }).waitFor();
    });
});

/** What the platform answers a program. */
async function asked(method: string, token: string): Promise<unknown> {
    const answer = await fetch(`${inject("address")}/bree.gateway.v1.${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: "{}",
    });
    return answer.json();
}
