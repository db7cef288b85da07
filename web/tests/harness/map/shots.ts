/** Pictures of the maps and how fast they are dragged: `node tests/harness/map/shots.ts ADDRESS FOLDER`. */
import { chromium } from "playwright-core";

const [address = "", folder = "."] = process.argv.slice(2);
const browser = await chromium.launch({
    executablePath: process.env["BREE_CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});
const CASES = [
    "game=warofthering",
    "game=warofthering&pieces=all",
    "game=risk",
    "game=risk&paint&pieces=one",
];
for (const width of [360, 768, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: width === 360 ? 740 : 860 } });
    for (const theme of ["light", "dark"]) {
        for (const [n, of] of CASES.entries()) {
            await page.goto(`${address}?${of}&theme=${theme}`);
            await page.waitForSelector(".frame svg");
            await page.waitForTimeout(400);
            await page.screenshot({ path: `${folder}/${n}-${width}-${theme}.png` });
        }
    }
    await page.close();
}
await browser.close();
