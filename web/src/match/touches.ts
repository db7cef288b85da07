/** What was touched for a question, over a reload of the page. */

interface Touched {
    number: string;
    nouns: string[];
}

export class Touches {
    constructor(private readonly name: string) {}

    keep(number: bigint | undefined, nouns: Iterable<string>): void {
        try {
            const kept = [...nouns];
            if (number === undefined || kept.length === 0) sessionStorage.removeItem(this.key);
            else {
                const touched: Touched = { number: String(number), nouns: kept };
                sessionStorage.setItem(this.key, JSON.stringify(touched));
            }
        } catch {
            // Then it is touched again.
        }
    }

    /** Those of this very question. */
    of(number: bigint): readonly string[] {
        try {
            const text = sessionStorage.getItem(this.key);
            const kept = JSON.parse(text ?? "null") as Partial<Touched> | null;
            const isSame = kept?.number === String(number) && Array.isArray(kept.nouns);
            return isSame ? (kept.nouns ?? []).filter((noun) => typeof noun === "string") : [];
        } catch {
            return [];
        }
    }

    private get key(): string {
        return `bree.touched.${this.name}`;
    }
}
