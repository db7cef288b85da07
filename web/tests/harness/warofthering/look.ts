/** Looks at the board in ten positions, light and dark, at three widths: axe, what is cut off, and pictures.
 *
 *     scripts/node npx vite -c tests/harness/vite.config.ts &
 *     scripts/node node tests/harness/warofthering/look.ts ADDRESS FOLDER [position …]
 */
import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const POSITIONS: Record<string, string> = {
    opening: "at=played&n=0",
    dice: "at=question&n=26",
    muster: "at=question&n=38",
    march: "at=question&n=30",
    siege: "at=question&n=57",
    rounds: "at=question&n=108",
    casualties: "at=question&n=17",
    hunt: "at=question&n=72",
    mordor: "at=question&n=112",
    end: "at=moment&n=47",
};
const WIDTHS = [360, 768, 1280];
const CUT = 1400;

/** What is written beyond the edge of its box, and boxes beyond the edge of the page. */
async function beyond(page: Page): Promise<string[]> {
    return page.evaluate(() => {
        const found: string[] = [];
        for (const chip of document.querySelectorAll(".war-panel .chip")) {
            const box = chip.querySelector(".box")?.getBoundingClientRect();
            if (!box?.width) continue;
            for (const text of chip.querySelectorAll("text, .icon")) {
                const at = text.getBoundingClientRect();
                const isIn = at.left >= box.left - 1 && at.right <= box.right + 1;
                if (!isIn || at.bottom > box.bottom + 2)
                    found.push(`${chip.textContent.trim()}: ${text.textContent}`);
            }
        }
        const { scrollWidth, clientWidth } = document.documentElement;
        if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
        return found;
    });
}

const [address = "", folder = ".", ...wanted] = process.argv.slice(2);
const browser = await chromium.launch({
    executablePath: process.env["BREE_CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});
let faults = 0;
for (const width of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const name of wanted.length ? wanted : Object.keys(POSITIONS)) {
        for (const theme of ["light", "dark"]) {
            await page.goto(`${address}/warofthering/?${POSITIONS[name] ?? ""}&theme=${theme}`);
            await page.waitForSelector(".frame svg");
            await page.waitForTimeout(600);
            const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
            const told = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
            for (const fault of [...told, ...(await beyond(page))]) {
                faults += 1;
                console.log(`${name} ${width} ${theme}: ${fault.slice(0, 200)}`);
            }
            const height = await page.evaluate(() => document.documentElement.scrollHeight);
            for (let y = 0, n = 0; y < height; y += CUT, n += 1) {
                const clip = { x: 0, y, width, height: Math.min(CUT, height - y) };
                const path = `${folder}/${name}-${width}-${theme}-${n}.png`;
                await page.screenshot({ path, fullPage: true, clip });
            }
        }
    }
    await context.close();
}
await browser.close();
console.log(`${faults} faults`);
process.exitCode = faults ? 1 : 0;
