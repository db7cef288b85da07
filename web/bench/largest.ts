/** How long the step to the largest position of a recorded game takes to be drawn: on the tests' bare pages, built as the page is. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build, preview } from "vite";

declare global {
    /** How many milliseconds the step to a game's largest position takes, so many times. */
    var stepped: (game: string, rounds: number) => Promise<number[]>;
}

const ROUNDS = 25;

/** By game: how long the step to its largest position took, each time. */
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
        found[game] = await page.evaluate(([name, rounds]) => stepped(name, rounds), [
            game,
            ROUNDS,
        ] as const);
        await page.close();
    }
    await server.close();
    await rm(folder, { recursive: true });
    return found;
}
