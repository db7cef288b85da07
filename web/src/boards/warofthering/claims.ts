/** Where each noun is to be touched: at the first place that claims it, and nowhere else. */
export interface Marked {
    lit: ReadonlySet<string>;
    picked: ReadonlySet<string>;
}
const NOTHING: Marked = { lit: new Set(), picked: new Set() };

export class Claims {
    readonly #taken = new Set<string>();

    constructor(readonly marked: Marked = NOTHING) {}

    /** The noun, if nothing else has it; else none. */
    take(noun: string): string {
        if (this.#taken.has(noun)) return "";
        this.#taken.add(noun);
        return noun;
    }

    /** Whether it can be touched now, or has been. */
    isMeant(noun: string): boolean {
        return this.marked.lit.has(noun) || this.marked.picked.has(noun);
    }

    /** The noun, if it is meant and nothing else has it: for what is there only while it is asked about. */
    takeMeant(noun: string): string {
        return this.isMeant(noun) ? this.take(noun) : "";
    }
}
