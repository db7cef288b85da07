/** A map under a mouse, under fingers and by keys, on a page that has nothing else. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { fingersOf } from "../world/fingers";
import { atRest, harness, placeOf } from "../world/maps";

const { person } = browserForTests();
const WIDE = { viewport: { width: 1200, height: 800 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const address = harness();
let page: Page | undefined;
afterEach(async () => {
    await page?.context().close();
});

async function opened(query: string, more: Parameters<typeof person>[0] = WIDE): Promise<Page> {
    page = await person({ reducedMotion: "reduce", ...more });
    await page.goto(`${address()}map/index.html?${query}`);
    await page.waitForSelector(".frame svg");
    return page;
}

/** Whether a pointer meets a region somewhere. */
async function isInSight(page: Page, region: string): Promise<boolean> {
    await atRest(page);
    return page.evaluate((noun) => {
        const box = document.querySelector(`[data-noun="${noun}"] .reach`)?.getBoundingClientRect();
        const parts = [0.1, 0.3, 0.5, 0.7, 0.9];
        return parts.some((across) =>
            parts.some((down) => {
                if (!box) return false;
                const [x, y] = [box.x + box.width * across, box.y + box.height * down];
                const there = document.elementFromPoint(x, y)?.closest("[data-noun]");
                return there?.getAttribute("data-noun") === noun;
            }),
        );
    }, region);
}

const touched = (page: Page): Promise<string> => page.locator("p[aria-live]").innerText();
const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();

describe.skipIf(isMissing)("a mouse", () => {
    test("touches what it presses and drags without touching", async () => {
        const page = await opened("lit=all");
        await press(page, "Closer");
        await press(page, "Closer");
        const before = await placeOf(page, "lorien");

        await page.mouse.click(before.x, before.y);
        expect(await touched(page)).toBe("lorien");

        const edoras = await placeOf(page, "edoras");
        await page.mouse.move(edoras.x, edoras.y);
        await page.mouse.down();
        await page.mouse.move(edoras.x - 60, edoras.y - 30, { steps: 5 });
        await page.mouse.up();
        const after = await placeOf(page, "lorien");

        expect([after.x - before.x, after.y - before.y].map(Math.round)).toEqual([-60, -30]);
        expect(await touched(page)).toBe("lorien");

        await page.mouse.click(after.x, after.y);
        expect(await touched(page)).toBe("lorien");
        const later = await placeOf(page, "edoras");
        await page.mouse.click(later.x, later.y);
        expect(await touched(page)).toBe("edoras");
    });

    test("touches with a hand that is not quite steady", async () => {
        const page = await opened("lit=all");
        const { x, y } = await placeOf(page, "edoras");
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 2, y + 1);
        await page.mouse.up();

        expect(await touched(page)).toBe("edoras");
    });

    test("touches nothing at the end of a drag, though a browser may call it a click", async () => {
        const page = await opened("lit=all");
        await press(page, "Closer");
        const { x, y } = await placeOf(page, "edoras");
        await page.evaluate(() => {
            const thing = document.querySelector('[data-noun="edoras"]');
            addEventListener("pointerup", () => {
                thing?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
            });
        });
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 40, y, { steps: 4 });
        await page.mouse.up();
        await atRest(page);

        expect(await touched(page)).toBe("");
    });

    test("zooms by its wheel with Ctrl about what it points at, and pans without", async () => {
        const page = await opened("");
        const before = await placeOf(page, "lorien");
        await page.mouse.move(before.x, before.y);
        await page.keyboard.down("Control");
        for (let n = 0; n < 4; n++) await page.mouse.wheel(0, -100);
        await page.keyboard.up("Control");
        const closer = await placeOf(page, "lorien");

        expect(closer.width / before.width).toBeGreaterThan(2);
        expect(Math.hypot(closer.x - before.x, closer.y - before.y)).toBeLessThan(4);

        await page.mouse.wheel(30, 50);
        const panned = await placeOf(page, "lorien");

        expect(panned.x - closer.x).toBeCloseTo(-30, -0.5);
        expect(panned.y - closer.y).toBeCloseTo(-50, -0.5);
    });

    test("leaves the wheel to the page where all of the map is seen", async () => {
        const page = await opened("", { viewport: { width: 1200, height: 400 } });
        await page.evaluate(() => {
            document.body.style.paddingBottom = "900px";
        });
        const { x, y } = await placeOf(page, "lorien");
        await page.mouse.move(x, y);
        await page.mouse.wheel(0, 120);
        await page.waitForFunction(() => scrollY > 60);
    });

    test("moves the map by its overview", async () => {
        const page = await opened("");
        for (let n = 0; n < 4; n++) await press(page, "Closer");
        expect(await isInSight(page, "barad_dur")).toBe(false);
        const box = await page.locator("svg.overview").boundingBox();
        if (!box) throw new Error("there is no overview");
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.92, box.y + box.height * 0.62, { steps: 4 });
        await page.mouse.up();

        await expect.poll(() => isInSight(page, "barad_dur")).toBe(true);
    });
});

