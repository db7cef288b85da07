/** Risk's board under a mouse and a finger: invasions, dice, cards. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { fingersOf } from "../world/fingers";
import { harness, placeOf } from "../world/maps";

const { person } = browserForTests();
const WIDE = { viewport: { width: 1200, height: 800 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

const address = harness();
let page: Page | undefined;
afterEach(async () => {
    await page?.context().close();
});

describe.skipIf(isMissing)("Risk's board", () => {
    /** What the panel would answer, and what it offers. */
    const sentences = (page: Page): Promise<string[]> =>
        page.locator(".ask [role=option]").allInnerTexts();

    test.each(["mouse", "finger"])("takes an invasion as one gesture of a %s", async (hand) => {
        page = await person({ reducedMotion: "reduce", ...(hand === "mouse" ? WIDE : PHONE) });
        await page.goto(`${address()}risk/index.html?game=4&n=12`);
        await page.waitForSelector(".frame svg");
        await page.locator('[data-noun="evendim_hills"]').scrollIntoViewIfNeeded();
        const from = await placeOf(page, "evendim_hills");
        const to = await placeOf(page, "tower_hills");
        if (hand === "finger") {
            await (await fingersOf(page)).go([[from.x, from.y]], [[to.x, to.y]]);
        } else {
            await page.mouse.move(from.x, from.y);
            await page.mouse.down();
            await page.mouse.move(to.x, to.y, { steps: 6 });
            expect(await page.locator(".arrow.pulled").count()).toBe(1);
            await page.mouse.up();
        }

        await expect.poll(() => page?.locator(".arrow.picked").count()).toBe(1);
        expect(await page.locator(".arrow.pulled").count()).toBe(0);
        const left = await sentences(page);
        expect(left.length).toBeGreaterThan(1);
        for (const sentence of left)
            expect(sentence).toMatch(/[Ii]nvade Tower Hills .* from Evendim Hills/);
    });
});

describe.skipIf(isMissing)("Risk's dice", () => {
    const DICE = "risk/index.html?game=4&n=33";

    test.each([
        ["no-preference", "system", 4],
        ["reduce", "system", 0],
        ["no-preference", "still", 0],
        ["reduce", "full", 4],
    ] as const)("fall where motion is wanted: %s, %s", async (reducedMotion, setting, falling) => {
        page = await person({ ...WIDE, reducedMotion });
        await page.goto(`${address()}${DICE}`);
        await page.waitForSelector(".battle .die");
        await page.evaluate((motion) => {
            document.documentElement.dataset["motion"] = motion;
        }, setting);
        const fallen = page.locator(".battle .die .fallen");
        const named = await fallen.evaluateAll(
            (dice) =>
                dice.filter((die) => getComputedStyle(die).animationName.includes("fall")).length,
        );
        expect(named).toBe(falling);

        // They come to rest by themselves, and are read.
        await page.waitForFunction(() => document.getAnimations().length === 0);
        const faces = await page
            .locator(".battle .die")
            .evaluateAll((dice) =>
                dice.map((die) => [
                    Number(die.getAttribute("data-face")),
                    die.querySelectorAll(".pip").length,
                ]),
            );
        expect(faces).toHaveLength(4);
        for (const [face, pips] of faces) expect(pips).toBe(face);
        const seen = await fallen.evaluateAll((dice) =>
            dice.map((die) => [getComputedStyle(die).opacity, getComputedStyle(die).transform]),
        );
        for (const look of seen) expect(look).toEqual(["1", "none"]);
    });
});

describe.skipIf(isMissing)("Risk's cards", () => {
    test("tell their whole text to a finger that touches them", async () => {
        page = await person({ reducedMotion: "reduce", ...PHONE });
        await page.goto(`${address()}risk/index.html?game=4&n=33`);
        const card = page.locator(".hand .adventure .thing").first();
        await card.tap();

        await expect
            .poll(() => page?.locator("aside[role=status]").innerText())
            .toContain("points once it is played");
    });

    test("say what a lit territory is to a finger that stays, not to one that means it", async () => {
        page = await person({ reducedMotion: "reduce", ...PHONE });
        await page.goto(`${address()}risk/index.html?game=4&n=12`);
        await page.waitForSelector(".frame svg");
        const land = page.locator('[data-noun="evendim_hills"]');
        await land.scrollIntoViewIfNeeded();
        const { x, y } = await placeOf(page, "evendim_hills");
        await page.touchscreen.tap(x, y);
        await page.locator('[data-noun="evendim_hills"].picked').waitFor();
        expect(await page.locator("aside[role=status]").count()).toBe(0);

        const question = await page.locator(".ask h2").boundingBox();
        const session = await page.context().newCDPSession(page);
        const touch = (type: string, touchPoints: object[]): Promise<unknown> =>
            session.send("Input.dispatchTouchEvent", { type, touchPoints } as never);
        await touch("touchStart", [{ x, y }]);
        await page.locator("aside[role=status]").waitFor();
        expect(await page.locator("aside[role=status]").innerText()).toContain("Evendim Hills");
        expect(await page.locator(".ask h2").boundingBox()).toEqual(question);
        await touch("touchEnd", []);
        await page.locator("aside[role=status]").waitFor({ state: "detached" });
    });
});
