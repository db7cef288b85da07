/** How many frames a second a map is drawn in while it is dragged, by the mouse and in ways that it could be:
 *
 *     node tests/harness/map/speed.ts http://127.0.0.1:5173/tests/harness/map/ [SECONDS]
 */
import { chromium, type Page } from "playwright-core";

declare global {
    /** Counts the frames of some seconds, in each of which something is done. */
    var countFrames: (seconds: number, each: (n: number) => void) => Promise<number>;
}

const [address = "", seconds = "3"] = process.argv.slice(2);
const LONG = Number(seconds);
const WAYS = ["nothing", "transform", "plain transform", "scroll", "viewBox"];

function put(): void {
    globalThis.countFrames = (seconds, each) =>
        new Promise((resolve) => {
            const start = performance.now();
            let n = 0;
            const step = (now: number): void => {
                if (now - start > seconds * 1000) {
                    resolve(n / seconds);
                    return;
                }
                each(n++);
                requestAnimationFrame(step);
            };
            requestAnimationFrame(step);
        });
}

async function opened(page: Page, closer: number): Promise<void> {
    await page.goto(`${address}?game=warofthering&pieces=all&paint&lit=all`);
    await page.waitForSelector(".frame svg");
    for (let n = 0; n < closer; n++) {
        await page.getByRole("button", { name: "Closer" }).click();
        await page.waitForTimeout(600);
    }
}

/** Dragged by the mouse to and fro, as a person does. */
async function byMouse(page: Page): Promise<number> {
    const box = await page.locator(".frame").boundingBox();
    if (!box) throw new Error("no map");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    const counted = page.evaluate((long) => countFrames(long, () => undefined), LONG);
    const end = Date.now() + LONG * 1000;
    for (let n = 0; Date.now() < end; n++)
        await page.mouse.move(x + 250 * Math.sin(n / 9), y + 150 * Math.cos(n / 7));
    await page.mouse.up();
    return counted;
}

const byWay = (page: Page, way: string): Promise<number> =>
    page.evaluate(
        ({ way, long }) => {
            const frame = document.querySelector<HTMLElement>(".frame");
            const sheet = document.querySelector<HTMLElement>(".sheet");
            const svg = sheet?.querySelector("svg");
            if (!frame || !sheet || !svg) throw new Error("no map");
            const [wide, high] = [svg.clientWidth, svg.clientHeight];
            const unit = 2000 / wide;
            if (way === "viewBox") {
                svg.setAttribute("width", String(frame.clientWidth));
                svg.setAttribute("height", String(frame.clientHeight));
            }
            if (way === "plain transform") sheet.style.willChange = "auto";
            if (way === "viewBox" || way === "scroll") sheet.style.transform = "none";
            return countFrames(long, (n) => {
                const x = ((Math.sin(n / 40) + 1) / 2) * (wide - frame.clientWidth);
                const y = ((Math.cos(n / 30) + 1) / 2) * (high - frame.clientHeight);
                if (way.endsWith("transform"))
                    sheet.style.transform = `translate(${-Math.round(x)}px, ${-Math.round(y)}px)`;
                if (way === "scroll") frame.scrollTo(x, y);
                if (way === "viewBox")
                    svg.setAttribute(
                        "viewBox",
                        `${x * unit} ${y * unit} ${frame.clientWidth * unit} ${frame.clientHeight * unit}`,
                    );
            });
        },
        { way, long: LONG },
    );

const browser = await chromium.launch({
    executablePath: process.env["BREE_CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});
for (const [width, height] of [
    [1280, 860],
    [360, 740],
] as const) {
    for (const closer of [1, 3]) {
        const page = await browser.newPage({ viewport: { width, height } });
        await page.addInitScript(put);
        await opened(page, closer);
        console.log(
            `${width} wide, closer ${closer} times: mouse ${(await byMouse(page)).toFixed(0)}`,
        );
        for (const way of WAYS) {
            await opened(page, closer);
            console.log(`    ${way} ${(await byWay(page, way)).toFixed(0)}`);
        }
        await page.close();
    }
}
await browser.close();
