// Starts `src/pictures/command.ts`, for which the page's tools compile boards without a browser.
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

/** @param {string} name */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {import("svelte/compiler").CompileOptions} */
const compilerOptions = { runes: true, css: "injected" };
const tools = await createServer({
    root: path("."),
    configFile: false,
    logLevel: "error",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins: [svelte({ configFile: false, preprocess: vitePreprocess(), compilerOptions })],
    resolve: { alias: { $gen: path("gen"), $data: path("../services") } },
});
try {
    /** @type {{ main: (words: string[]) => Promise<number> }} */
    const command = await tools.ssrLoadModule("/src/pictures/command.ts");
    process.exitCode = await command.main(process.argv.slice(2));
} finally {
    await tools.close();
}
