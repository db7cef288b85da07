/** Where things of a map are, and the harness in which maps and boards are shown by themselves. */
import type { Page } from "playwright-core";
import { createServer } from "vite";
import { afterAll, beforeAll } from "vitest";
import { isMissing } from "./browser";

/** Serves the harness for a file of tests; answers where it is. */
export function harness(): () => string {
    let server: Awaited<ReturnType<typeof createServer>> | undefined;
    beforeAll(async () => {
        if (isMissing) return;
        server = await createServer({
            configFile: "tests/harness/vite.config.ts",
            logLevel: "error",
            server: { port: 0, host: "127.0.0.1" },
        });
        await server.listen();
    });
    afterAll(() => server?.close());
    return () => server?.resolvedUrls?.local[0] ?? "";
}

export interface Place {
    x: number;
    y: number;
    width: number;
}

/** Once what was done has come to the page and is laid out. */
export async function atRest(page: Page): Promise<void> {
    await page.waitForTimeout(60);
    await page.waitForFunction(
        () => document.querySelector<HTMLElement>(".sheet")?.style.transform === "none",
    );
}

/** Where the middle of a region is. */
export async function placeOf(page: Page, region: string): Promise<Place> {
    await atRest(page);
    return page.evaluate((noun) => {
        const box = document.querySelector(`[data-noun="${noun}"] .reach`)?.getBoundingClientRect();
        if (!box) throw new Error(`${noun} is not there`);
        return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
    }, region);
}
