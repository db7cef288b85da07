/** What one seat is asked, and what it has touched, typed and chosen so far: the state of an answer.
 *
 * Design. The match page puts questions and is told answers; a board reads what is lit and tells
 * touches; the panel shows the rest. Nothing else is known here: no drawing, no network.
 *
 * What is touched answers what has been read. A press that began before the question was shown does
 * nothing; one that began too soon after to have been meant for it may choose, which can be seen and
 * taken back, but never sends. An answer is sent once, and then nothing is taken any more
 * until another question stands.
 *
 * A neutral question is asked so that nobody learns whether there is a choice. The time that an answer
 * takes would tell it: so nothing is chosen there because it is the only one left, nor sent without
 * being confirmed, whatever the choices.
 */
import type { Choice, Question } from "$gen/bree/engine/v1/types_pb";
import { doing, doneBy, type Explained, type Touching } from "../parts/touching";
import { spelt, titled } from "../parts/words";
import { groupsOf, type Group } from "./groups";
import {
    isSpeltOut,
    narrow,
    nounsOf,
    nothingLeft,
    untouched,
    type Narrowed,
    type Step,
} from "./narrowing";
import { asked, choiceAt, lastOf, textOf, type Asked, type Option } from "./options";
import { Presses } from "./presses";

/** So soon nobody has read a new question: a press that begins within it sends nothing. */
export const SETTLE_MS = 300;

/** What an answer needs of the page around it. */
export interface Page {
    /** Sends the text of an action as the answer to a question; fails with why it was refused. */
    say(action: string, question: Question): Promise<void>;

    /** Shows the whole text of a thing, or hides it. */
    explain(what: Explained | null): void;

    /** Whether the player wants no button to confirm. */
    actAtOnce(): boolean;
}

/** An amount that can be set, with its limits. */
export interface Amount {
    first: number;
    last: number;
    value: number;
}

/** A set that is never changed but replaced. */
const setOf = <T>(...parts: readonly Iterable<T>[]): ReadonlySet<T> =>
    new Set(parts.flatMap((part) => [...part]));

export class Asking implements Touching {
    /** The presses of whoever answers; the panel has it watch the document. */
    readonly presses: Presses;

    readonly #page: Page;
    readonly #clock: () => number;
    #shownAt = 0;
    #settling: ReturnType<typeof setTimeout> | undefined;
    #number: bigint | undefined;

    #asked = $state.raw<Asked | undefined>();
    #steps = $state.raw<readonly Step[]>([]);
    #typed = $state("");
    #chosen = $state.raw<Option | undefined>();
    #value = $state.raw<{ key: string; number: number } | undefined>();
    #pending = $state.raw<Choice | undefined>();
    #refusal = $state<string | undefined>();
    #settled = $state(false);
    #logged = $state.raw<ReadonlySet<string>>(setOf());
    #pointed = $state.raw<Option | undefined>();

