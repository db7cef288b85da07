/** What touching a thing on a board means now. Whoever shows a board sets it; `Touch` reads it. */
import { getContext, setContext } from "svelte";
import { Marks, unmarked } from "./marks.svelte";

/** The name of a thing that stands for what is done and not for what it is done with: a card whose play
 *  is an action of its own. */
export function doing(verb: string): string {
    return `:${verb}`;
}

/** What is done by a thing with such a name. */
export function doneBy(noun: string): string | undefined {
    return noun.startsWith(":") ? noun.slice(1) : undefined;
}

export interface Touching {
    /** The nouns that stand in at least one of the choices that remain. */
    readonly lit: ReadonlySet<string>;

    /** The nouns touched so far. */
    readonly picked: ReadonlySet<string>;

    /** The nouns of which the line of the log that is pointed at speaks. */
    readonly spoken: ReadonlySet<string>;

    /** Somebody has touched a thing that is lit or picked. */
    touch(noun: string): void;

    /** The nouns that come next after this one in choices that remain: to where it can be pulled. */
    beyond?(noun: string): ReadonlySet<string>;

    /** Somebody points at a thing, holds or focuses it, and wants to know what it is; null: no more. */
    explain(what: Explained | null): void;
}

/** The whole text of a card, a figure, a token. */
export interface Explained {
    title: string;
    lines: readonly string[];
}

const key = Symbol("touching");
const nothing: ReadonlySet<string> = new Set();

/** Where nobody plays: a picture, a replay. */
export const untouchable: Touching = {
    lit: nothing,
    picked: nothing,
    spoken: nothing,
    touch: () => undefined,
    explain: () => undefined,
};

/** What components below see: with it, how each thing is marked. */
interface Touched {
    readonly touching: Touching;
    readonly marks: Marks;
}

export function setTouching(touching: Touching): void {
    setContext<Touched>(key, { touching, marks: new Marks(touching) });
}

export function touching(): Touching {
    return getContext<Touched | undefined>(key)?.touching ?? untouchable;
}

/** How things are marked here, by their nouns. */
export function marks(): Pick<Marks, "of"> {
    return getContext<Touched | undefined>(key)?.marks ?? unmarked;
}
