/** Four people at one table: they see each other come, write to their team, and let bots play for them. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { nextOf } from "../world/company";
import { openForFour, sitDownAt } from "../world/matches";
import { arrive, type Somebody } from "../world/people";
import { look } from "../world/sight";

const LONG = { timeout: 40_000 };

const table = (page: Page, seat: string) => page.locator(".card li", { hasText: seat });
const team = (page: Page) => page.locator("section[aria-label='Your team']");
const players = (page: Page) => page.locator("section[aria-label='Who plays']");
const bar = (page: Page) => page.locator(".match header");

describe.skipIf(isMissing)("four people", () => {
    const { person } = browserForTests();

    test("play War of the Ring in two teams", async () => {
        const [gondor, rohan, king, watcher] = await arriving(4);
        const link = await openForFour(gondor.page, "warofthering", /^Four/);
        await sitDownAt(gondor.page, link, "Gondor");
        await sitDownAt(rohan.page, link, "Rohan");
        await sitDownAt(king.page, link, "Witch-king");
        // They see each other come, each in his team.
        for (const seat of ["Rohan", "Witch-king"]) {
            await expect.poll(() => table(gondor.page, seat).textContent(), LONG).toMatch(/here/);
        }
        expect(await gondor.page.getByRole("heading", { name: "Free Peoples" }).count()).toBe(1);
        const shadow = gondor.page.locator("ul[aria-label='Team Shadow'] li");
        expect(await shadow.count()).toBe(2);

        // One seat is a bot's; another bot takes its place before the start.
        await addBot(gondor.page, "Saruman", "Uniform");
        await expect.poll(() => table(king.page, "Saruman").textContent(), LONG).toMatch(/bot/);
        await gondor.page.getByRole("button", { name: "Send the bot at Saruman away" }).click();
        await expect.poll(() => table(king.page, "Saruman").textContent(), LONG).toMatch(/free/);
        await addBot(gondor.page, "Saruman", "Uniform");
        await gondor.page.getByRole("button", { name: "Begin the match" }).click();
        await watcher.page.goto(link);
        const all = [gondor, rohan, king, watcher];
        for (const { page } of all) await page.locator(".match .board").waitFor();

        // What one writes his team-mate reads, as it was written; nobody else has it on his page.
        const secret = "<b>Muster</b> & march?";
        await team(gondor.page).getByRole("textbox").fill(secret);
        await team(gondor.page).getByRole("button", { name: "Send" }).click();
        for (const { page } of [gondor, rohan]) {
            await expect.poll(() => team(page).textContent(), LONG).toContain(secret);
        }
        await rohan.page.reload();
        await expect.poll(() => team(rohan.page).textContent(), LONG).toContain(secret);
        for (const { page } of [king, watcher]) {
            expect(await page.content()).not.toContain("Muster</b>");
            expect(await page.locator("body").textContent()).not.toContain(secret);
            expect(await team(page).count()).toBe(0);
        }

        const people = [gondor, rohan, king];
        await playOn(people, 3);
        await lent(people, watcher);
        await playOn(people, 2);
        for (const { witness } of all) await witness.expectPeace();
    });

    test("play Risk, each for himself", async () => {
        const people = await arriving(4);
        const [host] = people;
        const seats = ["Yellow", "Red", "Green", "Black"];
        const link = await openForFour(host.page, "risk", /^Four quick/);
        for (const [n, { page }] of people.entries()) await sitDownAt(page, link, seats[n] ?? "");
        for (const seat of seats.slice(1)) {
            await expect.poll(() => table(host.page, seat).textContent(), LONG).toMatch(/here/);
        }
        await host.page.getByRole("button", { name: "Begin the match" }).click();
        for (const { page } of people) await page.locator(".match .board").waitFor();
        expect(await team(host.page).count()).toBe(0);

        await playOn(people, 2);
        await lent(people, ...people);
        await playOn(people, 1);
        // Whoever closes his page is seen to have gone; nobody waits for a word of his.
        const [, , , last] = people;
        expect(await players(host.page).locator("li", { hasText: "Black" }).textContent()).toMatch(
            /here/,
        );
        await last.page.close();
        await expect
            .poll(() => players(host.page).locator("li", { hasText: "Black" }).textContent(), LONG)
            .not.toMatch(/here/);
        for (const { witness } of people.slice(0, 3)) await witness.expectPeace();
    });

    async function arriving(count: number): Promise<Four> {
        const all: Somebody[] = [];
        for (let n = 0; n < count; n++) all.push(await arrive(person));
        return all as unknown as Four;
    }
});

type Four = [Somebody, Somebody, Somebody, Somebody];

async function addBot(page: Page, seat: string, level: string): Promise<void> {
    await page.getByRole("button", { name: `Add a bot at ${seat}` }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.getByRole("radio", { name: new RegExp(`^${level}`) }).check();
    await dialog.getByRole("button", { name: "Add the bot" }).click();
}

/** Whoever is asked decides, so many times. */
async function playOn(people: readonly Somebody[], decisions: number): Promise<void> {
    for (let made = 0; made < decisions; made++) {
        const next = await nextOf(people);
        next.player.forget();
        await next.player.decide();
    }
}

/** Whoever is asked lets a bot play for some decisions, which others can see, and takes his seat back. */
async function lent(people: readonly Somebody[], ...watchers: Somebody[]): Promise<void> {
    const away = await nextOf(people);
    const watcher = watchers.find((one) => one !== away) ?? expect.unreachable("nobody looks on");
    const lines = (await look(away.page)).log;
    await away.page.getByRole("button", { name: "Let a bot play" }).click();
    const dialog = away.page.locator("dialog[open]");
    await dialog.getByLabel("How strong").selectOption("uniform");
    await dialog.getByRole("button", { name: "Let it play" }).click();
    await expect.poll(() => bar(away.page).textContent(), LONG).toMatch(/plays .* for you/);
    expect((await look(away.page)).question, "nothing is asked of him").toBe("");
    await expect
        .poll(() => players(watcher.page).textContent(), LONG)
        .toMatch(/a bot plays for him: Uniform/);
    await expect.poll(async () => (await look(away.page)).log, LONG).toBeGreaterThan(lines);
    await away.page.getByRole("button", { name: "Play on yourself" }).click();
    await expect.poll(() => bar(away.page).textContent(), LONG).not.toMatch(/for you/);
    await expect.poll(() => players(watcher.page).textContent(), LONG).not.toMatch(/for him/);
    for (const { player } of people) player.forget();
}
