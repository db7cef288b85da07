import { fileURLToPath } from "node:url";
import { mergeConfig } from "vite";
import page from "../../vite.config.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The pages over a made-up platform. */
export default mergeConfig(page, {
    root: path("."),
    publicDir: path("../../public"),
    build: { outDir: path("../../.harness"), emptyOutDir: true },
});
