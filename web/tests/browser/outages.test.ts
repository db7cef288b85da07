/** Pages that are reloaded, a gateway and an engine that are killed, in the middle of a match. */
import { describe, expect, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import {
    expectOneLog,
    expectRecord,
    gather,
    logOf,
    nextOf,
    playOn,
    type Company,
} from "../world/company";
import { kill } from "../world/damage";

describe.skipIf(isMissing)("in the middle of a match", () => {
    const { person } = browserForTests();

    test("a reload forgets nothing that was touched", async () => {
        const company = await gather(person, "duel", ["Fellowship", "Sauron"]);
        await playOn(company, 5);
        const { page, player } = await playUntilLit(company);
        const log = await logOf(company.host);
        await page.locator(".match .board .lit[data-noun]").first().press("Enter");
        const touched = await page.getByLabel("Touched so far").textContent();
        await page.reload();
        await expect.poll(() => page.getByLabel("Touched so far").textContent()).toBe(touched);
        await expectOneLog(company);
        expect(await logOf(company.host)).toEqual(log);
        await player.decide();
        await company.watcher.page.reload();
        await playOn(company, 2);
        await expectRecord(company);
    });

    test.each(["gateway", "duel-1"])(
        "the death of %s loses nothing and does nothing twice",
        async (part) => {
            const company = await gather(person, "duel", ["Fellowship", "Sauron"]);
            await playOn(company, 4);
            const log = await expectOneLog(company);
            const { page, player } = await nextOf([company.host, company.guest]);
            const told = page.getByText("Bree is away.").waitFor();
            kill(part);
            await player.decide();
            await told;
            await playOn(company, 4);
            for (const { page } of [company.host, company.guest, company.watcher]) {
                await expect.poll(() => page.getByText("Bree is away.").count()).toBe(0);
            }
            const after = await expectOneLog(company);
            expect(after.slice(0, log.length)).toEqual(log);
            await expectRecord(company);
            for (const one of [company.host, company.guest, company.watcher]) {
                await one.witness.expectSound();
            }
        },
    );

    /** Until more than one touch is needed, so that one can be left behind. */
    async function playUntilLit(company: Company) {
        for (let made = 0; made < 30; made++) {
            const next = await nextOf([company.host, company.guest]);
            if ((await next.page.locator(".match .board .lit[data-noun]").count()) > 1) return next;
            await next.player.decide();
        }
        throw new Error("nothing was lit");
    }
});
