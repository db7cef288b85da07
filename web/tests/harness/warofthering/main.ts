/** Shows War of the Ring's board in recorded positions, for whoever draws it: never part of the page.
 *
 *     scripts/node npx vite        # then /tests/harness/warofthering/?at=question&n=0, ?at=moment&n=3 or ?at=played&n=0
 */
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { BoardSchema } from "$gen/bree/warofthering/v1/board_pb";
import { flushSync, mount } from "svelte";
import type { Told } from "../../../src/boards/contract";
import { doing } from "../../../src/parts/touching";
import "../../../src/theme.css";
import Harness from "./Harness.svelte";
import { Shown } from "./shown.svelte";

interface Recorded {
    map: JsonValue;
    questions: {
        seat: string;
        question: {
            prompt: string;
            sentence: string;
            choices: { action: { verb: string; nouns?: string[] } }[];
        };
        view: JsonObject;
        events: Told[];
    }[];
    moments: { viewer: string; view: JsonObject; events: Told[] }[];
}

interface Played {
    presets: Record<string, { moments: { views: Record<string, JsonObject> }[] }>;
}

async function unpacked<T>(url: URL): Promise<T> {
    const answer = await fetch(url);
    const bytes = await answer.arrayBuffer();
    if (new Uint8Array(bytes, 0, 2)[0] !== 0x1f)
        return JSON.parse(new TextDecoder().decode(bytes)) as T;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return (await new Response(stream).json()) as T;
}

const asked = new URLSearchParams(location.search);
const recorded = await unpacked<Recorded>(
    new URL("../../recorded/warofthering-more.json.gz", import.meta.url),
);
document.documentElement.dataset["theme"] = asked.get("theme") ?? "light";
document.body.style.cssText = "margin: 8px; background: var(--ground); color: var(--ink)";

const opening = await unpacked<Played>(
    new URL("../../recorded/warofthering.json.gz", import.meta.url),
);

const shown = new Shown();
const viewOf = (view: JsonObject): JsonObject => ({ map: recorded.map, ...view });

function show(at: string, n: number): void {
    if (at === "question") {
        const found = recorded.questions.at(n);
        if (!found) throw new Error("no such question");
        shown.view = fromJson(BoardSchema, viewOf(found.view));
        shown.viewer = found.seat;
        const { choices } = found.question;
        const verbs = new Set(choices.map(({ action }) => doing(action.verb)));
        const nouns = choices.flatMap(({ action }) => action.nouns ?? []);
        shown.lit = new Set([...nouns, ...(verbs.size > 1 ? verbs : [])]);
        shown.told = found.events;
    } else if (at === "played") {
        const found = Object.values(opening.presets).flatMap(({ moments }) => moments)[n];
        const [viewer, view] = Object.entries(found?.views ?? {})[0] ?? [];
        if (viewer === undefined || !view) throw new Error("no such moment");
        shown.view = fromJson(BoardSchema, viewOf(view));
        shown.viewer = viewer;
        shown.lit = new Set();
        shown.told = [];
    } else {
        const found = recorded.moments.at(n);
        if (!found) throw new Error("no such moment");
        shown.view = fromJson(BoardSchema, viewOf(found.view));
        shown.viewer = found.viewer;
        shown.lit = new Set();
        shown.told = found.events;
    }
}

show(asked.get("at") ?? "moment", Number(asked.get("n") ?? 0));
mount(Harness, { target: document.querySelector("#here") ?? document.body, props: { shown } });

/** For measuring: how many milliseconds it takes to draw each of some positions, layout included. */
function timed(steps: { view: JsonValue; lit: string[] }[]): number[] {
    const views = steps.map(({ view }) => fromJson(BoardSchema, view));
    return steps.map(({ lit }, at) => {
        const start = performance.now();
        shown.view = views[at];
        shown.lit = new Set(lit);
        flushSync();
        document.querySelector(".war")?.getBoundingClientRect();
        return performance.now() - start;
    });
}
Object.assign(window, { show, timed, recorded });
