/** Shows Duel's board in recorded positions, for whoever draws it: never part of the page.
 *
 *     scripts/node npx vite        # then /tests/harness/duel/?at=question&n=0, or ?at=moment&n=3&viewer=sauron
 */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { BoardSchema } from "$gen/bree/duel/v1/board_pb";
import { flushSync, mount } from "svelte";
import "../../../src/theme.css";
import Harness from "./Harness.svelte";
import { Shown } from "./shown.svelte";

interface Recorded {
    presets: Record<
        string,
        {
            questions: {
                seat: string;
                question: { choices: { action: { nouns?: string[] } }[] };
                view?: JsonValue;
            }[];
            moments: { views: Record<string, JsonValue> }[];
        }
    >;
}

async function unpacked(url: URL): Promise<Recorded> {
    const answer = await fetch(url);
    const bytes = await answer.arrayBuffer();
    const magic = new Uint8Array(bytes, 0, 2);
    if (magic[0] !== 0x1f) return JSON.parse(new TextDecoder().decode(bytes)) as Recorded;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return (await new Response(stream).json()) as Recorded;
}

const asked = new URLSearchParams(location.search);
const recorded = await unpacked(new URL("../../recorded/duel.json.gz", import.meta.url));
document.documentElement.dataset["theme"] = asked.get("theme") ?? "light";
document.body.style.cssText = "margin: 8px; background: var(--ground); color: var(--ink)";

const shown = new Shown();
const standard = recorded.presets["standard"];

function show(at: string, n: number, viewer: string): void {
    if (at === "question") {
        const all = Object.values(recorded.presets).flatMap(({ questions }) => questions);
        const found = all.filter(({ view }) => view)[n];
        if (!found?.view) throw new Error("no such question");
        shown.view = fromJson(BoardSchema, found.view);
        shown.viewer = found.seat;
        shown.lit = new Set(found.question.choices.flatMap(({ action }) => action.nouns ?? []));
    } else {
        const view = standard?.moments.at(n)?.views[viewer];
        if (!view) throw new Error("no such moment");
        shown.view = fromJson(BoardSchema, view);
        shown.viewer = viewer;
        shown.lit = new Set();
    }
}

show(asked.get("at") ?? "moment", Number(asked.get("n") ?? 0), asked.get("viewer") ?? "");
mount(Harness, { target: document.querySelector("#here") ?? document.body, props: { shown } });

/** For measuring: how many milliseconds it takes to draw each of some positions, layout included. */
function timed(steps: { view: JsonValue; lit: string[] }[]): number[] {
    const views = steps.map(({ view }) => fromJson(BoardSchema, view));
    return steps.map(({ lit }, at) => {
        const start = performance.now();
        shown.view = views[at];
        shown.lit = new Set(lit);
        flushSync();
        document.querySelector("svg.duel")?.getBoundingClientRect();
        return performance.now() - start;
    });
}
Object.assign(window, { show, timed });
