/** A board on a bare page, in whatever position it is shown: for whoever draws it, never part of the page.
 *
 * The page's address says the theme, `ask=no` leaves the panel out, and the rest says which position.
 */
import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import { flushSync, mount } from "svelte";
import type { Board } from "../../../src/boards/contract";
import { dressed, here } from "../dress";
import { largestStep } from "./largest";
import Harness from "./Harness.svelte";
import { Shown, type Position } from "./shown.svelte";

interface Play<D extends DescMessage> {
    board: Board<D>;
    title: string;

    /** The position of which an address speaks; throws where there is none. */
    positionOf: (asked: URLSearchParams) => Position<MessageShape<D>>;

    /** The addresses of all positions, game by game. */
    all: readonly string[];
}

export function staged<D extends DescMessage>({ board, title, positionOf, all }: Play<D>): void {
    const asked = dressed();
    const shown = new Shown<MessageShape<D>>();
    const at = (query: string): Position<MessageShape<D>> => positionOf(new URLSearchParams(query));
    const show = (query: string): void => {
        shown.put(at(query));
    };
    show(asked.toString());
    const isAsked = asked.get("ask") !== "no";
    mount(Harness<MessageShape<D>>, { target: here(), props: { board, title, shown, isAsked } });

    /** For measuring: how many milliseconds it takes to draw each of some positions, one after the other. */
    const timed = (queries: readonly string[]): number[] =>
        queries.map(at).map((position) => {
            const start = performance.now();
            shown.put(position);
            flushSync();
            here().getBoundingClientRect();
            return performance.now() - start;
        });
    const largest = (): [string, string] =>
        largestStep(
            all.map((query) => {
                const { view, viewer } = at(query);
                return { query, viewer, view: toJson(board.schema, view) };
            }),
        );
    Object.assign(window, { show, timed, largest });
}

/** What must have been recorded. */
export function found<T>(one: T | undefined): T {
    if (one === undefined) throw new Error("no such position was recorded");
    return one;
}
