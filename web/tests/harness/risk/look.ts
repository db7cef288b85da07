/** Risk's board in ten positions as people see it: axe over each, light and dark, and pictures at three widths.
 *
 *     node tests/harness/risk/look.ts FOLDER [position …]
 */
import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { createServer } from "vite";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Fingers need so many pixels either way. */
const FINGER = 24;
const POSITIONS: Record<string, string> = {
    opening: "game=4&n=0",
    placements: "game=4&n=10",
    invasion: "game=4&n=12",
    battle: "game=4&n=33",
    fortify: "game=3&n=40",
    hand: "game=3&n=41",
    fellowship: "game=3&n=48",
    end: "game=4&n=end&viewer=red&ask=no",
    spectator: "game=3&n=44&viewer=&ask=no",
    four: "game=0&n=24",
};
const WIDTHS = [360, 768, 1280];

/** What is wrong with what is drawn: texts that lie over each other or beyond their box, and small targets. */
function faults(finger: number): string[] {
    const INSET = 4;
    const found: string[] = [];
    const panels = [...document.querySelectorAll<SVGGElement>(".risk .panel")];
    for (const panel of panels) {
        const around = panel.querySelector(".panel-ground")?.getBoundingClientRect();
        const texts = [...panel.querySelectorAll("text")].map((text) => ({
            text: text.textContent,
            box: text.getBoundingClientRect(),
        }));
        for (const [at, { text, box }] of texts.entries()) {
            if (around && (box.left < around.left + INSET || box.right > around.right - INSET))
                found.push(`"${text}" is beyond its panel`);
            for (const other of texts.slice(at + 1)) {
                const across =
                    Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
                const down =
                    Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
                if (across > 1 && down > 4) found.push(`"${text}" lies over "${other.text}"`);
            }
        }
    }
    for (const thing of document.querySelectorAll(".panel .thing, .risk-map button:not(.past)")) {
        const { width, height } = thing.getBoundingClientRect();
        if (Math.min(width, height) < finger - 0.5)
            found.push(`${thing.getAttribute("aria-label") ?? ""} is ${width} by ${height}`);
    }
    return found;
}

async function looked(page: Page, name: string, scheme: string, width: number): Promise<string[]> {
    const said = await page.evaluate(faults, FINGER);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) said.push(`is ${wide} pixels wide`);
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
    for (const { id, nodes } of violations)
        for (const { html, failureSummary } of nodes)
            said.push(`${id} ${html.slice(0, 160)} ${failureSummary?.split("\n")[1] ?? ""}`);
    return said.map((line) => `${name} ${scheme} ${width}: ${line}`);
}

async function look(
    browser: Browser,
    address: string,
    name: string,
    folder: string,
): Promise<string[]> {
    const found: string[] = [];
    for (const scheme of ["light", "dark"] as const) {
        for (const width of WIDTHS) {
            const context = await browser.newContext({
                colorScheme: scheme,
                viewport: { width, height: width < 500 ? 740 : 800 },
                hasTouch: width < 500,
                reducedMotion: "reduce",
            });
            const page = await context.newPage();
            page.on("pageerror", (error) => found.push(`${name}: ${String(error)}`));
            await page.goto(`${address}risk/index.html?${POSITIONS[name] ?? ""}&theme=${scheme}`);
            await page.waitForSelector(".risk .frame svg");
            await page.waitForTimeout(300);
            const path = `${folder}/${name}-${width}-${scheme}.png`;
            await page.screenshot({ path, fullPage: true });
            found.push(...(await looked(page, name, scheme, width)));
            await context.close();
        }
    }
    return found;
}

const [folder = "pictures", ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const server = await createServer({
    configFile: "tests/harness/vite.config.ts",
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1", hmr: false, watch: null },
});
await server.listen();
const browser = await chromium.launch({
    executablePath: process.env["BREE_CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});
let isFaulty = false;
for (const name of names.length ? names : Object.keys(POSITIONS)) {
    const found = await look(browser, server.resolvedUrls?.local[0] ?? "", name, folder);
    for (const line of new Set(found)) console.log(line);
    isFaulty ||= found.length > 0;
    console.log(`${name}: ${found.length || "nothing"} to mend`);
}
await browser.close();
await server.close();
process.exitCode = isFaulty ? 1 : 0;
