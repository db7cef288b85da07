/** The beginnings of games against hosted bots, and one game to its end. */
import { describe, expect, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { arriveToPlay, expectOrder, type Kind } from "../world/people";

const BEGINNINGS: [string, Kind, number][] = [
    ["confrontation", "mouse", 15],
    ["duel", "mouse", 15],
    ["risk", "mouse", 15],
    ["warofthering", "mouse", 15],
    ["confrontation", "keys", 10],
    ["duel", "keys", 10],
    ["duel", "finger", 10],
];

describe.skipIf(isMissing)("a game in a browser", () => {
    const { person } = browserForTests();

    test.each(BEGINNINGS)("%s by %s, %i decisions", async (game, kind, decisions) => {
        const somebody = await arriveToPlay(person, kind, { game, level: "Uniform" });
        const after = await somebody.player.play(decisions);
        // A game at random may be over sooner, and then it says how it ended.
        if (after.ended === "") expect(somebody.player.decisions).toBe(decisions);
        else expect(after.ended).toMatch(/won|lost|drawn/);
        expect(after.log).toBeGreaterThan(somebody.linesBefore);
        await expectOrder(somebody, kind);
    });

    test("the board is told in words on request, and played there", async () => {
        const somebody = await arriveToPlay(person, "mouse", { game: "risk", level: "Uniform" });
        const { page, player } = somebody;
        const board = page.locator(".match .board");
        await board.locator("svg").first().waitFor();
        await page.keyboard.press("w");
        await board.getByRole("searchbox").waitFor();
        expect(await board.locator("svg").count()).toBe(0);
        await player.play(5);
        expect(player.decisions).toBe(5);

        await page.reload();
        await board.getByRole("searchbox").waitFor();
        await page.keyboard.press("w");
        await board.locator("svg").first().waitFor();
        expect(await board.getByRole("searchbox").count()).toBe(0);
        await expectOrder(somebody, "mouse");
    });

    test("a whole Duel, its end, its replay and its proof", async () => {
        const order = { game: "duel", level: "Uniform", preset: "Brisk" };
        const somebody = await arriveToPlay(person, "mouse", order);
        const { page, player } = somebody;
        const { ended } = await player.playOut(120);
        expect(ended).toMatch(/^You have (won|lost) \(.*\d.*\)\.$|^The match is drawn/);
        expect(await page.locator(".ask").count()).toBe(0);

        const slider = page.getByRole("slider", { name: /^Step/ });
        const last = Number(await slider.getAttribute("max"));
        expect(last).toBeGreaterThan(player.decisions);
        const atEnd = await page.locator(".match .board").innerHTML();
        await slider.fill("3");
        await page.getByText(`You look at step 3 of ${last}.`).waitFor();
        expect(await page.locator("[aria-label='Log'] li.later").count()).toBeGreaterThan(0);
        await expect.poll(() => page.locator(".match .board").innerHTML()).not.toBe(atEnd);
        expect(page.url()).toContain("at=3");
        await page.getByRole("button", { name: "Now", exact: true }).click();
        await expect.poll(() => page.locator("[aria-label='Log'] li.later").count()).toBe(0);

        await page.getByRole("button", { name: "Verify" }).click();
        await page.getByText("The record of this match holds.").waitFor();
        await expectOrder(somebody, "mouse");
    });
});
