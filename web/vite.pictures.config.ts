/** Builds what the gateway draws pictures with: one script, for an engine without a browser. */
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
    plugins: [
        svelte({
            configFile: false,
            preprocess: vitePreprocess(),
            compilerOptions: { runes: true, css: "injected", dev: false },
        }),
    ],
    resolve: { alias: { $gen: path("./gen"), $data: path("../services") } },
    ssr: { noExternal: true },
    build: {
        ssr: path("./src/pictures/embedded.ts"),
        outDir: path("../gateway/pictures/built"),
        emptyOutDir: true,
        target: "es2023",
        minify: true,
        rolldownOptions: {
            checks: { pluginTimings: false },
            output: { format: "iife", entryFileNames: "boards.js", codeSplitting: false },
        },
    },
});
