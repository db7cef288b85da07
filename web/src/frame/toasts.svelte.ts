/** Short news at the edge of the page; they go by themselves, but not while somebody reads them. */
import { untrack } from "svelte";

export interface Toast {
    readonly id: number;
    readonly text: string;
    readonly link?: { href: string; text: string };
}

const SHOWN_MS = 8_000;
const AT_MOST = 3;

export class Toasts {
    shown: readonly Toast[] = $state.raw([]);
    #last = 0;
    #held = false;

    say(text: string, link?: Toast["link"]): void {
        this.#last += 1;
        const toast = link ? { id: this.#last, text, link } : { id: this.#last, text };
        this.shown = [...this.shown, toast].slice(-AT_MOST);
        this.#later(toast.id);
    }

    drop(id: number): void {
        this.shown = this.shown.filter((toast) => toast.id !== id);
    }

    /** Somebody has come to where some of them lead: they are no news any more. */
    arrived(path: string): void {
        const shown = untrack(() => this.shown);
        this.shown = shown.filter(({ link }) => link?.href.split("?")[0] !== path);
    }

    /** Somebody points at one of them, or has come to it by keys. */
    hold(held: boolean): void {
        this.#held = held;
    }

    #later(id: number): void {
        setTimeout(() => {
            if (this.#held) this.#later(id);
            else this.drop(id);
        }, SHOWN_MS);
    }
}
