/** Where each place in the history was scrolled, kept over a reload. */

import { randomId } from "./chance";

const KEPT = "bree.scrolling";

/** How long what loads late is waited for. */
const PATIENCE_MS = 3_000;

export class Scrolling {
    readonly #kept: Record<string, number> = read();
    #stop = (): void => undefined;

    /** One is on the way: how far the page is scrolled says nothing of where one was. */
    #held = false;

    listen(): () => void {
        history.scrollRestoration = "manual";
        if (!keyed(history.state)) history.replaceState({ key: randomId() }, "");
        const leaving = (): void => {
            this.leave();
        };
        // Whoever scrolls himself is not pulled back to where he was.
        const own = (): void => {
            this.#stop();
        };
        addEventListener("pagehide", leaving);
        addEventListener("scrollend", leaving);
        addEventListener("wheel", own, { passive: true });
        addEventListener("touchmove", own, { passive: true });
        addEventListener("keydown", own);
        return () => {
            removeEventListener("pagehide", leaving);
            removeEventListener("scrollend", leaving);
            removeEventListener("wheel", own);
            removeEventListener("touchmove", own);
            removeEventListener("keydown", own);
        };
    }

    /** Notes where the place that is left was scrolled. */
    leave(): void {
        const key = keyed(history.state);
        if (!key || this.#held) return;
        this.#kept[key] = scrollY;
        try {
            sessionStorage.setItem(KEPT, JSON.stringify(this.#kept));
        } catch {
            // Without a storage the places are forgotten at a reload, and nothing else.
        }
    }

    /** Another place is gone to: until it is settled nothing is noted of it. */
    hold(): void {
        this.#stop();
        this.#held = true;
    }

    /** The page is drawn, and stays where it is. */
    release(): void {
        this.#held = false;
    }

    /** Whether there is somewhere to go back to. */
    restore(): boolean {
        const y = this.#kept[keyed(history.state) ?? ""];
        if (y === undefined) return false;
        this.#until(() => {
            scrollTo(0, y);
            return Math.abs(scrollY - y) < 2;
        });
        return true;
    }

    /** Scrolls to what has this id, as soon as it is there. */
    seek(id: string): void {
        this.#until(() => {
            const found = document.getElementById(id);
            found?.scrollIntoView();
            return found !== null;
        });
    }

    /** Tries at once, and whenever the page grows, until it is done or somebody scrolls. */
    #until(done: () => boolean): void {
        this.#stop();
        this.#held = true;
        if (done()) {
            this.#held = false;
            return;
        }
        const growing = new ResizeObserver(() => {
            if (done()) this.#stop();
        });
        const late = setTimeout(() => {
            this.#stop();
        }, PATIENCE_MS);
        this.#stop = () => {
            growing.disconnect();
            clearTimeout(late);
            this.#held = false;
            this.#stop = () => undefined;
        };
        growing.observe(document.body);
    }
}

function keyed(state: unknown): string | undefined {
    if (typeof state !== "object" || state === null || !("key" in state)) return undefined;
    return typeof state.key === "string" ? state.key : undefined;
}

function read(): Record<string, number> {
    try {
        const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
        return typeof kept === "object" && kept !== null ? (kept as Record<string, number>) : {};
    } catch {
        return {};
    }
}
