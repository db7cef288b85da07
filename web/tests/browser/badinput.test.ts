/** What a new user meets who comes by a wrong link, with an old page, or while the platform is away. */
import { create } from "@bufbuild/protobuf";
import { isMessage } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { EventSchema } from "../../gen/bree/engine/v1/types_pb";
import { ListenNewsResponseSchema } from "../../gen/bree/gateway/v1/gateway_pb";
import { browserForTests, isMissing } from "../world/browser";
import { Between, releasedAs } from "../world/guard";
import {
    botsMatch,
    caller,
    type Caller,
    guests,
    openMatch,
    playAgainstBot,
} from "../world/guardCalls";

const person = guests(browserForTests().person);

let who: Caller;
beforeAll(async () => {
    who = await caller(inject("address"));
});

describe.skipIf(isMissing)("a wrong link", () => {
    test.each(["/m/aaaaaaaaaaaaaaaa", "/m/x", "/m/no%20such%20match"])(
        "to no match: %s",
        async (path) => {
            const page = await person();
            await page.goto(path);
            await page.getByText("no such match").first().waitFor();
            await page.locator("main a[href='/lobby'], main a[href='/']").first().waitFor();
        },
    );

    test("to a seat that is taken, before and after the match has begun", async () => {
        const { id, seats } = await openMatch(who, "confrontation");
        const [first = "", second = ""] = seats.map(({ seat }) => seat);
        await who.matches.joinMatch({ match: id, seat: first });
        const page = await person();
        await page.goto(`/m/${id}?seat=${first}`);
        await page.getByText(`has been taken by ${who.name}`).waitFor();
        await page.getByText("Still free:").waitFor();
        await who.matches.addBot({ match: id, seat: second, level: "uniform" });
        await who.matches.startMatch({ match: id });
        await page.reload();
        await page.getByText("Somebody else sits there").waitFor();
        await page.getByRole("link", { name: "Watch the match" }).click();
        await page.getByRole("slider").waitFor();
        await page.goto(`/m/${id}?seat=nobody`);
        await page.getByText("The match has no such seat").waitFor();
    });

    test("without JavaScript there is one sentence", async () => {
        const page = await person({ javaScriptEnabled: false });
        await page.goto("/");
        expect(await page.locator("body").innerText()).toMatch(
            /^Bree is played with JavaScript.+\.$/,
        );
    });
});

/** Touches the first thing on the board that is lit. */
async function touch(page: Page): Promise<string> {
    const lit = page.locator("[aria-label='Board'] .lit").first();
    await lit.waitFor();
    await lit.click();
    return page.locator(".crumbs li").first().innerText();
}

describe.skipIf(isMissing)("a page from before an update", () => {
    test("says so, and is loaded anew once, with its question and what was touched", async () => {
        const between = await Between.before(inject("address"));
        const page = await person({ proxy: between.proxy });
        let loads = 0;
        page.on("load", () => loads++);
        await playAgainstBot(page, "The Confrontation");
        const question = page.locator("section[aria-label='Question'] h2").first();
        await page.getByRole("listbox").waitFor();
        const asked = await question.innerText();
        const touched = await touch(page);
        const before = loads;
        between.change = releasedAs("99.9.9");
        between.cut();
        await page.getByText("Bree has been updated.").waitFor();
        await expect.poll(() => loads, { timeout: 30_000 }).toBe(before + 1);
        await question.filter({ hasText: asked }).waitFor();
        await page.locator(".crumbs li").filter({ hasText: touched }).waitFor();
        // Loading it anew did not help: it is not tried for ever.
        await page.getByText("Reload it when it suits you.").waitFor({ timeout: 30_000 });
        expect(loads).toBe(before + 1);
        await page.locator(".crumbs li").filter({ hasText: touched }).waitFor();
        await between.close();
    });

    test("is loaded anew where its files are gone, and says so if that does not help", async () => {
        const between = await Between.before(inject("address"));
        const page = await person({ proxy: between.proxy });
        await page.goto("/about");
        await page.locator("h1").first().waitFor();
        let loads = 0;
        page.on("load", () => loads++);
        between.isGone = (path) => path.startsWith("/assets/Lobby");
        await page.getByRole("link", { name: "Lobby" }).first().click();
        await page
            .getByRole("button", { name: /[Rr]eload|anew|again/ })
            .first()
            .waitFor();
        expect(loads).toBe(1);
        between.isGone = () => false;
        await page
            .getByRole("button", { name: /[Rr]eload|anew|again/ })
            .first()
            .click();
        await page.getByRole("heading", { name: "Lobby" }).waitFor();
        await between.close();
    });
});

