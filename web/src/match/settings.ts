/** What the page of a match reads of a person's settings. */
export interface Settings {
    /** Do an answer at once when one choice is left, instead of asking for a press of a button. */
    readonly atOnce: boolean;
    readonly sounds: boolean;

    /** Sides and nations have patterns as well as colours. */
    readonly patterns: boolean;

    /** The board is told in words instead of drawn. */
    readonly inWords: boolean;
    readonly motion: "full" | "still" | "system";
}

export const preset: Settings = {
    atOnce: false,
    sounds: false,
    patterns: false,
    inWords: false,
    motion: "system",
};

/** Whether nothing is to move by itself. */
export function isStill(settings: Settings): boolean {
    if (settings.motion !== "system") return settings.motion === "still";
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
