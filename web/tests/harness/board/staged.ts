/** A board on a bare page, in whatever position it is shown: for whoever draws it, never part of the page.
 *
 * The page's address says the theme, `ask=no` leaves the panel out, and the rest says which position.
 */
import { type DescMessage, fromJson, type JsonObject, type MessageShape } from "@bufbuild/protobuf";
import { flushSync, mount } from "svelte";
import type { Board } from "../../../src/boards/contract";
import { dressed, here } from "../dress";
import Harness from "./Harness.svelte";
import { Shown, type Position } from "./shown.svelte";
import { unpacked } from "./unpacked";

/** Recorded steps by game; `tests/page/record_steps.py` says which. */
type Steps = Record<string, { viewer: string; before: JsonObject; after: JsonObject }>;
const STEPS = new URL("../../recorded/steps.json.gz", import.meta.url);

interface Play<D extends DescMessage> {
    board: Board<D>;
    title: string;

    /** The position of which an address speaks; throws where there is none. */
    positionOf: (asked: URLSearchParams) => Position<MessageShape<D>>;
}

export function staged<D extends DescMessage>({ board, title, positionOf }: Play<D>): void {
    const asked = dressed();
    const shown = new Shown<MessageShape<D>>();
    const at = (query: string): Position<MessageShape<D>> => positionOf(new URLSearchParams(query));
    const show = (query: string): void => {
        shown.put(at(query));
    };
    show(asked.toString());
    const isAsked = asked.get("ask") !== "no";
    mount(Harness<MessageShape<D>>, { target: here(), props: { board, title, shown, isAsked } });

    /** For measuring: how many milliseconds the step to a game's largest position takes, so many times. */
    const stepped = async (game: string, rounds: number): Promise<number[]> => {
        const { viewer, before, after } = found(((await unpacked(STEPS)) as Steps)[game]);
        const positions = [before, after].map((json) => ({
            view: fromJson(board.schema, json),
            viewer,
        }));
        return Array.from({ length: rounds }, () => {
            const [, last = NaN] = positions.map((position) => {
                const start = performance.now();
                shown.put(position);
                flushSync();
                here().getBoundingClientRect();
                return performance.now() - start;
            });
            return last;
        });
    };
    Object.assign(window, { show, stepped });
}

/** What must have been recorded. */
export function found<T>(one: T | undefined): T {
    if (one === undefined) throw new Error("no such position was recorded");
    return one;
}
