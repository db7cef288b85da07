/** Choices by chance that a failed test names by their seed, so that it can be played again. */
export class Chance {
    constructor(readonly seed = Math.floor(Math.random() * 0xffff_ffff)) {
        this.state = seed >>> 0;
    }
    private state: number;

    /** At least 0 and less than 1. (Mulberry32, in the public domain.) */
    next(): number {
        this.state = (this.state + 0x6d2b_79f5) >>> 0;
        let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
    }

    oneOf<T>(things: readonly T[]): T {
        const thing = things[Math.floor(this.next() * things.length)];
        if (thing === undefined) throw new Error("there is nothing to choose from");
        return thing;
    }

    isUnder(probability: number): boolean {
        return this.next() < probability;
    }
}
