/** Somebody who sits down at the page with a hand of some kind, watched by a witness. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { Keys, Pointer, type Hand } from "./hands";
import { openAgainstBot, type Order } from "./matches";
import { Player, POINTING, TYPING } from "./player";
import { Witness } from "./witness";

export type Kind = "mouse" | "keys" | "finger";

/** A phone held upright, as narrow as they are. */
export const PHONE: BrowserContextOptions = {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
};

export interface Somebody {
    page: Page;
    witness: Witness;
    player: Player;
}

type Arrives = (more?: BrowserContextOptions) => Promise<Page>;

/** Warnings of libraries say where they come from. Runs in the page. */
function sayWhere(): void {
    const warn = console.warn.bind(console);
    console.warn = (...said: unknown[]) => {
        warn(...said, new Error("here").stack);
    };
}

export async function arrive(person: Arrives, kind: Kind = "mouse"): Promise<Somebody> {
    const page = await person(kind === "finger" ? PHONE : {});
    await page.addInitScript(sayWhere);
    const hand: Hand = kind === "keys" ? new Keys(page) : new Pointer(page, kind === "finger");
    const player = new Player(page, hand, kind === "keys" ? TYPING : POINTING);
    return { page, witness: new Witness(page), player };
}

/** Somebody whose match against a bot is before him. */
export async function arriveToPlay(
    person: Arrives,
    kind: Kind,
    order: Order,
): Promise<Somebody & { linesBefore: number }> {
    const somebody = await arrive(person, kind);
    await openAgainstBot(somebody.page, order);
    const { log } = await somebody.player.awaited();
    return { ...somebody, linesBefore: log };
}

/** How far the newest line of the log is out of sight. Runs in the page. */
function belowLog(): number {
    const list = document.querySelector("[aria-label='Log']");
    if (!list) throw new Error("there is no log");
    const isPart = Number(list.textContent.includes("Show later lines"));
    return list.scrollHeight - list.scrollTop - list.clientHeight + isPart * 1e6;
}

/** What is true of every game that nothing has disturbed. */
export async function expectOrder({ page, witness, player }: Somebody, kind: Kind): Promise<void> {
    await witness.expectPeace();
    // Nobody has scrolled the log or looks back, so its newest line is in sight.
    const below = (): Promise<number> => page.evaluate(belowLog);
    const told = { timeout: 10_000, message: "pixels of the log below what is seen" };
    await expect.poll(below, told).toBeLessThan(40);
    expect(witness.taken, "each decision is one answer that was taken").toHaveLength(
        player.decisions,
    );
    expect(player.onBoard, "answers made on the board").toBeGreaterThan(0);
    if (kind === "finger")
        expect(player.overflow, "pixels beyond the screen").toBeLessThanOrEqual(0);
}
