/** Something that a page asks the platform for: it is waited for, there, or refused. */
import type { Refusal } from "../wire/contract";
import { isGivenUp, refusalOf } from "../wire/refusal";

type State<T> =
    | { readonly at: "waiting" }
    | { readonly at: "there"; readonly value: T }
    | { readonly at: "refused"; readonly refusal: Refusal };

export class Fetched<T> {
    now: State<T> = $state.raw({ at: "waiting" });
    readonly #ask: () => Promise<T>;
    #round = 0;

    /** Asks at once; what it asks for is safe to ask for again. */
    constructor(ask: () => Promise<T>) {
        this.#ask = ask;
        void this.again();
    }

    get value(): T | undefined {
        return this.now.at === "there" ? this.now.value : undefined;
    }

    /** Asks anew; what is there stays until the answer comes. */
    async again(): Promise<void> {
        const round = (this.#round += 1);
        if (this.now.at === "refused") this.now = { at: "waiting" };
        try {
            const value = await this.#ask();
            if (round === this.#round) this.now = { at: "there", value };
        } catch (error) {
            if (round === this.#round && !isGivenUp(error)) {
                this.now = { at: "refused", refusal: refusalOf(error) };
            }
        }
    }

    /** Changes what is there, as news tell it. */
    update(change: (value: T) => T): void {
        if (this.now.at === "there") this.now = { at: "there", value: change(this.now.value) };
    }
}
