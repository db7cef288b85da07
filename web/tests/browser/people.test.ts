/** Two people play each other and a third watches; they think better of it, alone and together. */
import { describe, expect, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { expectOneLog, expectRecord, gather, nextOf, playOn, type Company } from "../world/company";
import type { Somebody } from "../world/people";
import { look } from "../world/sight";

const undo = ({ page }: Somebody) => page.getByRole("button", { name: "Undo", exact: true });

describe.skipIf(isMissing)("people", () => {
    const { person } = browserForTests();

    test("play each other by a link, take back, decline, and are watched", async () => {
        const company = await gather(person, "duel", ["Fellowship", "Sauron"]);
        const { host, guest, watcher } = company;
        await playOn(company, 4);
        await expectOneLog(company);
        expect(await watcher.page.getByText("You watch.").count()).toBe(1);
        expect(await watcher.page.locator(".ask, .board .lit").count()).toBe(0);

        const mover = await playUntilUndo(company);
        const { question } = await takeBackAlone(mover);
        expect(question).not.toBe("");
        const log = await expectOneLog(company);
        expect(log.at(-1)).toMatch(/taken? back|takes back|undo/i);

        await playOn(company, 4);
        await offer(company, host, guest, "take the last decision back", "Accept");
        expect((await expectOneLog(company)).at(-1)).toMatch(/back/i);
        expect(await nextOf([host, guest])).toBe(host);

        await offer(company, guest, host, "abort the match", "Decline");
        await expectOneLog(company);
        await playOn(company, 2);
        await expectRecord(company);
        for (const { witness } of [host, guest, watcher]) witness.expectPeace();
    });

    /** Somebody decides something that teaches nobody anything, and is offered to undo it. */
    async function playUntilUndo(company: Company): Promise<Somebody> {
        for (let made = 0; made < 40; made++) {
            const mover = await playOn(company, 1);
            if (await undo(mover).isEnabled()) return mover;
        }
        throw new Error("no decision could be undone");
    }

    async function takeBackAlone(mover: Somebody) {
        mover.player.forget();
        await undo(mover).click();
        await expect.poll(() => undo(mover).isEnabled()).toBe(false);
        await nextOf([mover]);
        return look(mover.page);
    }

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
        const offers = to.page.getByText(new RegExp(`offers to ${what}`));
        await offers.waitFor();
        await company.watcher.page.getByText(new RegExp(`offers to ${what}`)).waitFor();
        await to.page.getByRole("button", { name: answer, exact: true }).click();
        for (const { page } of [from, to]) {
            await expect.poll(() => page.getByText(new RegExp(`offere?d?s? to ${what}`)).count()).toBe(0);
        }
    }
});
