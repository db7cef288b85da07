/** The choices of a question as they are put before people: one by one, or as an amount.
 *
 * Choices that differ in a last number alone are one option with an amount; the question says in
 * `ranges` which they are.
 */
import type { Choice, Question } from "$gen/bree/engine/v1/types_pb";
import { wordsOf } from "../parts/words";

export interface Option {
    /** Different from that of every other option of the question. */
    key: string;
    verb: string;

    /** What it speaks of, in the order of its text; without the number, if that is an amount. */
    nouns: readonly string[];

    /** One choice; or the choices of an amount, from the lowest number up. */
    choices: readonly [Choice, ...Choice[]];

    /** The lowest number of an amount; undefined where there is none. */
    first: number | undefined;

    /** The same for the options that differ in the order of their nouns alone. */
    kin: string;

    /** The words by which it is found, folded. */
    words: readonly string[];
}

/** A question, ready to be narrowed. */
export interface Asked {
    question: Question;
    options: readonly Option[];
}

export function asked(question: Question): Asked {
    const options: Option[] = [];
    const runs = new Map(question.ranges.map((run) => [`${run.text} ${run.numbers?.first}`, run]));
    for (let at = 0; at < question.choices.length; at += 1) {
        const choice = question.choices[at];
        if (!choice) break;
        const numbers = runs.get(textOf(choice))?.numbers;
        const length = numbers ? numbers.last - numbers.first + 1 : 1;
        const rest = question.choices.slice(at + 1, at + length);
        options.push(option([choice, ...rest], numbers?.first));
        at += rest.length;
    }
    return { question, options };
}

export function textOf(choice: Choice): string {
    return choice.action?.text ?? "";
}

/** The choice of an option with an amount; of any other option, its only one. */
export function choiceAt(option: Option, number: number): Choice {
    const at = option.first === undefined ? 0 : number - option.first;
    return option.choices[at] ?? option.choices[0];
}

/** The highest number of an amount. */
export function lastOf(option: Option): number {
    return (option.first ?? 1) + option.choices.length - 1;
}

function option(choices: [Choice, ...Choice[]], first: number | undefined): Option {
    const action = choices[0].action;
    const nouns = action?.nouns ?? [];
    const named = first === undefined ? nouns : nouns.slice(0, -1);
    const verb = action?.verb ?? "";
    const said = choices.flatMap((choice) => [
        ...wordsOf(textOf(choice)),
        ...wordsOf(choice.sentence),
    ]);
    return {
        key: first === undefined ? textOf(choices[0]) : `${textOf(choices[0])} …`,
        verb,
        nouns: named,
        choices,
        first,
        kin: [verb, ...[...named].sort(), first === undefined ? "" : "…"].join(" "),
        words: [...new Set(said)],
    };
}
