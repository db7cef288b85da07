/** A real Chromium: Debian's, or the one that BREE_CHROMIUM names.
 *
 * On a machine without one these tests say so and are skipped, unless BREE_NEED_BROWSER=1 insists.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

export const program = findProgram();

export const isMissing = program === undefined;

if (isMissing) {
    const sentence = "there is no Chromium here, so nothing is tested in a browser";
    if (process.env.BREE_NEED_BROWSER === "1") throw new Error(sentence);
    console.warn(`bree: ${sentence}`);
}

function findProgram(): string | undefined {
    const named = process.env.BREE_CHROMIUM;
    if (named) return named;
    const folders = (process.env.PATH ?? "").split(delimiter);
    return folders
        .flatMap((folder) => NAMES.map((name) => join(folder, name)))
        .find((path) => existsSync(path));
}

/** One browser for a file of tests; each test opens its own people in it. */
export function browserForTests(): { person: (more?: BrowserContextOptions) => Promise<Page> } {
    let browser: Browser | undefined;
    beforeAll(async () => {
        browser = await chromium.launch({ executablePath: program, args: QUIET });
    });
    afterAll(async () => {
        await browser?.close();
    });
    return {
        async person(more = {}): Promise<Page> {
            if (!browser) throw new Error("the browser has not started");
            const context = await browser.newContext({ baseURL: inject("address"), ...more });
            return context.newPage();
        },
    };
}
