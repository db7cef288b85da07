/** From a question, and what was touched and typed so far, to what is left of its choices.
 *
 * Design. Nothing here draws, waits or remembers: it is one function of a question, some steps and
 * a text. A step never leaves nothing, if it is one that was offered. For every choice there are
 * steps that leave it alone: its nouns in their order, then its verb, then that this is all.
 *
 * - A noun keeps what speaks of it, once more than it has been touched already. Of choices with one
 *   verb and the same nouns in another order, those are kept that the order of the touches fits best.
 * - A verb keeps what has it.
 * - "That is all" keeps what says nothing but what all say that are left: `part dale`, and not
 *   `march dale erebor`.
 * - Typing keeps what has a word that begins with each word typed; and a choice that is typed out,
 *   or its sentence, alone. A number that is typed last is that of an amount.
 */
import { choiceAt, lastOf, textOf, type Asked, type Option } from "./options";
import { folded, wordsOf } from "../parts/words";

export type Step =
    { kind: "noun"; noun: string } | { kind: "verb"; verb: string } | { kind: "all" };

export interface Narrowed {
    /** What is left, in the order of the question. */
    options: readonly Option[];

    /** The nouns that can be touched next. */
    lit: ReadonlySet<string>;

    /** The verbs of what is left, if they differ. */
    verbs: readonly string[];

    /** What "that is all" would leave; empty where it would leave everything. */
    whole: readonly Option[];

    /** The number that was typed, if what is left is an amount that has it. */
    amount: number | undefined;
}

/** Where nothing is asked. */
export const nothingLeft: Narrowed = {
    options: [],
    lit: new Set(),
    verbs: [],
    whole: [],
    amount: undefined,
};

export function narrow(asked: Asked, steps: readonly Step[], typed: string): Narrowed {
    let options = typedOut(asked.options, typed);
    const touched: string[] = [];
    for (const step of steps) {
        if (step.kind === "noun") {
            touched.push(step.noun);
            options = inOrder(
                options.filter((option) => speaks(option, step.noun, touched)),
                touched,
            );
        } else if (step.kind === "verb") {
            options = options.filter((option) => option.verb === step.verb);
        } else {
            options = saysNoMore(options);
        }
    }
    const verbs = [...new Set(options.map((option) => option.verb))];
    const whole = saysNoMore(options);
    return {
        options,
        lit: litBy(options, touched),
        verbs: verbs.length > 1 ? verbs : [],
        whole: whole.length < options.length ? whole : [],
        amount: numberTyped(options, typed),
    };
}

/** The nouns that have been touched, in their order. */
export function nounsOf(steps: readonly Step[]): string[] {
    return steps.flatMap((step) => (step.kind === "noun" ? [step.noun] : []));
}

/** Whether every noun of an option has been touched: nothing about it was left to be inferred. */
export function isSpeltOut(option: Option, steps: readonly Step[]): boolean {
    const counts = countsOf(nounsOf(steps));
    const numeral = /^\d+$/;
    return [...countsOf(option.nouns)].every(
        ([noun, times]) => numeral.test(noun) || (counts.get(noun) ?? 0) >= times,
    );
}

/** Without the last touch of a noun, and without what was said after it of what is left. */
export function untouched(steps: readonly Step[], noun: string): Step[] {
    const at = steps.findLastIndex((step) => step.kind === "noun" && step.noun === noun);
    if (at < 0) return [...steps];
    return [...steps.slice(0, at), ...steps.slice(at + 1).filter((step) => step.kind !== "all")];
}

function countsOf(nouns: readonly string[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const noun of nouns) counts.set(noun, (counts.get(noun) ?? 0) + 1);
    return counts;
}

function times(noun: string, nouns: readonly string[]): number {
    return nouns.reduce((count, other) => (other === noun ? count + 1 : count), 0);
}

function speaks(option: Option, noun: string, touched: readonly string[]): boolean {
    return times(noun, option.nouns) >= times(noun, touched);
}

function litBy(options: readonly Option[], touched: readonly string[]): Set<string> {
    const counts = countsOf(touched);
    const lit = new Set<string>();
    for (const option of options) {
        for (const [noun, times] of countsOf(option.nouns)) {
            if (times > (counts.get(noun) ?? 0)) lit.add(noun);
        }
    }
    return lit;
}

/** Of those that differ in the order of their nouns alone, the ones that fit the touches best. */
function inOrder(options: readonly Option[], touched: readonly string[]): readonly Option[] {
    const fewest = new Map<string, number>();
    const crossed = new Map<Option, number>();
    for (const option of options) {
        const count = crossings(option.nouns, touched);
        crossed.set(option, count);
        fewest.set(option.kin, Math.min(count, fewest.get(option.kin) ?? count));
    }
    return options.filter((option) => crossed.get(option) === fewest.get(option.kin));
}

/** How many pairs of touches stand the other way round in the nouns. */
function crossings(nouns: readonly string[], touched: readonly string[]): number {
    const next = new Map<string, number>();
    const places = touched.map((noun) => {
        const place = nouns.indexOf(noun, next.get(noun) ?? 0);
        next.set(noun, place + 1);
        return place;
    });
    return places.reduce(
        (count, place, at) => count + places.slice(at + 1).filter((later) => later < place).length,
        0,
    );
}

/** Those whose nouns are nouns of all. */
function saysNoMore(options: readonly Option[]): readonly Option[] {
    const shared = new Map<string, number>(options[0] ? countsOf(options[0].nouns) : []);
    for (const option of options) {
        const counts = countsOf(option.nouns);
        for (const [noun, most] of shared) shared.set(noun, Math.min(most, counts.get(noun) ?? 0));
    }
    const size = [...shared.values()].reduce((sum, count) => sum + count, 0);
    return options.filter((option) => option.nouns.length === size);
}

function typedOut(options: readonly Option[], typed: string): readonly Option[] {
    const sought = wordsOf(typed);
    if (sought.length === 0) return options;
    const exact = options.filter((option) => numberSpelt(option, typed) !== undefined);
    if (exact.length === 1) return exact;
    return options.filter((option) =>
        sought.every((part) => option.words.some((word) => word.startsWith(part))),
    );
}

/** The number of the choice of an option that is typed out; 0 where there is no amount. */
function numberSpelt(option: Option, typed: string): number | undefined {
    const text = folded(typed).trim().replaceAll(/\s+/g, " ");
    const at = option.choices.findIndex(
        (choice) => textOf(choice) === text || folded(choice.sentence) === text,
    );
    return at < 0 ? undefined : (option.first ?? 0) + at;
}

function numberTyped(options: readonly Option[], typed: string): number | undefined {
    const only = options.length === 1 ? options[0] : undefined;
    if (only?.first === undefined) return undefined;
    const spelt = numberSpelt(only, typed);
    if (spelt !== undefined) return spelt;
    const last = wordsOf(typed).at(-1) ?? "";
    const number = /^\d{1,9}$/.test(last) ? Number(last) : -1;
    const isOne = number >= only.first && number <= lastOf(only);
    return isOne && textOf(choiceAt(only, number)).endsWith(` ${last}`) ? number : undefined;
}
