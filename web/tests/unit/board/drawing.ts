/** A board drawn without a browser, and what can be touched on it. */
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { render } from "svelte/server";
import type { Board, Told } from "../../../src/boards/contract";
import Lit from "./Lit.svelte";

const NONE: ReadonlySet<string> = new Set();

export interface Marked {
    lit?: ReadonlySet<string>;
    picked?: ReadonlySet<string>;
    told?: readonly Told[];
}

/** A board as text, with these nouns lit and picked. */
export function drawing<D extends DescMessage>(
    board: Board<D>,
    view: MessageShape<D>,
    viewer: string,
    { lit = NONE, picked = NONE, told = [] }: Marked = {},
): string {
    return render(Lit<MessageShape<D>>, { props: { board, view, viewer, lit, picked, told } }).body;
}

export interface Thing {
    noun: string;
    role: string;
    label: string;
}

/** Everything on a board that can be touched or told of. */
export const things = (html: string): Thing[] =>
    [...html.matchAll(/<g class="thing\b[^"]*"(?:"[^"]*"|[^">])*>/g)].map(([tag]) => ({
        noun: / data-noun="([^"]*)"/.exec(tag)?.[1] ?? "",
        role: / role="([^"]*)"/.exec(tag)?.[1] ?? "",
        label: / aria-label="([^"]*)"/.exec(tag)?.[1] ?? "",
    }));

/** The nouns of what can be pressed, each as often as it is there. */
export const pressed = (html: string): string[] =>
    things(html)
        .filter(({ role }) => role === "button")
        .map(({ noun }) => noun);
