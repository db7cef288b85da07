/** The tests of `tests/browser`, two files at once wherever they do not disturb each other. */
import { defineConfig } from "vitest/config";
import { common } from "./vitest.browser.config.ts";

/** These kill parts of the platform, or count what it does for everybody: they have one for themselves. */
const ALONE = ["**/outages.test.ts", "**/people-tabs.test.ts"];

export default defineConfig({
    test: {
        projects: [
            {
                test: {
                    ...common,
                    name: "together",
                    exclude: ALONE,
                    fileParallelism: true,
                    maxWorkers: 2,
                    sequence: { groupOrder: 1 },
                },
            },
            { test: { ...common, name: "alone", include: ALONE, sequence: { groupOrder: 2 } } },
        ],
    },
});
