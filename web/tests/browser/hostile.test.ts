/** Texts of people, of engines, of files and of addresses: they are texts, whatever is in them. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { Between, textsBy } from "../world/guard";
import {
    botsMatch,
    caller,
    type Caller,
    guests,
    playAgainstBot,
    played,
} from "../world/guardCalls";

const PHONE = { width: 360, height: 740 };

const MARKUP = [
    `"'><img src=x onerror="window.ran='image'">`,
    `<script>window.ran='script'</script>`,
    `<svg onload="window.ran='svg'">{@html "<b>"}{{7*7}}`,
    `<a href="javascript:window.ran='link'">`,
].join("");

const TEXTS: readonly (readonly [string, (text: string) => string])[] = [
    ["markup and scripts", (text) => `${text}${MARKUP}`],
    ["written from right to left", (text) => `\u202e\u2067${text}\u202e \u0627\u0644\u0639\u0631`],
    ["24 wide emoji", (text) => `${text}${"👨‍👩‍👧‍👦".repeat(24)}`],
    ["marks without end", (text) => `${text}${"e\u0301\u0302\u0303\u0304".repeat(100)}`],
    ["10,000 letters", (text) => `${text}${"W".repeat(10_000)}`],
];

const person = guests(browserForTests().person);

/** What a page has suffered: nothing, it is hoped. */
function suffering(page: Page): () => Promise<string[]> {
    const found: string[] = [];
    page.on("dialog", (dialog) => {
        found.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on("pageerror", (error) => found.push(`an error: ${error.message}`));
    page.on("popup", () => found.push("a window of its own"));
    page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) found.push(message.text());
    });
    return async () => {
        const ran = await page.evaluate(() => (globalThis as { ran?: string }).ran);
        if (ran !== undefined) found.push(`a script ran: ${ran}`);
        const made = await page
            .locator("img[onerror], svg[onload], [href^='javascript:' i]")
            .count();
        if (made > 0) found.push(`${made} things were made of texts`);
        const wide = await page.evaluate(widest);
        if (wide) found.push(`${page.url()} is wider than a phone: ${wide}`);
        return found.splice(0);
    };
}

/** What makes the page wider than the screen; nothing if it is not. */
function widest(): string {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return "";
    const wide = [...document.querySelectorAll("body *")].filter(
        (one) => one.getBoundingClientRect().right > clientWidth + 1,
    );
    return wide.map((one) => `${one.tagName}.${one.getAttribute("class") ?? ""}`).join(" ");
}

async function settled(page: Page): Promise<void> {
    await page.locator("h1").first().waitFor();
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    await page.locator(".wait").waitFor({ state: "detached" });
}