/** What is pulled, and over which of its ends. */
const pulledTo = (page: Page): Promise<(string | null)[]> =>
    page.evaluate(() =>
        [...document.querySelectorAll(".pulled")].map((circle) => circle.getAttribute("data-to")),
    );

describe.skipIf(isMissing)("what can be pulled", () => {
    const PULLS = "lit=edoras,lorien,umbar&pull=edoras";

    test("is pulled by a mouse, and only it: else the map is dragged", async () => {
        const page = await opened(PULLS);
        await press(page, "Closer");
        await press(page, "Closer");
        const [from, to] = [await placeOf(page, "edoras"), await placeOf(page, "lorien")];
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x + 15, from.y - 15, { steps: 3 });
        expect(await pulledTo(page)).toEqual([null]);

        await page.mouse.move(to.x, to.y, { steps: 5 });
        expect(await pulledTo(page)).toEqual(["lorien"]);
        const drawn = await page.locator(".pulled").boundingBox();
        expect((drawn?.x ?? 0) + (drawn?.width ?? 0) / 2).toBeCloseTo(to.x, -1);

        await page.mouse.up();
        expect(await touched(page)).toBe("edoras to lorien");
        expect(await pulledTo(page)).toEqual([]);
        expect(await placeOf(page, "lorien")).toEqual(to);

        await page.mouse.move(to.x, to.y);
        await page.mouse.down();
        await page.mouse.move(to.x - 50, to.y + 20, { steps: 5 });
        await page.mouse.up();
        expect((await placeOf(page, "lorien")).x - to.x).toBeCloseTo(-50, -0.5);
        expect(await touched(page)).toBe("edoras to lorien");
    });

    test("goes nowhere where it may not go, and is still touched", async () => {
        const page = await opened(PULLS);
        const [from, to] = [await placeOf(page, "edoras"), await placeOf(page, "erebor")];
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(to.x, to.y, { steps: 5 });
        await page.mouse.up();
        expect(await touched(page)).toBe("");

        await page.mouse.click(from.x, from.y);
        expect(await touched(page)).toBe("edoras");
    });

    test("finds more of the map at its edge", async () => {
        const page = await opened(PULLS);
        for (let n = 0; n < 4; n++) await press(page, "Closer");
        await page.evaluate(() => {
            document.querySelector('[data-noun="edoras"]')?.scrollIntoView({ block: "center" });
        });
        const from = await placeOf(page, "edoras");
        expect(await isInSight(page, "umbar")).toBe(false);
        const frame = await page.locator(".frame").boundingBox();
        if (!frame) throw new Error("there is no frame");
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        const bottom = frame.y + frame.height - 6;
        for (let n = 0; n < 200 && !(await isInSight(page, "umbar")); n++)
            await page.mouse.move(from.x + (n % 2), bottom);
        expect(await isInSight(page, "umbar")).toBe(true);
        await page.mouse.up();
    });

    test("is pulled by a finger, while the page stays; two fingers do something else", async () => {
        const page = await opened(PULLS, PHONE);
        await page.evaluate(() => {
            document.body.style.paddingBottom = "900px";
        });
        const fingers = await fingersOf(page);
        const [from, to] = [await placeOf(page, "edoras"), await placeOf(page, "lorien")];
        await fingers.go([[from.x, from.y]], [[to.x, to.y]]);
        await expect.poll(() => touched(page)).toBe("edoras to lorien");
        expect(await page.evaluate(() => scrollY)).toBe(0);

        const umbar = await placeOf(page, "umbar");
        await fingers.go(
            [
                [from.x, from.y],
                [umbar.x, umbar.y],
            ],
            [
                [to.x, to.y],
                [umbar.x, umbar.y + 30],
            ],
        );
        expect(await touched(page)).toBe("edoras to lorien");
        expect(await pulledTo(page)).toEqual([]);
        expect((await placeOf(page, "lorien")).width).toBeGreaterThan(to.width * 1.2);
    });
});

