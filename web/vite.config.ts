import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { binaryConnect } from "./binaryConnect.ts";
import { packedFiles } from "./packedFiles.ts";
import { rulesPages } from "./rulesPages.ts";
import { workerChunk } from "./workerChunk.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const release = /__version__ = "([^"]+)"/.exec(
    readFileSync(path("../bree/__init__.py"), "utf8"),
)?.[1];

/** What every page needs. The wire is also a worker's, which has no use for the rest. */
const WIRE =
    /\/web\/(src\/wire\/(?!worker)|gen\/bree\/(engine\/|gateway\/v1\/gateway_)|node_modules\/@(bufbuild|connectrpc)\/(?!.*\/(to|from)-json))/;
/** What both home and a match need: many small files cost more than they hold. */
const PARTS =
    /\/web\/src\/(parts\/(?!map\/|letters|Sheet)|match\/keeping|pages\/(JoinButton|MatchList|MatchRow|live|play\/(PlayButton|opening|games))|frame\/(Choices|Dialog|Field|Select|Strip|Toggle))/;
const FRAME = new RegExp(
    "/web/(src/frame/(?!Choices|Dialog|Field|Select|Strip|Toggle)|node_modules/(?!@bufbuild))|vite/preload",
);

export default defineConfig({
    plugins: [
        svelte(),
        rulesPages(),
        binaryConnect(),
        workerChunk("/src/wire/worker.ts"),
        packedFiles(),
    ],
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
            checks: { pluginTimings: false },
            output: {
                codeSplitting: {
                    groups: [
                        { name: "wire", test: WIRE, priority: 2 },
                        { name: "frame", test: FRAME, priority: 1 },
                        { name: "parts", test: PARTS, priority: 1 },
                    ],
                },
            },
        },
    },
    worker: { format: "es" },
    // While the page is being written: `bree run` beside `npm run dev`.
    server: { proxy: { "/bree.": "http://127.0.0.1:7080" }, fs: { allow: [path("..")] } },
    test: { include: ["tests/unit/**/*.test.ts"], environment: "node", reporters: ["dot"] },
});
