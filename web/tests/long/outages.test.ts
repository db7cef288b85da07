/** A whole match between two people in which everything goes away that can: the network of one of them for
 * half a minute, like a machine that sleeps; the gateway; the engine; the pages themselves.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { Cable } from "../world/cable";
import {
    expectOneLog,
    expectSameRecord,
    gather,
    logOf,
    nextOf,
    nextOrEnd,
    playOn,
    type Company,
} from "../world/company";
import { kill } from "../world/damage";
import type { Somebody } from "../world/people";
import { look } from "../world/sight";

const AWAY_MS = 30_000;

describe.skipIf(isMissing)("a whole match", () => {
    const { person } = browserForTests();
    let cable: Cable;
    beforeAll(async () => {
        cable = await Cable.to(inject("address"));
    });
    afterAll(() => {
        cable.close();
    });

    test("over sleep, deaths and reloads", { timeout: 900_000 }, async () => {
        const seats = ["Fellowship", "Sauron"] as const;
        const company = await gather(person, "duel", seats, { baseURL: cable.address });
        const { host, guest, watcher } = company;
        const all = [host, guest, watcher];

        await playUntilAsked(company, host);
        await isAwayWhile(host, () => host.player.decide());
        await sentAgain(host);
        await expectOneLog(company);

        await playUntilAsked(company, guest);
        await isAwayWhile(host, () => guest.player.decide());
        await expectOneLog(company);

        for (const part of ["gateway", "duel-1", "gateway", "duel-1"]) {
            const next = await nextOf([host, guest]);
            const told = next.page.getByText("Bree is away.").waitFor();
            kill(part);
            await next.player.decide();
            await told;
            await playOn(company, 3);
            await expectOneLog(company);
        }
        for (const one of all) {
            const log = await logOf(one);
            await one.page.reload();
            await expectOneLog(company);
            await expect.poll(() => logOf(one)).toEqual(log);
            await playOn(company, 2);
        }
        await playToEnd(company);
        await expectOneLog(company);
        await expectSameRecord(company);
        for (const { witness } of all) await witness.expectSound();
        for (const { page } of all) {
            await page.getByRole("button", { name: "Verify" }).click();
            await page.getByText("The record of this match holds.").waitFor();
        }
    });

    async function playUntilAsked(company: Company, whom: Somebody): Promise<void> {
        for (let made = 0; made < 30; made++) {
            if ((await nextOf([company.host, company.guest])) === whom) return;
            await playOn(company, 1);
        }
        throw new Error("one of them is never asked");
    }

    /** The network of somebody is away while something is done; his page says so, and then finds back. */
    async function isAwayWhile({ page }: Somebody, what: () => Promise<void>): Promise<void> {
        const away = page.getByText("Bree is away.");
        cable.pull();
        await page.context().setOffline(true);
        const since = sleep(AWAY_MS);
        await what();
        await away.waitFor({ timeout: 60_000 });
        await since;
        await page.context().setOffline(false);
        cable.plug();
        await away.waitFor({ state: "hidden", timeout: 60_000 });
    }

    /** A call is borne for half a minute. Whoever is told that it was not taken sends it again. */
    async function sentAgain({ page, player }: Somebody): Promise<void> {
        await expect
            .poll(async () => (await look(page)).isSending, { timeout: 60_000 })
            .toBe(false);
        const { refusal } = await look(page);
        if (refusal === "") return;
        expect(refusal).toContain("Send it again");
        await player.hand.confirm();
    }

    async function playToEnd({ host, guest }: Company): Promise<void> {
        for (let made = 0; made < 300; made++) {
            const next = await nextOrEnd([host, guest]);
            if (!next) return;
            await next.player.decide();
        }
        throw new Error("the match goes on");
    }
});
