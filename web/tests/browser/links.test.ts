/** Files as a browser and as `curl` gets them, and where the links of the page lead. */
import { request } from "node:http";
import { describe, expect, inject, test } from "vitest";
import { placeOf } from "../../src/frame/places";
import { browserForTests, isMissing } from "../world/browser";
import { Between } from "../world/guard";
import { caller, guests } from "../world/guardCalls";

interface Answer {
    status: number;
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
}

/** As curl asks: nothing is followed, unpacked or made right. */
export function curl(
    path: string,
    method = "GET",
    headers: Record<string, string> = {},
    body = "",
): Promise<Answer> {
    return new Promise((resolve, reject) => {
        const asked = request(inject("address"), { path, method, headers }, (answer) => {
            const parts: Buffer[] = [];
            answer.on("data", (part: Buffer) => parts.push(part));
            answer.on("end", () => {
                const { statusCode: status = 0, headers } = answer;
                resolve({ status, headers, body: Buffer.concat(parts) });
            });
        });
        asked.on("error", reject);
        asked.end(body);
    });
}

async function assets(): Promise<string[]> {
    const { body } = await curl("/");
    const found = body.toString().matchAll(/"(\/assets\/[^"]+)"/g);
    return [...found].map(([, path]) => path ?? "");
}

describe("files", () => {
    test("what has a hash in its name is kept for ever, all else is asked for again", async () => {
        const hashed = await assets();
        expect(hashed.length).toBeGreaterThan(1);
        for (const path of hashed) {
            const { status, headers } = await curl(path);
            expect(status).toBe(200);
            expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
        }
        for (const path of ["/", "/lobby"]) {
            const { status, headers } = await curl(path);
            expect(status).toBe(200);
            expect(headers["cache-control"]).toBe("no-cache");
            const again = await curl(path, "GET", { "if-none-match": String(headers["etag"]) });
            expect([again.status, again.body.length]).toEqual([304, 0]);
        }
    });

    test("HEAD tells what GET would, and sends nothing", async () => {
        const [script = ""] = await assets();
        for (const path of ["/", "/m/none", script, "/assets/none.js"]) {
            const [got, told] = [await curl(path), await curl(path, "HEAD")];
            expect(told.body.length).toBe(0);
            expect(told.status).toBe(got.status);
            const { date } = got.headers;
            expect(got.headers).toMatchObject({ ...told.headers, ...(date ? { date } : {}) });
            expect(Number(told.headers["content-length"])).toBe(got.body.length);
        }
    });

    test("paths lead nowhere else", async () => {
        const outside = [
            "/../../../../etc/passwd",
            "/..%2f..%2f..%2fetc%2fpasswd",
            "/assets/..%2f..%2f..%2fpyproject.toml",
            "/%2e%2e/pyproject.toml",
            "/assets/",
            "/assets/none-12345678.js",
            "/.env",
            "/index.html.gz",
        ];
        for (const path of outside) {
            const { status, body } = await curl(path);
            const isPage = body.toString().includes('<div id="app">');
            expect([path, status === 404 || isPage]).toEqual([path, true]);
            expect(body.toString()).not.toMatch(/root:|\[project\]/);
        }
        for (const method of ["PUT", "DELETE", "OPTIONS"]) {
            expect((await curl("/", method)).status).toBe(405);
        }
        expect((await curl("/", "POST")).status).toBe(404);
    });
});

describe.skipIf(isMissing)("in a browser", () => {
    const person = guests(browserForTests().person);

    test("a second visit fetches no file again", async () => {
        const between = await Between.before(inject("address"));
        const page = await person({ proxy: between.proxy });
        const visit = async (): Promise<string[]> => {
            const before = between.requests.length;
            await page.goto("/rules");
            await page.getByRole("link", { name: "Duel" }).first().waitFor();
            const paths = between.requests.slice(before).map(({ url }) => new URL(url).pathname);
            return paths.filter((path) => path.startsWith("/assets/"));
        };
        expect((await visit()).length).toBeGreaterThan(3);
        await page.goto("about:blank");
        expect(await visit()).toEqual([]);
        expect(between.requests.some(({ status }) => status === 304)).toBe(true);
        await between.close();
    });

    test("every link of every page leads to a page, and to the part that it names", async () => {
        const page = await person();
        const games = (await (await caller(inject("address"))).catalog.listGames({})).games;
        const rules = games.map(({ game }) => `/rules/${game}`);
        const links = new Set<string>();
        const pages = [
            "/",
            "/lobby",
            "/settings",
            "/account",
            "/login",
            "/about",
            "/fairness",
            "/verify",
        ];
        for (const path of [...pages, ...rules, "/rules", "/ranks", "/history", "/new", "/play"]) {
            await page.goto(path);
            await page.locator("h1").first().waitFor();
            await page.locator(".skeleton").first().waitFor({ state: "detached" });
            const found = await page
                .locator("a[href]")
                .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ href }) => href));
            for (const link of found) links.add(link);
        }
        expect(links.size).toBeGreaterThan(40);
        const own = [...links]
            .map((link) => new URL(link))
            .filter(({ origin }) => origin === new URL(inject("address")).origin);
        const lost = own.filter((url) => placeOf(url.href).page === "unknown" && !url.hash);
        expect(lost.map(String)).toEqual([]);
        for (const path of rules) {
            await page.goto(path);
            await page.locator("h1").first().waitFor();
            const parts = own
                .filter((url) => url.pathname === path && url.hash)
                .map(({ hash }) => decodeURIComponent(hash.slice(1)));
            await page.locator("h2").first().waitFor();
            const missing = await page.evaluate(
                (all) => all.filter((id) => !document.getElementById(id)),
                parts,
            );
            expect(missing).toEqual([]);
        }
    });
});
