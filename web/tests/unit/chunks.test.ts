import { describe, expect, test } from "vitest";
import { loadPage, type Loaders, type Surroundings } from "../../src/frame/chunks";
import { reloadOnce } from "../../src/frame/reloading";

function around(reachable = true) {
    const kept = new Map<string, string>();
    const made = {
        reloads: 0,
        reachable: () => Promise.resolve(reachable),
        reload: () => {
            made.reloads += 1;
        },
        storage: {
            getItem: (key: string) => kept.get(key) ?? null,
            setItem: (key: string, value: string) => {
                kept.set(key, value);
            },
            removeItem: (key: string) => {
                kept.delete(key);
            },
        } as Surroundings["storage"],
    };
    return made;
}
const page = () => Promise.resolve({ default: "page" });
const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
const loaders = (home: () => Promise<unknown>) => ({ home }) as unknown as Loaders;

describe("a page", () => {
    test("is loaded", async () => {
        expect(await loadPage(loaders(page), "home", around())).toEqual({
            at: "there",
            page: "page",
        });
    });

    test("whose file is gone is loaded anew, once, and then says so", async () => {
        const its = around();

        expect(await loadPage(loaders(gone), "home", its)).toEqual({ at: "reloading" });
        expect(await loadPage(loaders(gone), "home", its)).toEqual({ at: "gone" });
        expect(its.reloads).toBe(1);
    });

    test("that came after all may be loaded anew at the next update", async () => {
        const its = around();
        await loadPage(loaders(gone), "home", its);
        await loadPage(loaders(page), "home", its);

        expect(await loadPage(loaders(gone), "home", its)).toEqual({ at: "reloading" });
    });

    test("is not loaded anew while the platform is away", async () => {
        const its = around(false);

        expect(await loadPage(loaders(gone), "home", its)).toEqual({ at: "away" });
        expect(its.reloads).toBe(0);
    });

    test("is not loaded anew for ever where nothing can be noted", async () => {
        const its = { ...around(), storage: undefined };

        expect(await loadPage(loaders(gone), "home", its)).toEqual({ at: "gone" });
        expect(its.reloads).toBe(0);
    });
});

describe("an old release", () => {
    test("is left once for each new one", () => {
        const its = around();

        expect([reloadOnce("2", its), reloadOnce("2", its), reloadOnce("3", its)]).toEqual([
            true,
            false,
            true,
        ]);
        expect(its.reloads).toBe(2);
    });
});
