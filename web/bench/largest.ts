/** How long the largest recorded position of each game takes to be drawn: on the tests' bare pages, built as the page is. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build, preview } from "vite";

declare global {
    /** The position of which most is to be said, after the one that is most like it. */
    var largest: () => [string, string];
    /** How many milliseconds each takes to be drawn, layout included. */
    var timed: (queries: readonly string[]) => number[];
}

const ROUNDS = 25;

/** By game: how long its largest recorded position took, after another one, each time. */
export async function largestDrawn(
    browser: Browser,
    games: readonly string[],
    window: object,
): Promise<Record<string, number[]>> {
    const folder = await mkdtemp(join(tmpdir(), "bree-bench-"));
    const input = games.map((game) => `tests/harness/${game}/index.html`);
    const outDir = join(folder, "built");
    await build({ logLevel: "error", build: { outDir, rolldownOptions: { input } } });
    const server = await preview({
        logLevel: "error",
        build: { outDir },
        preview: { port: 0, host: "127.0.0.1" },
    });
    const [address = ""] = server.resolvedUrls?.local ?? [];
    const found: Record<string, number[]> = {};
    for (const game of games) {
        const page = await browser.newPage(window);
        await page.goto(`${address}tests/harness/${game}/index.html?ask=no`);
        await page.waitForSelector(".board svg");
        found[game] = await page.evaluate((rounds) => {
            const [before, most] = largest();
            const queries = Array.from({ length: rounds }, () => [before, most]).flat();
            return timed(queries).filter((_, at) => at % 2 === 1);
        }, ROUNDS);
        await page.close();
    }
    await server.close();
    await rm(folder, { recursive: true });
    return found;
}
