/** What each noun is marked as, one by one.
 *
 * Design. With each question other nouns are lit, and a board has hundreds of things with one. Were
 * each of them to look itself up in the set that is lit, all would do so at every step; here the set is
 * compared once with the one before, and only things whose mark has changed hear of it.
 */
import { untrack } from "svelte";
import type { Touching } from "./touching";

export class Mark {
    lit: boolean = $state(false);
    picked: boolean = $state(false);
    spoken: boolean = $state(false);
}

type Kind = keyof Mark;
const KINDS: readonly Kind[] = ["lit", "picked", "spoken"];
const plain: Readonly<Mark> = { lit: false, picked: false, spoken: false };

/** Where nothing is ever marked. */
export const unmarked: Pick<Marks, "of"> = { of: () => plain };

export class Marks {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- a mark tells of itself
    readonly #marks = new Map<string, Mark>();

    /** Within a component: its effect keeps the marks. */
    constructor(private readonly touching: Touching) {
        for (const kind of KINDS) {
            let before: ReadonlySet<string> = untrack(() => touching[kind]);
            $effect.pre(() => {
                const now = touching[kind];
                untrack(() => {
                    this.#become(kind, before, now);
                });
                before = now;
            });
        }
    }

    /** The mark of a noun, the same one for ever; of none, one that never changes. */
    of(noun: string): Readonly<Mark> {
        if (noun === "") return plain;
        const there = this.#marks.get(noun);
        if (there) return there;
        const mark = new Mark();
        untrack(() => {
            for (const kind of KINDS) mark[kind] = this.touching[kind].has(noun);
        });
        this.#marks.set(noun, mark);
        return mark;
    }

    #become(kind: Kind, before: ReadonlySet<string>, now: ReadonlySet<string>): void {
        for (const noun of before) if (!now.has(noun)) this.#set(kind, noun, false);
        for (const noun of now) this.#set(kind, noun, true);
    }

    #set(kind: Kind, noun: string, isSo: boolean): void {
        const mark = this.#marks.get(noun);
        if (mark) mark[kind] = isSo;
    }
}