describe.skipIf(isMissing)("texts harm nothing", () => {
    let who: Caller;
    let match = "";

    beforeAll(async () => {
        who = await caller(inject("address"));
        match = await botsMatch(who, "confrontation", "uniform");
        await played(who, match, 30);
    });

    test.each(TEXTS)("of people and engines: %s", async (_, change) => {
        const between = await Between.before(inject("address"));
        const page = await person({ proxy: between.proxy, viewport: PHONE });
        const suffered = suffering(page);
        between.change = textsBy(change);
        const mine = await playAgainstBot(page, "The Confrontation");
        await page.getByRole("listbox").waitFor();
        const seen = async (path: string): Promise<void> => {
            await page.goto(path);
            await settled(page);
            expect(await suffered(), path).toEqual([]);
        };
        await seen(`/m/${mine}`);
        await page.getByRole("listbox").waitFor();
        await page.getByRole("listbox").getByRole("option").first().click();
        await page.getByRole("button", { name: "More" }).click();
        await page.getByText("What was agreed").click();
        expect(await suffered()).toEqual([]);
        await seen(`/m/${match}?at=20`);
        await page.getByRole("button", { name: "Players" }).click();
        expect(await suffered()).toEqual([]);
        for (const path of ["/", "/lobby", "/history", "/account", "/new/duel", "/ranks/duel"]) {
            await seen(path);
        }
        await between.close();
    });

    test("of addresses", async () => {
        const page = await person({ viewport: PHONE });
        const suffered = suffering(page);
        // A path with a full stop is that of a file, and never comes to the page.
        const evil = encodeURIComponent(`"'><img src=x onerror=ran=1><script>ran=2</script>`);
        const paths = [
            "/m/<img src=x onerror=ran=1>",
            `/m/${evil}`,
            `/m/${match}?seat=${evil}`,
            `/m/${match}?at=${evil}`,
            `/m/${match}?at=99999999999999999999`,
            `/m/${match}?at=-1&seat=${"W".repeat(2000)}`,
            "/player/%2e%2e",
            "/player/%2e%2e%2f%2e%2e",
            `/player/${evil}`,
            `/player/${"W".repeat(2000)}`,
            "/player/%E2%80%AE%E2%81%A7gnirts",
            "/player/%00",
            "/player/%ff",
            `/rules/confrontation#"><script>ran=1</script>`,
            `/rules/confrontation#${evil}`,
            `/rules/${evil}`,
            `/new/${evil}`,
            `/play/${evil}`,
            `/ranks/${evil}`,
            `/lobby?game=${evil}&state=${evil}&clock=${evil}`,
            `/verify?match=${evil}`,
            `/verify?match=${"W".repeat(5000)}`,
            `/${evil}`,
            `/${"W".repeat(3000)}`,
            "//evil/%2f",
            "/login?next=https://evil.example",
        ];
        for (const path of paths) {
            const answer = await page.goto(inject("address") + path);
            if (answer?.status() !== 404) await settled(page);
            expect(await suffered(), path).toEqual([]);
            expect(new URL(page.url()).origin).toBe(new URL(inject("address")).origin);
        }
    });

    test("of what this browser has kept", async () => {
        const page = await person({ viewport: PHONE });
        const suffered = suffering(page);
        await page.goto("/about");
        for (const value of [
            MARKUP,
            "{",
            "null",
            "[]",
            '"W"',
            "1e999",
            `{"theme":${"[".repeat(999)}`,
        ]) {
            await page.evaluate(
                ([text, id]) => {
                    localStorage.clear();
                    const theme = { theme: text, atOnce: text, motion: text, patterns: text };
                    localStorage.setItem(
                        "bree.settings",
                        text === "null" ? text : JSON.stringify(theme),
                    );
                    for (const store of [localStorage, sessionStorage]) {
                        for (const key of [
                            "bree.session",
                            `bree.kept.${id}`,
                            `bree.since.${id}`,
                            `bree.seen.${id}`,
                            `bree.touched.${id}.`,
                            "bree.release",
                        ]) {
                            store.setItem(key, text);
                        }
                    }
                    sessionStorage.removeItem("bree.release");
                },
                [value, match] as const,
            );
            for (const path of [`/m/${match}`, "/account", "/"]) {
                await page.goto(path);
                await settled(page);
                expect(await suffered(), value).toEqual([]);
            }
        }
    });

    test("of files that are dropped on the page", async () => {
        const page = await person({ viewport: PHONE });
        const suffered = suffering(page);
        await page.goto("/verify");
        const files: [string, Buffer][] = [
            [`${MARKUP}.record`, Buffer.from(MARKUP)],
            [`\u202edrocer.${"👨‍👩‍👧‍👦".repeat(24)}`, Buffer.from(`bree record 3\n${MARKUP}\n`)],
            [`${"W".repeat(240)}.record`, Buffer.from("W".repeat(10_000))],
            ["no text.record", Buffer.from([0xff, 0xfe, 0, 0, 0x80])],
            ["empty.record", Buffer.alloc(0)],
            ["large.record", Buffer.alloc(16_000_001, "x")],
        ];
        for (const [name, buffer] of files) {
            const input = page.locator("input[type=file]");
            await input.setInputFiles({ name, mimeType: "text/plain", buffer });
            await page.getByText(/does not hold|larger than/).waitFor();
            expect(await suffered(), name.slice(0, 40)).toEqual([]);
            await page.reload();
        }
    });
});
