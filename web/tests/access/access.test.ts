/** Every page, and ten positions of each board, with axe: the rules of WCAG 2.2 AA.
 *
 * A page is loaded once and looked at four times: light and dark, wide and as on a phone. Two of
 * these are looked at with all rules, the other two for what can differ in them: colours and sizes.
 */
import { AxeBuilder } from "@axe-core/playwright";
import { fromBinary } from "@bufbuild/protobuf";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { GetViewRequestSchema } from "../../gen/bree/gateway/v1/gateway_pb";
import { browserForTests, isMissing } from "../world/browser";
import { Between, releasedAs } from "../world/guard";
import {
    answer,
    botsMatch,
    caller,
    type Caller,
    guests,
    openMatch,
    playAgainstBot,
    played,
    resign,
} from "../world/guardCalls";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const BOARD = "[aria-label='Board']";
const SOME = ["color-contrast", "target-size", "scrollable-region-focusable"];

const person = guests(browserForTests().person);

const LOOKS = [
    { size: WIDE, colorScheme: "light", rules: undefined },
    { size: PHONE, colorScheme: "dark", rules: undefined },
    { size: WIDE, colorScheme: "dark", rules: SOME },
    { size: PHONE, colorScheme: "light", rules: SOME },
] as const;

/** What is wrong with a page, or a part of it, in some of its looks or in all. */
async function faults(
    page: Page,
    looks: readonly (typeof LOOKS)[number][] = LOOKS,
    part = "html",
): Promise<string[]> {
    const found: string[] = [];
    for (const { size, colorScheme, rules } of looks) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const axe = new AxeBuilder({ page }).include(part).setLegacyMode(true);
        const { violations } = await (
            rules ? axe.withRules([...rules]) : axe.withTags(TAGS)
        ).analyze();
        found.push(
            ...violations.flatMap(({ id, nodes }) =>
                nodes.map(
                    (node) =>
                        `${colorScheme} ${size.width}: ${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ""}`,
                ),
            ),
        );
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > size.width) found.push(`${size.width}: the page is ${width} wide`);
    }
    return [...new Set(found)];
}

async function shown(page: Page, path: string, sign?: string): Promise<void> {
    await page.goto(path);
    await page.locator("h1").first().waitFor();
    if (sign) await page.getByText(sign).first().waitFor();
    // What is being fetched has another look than what has come.
    await page.locator("[aria-busy='true'], .skeleton").first().waitFor({ state: "detached" });
}

