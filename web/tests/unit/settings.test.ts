import { describe, expect, test } from "vitest";
import { marksOf, PRESET, settingsFrom, SettingsStore } from "../../src/frame/settings.svelte";

function storage(kept: Record<string, string> = {}): Storage {
    const all = new Map(Object.entries(kept));
    return {
        getItem: (key: string) => all.get(key) ?? null,
        setItem: (key: string, value: string) => all.set(key, value),
        removeItem: (key: string) => all.delete(key),
        clear: () => {
            all.clear();
        },
        key: () => null,
        length: 0,
    };
}

describe("settings", () => {
    test("nobody has chosen anything at first, and answers are confirmed", () => {
        expect(settingsFrom(null)).toEqual(PRESET);
        expect(PRESET.atOnce).toBe(false);
    });

    test.each(["", "null", "[]", "7", "{", '"dark"'])("%s is as if nobody had chosen", (text) => {
        expect(settingsFrom(text)).toEqual(PRESET);
    });

    test("what is not understood is left out, and the rest kept", () => {
        const text = '{"theme":"purple","sounds":true,"atOnce":"yes","__proto__":{"notify":true}}';

        expect(settingsFrom(text)).toEqual({ ...PRESET, sounds: true });
    });

    test("a change is kept for the next visit", () => {
        const kept = storage();
        new SettingsStore(kept).change({ theme: "dark", motion: "still" });

        expect(new SettingsStore(kept).now).toEqual({ ...PRESET, theme: "dark", motion: "still" });
    });

    test("a browser that keeps nothing can be set all the same", () => {
        const broken = {
            getItem: () => {
                throw new Error("denied");
            },
            setItem: () => {
                throw new Error("denied");
            },
        } as unknown as Storage;
        const store = new SettingsStore(broken);
        store.change({ sounds: true });

        expect(store.now.sounds).toBe(true);
        expect(new SettingsStore(undefined).now).toEqual(PRESET);
    });

    test("other tabs follow, and heed only what is theirs", () => {
        const store = new SettingsStore(storage());
        store.follow({ key: "bree.settings", newValue: '{"theme":"light"}' });
        store.follow({ key: "other", newValue: '{"theme":"dark"}' });

        expect(store.now.theme).toBe("light");
    });

    test("style sheets see what was chosen, and nothing of what the device decides", () => {
        expect(marksOf(PRESET)).toEqual({
            theme: undefined,
            patterns: undefined,
            motion: undefined,
        });
        expect(marksOf({ ...PRESET, theme: "dark", patterns: true, motion: "still" })).toEqual({
            theme: "dark",
            patterns: "on",
            motion: "still",
        });
    });

    test("what the device decides again is taken away again", () => {
        const root = { dataset: {} as Record<string, string> };
        const store = new SettingsStore(undefined);
        store.change({ theme: "dark" });
        store.mark(root as unknown as HTMLElement);
        store.change({ theme: "system", patterns: true });
        store.mark(root as unknown as HTMLElement);

        expect(root.dataset).toEqual({ patterns: "on" });
    });
});
