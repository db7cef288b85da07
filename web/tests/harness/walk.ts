/** Walks through the pages in Chromium: the focus, the browser's buttons, one press, what is gone. */
import assert from "node:assert/strict";
import { opened } from "./served.ts";

const { browser, url, end } = await opened();
try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    const heading = (): Promise<string> =>
        page.evaluate(() =>
            document.activeElement?.tagName === "H1" ? document.activeElement.textContent : "",
        );

    await page.goto(url);
    await page.getByRole("button", { name: "Play against a bot" }).first().waitFor();
    assert.equal(await heading(), "", "the first page takes no focus");

    // A link goes to another page: its heading has the focus, and the browser its title.
    await page.getByRole("link", { name: "Rules", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "Rules" }).waitFor();
    assert.equal(await heading(), "Rules");
    assert.match(await page.title(), /Rules – Bree$/);

    // A part of a page that loads late is scrolled to.
    await page.goto(`${url}/rules/risk#8-fortifying`);
    await page.locator("[id='8-fortifying']").waitFor();
    await page.waitForTimeout(300);
    const top = await page.evaluate(
        () => document.getElementById("8-fortifying")?.getBoundingClientRect().top,
    );
    assert.ok(top !== undefined && top >= 0 && top < 200, `the section is at ${String(top)}`);

    // Back to where one was.
    const before = await page.evaluate(() => scrollY);
    await page.evaluate(() => {
        document.querySelector<HTMLAnchorElement>("header a[href='/lobby']")?.click();
    });
    await page.getByRole("heading", { level: 1, name: "Lobby" }).waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.goBack();
    await page.locator("[id='8-fortifying']").waitFor();
    await page.waitForTimeout(300);
    const after = await page.evaluate(() => scrollY);
    assert.ok(
        Math.abs(after - before) < 3,
        `scrolled to ${String(after)} and not to ${String(before)}`,
    );

    // A filter stands in the address, leaves the focus where it is, and is no step in the history.
    await page.goto(`${url}/lobby`);
    const game = page.getByLabel("Game");
    await game.focus();
    await game.selectOption("duel");
    await page.waitForURL("**/lobby?game=duel");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "SELECT");
    await page.waitForTimeout(200);
    const shown = await page.locator("article h3").allTextContents();
    assert.deepEqual([...new Set(shown)], ["Duel for Middle-earth"]);

    // One press, and the match runs.
    await page.goto(url);
    await page.getByRole("button", { name: "Play against a bot" }).nth(1).click();
    await page.waitForURL(/\/m\/c-made\d+\?seat=(fellowship|sauron)$/);

    // The form by keyboard alone.
    await page.goto(`${url}/new/confrontation`);
    await page.getByRole("button", { name: "Open the match" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /the table$/ }).waitFor();
    await page.getByRole("button", { name: /^Add a bot at/ }).click();
    await page.getByRole("button", { name: "Add the bot" }).click();
    await page.getByRole("button", { name: "Begin the match" }).click();
    await page.getByRole("heading", { level: 1, name: /^Match c-made/ }).waitFor();

    // A file that is gone: loaded anew once, then said.
    await page.goto(url);
    await page.route(/\/assets\/Lobby-/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "Lobby", exact: true }).click();
    await page.getByText("This page is from an older release").waitFor();
    await page.unroute(/\/assets\/Lobby-/);

    assert.deepEqual(problems, []);
    console.log("walked");
} finally {
    await browser.close();
    end();
}
