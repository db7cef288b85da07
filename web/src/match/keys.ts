/** The keys of a match's page. They can be switched off, for those whose tools speak to pages in keys. */

export const keys = {
    "?": "This list",
    b: "To the board",
    q: "To the question",
    l: "To the log",
    s: "The next of your seats, or other eyes once the match is over",
    u: "Take the last decision back, where that is possible",
    w: "The board in words, or drawn again",
    "[": "One step back in the match",
    "]": "One step on",
    n: "Back to now",
} as const;

export type Key = keyof typeof keys;

const kept = "bree.keys";

export function areOn(): boolean {
    try {
        return localStorage.getItem(kept) !== "off";
    } catch {
        return true;
    }
}

export function switchKeys(on: boolean): void {
    try {
        if (on) localStorage.removeItem(kept);
        else localStorage.setItem(kept, "off");
    } catch {
        // They stay as they are.
    }
}

/** The key that was meant for the page, and not for what is typed into. */
export function keyIn(event: KeyboardEvent): Key | undefined {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
    if (event.defaultPrevented || !areOn()) return undefined;
    const at = event.target;
    if (at instanceof Element && at.closest("input, textarea, select, dialog, [contenteditable]")) {
        return undefined;
    }
    return event.key in keys ? (event.key as Key) : undefined;
}
