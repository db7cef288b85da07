/** The pages over a made-up platform, served, and a browser to look at them. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";

const BUILT = fileURLToPath(new URL("../../.harness", import.meta.url));
const POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'";
const TYPES: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
};

/** A browser, and where the pages are. */
export async function opened(): Promise<{ browser: Browser; url: string; end: () => void }> {
    const served = await serve();
    const browser = await chromium.launch({
        executablePath: process.env["BREE_CHROMIUM"] ?? "/usr/bin/chromium",
        args: [
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    });
    return { browser, ...served };
}

/** Serves the pages that have been built, under the platform's policy. */
async function serve(): Promise<{ url: string; end: () => void }> {
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? "/", "http://here");
        const file =
            extname(pathname) in TYPES && !pathname.startsWith("/player")
                ? pathname
                : "/index.html";
        readFile(BUILT + file).then(
            (bytes) => {
                response.setHeader("content-type", TYPES[extname(file)] ?? "text/plain");
                response.setHeader("content-security-policy", POLICY);
                response.end(bytes);
            },
            () => {
                response.statusCode = 404;
                response.end();
            },
        );
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    if (typeof address !== "object" || !address) throw new Error("no address");
    return { url: `http://127.0.0.1:${String(address.port)}`, end: () => server.close() };
}
