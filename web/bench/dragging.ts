/** A map in a match, dragged by a mouse. */
import type { Page } from "playwright-core";

const DRAGS = 3;
const SECONDS = 3;

/** How many frames a second are drawn while a mouse drags the map to and fro. */
export async function dragged(page: Page): Promise<number[]> {
    await page.getByRole("button", { name: "Closer", exact: true }).click();
    await page.waitForTimeout(600);
    const frame = page.locator(".drawn .frame").first();
    await frame.scrollIntoViewIfNeeded();
    const box = await frame.boundingBox();
    if (!box) throw new Error("no map");
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, 600) / 2];
    const found: number[] = [];
    for (let drag = 0; drag < DRAGS; drag++) {
        await page.mouse.move(x, y);
        await page.mouse.down();
        const counted = page.evaluate(framesIn, SECONDS);
        const end = Date.now() + SECONDS * 1000;
        for (let n = 0; Date.now() < end; n++)
            await page.mouse.move(x + 200 * Math.sin(n / 9), y + 120 * Math.cos(n / 7));
        await page.mouse.up();
        found.push(await counted);
    }
    return found;
}

const framesIn = (seconds: number): Promise<number> =>
    new Promise((resolve) => {
        const start = performance.now();
        let frames = 0;
        const count = (now: number): void => {
            if (now - start > seconds * 1000) resolve(frames / seconds);
            else requestAnimationFrame(count);
            frames++;
        };
        requestAnimationFrame(count);
    });
