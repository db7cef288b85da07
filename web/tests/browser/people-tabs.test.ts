/** Ten tabs of one browser: over HTTP/1.1 a browser has six connections to a host, for all of them. */
import { describe, expect, inject, test } from "vitest";
import { browserForTests, isMissing } from "../world/browser";
import { logOf } from "../world/company";
import { openAgainstBot } from "../world/matches";
import { Pointer } from "../world/hands";
import { Player } from "../world/player";
import { Witness } from "../world/witness";

const TABS = 10;

/** How many streams of news the gateway has open, by its own account. */
async function streams(): Promise<number> {
    const told = await (await fetch(inject("metrics"))).text();
    const found = /^bree_streams\{[^}]*method="ListenNews"[^}]*\} (\S+)$/m.exec(told)?.[1];
    return Number(found ?? 0);
}

describe.skipIf(isMissing)("ten tabs", () => {
    const { person } = browserForTests();

    test("share one stream, and ordinary calls are answered", async () => {
        await expect.poll(streams, { timeout: 30_000 }).toBe(0);
        const first = await person();
        const order = { game: "duel", level: "Uniform" };
        await openAgainstBot(first, order);
        const tabs = [first];
        while (tabs.length < TABS) {
            const tab = await first.context().newPage();
            if (tabs.length === 5) await openAgainstBot(tab, order);
            else await tab.goto(first.url());
            await tab.locator(".match .board .thing").first().waitFor();
            tabs.push(tab);
        }
        const witnesses = tabs.map((tab) => new Witness(tab));
        expect(await streams()).toBe(1);

        // An answer is taken, and every tab of its match learns of it by the one stream.
        const player = new Player(first, new Pointer(first));
        const { log } = await player.play(3);
        for (const tab of tabs.filter((tab) => tab.url() === first.url())) {
            await expect.poll(async () => (await logOf({ page: tab })).length).toBe(log);
        }
        const lobby = await first.context().newPage();
        await lobby.goto("/lobby");
        await lobby.getByRole("heading", { level: 1 }).waitFor();
        await lobby.getByRole("link", { name: "Open a match" }).first().waitFor();
        expect(await streams()).toBe(1);

        // The tab that was first goes, and the stream stays for the others.
        await first.close();
        const next = tabs[5];
        if (!next) throw new Error("there is no sixth tab");
        await new Player(next, new Pointer(next)).play(2);
        await expect.poll(streams).toBe(1);
        for (const witness of witnesses) await witness.expectPeace();
    });
});
