import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workerChunk } from "./worker-chunk";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const release = /__version__ = "([^"]+)"/.exec(
    readFileSync(path("../bree/__init__.py"), "utf8"),
)?.[1];

export default defineConfig({
    plugins: [svelte(), workerChunk("/src/wire/worker.ts")],
    define: { __RELEASE__: JSON.stringify(release ?? "") },
    resolve: { alias: { $gen: path("./gen"), $data: path("../services") } },
    build: {
        outDir: path("../gateway/page"),
        emptyOutDir: true,
        target: "es2023",
        // All is served under a policy that allows no inline scripts, styles or data.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
    },
    worker: { format: "es" },
    // While the page is being written: `bree run` beside `npm run dev`.
    server: { proxy: { "/bree.": "http://127.0.0.1:7080" }, fs: { allow: [path("..")] } },
    test: { include: ["tests/unit/**/*.test.ts"], environment: "node" },
});
