/** Looks at every page as people do: axe over each, light and dark, and pictures at three widths.
 *
 *     node tests/harness/look.ts FOLDER [page …]
 */
import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { type Browser, type Page } from "playwright-core";
import { opened } from "./served.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const PAGES: Record<string, string> = {
    home: "/",
    "home-away": "/?case=away",
    "home-empty": "/?case=empty",
    "home-limit": "/?case=limit",
    play: "/play",
    "play-unknown": "/play/chess",
    lobby: "/lobby",
    "lobby-empty": "/lobby?case=empty",
    "lobby-away": "/lobby?case=away",
    "lobby-filter": "/lobby?game=duel&state=open&clock=none",
    new: "/new/confrontation",
    "new-war": "/new/warofthering",
    "match-open": "/m/c-open3",
    "match-invited": "/m/c-open2?seat=dark",
    "match-taken": "/m/c-open2?seat=good",
    "match-four": "/m/w-open1",
    "match-closed": "/m/c-closed",
    "match-unknown": "/m/c-nothing",
    "match-wrong": "/m/c-mine1?seat=good",
    "match-run": "/m/c-mine1?seat=dark",
    history: "/history",
    "history-empty": "/history?case=empty",
    player: "/player/rosie",
    "player-guest": "/player/guest-rushy-willow",
    "player-bot": "/player/bot:novice",
    "player-unknown": "/player/nobody",
    ranks: "/ranks/duel",
    settings: "/settings",
    account: "/account",
    "account-named": "/account?case=named",
    login: "/login",
    "login-nobody": "/login?case=nobody",
    ended: "/lobby?case=ended",
    old: "/lobby?case=old",
    rules: "/rules",
    "rules-confrontation": "/rules/confrontation#6-cards",
    about: "/about",
    fairness: "/fairness",
    verify: "/verify",
    unknown: "/no/such/road",
};

/** What is done on a page before it is looked at. */
const BEFORE: Record<string, (page: Page) => Promise<void>> = {
    "home-limit": async (page) => {
        await page.getByRole("button", { name: "Play against a bot" }).first().click();
        await page.getByRole("alert").waitFor();
    },
    new: async (page) => {
        await page.getByText("All options, each explained").click();
    },
    "match-four": async () => Promise.resolve(),
    account: async (page) => {
        await page.getByRole("button", { name: "Log in on another device" }).click();
        await page.getByText("On the other device").waitFor();
    },
    "account-named": async (page) => {
        await page.getByRole("button", { name: "Log out everywhere" }).click();
    },
    "match-open": async (page) => {
        await page.getByRole("button", { name: "Add a bot" }).click();
    },
    player: async (page) => {
        await page.getByRole("button", { name: "account" }).click();
    },
};

async function look(
    browser: Browser,
    url: string,
    name: string,
    folder: string,
): Promise<string[]> {
    const found: string[] = [];
    for (const scheme of ["light", "dark"] as const) {
        for (const width of [360, 768, 1280]) {
            const context = await browser.newContext({
                colorScheme: scheme,
                viewport: { width, height: 800 },
                reducedMotion: "reduce",
            });
            const page = await context.newPage();
            page.on("pageerror", (error) => found.push(`${name}: ${String(error)}`));
            page.on("console", (line) => {
                if (line.type() === "error" && !line.text().includes("404"))
                    found.push(`${name}: ${line.text()}`);
            });
            await page.goto(url + (PAGES[name] ?? "/"));
            await page.waitForTimeout(700);
            await BEFORE[name]?.(page);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            if (wide > width)
                found.push(`${name}: ${String(wide)} pixels wide at ${String(width)}`);
            await page.screenshot({
                path: `${folder}/${name}-${String(width)}-${scheme}.png`,
                fullPage: true,
            });
            if (width !== 768) {
                const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
                for (const { id, nodes } of violations) {
                    for (const node of nodes)
                        found.push(
                            `${name} ${scheme} ${String(width)}: ${id} ${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1] ?? ""}`,
                        );
                }
            }
            await context.close();
        }
    }
    return found;
}

const [folder = "/tmp/bree-pages", ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { browser, url, end } = await opened();
const found: string[] = [];
try {
    const wanted = names.length > 0 ? names : Object.keys(PAGES);
    // Two at a time: most of it is waiting.
    const worker = async (): Promise<void> => {
        for (let name = wanted.shift(); name; name = wanted.shift()) {
            found.push(...(await look(browser, url, name, folder)));
        }
    };
    await Promise.all([worker(), worker()]);
} finally {
    await browser.close();
    end();
}
for (const line of new Set(found)) console.log(line);
console.log(
    found.length === 0 ? "nothing to mend" : `${String(new Set(found).size)} things to mend`,
);
process.exitCode = found.length === 0 ? 0 : 1;
