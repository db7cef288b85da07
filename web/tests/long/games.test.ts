/** Whole games of all four against a hosted bot: by mouse, by keys alone, on a phone.
 *
 * We play by chance, and so do the bots, which is fastest; in Risk that would never end, so there a bot
 * that thinks conquers us. Nobody resigns. Seen were 20 to 40 decisions of The Confrontation, 50 of Duel,
 * 250 to 400 of Risk and 800 to 2200 of War of the Ring, which chance alone may lead beyond 4000. A test
 * fails where it is certain that no game takes so many.
 */
import { describe, expect, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { arriveToPlay, expectOrder, type Kind } from "../world/people";
import type { Order } from "../world/matches";

interface Whole {
    order: Order;
    most: number;
    minutes: number;
}

const GAMES: Whole[] = [
    { order: { game: "confrontation", level: "Uniform" }, most: 400, minutes: 10 },
    { order: { game: "duel", level: "Uniform" }, most: 250, minutes: 10 },
    { order: { game: "risk", level: "Adept", preset: "Two quick" }, most: 4000, minutes: 60 },
    { order: { game: "warofthering", level: "Uniform", preset: "Two" }, most: 7000, minutes: 90 },
];
const KINDS: Kind[] = ["mouse", "keys", "finger"];
const WHOLE = KINDS.flatMap((kind) => GAMES.map((game) => ({ kind, ...game })));

describe.skipIf(isMissing)("a whole game", () => {
    const { person } = browserForTests();

    for (const { kind, order, most, minutes } of WHOLE) {
        test(`of ${order.game} by ${kind}`, { timeout: minutes * 60_000 }, async () => {
            const somebody = await arriveToPlay(person, kind, order);
            const { page, player } = somebody;
            const began = Date.now();
            const { ended } = await player.playOut(most, ({ log }) => {
                const seconds = Math.round((Date.now() - began) / 1000);
                const many = `${player.decisions} decisions, ${log} lines, ${seconds} s`;
                console.log(`${order.game} by ${kind}: ${many}`);
            });
            expect(ended).toMatch(/^You have (won|lost) \(.*\d.*\)\.$|^The match is drawn/);
            expect(await page.locator(".ask, .board .lit").count()).toBe(0);
            await expectOrder(somebody, kind);
            await page.context().close();
        });
    }
});
