/** Two people play each other and a third watches; they think better of it, alone and together. */
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
import type { Somebody } from "../world/people";

const undo = ({ page }: Somebody) => page.getByRole("button", { name: "Undo", exact: true });

describe.skipIf(isMissing)("people", () => {
    const { person } = browserForTests();

    test("play each other by a link, agree and decline, and are watched", async () => {
        const company = await gather(person, "duel", ["Fellowship", "Sauron"]);
        const { host, guest, watcher } = company;
        await playOn(company, 4);
        await expectOneLog(company);
        expect(await watcher.page.getByText("You watch.").count()).toBe(1);
        expect(await watcher.page.locator(".ask, .board .lit").count()).toBe(0);

        await offer(company, host, guest, "take the last decision back", "Accept");
        expect((await expectOneLog(company)).at(-1)).toMatch(/back/i);
        expect(await nextOf([host, guest])).toBe(host);

        await offer(company, guest, host, "abort the match", "Decline");
        await expectOneLog(company);
        await playOn(company, 2);
        await expectRecord(company);
        for (const { witness } of [host, guest, watcher]) await witness.expectPeace();
    });

    test("take back what nobody has learnt anything by", async () => {
        const company = await gather(person, "confrontation", ["Good", "Dark"]);
        const { host, guest, watcher } = company;
        const mover = await playOn(company, 1);
        const [lines, seen] = [await logOf(mover), await logOf(watcher)];
        await expect.poll(() => undo(mover).isEnabled()).toBe(true);
        mover.player.forget();
        await undo(mover).click();
        await expect.poll(() => undo(mover).isEnabled()).toBe(false);
        expect(await nextOf([host, guest])).toBe(mover);
        await expect.poll(async () => (await logOf(mover)).length).toBe(lines.length + 1);
        expect((await logOf(mover)).at(-1)).toMatch(/back/);
        await expect.poll(async () => (await logOf(watcher)).length).toBe(seen.length + 1);

        await playOn(company, 3);
        await expectRecord(company);
        for (const { witness } of [host, guest, watcher]) await witness.expectPeace();
    });

    /** One offers something, the other answers, and the offer is gone for both. */
    async function offer(
        company: Company,
        from: Somebody,
        to: Somebody,
        what: string,
        answer: string,
    ): Promise<void> {
        for (const { player } of [from, to]) player.forget();
        await from.page.getByRole("button", { name: `Offer to ${what}` }).click();
        const offerAt = ({ page }: Somebody) => page.locator(".offer", { hasText: what });
        await offerAt(company.watcher).waitFor();
        await offerAt(to).getByRole("button", { name: answer }).click();
        for (const one of [from, to, company.watcher]) {
            await expect.poll(() => offerAt(one).count()).toBe(0);
        }
    }
});
