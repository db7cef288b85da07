/** Stands in for the answer's state until the part that owns it is here. */
import type { Question } from "$gen/bree/engine/v1/types_pb";
import { SvelteSet } from "svelte/reactivity";
import type { Explained, Touching } from "../parts/touching";

export interface Page {
    say(action: string, question: Question): Promise<void>;
    explain(what: Explained | null): void;
    actAtOnce(): boolean;
}

export class Asking implements Touching {
    question: Question | undefined = $state.raw();
    refusal: string | undefined = $state();
    readonly picked: ReadonlySet<string> = new SvelteSet<string>();
    spoken: ReadonlySet<string> = $state.raw(new SvelteSet<string>());
    readonly lit: ReadonlySet<string> = $derived(
        new SvelteSet((this.question?.choices ?? []).flatMap(({ action }) => action?.nouns ?? [])),
    );

    constructor(private readonly page: Page) {}

    put(question: Question | undefined): void {
        if (question?.number !== this.question?.number) this.refusal = undefined;
        this.question = question;
    }

    touch(noun: string): void {
        const only =
            this.question?.choices.filter(({ action }) => action?.nouns.includes(noun)) ?? [];
        if (only.length === 1 && only[0]?.action) this.answer(only[0].action.text);
    }

    answer(text: string): void {
        const { question } = this;
        if (!question) return;
        this.page.say(text, question).catch((error: unknown) => {
            this.refusal = error instanceof Error ? error.message : String(error);
        });
    }

    speak(nouns: Iterable<string>): void {
        this.spoken = new SvelteSet(nouns);
    }

    explain(what: Explained | null): void {
        this.page.explain(what);
    }
}
