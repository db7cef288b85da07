/** What a person wants the page to be like; kept in this browser, for all its tabs. */

export interface PageSettings {
    /** Do an answer at once when one choice is left, instead of asking for a press of a button. */
    atOnce: boolean;
    sounds: boolean;
    theme: "dark" | "light" | "system";

    /** Sides and nations have patterns as well as colours. */
    patterns: boolean;

    /** Boards are told in words instead of drawn. */
    inWords: boolean;
    motion: "full" | "still" | "system";

    /** Tell by a notification of the browser that it is my turn. */
    notify: boolean;
}

export const PRESET: Readonly<PageSettings> = {
    atOnce: false,
    sounds: false,
    theme: "system",
    patterns: false,
    inWords: false,
    motion: "system",
    notify: false,
};

const KEPT = "bree.settings";

const ALLOWED: Readonly<{ [K in keyof PageSettings]: readonly PageSettings[K][] }> = {
    atOnce: [false, true],
    sounds: [false, true],
    theme: ["system", "light", "dark"],
    patterns: [false, true],
    inWords: [false, true],
    motion: ["system", "full", "still"],
    notify: [false, true],
};

/** Settings from a text; what is not understood is as if nobody had chosen. */
export function settingsFrom(text: string | null): PageSettings {
    let said: unknown;
    try {
        said = JSON.parse(text ?? "{}");
    } catch {
        said = {};
    }
    const kept = typeof said === "object" && said !== null ? (said as Record<string, unknown>) : {};
    const settings: Record<string, unknown> = { ...PRESET };
    for (const [name, allowed] of Object.entries(ALLOWED)) {
        if ((allowed as readonly unknown[]).includes(kept[name])) settings[name] = kept[name];
    }
    return settings as unknown as PageSettings;
}

/** What style sheets read of the settings, as `data-…` of the whole page. */
export function marksOf(settings: PageSettings): Record<string, string | undefined> {
    return {
        theme: settings.theme === "system" ? undefined : settings.theme,
        patterns: settings.patterns ? "on" : undefined,
        motion: settings.motion === "system" ? undefined : settings.motion,
    };
}

export class SettingsStore {
    now: PageSettings = $state.raw(PRESET);
    readonly #storage: Storage | undefined;

    constructor(storage: Storage | undefined) {
        this.#storage = storage;
        this.now = settingsFrom(this.#read());
    }

    change(change: Partial<PageSettings>): void {
        this.now = { ...this.now, ...change };
        try {
            this.#storage?.setItem(KEPT, JSON.stringify(this.now));
        } catch {
            // A browser that keeps nothing forgets them at a reload.
        }
    }

    /** Follows what another tab has changed. */
    follow(event: Pick<StorageEvent, "key" | "newValue">): void {
        if (event.key === KEPT) this.now = settingsFrom(event.newValue);
    }

    /** Writes to the page what style sheets read. */
    mark(root: HTMLElement): void {
        for (const [name, value] of Object.entries(marksOf(this.now))) {
            if (value === undefined) Reflect.deleteProperty(root.dataset, name);
            else root.dataset[name] = value;
        }
    }

    #read(): string | null {
        try {
            return this.#storage?.getItem(KEPT) ?? null;
        } catch {
            return null;
        }
    }
}

/** The storage of this browser, where it lets pages have one. */
export function ownStorage(): Storage | undefined {
    try {
        return localStorage;
    } catch {
        return undefined;
    }
}
