/** What the harness shows now. */
import type { Question } from "$gen/bree/engine/v1/types_pb";
import type { Told } from "../../../src/boards/contract";
import { keeper } from "../../../src/parts/kept";

export interface Position<V> {
    view: V;
    viewer: string;
    question?: Question | undefined;
    told?: readonly Told[];

    /** Positions that a button goes through. */
    later?: readonly V[];
}

export class Shown<V> {
    view = $state.raw<V>();
    viewer = $state("");
    question = $state.raw<Question>();
    told = $state.raw<readonly Told[]>([]);
    later = $state.raw<readonly V[]>([]);
    readonly #keep = keeper<V>();
    #shown = 0n;

    put({ view, viewer, question, told = [], later = [] }: Position<V>): void {
        this.view = this.#keep(view);
        this.viewer = viewer;
        // Questions of several games have the same numbers.
        this.#shown += 1n;
        this.question = question && { ...question, number: this.#shown };
        this.told = told;
        this.later = later;
    }

    /** What comes next, and after the last the one that was shown first. */
    next(): void {
        const [next, ...rest] = this.later;
        if (next === undefined || this.view === undefined) return;
        this.later = [...rest, this.view];
        this.view = next;
    }
}
