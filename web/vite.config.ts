import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { rulesPages } from "./rulesPages.ts";
import type { Plugin } from "vite";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const release = /__version__ = "([^"]+)"/.exec(
    readFileSync(path("../bree/__init__.py"), "utf8"),
)?.[1];

/** What every page needs. The wire is also a worker's, which has no use for the rest. */
const WIRE =
    /\/web\/(src\/wire\/(?!worker)|gen\/bree\/(engine|gateway)\/|node_modules\/@(bufbuild|connectrpc)\/)/;
const FRAME = new RegExp(
    "/web/(src/frame/(?!Choices|Dialog|Field|Select|Strip|Toggle)|node_modules/)|vite/preload",
);
const newsWorker = "virtual:news-worker";

/** The SharedWorker as a part of the page's own build: it shares files with the page, so a browser
 *  fetches them once. Vite's own way makes of each worker a bundle with all of it again. */
function workerChunk(file: string): Plugin {
    let isBuilt = false;
    return {
        name: "bree-worker-chunk",
        configResolved: ({ command }) => {
            isBuilt = command === "build";
        },
        resolveId: (id) => (id === newsWorker ? `\0${newsWorker}` : undefined),
        load(id) {
            if (id !== `\0${newsWorker}`) return undefined;
            if (!isBuilt) return `export default ${JSON.stringify(file)};`;
            const chunk = this.emitFile({ type: "chunk", id: `.${file}`, name: "news" });
            return `export default import.meta.ROLLUP_FILE_URL_${chunk};`;
        },
    };
}

export default defineConfig({
    plugins: [svelte(), rulesPages(), workerChunk("/src/wire/worker.ts")],
    define: { __RELEASE__: JSON.stringify(release ?? "") },
    resolve: { alias: { $gen: path("./gen"), $data: path("../services") } },
    build: {
        outDir: path("../gateway/page"),
        emptyOutDir: true,
        target: "es2023",
        // All is served under a policy that allows no inline scripts, styles or data.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // In two pieces: browsers speak HTTP/1.1 here, with six connections.
        rolldownOptions: {
            output: {
                codeSplitting: {
                    groups: [
                        { name: "wire", test: WIRE, priority: 2 },
                        { name: "frame", test: FRAME, priority: 1 },
                    ],
                },
            },
        },
    },
    worker: { format: "es" },
    // While the page is being written: `bree run` beside `npm run dev`.
    server: { proxy: { "/bree.": "http://127.0.0.1:7080" }, fs: { allow: [path("..")] } },
    test: { include: ["tests/unit/**/*.test.ts"], environment: "node" },
});
