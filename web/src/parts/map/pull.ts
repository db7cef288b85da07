/** Pulling one thing of a map to another: an arrow follows the pointer from where it began.
 *
 * Design. A press that moves pans the map, unless it began on a thing that a board says can be pulled. What
 * that means and how it looks is the board's; here is only where it began, where the pointer is, and which
 * thing lies there.
 */
import type { Point } from "./geometry";

/** What is being pulled now. */
export interface Pulled {
    from: string;

    /** Where the pointer is, in the map's units. */
    x: number;
    y: number;

    /** Where it may end, and on which of these the pointer is. */
    ends: ReadonlySet<string>;
    to: string | undefined;
}

export interface Pull {
    /** Where what begins on this thing may end; nowhere: the map is dragged. */
    ends(noun: string): ReadonlySet<string>;

    /** It is being pulled; undefined: no more. */
    over(pulled: Pulled | undefined): void;

    /** It was let go over one of its ends. */
    done(from: string, to: string): void;
}

/** So close to the edge of a map more of it comes, so far with each move, in pixels. */
const EDGE = 22;
const PUSH = 8;

/** How far a map goes when something is pulled to this point of the window. */
export function pushed([x, y]: Point, frame: Element): Point {
    const { left, right, top, bottom } = frame.getBoundingClientRect();
    const by = (before: number, after: number): number =>
        before < EDGE ? PUSH : after < EDGE ? -PUSH : 0;
    return [by(x - left, right - x), by(y - top, bottom - y)];
}

const nounAt = (element: Element | null): string =>
    element?.closest("[data-noun]")?.getAttribute("data-noun") ?? "";

/** One pull at a time, from what a press began on. */
export class Pulling {
    #from = "";
    #ends: ReadonlySet<string> = new Set();
    #to: string | undefined;

    constructor(
        private readonly pull: () => Pull | undefined,
        /** From a point of the window to one of the map. */
        private readonly place: (at: Point) => Point,
    ) {}

    /** Whether something can be pulled from here. */
    begins(on: Element): boolean {
        this.#from = nounAt(on);
        this.#to = undefined;
        this.#ends = (this.#from && this.pull()?.ends(this.#from)) || new Set();
        return this.#ends.size > 0;
    }

    goes(at: Point): void {
        const noun = nounAt(document.elementFromPoint(...at));
        this.#to = this.#ends.has(noun) ? noun : undefined;
        const [x, y] = this.place(at);
        this.pull()?.over({ from: this.#from, x, y, ends: this.#ends, to: this.#to });
    }

    /** Let go; or given up, and then nothing has been pulled. */
    over(isMeant: boolean): void {
        const pull = this.pull();
        pull?.over(undefined);
        if (isMeant && this.#to !== undefined) pull?.done(this.#from, this.#to);
    }
}
