/** When the press that is being handled began: a click ends what began with a button or a key down.
 *
 * A question may change while a finger or a key is down. What is touched then was meant for what
 * stood there before; so whoever acts on a press asks when it began. A key that is held begins once.
 * Clicks of assistive technology come without a press: they begin when they are handled.
 */

/** So long after the end of a press a click may come that belongs to it. */
const AFTER_MS = 400;

export class Presses {
    #began: number | undefined;
    #ended = 0;
    readonly #clock: () => number;

    constructor(clock: () => number) {
        this.#clock = clock;
    }

    /** When the present press began, by the clock. */
    get began(): number {
        const now = this.#clock();
        if (this.#began === undefined) return now;
        return this.#ended > 0 && now - this.#ended > AFTER_MS ? now : this.#began;
    }

    /** Listens to a document, or whatever holds the board and the panel; returns how to stop. */
    watch(place: EventTarget): () => void {
        const begin = (event: Event): void => {
            if ("repeat" in event && event.repeat === true) return;
            this.#began = event.timeStamp;
            this.#ended = 0;
        };
        const end = (event: Event): void => {
            this.#ended = event.timeStamp;
        };
        const begins = ["pointerdown", "keydown"];
        const ends = ["pointerup", "pointercancel", "keyup"];
        for (const kind of begins) place.addEventListener(kind, begin, true);
        for (const kind of ends) place.addEventListener(kind, end, true);
        return () => {
            for (const kind of begins) place.removeEventListener(kind, begin, true);
            for (const kind of ends) place.removeEventListener(kind, end, true);
        };
    }
}