describe.skipIf(isMissing)("ten thousand lines of a log", () => {
    test("are read without drawing them all", async () => {
        const between = await Between.before(inject("address"));
        const match = await botsMatch(who, "confrontation", "uniform");
        const lines = 10_000;
        let isTold = false;
        between.change = ({ message }) => {
            if (isTold || !isMessage(message, ListenNewsResponseSchema)) return;
            const step = message.news.case === "step" ? message.news.value.step : undefined;
            if (!step) return;
            isTold = true;
            step.events = Array.from({ length: lines }, (_, n) =>
                create(EventSchema, {
                    kind: "told",
                    sentence: `This is line ${n + 1}.`,
                    facts: {},
                }),
            );
        };
        const page = await person({ proxy: between.proxy });
        await page.goto(`/m/${match}`);
        const log = page.getByRole("list", { name: "Log" });
        const line = (n: number) => log.getByText(`This is line ${n}.`, { exact: true });
        await log.locator("li").nth(100).waitFor();
        expect(await page.locator("*").count()).toBeLessThan(6_000);
        expect(await log.locator("li").count()).toBeLessThan(320);
        const isAt = (n: number): Promise<boolean> =>
            line(n).evaluate((one) => one === document.activeElement?.firstElementChild);
        // The bots play on meanwhile, and what is said then may come between two keys.
        const pressed = async (...keys: string[]): Promise<void> => {
            await log.locator("button[tabindex='0']").last().focus();
            for (const key of keys) await page.keyboard.press(key);
        };
        await expect
            .poll(async () => pressed("Home").then(() => isAt(1)), { timeout: 10_000 })
            .toBe(true);
        await expect
            .poll(async () => pressed("Home", "PageDown").then(() => isAt(11)), { timeout: 10_000 })
            .toBe(true);
        await page.keyboard.press("End");
        await log.getByRole("button", { name: /Show earlier lines/ }).click();
        expect(await log.locator("li").count()).toBeLessThan(320);
        expect(await page.locator("*").count()).toBeLessThan(6_000);
        await between.close();
    });
});

describe.skipIf(isMissing)("a platform that is away", () => {
    const methods = (path: string): boolean => path.startsWith("/bree.");

    test.each([
        ["/", "Play against a bot"],
        ["/lobby", "Bree"],
        ["/account", "Devices"],
    ])("when %s is first loaded: it says so, and all comes by itself", async (path, sign) => {
        const between = await Between.before(inject("address"));
        between.isAway = methods;
        const page = await person({ proxy: between.proxy });
        await page.goto(path);
        await page.getByText("Bree is away.").waitFor();
        between.isAway = () => false;
        await page.getByText("Bree is away.").waitFor({ state: "detached", timeout: 60_000 });
        await page.getByText(sign).first().waitFor();
        await page
            .locator("header .who")
            .filter({ hasNotText: /^Guest$/ })
            .waitFor();
        await between.close();
    });

    test("in a match: the question stays, and can be answered when it is back", async () => {
        const between = await Between.before(inject("address"));
        const page = await person({ proxy: between.proxy });
        await playAgainstBot(page, "The Confrontation");
        await page.getByRole("listbox").waitFor();
        const question = page.locator("section[aria-label='Question'] h2").first();
        const asked = await question.innerText();
        between.isAway = () => true;
        between.cut();
        await page.getByText("Bree is away.").waitFor();
        await page.getByRole("listbox").getByRole("option").first().click();
        await page.getByRole("button", { name: "Confirm" }).click();
        expect(await question.innerText()).toBe(asked);
        between.isAway = () => false;
        await page.getByText("Bree is away.").waitFor({ state: "detached", timeout: 60_000 });
        await page.getByRole("button", { name: "Confirm" }).waitFor({ state: "detached" });
        await page.getByRole("listbox").waitFor();
        const acts = between.told.filter(({ method }) => method === "Act");
        expect(acts.length).toBe(1);
        await between.close();
    });
});
