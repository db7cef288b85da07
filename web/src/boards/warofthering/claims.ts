/** Where each noun is to be touched: at the first place that claims it, and nowhere else. */
export class Claims {
    readonly #taken = new Set<string>();

    /** The noun, if nothing else has it; else none. */
    take(noun: string): string {
        if (this.#taken.has(noun)) return "";
        this.#taken.add(noun);
        return noun;
    }
}
