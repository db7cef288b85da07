/** A list that comes in pages, each asked for when it is wanted. */
import type { Refusal } from "../wire/contract";
import { refusalOf } from "../wire/refusal";

export interface Page<T> {
    things: T[];

    /** Asks for the next page; empty on the last one. */
    next: string;
}

export class Paging<T> {
    things: readonly T[] = $state.raw([]);
    at: "more" | "refused" | "waiting" | "whole" = $state.raw("waiting");
    refusal: Refusal | undefined = $state.raw();

    readonly #ask: (token: string) => Promise<Page<T>>;
    readonly #keyOf: (thing: T) => string;
    #next = "";

    /** Asks for the first page at once. */
    constructor(ask: (token: string) => Promise<Page<T>>, keyOf: (thing: T) => string) {
        this.#ask = ask;
        this.#keyOf = keyOf;
        void this.more();
    }

    get first(): boolean {
        return this.at === "waiting" && this.things.length === 0;
    }

    /** Asks for pages until one has something in it, for a page may be short and not the last. */
    async more(): Promise<void> {
        this.at = "waiting";
        try {
            for (let got = 0; got === 0;) {
                const page = await this.#ask(this.#next);
                got = page.things.length;
                this.#next = page.next;
                this.#add(page.things);
                this.at = this.#next ? "more" : "whole";
                if (!this.#next) return;
            }
        } catch (error) {
            this.refusal = refusalOf(error);
            this.at = "refused";
        }
    }

    /** Puts something new first, or in the place of what it was before; drops what does not fit. */
    merge(thing: T, fits: boolean): void {
        const key = this.#keyOf(thing);
        const at = this.things.findIndex((one) => this.#keyOf(one) === key);
        if (!fits) this.things = this.things.filter((_, number) => number !== at);
        else if (at < 0) this.things = [thing, ...this.things];
        else this.things = this.things.map((one, number) => (number === at ? thing : one));
    }

    #add(things: T[]): void {
        const known = this.things.map(this.#keyOf);
        this.things = [
            ...this.things,
            ...things.filter((thing) => !known.includes(this.#keyOf(thing))),
        ];
    }
}
