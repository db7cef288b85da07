/** Tests in a real browser against a real platform: one of each for all of them. */
import { defineConfig } from "vitest/config";

export const common = {
    dir: "tests/browser",
    include: ["**/*.test.ts"],
    globalSetup: "tests/world/platform.ts",
    // Two cores have enough to do with one browser, a platform and its bots.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
};

export default defineConfig({ test: common });
