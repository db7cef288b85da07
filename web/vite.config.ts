import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { rulesPages } from "./rulesPages.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
    plugins: [svelte(), rulesPages()],
    resolve: { alias: { $gen: path("./gen"), $data: path("../services") } },
    build: {
        outDir: path("../gateway/page"),
        emptyOutDir: true,
        target: "es2023",
        // All is served under a policy that allows no inline scripts, styles or data.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // What every page needs comes in one piece: browsers speak HTTP/1.1 here, with six connections.
        rolldownOptions: {
            output: {
                codeSplitting: {
                    groups: [
                        {
                            name: "forms",
                            test: /\/src\/frame\/(Choices|Dialog|Field|Select|Strip|Toggle)\./,
                        },
                        {
                            name: "frame",
                            test: /\/web\/(src\/(frame|wire)|gen\/bree\/(engine|gateway)|node_modules)\/|vite/,
                        },
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
