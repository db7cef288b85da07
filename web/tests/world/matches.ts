/** Matches opened through the page, as people do it. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

export interface Order {
    game: string;

    /** As the page shows them: "Uniform", "Two quick", "Shadow". */
    level?: string;
    preset?: string;
    seat?: string;
}

/** Opens a match against hosted bots; the page shows it when this returns. */
export async function openAgainstBot(page: Page, order: Order): Promise<void> {
    await page.goto(`/play/${order.game}`);
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    if (order.preset) await page.getByLabel("Which game").selectOption({ label: order.preset });
    if (order.level) await page.getByRole("radio", { name: new RegExp(`^${order.level}`) }).check();
    if (order.seat) await page.getByLabel("Your side").selectOption({ label: order.seat });
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForURL(/\/m\//);
    await page.locator(".match .board").waitFor();
}

/** Opens a match with a seat for somebody else, and returns the link that invites to it. */
export async function openForPeople(page: Page, game: string, seat: string): Promise<string> {
    await page.goto(`/new/${game}`);
    await page.getByLabel("Your seat").selectOption({ label: seat });
    await page.getByRole("button", { name: "Open the match", exact: true }).click();
    await page.waitForURL(/\/m\//);
    await page.getByRole("button", { name: "Begin the match" }).waitFor();
    return new URL(page.url()).pathname;
}

/** Opens a match of this kind, at whose table nobody sits yet; its link. */
export async function openForFour(page: Page, game: string, kind: RegExp): Promise<string> {
    await page.goto(`/new/${game}`);
    await page.getByRole("radio", { name: kind }).check();
    await page.getByLabel("Your seat").selectOption({ label: "I choose at the table" });
    await page.getByRole("button", { name: "Open the match", exact: true }).click();
    await page.waitForURL(/\/m\//);
    await page.getByRole("button", { name: "Begin the match" }).waitFor();
    return new URL(page.url()).pathname;
}

/** Comes by a link, and takes this seat. */
export async function sitDownAt(page: Page, link: string, seat: string): Promise<void> {
    if (new URL(page.url(), "http://x").pathname !== link) await page.goto(link);
    await page.getByRole("button", { name: `Sit down at ${seat}` }).click();
    await expect.poll(() => page.locator(".card li", { hasText: "(you)" }).count()).toBe(1);
}

/** Comes by a link, and takes the free seat. */
export async function sitDown(page: Page, link: string): Promise<void> {
    await page.goto(link);
    await page.locator("button", { hasText: /^\s*Sit down\s*$/ }).click();
    await expect.poll(() => page.getByRole("button", { name: "Leave the table" }).count()).toBe(1);
}

export const idOf = (page: Page): string => new URL(page.url()).pathname.replace("/m/", "");