describe.skipIf(isMissing)("every page", () => {
    let who: Caller;
    let open = "";
    let over = "";

    beforeAll(async () => {
        who = await caller(inject("address"));
        open = (await openMatch(who, "confrontation")).id;
        over = await botsMatch(who, "confrontation", "uniform");
    });

    test.each([
        ["home", "/", "Play against a bot"],
        ["play", "/play/duel", "How strong"],
        ["lobby", "/lobby", ""],
        ["the lobby without matches", "/lobby?game=risk&state=open&clock=none", ""],
        ["new/confrontation", "/new/confrontation", ""],
        ["new/duel", "/new/duel", ""],
        ["new/risk", "/new/risk", ""],
        ["new/warofthering", "/new/warofthering", ""],
        ["history", "/history", ""],
        ["profile of a bot", "/player/bot:novice", ""],
        ["profile of nobody", "/player/nobody-at-all", ""],
        ["ranks", "/ranks/confrontation", ""],
        ["settings", "/settings", "Looks"],
        ["account", "/account", "Recovery codes"],
        ["login", "/login", "Code or token"],
        ["rules", "/rules", ""],
        ["about", "/about", ""],
        ["fairness", "/fairness", ""],
        ["verify", "/verify", ""],
        ["404", "/no/such/road", "No road leads here"],
        ["an unknown match", "/m/aaaaaaaaaaaaaaaa", ""],
    ])("%s", async (_, path, sign) => {
        const page = await person();
        await shown(page, path, sign);
        for (const details of await page.locator("summary").all()) await details.click();
        expect(await faults(page)).toEqual([]);
    });

    test.each(["confrontation", "duel", "risk", "warofthering"])("rules of %s", async (game) => {
        const page = await person();
        await shown(page, `/rules/${game}`);
        expect(await faults(page, LOOKS.slice(0, 2))).toEqual([]);
    });

    test("an open match, for who comes and who has opened it", async () => {
        const page = await person();
        await shown(page, `/m/${open}`, "Commitment");
        expect(await faults(page)).toEqual([]);
        await shown(page, "/new/duel");
        await page.getByRole("button", { name: /Open the match/ }).click();
        await page.getByText("Commitment").first().waitFor();
        expect(await faults(page)).toEqual([]);
    });

    test("a match with a question, with a choice taken, given up, and its history", async () => {
        const page = await person();
        await playAgainstBot(page, "The Confrontation");
        await page.getByRole("listbox").waitFor();
        expect(await faults(page)).toEqual([]);
        await page.getByRole("listbox").getByRole("option").first().click();
        await page.getByRole("button", { name: "Confirm" }).waitFor();
        expect(await faults(page)).toEqual([]);
        await page.setViewportSize(WIDE);
        await answer(page, () => 0);
        await page.getByRole("button", { name: "Keys" }).click();
        expect(await faults(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.setViewportSize(WIDE);
        await resign(page);
        await page.getByRole("button", { name: "Verify" }).click();
        await page.getByText("holds.").waitFor();
        expect(await faults(page)).toEqual([]);
        await shown(page, "/history");
        await page.locator("main a[href*='/m/']").first().waitFor();
        expect(await faults(page)).toEqual([]);
    });

    test("a match that is over", async () => {
        const page = await person();
        await played(who, over, 10_000);
        await shown(page, `/m/${over}`);
        await page
            .getByText(/won|drawn/)
            .first()
            .waitFor();
        expect(await faults(page)).toEqual([]);
    });

    test("the account with a code, and with a question", async () => {
        const page = await person();
        await shown(page, "/account", "Devices");
        await page.getByRole("button", { name: "Log in on another device" }).click();
        await page.getByText("On the other device").waitFor();
        expect(await faults(page)).toEqual([]);
        await page.getByRole("button", { name: "Log out everywhere" }).click();
        await page.getByRole("dialog").waitFor();
        expect(await faults(page)).toEqual([]);
    });

    test("the account with what is shown once, as a bot's, and when it is to be deleted", async () => {
        const page = await person({ baseURL: inject("named") });
        await shown(page, "/account", "Recovery codes");
        await page.getByRole("button", { name: "Make ten codes" }).click();
        await page.getByRole("list", { name: "Recovery codes" }).waitFor();
        await page.getByRole("button", { name: "Make a token" }).click();
        expect(await faults(page)).toEqual([]);
        await page.getByLabel("What it is for").fill("a program");
        await page.getByRole("button", { name: "Make it" }).click();
        await page.getByLabel("The token a program").waitFor();
        expect(await faults(page)).toEqual([]);
        const name = await page.locator("header .who").innerText();
        await page.getByRole("button", { name: "This account is a bot" }).click();
        await page.getByLabel(/To confirm/).fill(name);
        await page.getByRole("button", { name: "It is a bot" }).click();
        await page.getByRole("button", { name: "Say so" }).waitFor();
        expect(await faults(page)).toEqual([]);
        await page.getByRole("button", { name: "Delete my account" }).click();
        expect(await faults(page)).toEqual([]);
        await page.getByLabel(/To confirm/).fill(name);
        await page.getByRole("button", { name: "Delete it in a week" }).click();
        await page.getByText("is deleted on").waitFor();
        expect(await faults(page)).toEqual([]);
    });

    test("who comes back from a provider and has not begun here", async () => {
        const page = await person({ baseURL: inject("named") });
        await shown(page, "/login?state=a&code=b", "belongs to nothing");
        expect(await faults(page)).toEqual([]);
    });

    test("the platform is away, was updated, has ended the session", async () => {
        const between = await Between.before(inject("address"));
        between.change = releasedAs("99.9.9");
        const page = await person({ proxy: between.proxy });
        await page.goto("/lobby");
        await page.getByRole("button", { name: "Not yet" }).click();
        expect(await faults(page)).toEqual([]);
        between.change = () => undefined;
        const other = await person({ proxy: between.proxy });
        await other.goto("/");
        await other.getByRole("button", { name: "Play against a bot" }).first().waitFor();
        between.isAway = () => true;
        between.cut();
        await other.getByText("Bree is away.").waitFor();
        expect(await faults(other)).toEqual([]);
        between.isAway = () => false;
        const last = await person();
        await shown(last, "/lobby");
        await last
            .locator("header .who")
            .filter({ hasNotText: /^Guest$/ })
            .waitFor();
        await last.evaluate(endAll);
        await last.getByText("You have been logged out.").waitFor();
        expect(await faults(last)).toEqual([]);
        await between.close();
    });
});

/** As another tab of the same browser would. */
async function endAll(): Promise<void> {
    await fetch("/bree.gateway.v1.SessionService/EndAllSessions", {
        method: "POST",
        headers: { "content-type": "application/json", "connect-protocol-version": "1" },
        body: "{}",
    });
}

/** Whether it asks for the position as it was at this revision. */
function isOf(request: Request, revision: number): boolean {
    const asked = request.postDataBuffer();
    if (!request.url().endsWith("/GetView") || !asked) return false;
    return fromBinary(GetViewRequestSchema, asked).revision === BigInt(revision);
}

describe.skipIf(isMissing)("ten positions of each board", () => {
    const games = [
        ["confrontation", 60, true],
        ["duel", 40, true],
        ["risk", 60, false],
        ["warofthering", 60, false],
    ] as const;
    const matches = new Map<string, Promise<readonly [string, number]>>();

    beforeAll(async () => {
        const who = await caller(inject("address"));
        const described = await who.catalog.listGames({});
        for (const [game, enough] of games) {
            const [level = ""] = described.games.find((one) => one.game === game)?.botLevels ?? [];
            const match = await botsMatch(who, game, level);
            matches.set(
                game,
                played(who, match, enough).then((at) => [match, at]),
            );
        }
    });

    test.each(games)("%s", async (game, _, isDrawn) => {
        const [match = "", last = 0] = (await matches.get(game)) ?? [];
        const page = await person();
        await page.goto(`/m/${match}`);
        for (let part = 0; part < 10; part++) {
            await page.setViewportSize(WIDE);
            const at = Math.floor((last * part) / 9);
            const come = page.waitForResponse((response) => isOf(response.request(), at));
            await page.getByRole("slider").fill(String(at));
            await (await come).finished();
            await page.getByText(`You look at step ${at} of`).waitFor();
            await page.evaluate(
                () =>
                    new Promise((drawn) => {
                        requestAnimationFrame(() => requestAnimationFrame(drawn));
                    }),
            );
            // All rules for one half of them, colours and sizes for the other; once for lists of names.
            const both = part % 2 ? LOOKS.slice(0, 2) : LOOKS.slice(2);
            const looks = isDrawn ? both : LOOKS.slice(part % 2, (part % 2) + 1);
            expect(await faults(page, looks, BOARD), `at ${at}`).toEqual([]);
        }
    });
});