describe.skipIf(isMissing)("fingers", () => {
    test("touch, drag and pinch", async () => {
        const page = await opened("lit=all&start=My%20nations", PHONE);
        const fingers = await fingersOf(page);
        const before = await placeOf(page, "pelargir");
        await page.touchscreen.tap(before.x, before.y);
        expect(await touched(page)).toBe("pelargir");

        const { x, y } = await placeOf(page, "edoras");
        await fingers.go([[x, y]], [[x - 40, y + 25]]);
        const after = await placeOf(page, "pelargir");

        expect(after.x - before.x).toBeCloseTo(-40, -1.2);
        expect(after.y - before.y).toBeCloseTo(25, -1.2);
        expect(await touched(page)).toBe("pelargir");

        const edoras = await placeOf(page, "edoras");
        await fingers.go(
            [
                [edoras.x - 30, edoras.y],
                [edoras.x + 30, edoras.y],
            ],
            [
                [edoras.x - 60, edoras.y],
                [edoras.x + 60, edoras.y],
            ],
        );
        const closer = await placeOf(page, "edoras");

        expect(closer.width / edoras.width).toBeCloseTo(2, 0.7);
        expect(Math.hypot(closer.x - edoras.x, closer.y - edoras.y)).toBeLessThan(25);
        expect(await touched(page)).toBe("pelargir");

        await page.touchscreen.tap(closer.x, closer.y);
        expect(await touched(page)).toBe("edoras");
    });

    test("move the page where all of the map is seen, and two of them the map", async () => {
        const page = await opened("", PHONE);
        await page.evaluate(() => {
            document.body.style.paddingBottom = "900px";
        });
        const fingers = await fingersOf(page);
        const before = await placeOf(page, "lorien");
        await fingers.go([[before.x, before.y + 60]], [[before.x, before.y - 60]]);
        await page.waitForFunction(() => scrollY > 40);
        await page.evaluate(() => {
            scrollTo(0, 0);
        });

        const { x, y } = await placeOf(page, "lorien");
        await fingers.go(
            [
                [x - 20, y - 20],
                [x + 20, y + 20],
            ],
            [
                [x - 50, y - 50],
                [x + 50, y + 50],
            ],
        );

        expect((await placeOf(page, "lorien")).width / before.width).toBeGreaterThan(1.8);
        expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
    });
});

describe.skipIf(isMissing)("keys", () => {
    test("move and zoom the map, and only as far as it goes", async () => {
        const page = await opened("");
        await page.locator(".frame").focus();
        const whole = await placeOf(page, "edoras");
        await page.keyboard.press("+");
        await page.keyboard.press("+");
        const closer = await placeOf(page, "edoras");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowDown");
        const moved = await placeOf(page, "edoras");
        await page.keyboard.press("-");
        await page.keyboard.press("0");

        expect(closer.width / whole.width).toBeCloseTo(1.96, 1);
        expect(moved.x).toBeLessThan(closer.x - 50);
        expect(moved.y).toBeLessThan(closer.y - 50);
        expect(await placeOf(page, "edoras")).toEqual(whole);
    });

    test("bring what they focus into sight, and touch it", async () => {
        const page = await opened("lit=umbar,erebor");
        for (let n = 0; n < 4; n++) await press(page, "Closer");
        await page.locator(".frame").focus();
        await page.keyboard.press("Tab");
        await expect.poll(() => isInSight(page, "andrast")).toBe(true);

        await page.keyboard.press("PageDown");
        await expect.poll(() => isInSight(page, "erebor")).toBe(true);
        expect(await isInSight(page, "umbar")).toBe(false);

        await page.keyboard.press("PageDown");
        await expect.poll(() => isInSight(page, "umbar")).toBe(true);
        await page.keyboard.press("Enter");
        expect(await touched(page)).toBe("umbar");

        await page.keyboard.press("PageUp");
        await expect.poll(() => isInSight(page, "erebor")).toBe(true);
    });

    test("lead past the map", async () => {
        const page = await opened("lit=all");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.keyboard.press("Tab");

        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("What follows");
    });
});

describe.skipIf(isMissing)("a map", () => {
    test("goes where a browser or a tool scrolls it", async () => {
        const page = await opened("");
        for (let n = 0; n < 4; n++) await press(page, "Closer");
        for (const region of ["forlindon", "far_harad", "erebor", "umbar"]) {
            await page.evaluate((noun) => {
                document
                    .querySelector(`[data-noun="${noun}"]`)
                    ?.scrollIntoView({ block: "center", inline: "center" });
            }, region);
            await expect.poll(() => isInSight(page, region), { message: region }).toBe(true);
            const before = await placeOf(page, region);
            await page.mouse.move(600, 400);
            await page.mouse.wheel(0, region === "umbar" ? -30 : 30);
            await page.mouse.wheel(0, region === "umbar" ? 30 : -30);
            const after = await placeOf(page, region);

            expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(40);
        }
    });

    test("fits what is named, and stays where it is in another window", async () => {
        const page = await opened("");
        await press(page, "My nations");
        for (const region of ["anfalas", "druadan_forest", "pelargir"])
            await expect.poll(() => isInSight(page, region)).toBe(true);

        await page.setViewportSize({ width: 700, height: 600 });
        await expect.poll(() => isInSight(page, "lamedon")).toBe(true);
    });

    test("moves at once for whoever wants no motion, and else glides", async () => {
        for (const [reducedMotion, most] of [
            ["reduce", 0],
            ["no-preference", 1],
        ] as const) {
            const page = await opened("", { ...WIDE, reducedMotion });
            await press(page, "The battle");
            const running = await page.evaluate(
                () => document.querySelector(".sheet")?.getAnimations().length,
            );

            expect(running).toBe(most);
            await page.context().close();
        }
    });

    test.each([
        ["risk", "light"],
        ["warofthering", "dark"],
    ])("has no faults that a machine finds: %s, %s", async (game, theme) => {
        const page = await opened(`game=${game}&theme=${theme}&start=My%20nations&lit=all`);
        const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();

        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    });
});