    readonly #left: Narrowed = $derived(
        this.#asked ? narrow(this.#asked, this.#steps, this.#typed) : nothingLeft,
    );
    readonly #only: Option | undefined = $derived(this.#chosen ?? this.#inferred());
    readonly #groups: readonly Group[] = $derived(groupsOf(this.#left.options));

    readonly #lit: ReadonlySet<string> = $derived(
        this.#pending || this.isDecided ? setOf<string>() : setOf(this.#left.lit, this.#doings()),
    );
    readonly #picked: ReadonlySet<string> = $derived(
        setOf(nounsOf(this.#steps), this.#done().map(doing)),
    );
    readonly #spoken: ReadonlySet<string> = $derived(setOf(this.#logged, this.#told()));

    constructor(page: Page, clock: () => number = () => performance.now()) {
        this.#page = page;
        this.#clock = clock;
        this.presses = new Presses(clock);
    }

    // What is asked.

    /** The question that stands; undefined while the seat is not asked anything. */
    get question(): Question | undefined {
        return this.#asked?.question;
    }

    /** A question is put, or none. The same one again keeps what was touched. */
    put(question: Question | undefined): void {
        const isSame = question !== undefined && question.number === this.#asked?.question.number;
        if (isSame) return;
        this.#asked = question && asked(question);
        this.#pending = undefined;
        this.#pointed = undefined;
        this.#shownAt = this.#clock();
        this.#settle();
        if (!question || question.number === this.#number) return;
        this.#number = question.number;
        this.clear();
    }

    // What has been said so far.

    get steps(): readonly Step[] {
        return this.#steps;
    }

    get typed(): string {
        return this.#typed;
    }

    /** Whether there is anything that `back` would take away. */
    get isBegun(): boolean {
        return this.#steps.length > 0 || this.#typed !== "" || this.#chosen !== undefined;
    }

    /** A thing was touched: narrows by its noun, or takes back the touch of it. Where a number of it is
     *  left to say, it is one more with each touch. */
    touch(noun: string): void {
        if (!this.#isMeant()) return;
        const verb = doneBy(noun);
        if (verb !== undefined) {
            this.#do(verb);
            return;
        }
        const again = this.picked.has(noun) && !this.#left.lit.has(noun);
        if (again && this.#isOneMore(noun)) this.step((this.stepper?.value ?? 0) + 1);
        else if (again) this.#step(untouched(this.#steps, noun), false);
        else if (this.lit.has(noun)) this.#step([...this.#steps, { kind: "noun", noun }]);
    }

    /** Only choices with this verb. */
    verb(verb: string): void {
        if (!this.#isMeant() || !this.#left.verbs.includes(verb)) return;
        this.#step([...this.#steps, { kind: "verb", verb }]);
    }

    /** Only choices that speak of nothing more than has been touched. */
    all(): void {
        if (!this.#isMeant() || this.#left.whole.length === 0) return;
        this.#step([...this.#steps, { kind: "all" }]);
    }

    type(text: string): void {
        if (!this.#asked || this.#pending) return;
        this.#typed = text;
        this.#chosen = undefined;
        this.#value = undefined;
        this.#refusal = undefined;
    }

    /** One of what is left is chosen from the list. */
    choose(option: Option): void {
        if (!this.#isMeant() || !this.#left.options.includes(option)) return;
        this.#chosen = option;
        this.#refusal = undefined;
        this.#actAtOnce();
    }

    /** The number of the amount that is chosen; beyond its limits it is the limit. */
    step(number: number): void {
        const only = this.only;
        if (only?.first === undefined || this.#pending || !Number.isFinite(number)) return;
        const within = Math.min(Math.max(Math.round(number), only.first), lastOf(only));
        this.#value = { key: only.key, number: within };
    }

    /** Takes the last thing away: the choice from the list, the last touch, what was typed. */
    back(): void {
        if (this.#pending) return;
        if (this.#chosen) this.#chosen = undefined;
        else if (this.#steps.length > 0) this.#steps = this.#steps.slice(0, -1);
        else this.#typed = "";
        this.#value = undefined;
        this.#refusal = undefined;
    }

    /** Takes everything away. */
    clear(): void {
        if (this.#pending) return;
        this.#steps = [];
        this.#typed = "";
        this.#chosen = undefined;
        this.#value = undefined;
        this.#refusal = undefined;
    }

    // What is left.

    /** The choices that are left. */
    get remaining(): readonly Choice[] {
        return this.#left.options.flatMap((option) => option.choices);
    }

    /** What is left, each amount once. */
    get options(): readonly Option[] {
        return this.#left.options;
    }

    /** How many there were before anything was touched or typed, each amount once. */
    get total(): number {
        return this.#asked?.options.length ?? 0;
    }

    /** What is left, in parts if it is long. */
    get groups(): readonly Group[] {
        return this.#groups;
    }

    /** The verbs that would narrow what is left: none where each has a single option. */
    get verbs(): readonly string[] {
        return this.#left.verbs.length < this.#left.options.length ? this.#left.verbs : [];
    }

    /** What "that is all" would leave; empty where it would leave everything. */
    get whole(): readonly Option[] {
        return this.#steps.length > 0 ? this.#left.whole : [];
    }

    /** What is chosen, or the only one left where that is as good. */
    get only(): Option | undefined {
        return this.#only;
    }

    /** Whether it was chosen in the list, and not by being all that is left. */
    get isFromList(): boolean {
        return this.#chosen !== undefined;
    }

    /** Whether touches or typing have left one alone, so that nothing is lit any more. */
    get isDecided(): boolean {
        return this.isBegun && !this.#chosen && this.#only !== undefined;
    }

    /** The amount of what is chosen, if it has one. */
    get stepper(): Amount | undefined {
        const only = this.only;
        if (only?.first === undefined) return undefined;
        const set = this.#value?.key === only.key ? this.#value.number : undefined;
        const value = set ?? this.#left.amount ?? only.first;
        return { first: only.first, last: lastOf(only), value };
    }

    /** The very choice that `confirm` would send. */
    get answer(): Choice | undefined {
        return this.only && choiceAt(this.only, this.stepper?.value ?? 0);
    }

    // The answer.

    /** What is being sent, until another question stands or it was refused. */
    get pending(): Choice | undefined {
        return this.#pending;
    }

    /** Why the last answer was refused. */
    get refusal(): string | undefined {
        return this.#refusal;
    }

    /** Whether the question has stood long enough to be answered. */
    get isSettled(): boolean {
        return this.#settled;
    }

    /** Sends what is chosen. */
    confirm(): void {
        if (this.answer && this.#isMeant() && !this.#isHasty()) this.#send(this.answer);
    }

    /** The answer was refused, and the question stands as before. */
    refused(text: string): void {
        this.#pending = undefined;
        this.#refusal = text;
    }

    // What boards read.

    get lit(): ReadonlySet<string> {
        return this.#lit;
    }

    get picked(): ReadonlySet<string> {
        return this.#picked;
    }

    get spoken(): ReadonlySet<string> {
        return this.#spoken;
    }

    beyond(noun: string): ReadonlySet<string> {
        if (!this.#asked || this.#pending) return setOf<string>();
        const next = ({ nouns }: Option): string[] =>
            nouns.filter((_, at) => at > 0 && nouns[at - 1] === noun);
        return setOf(...this.#left.options.map(next));
    }

    /** Nouns of which the line of the log that is pointed at speaks; none: no more. */
    speak(nouns: Iterable<string>): void {
        this.#logged = setOf(nouns);
    }

    /** What the list points at is shown on the board as what is spoken of. */
    point(option: Option | undefined): void {
        this.#pointed = option;
    }

    explain(what: Explained | null): void {
        this.#page.explain(what);
    }

    /** What people call a noun, as the sentences of the question spell it. */
    nameOf(noun: string): string {
        for (const option of this.#asked?.options ?? []) {
            if (!option.nouns.includes(noun)) continue;
            const name = spelt(noun, option.choices[0].sentence);
            if (name !== undefined) return name;
        }
        return titled(noun);
    }

    #inferred(): Option | undefined {
        const [option, ...more] = this.#left.options;
        if (!option || more.length > 0) return undefined;
        const isFree = !this.#asked?.question.neutral;
        return isFree || (this.#steps.length > 0 && isSpeltOut(option, this.#steps))
            ? option
            : undefined;
    }

    /** The nouns of what the list points at, or of what has been chosen. */
    #told(): readonly string[] {
        const isShown = this.isBegun || this.#pending !== undefined;
        const told = this.#pointed ?? (isShown ? this.#only : undefined);
        if (!told) return [];
        return told.nouns.length > 0 ? told.nouns : [doing(told.verb)];
    }

    /** The things that could be touched for what they do. */
    #doings(): readonly string[] {
        const { options, verbs } = this.#left;
        const isBare = options.length === 1 && options[0]?.nouns.length === 0;
        return (isBare ? options.map(({ verb }) => verb) : verbs).map(doing);
    }

    #done(): string[] {
        return this.#steps.flatMap((step) => (step.kind === "verb" ? [step.verb] : []));
    }

    /** A thing was touched for what it does, or once more. */
    #do(verb: string): void {
        if (this.#done().includes(verb)) {
            const others = this.#steps.filter(
                (step) => step.kind !== "verb" && step.kind !== "all",
            );
            this.#step(others, false);
        } else if (this.lit.has(doing(verb))) {
            this.#step([...this.#steps, { kind: "verb", verb }]);
        }
    }

    #step(steps: readonly Step[], mayAct = true): void {
        this.#steps = steps;
        this.#chosen = undefined;
        this.#value = undefined;
        this.#refusal = undefined;
        if (mayAct) this.#actAtOnce();
    }

    #actAtOnce(): void {
        const only = this.only;
        if (!only || only.first !== undefined || this.#asked?.question.neutral) return;
        if (this.#page.actAtOnce() && !this.#isHasty()) this.#send(only.choices[0]);
    }

    /** Whether what was touched last is touched once more, and an amount of it is not yet the greatest. */
    #isOneMore(noun: string): boolean {
        const last = this.#steps.at(-1);
        const { stepper } = this;
        const isSame = last?.kind === "noun" && last.noun === noun;
        return isSame && stepper !== undefined && stepper.value < stepper.last;
    }

    #isMeant(): boolean {
        return !!this.#asked && !this.#pending && this.presses.began >= this.#shownAt;
    }

    #isHasty(): boolean {
        return this.presses.began < this.#shownAt + SETTLE_MS;
    }

    #settle(): void {
        clearTimeout(this.#settling);
        this.#settled = false;
        this.#settling = setTimeout(() => {
            this.#settled = true;
        }, SETTLE_MS);
    }

    #send(choice: Choice): void {
        const question = this.#asked?.question;
        if (!question) return;
        this.#pending = choice;
        this.#refusal = undefined;
        this.#page.say(textOf(choice), question).catch((error: unknown) => {
            if (this.#pending === choice) this.refused(reasonOf(error));
            else this.#refusal = reasonOf(error);
        });
    }
}

function reasonOf(error: unknown): string {
    const told = (error as { message?: unknown } | undefined)?.message;
    return typeof told === "string" && told !== "" ? told : "The answer was not taken.";
}
