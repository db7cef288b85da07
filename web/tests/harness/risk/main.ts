/** Shows Risk's board in recorded positions, for whoever draws it: never part of the page.
 *
 *     scripts/node npx vite        # then /tests/harness/risk/?game=0&n=3, or ?game=0&n=end&viewer=red
 *
 * `game` counts the agreements in `recorded/risk-more.json.gz`, `n` their questions; `ask=no` leaves the panel out.
 */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { EventSchema, QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import { type Board, BoardSchema } from "$gen/bree/risk/v1/board_pb";
import { flushSync, mount } from "svelte";
import type { Told } from "../../../src/boards/contract";
import "../../../src/theme.css";
import Harness from "./Harness.svelte";
import { Shown } from "./shown.svelte";

interface Asked {
    question: JsonObject;
    view: JsonObject;
    watched: JsonObject;
    events: JsonObject[];
}

interface Recorded {
    map: JsonObject;
    agreements: {
        questions: Asked[];
        end: { views: Record<string, JsonObject> };
        events: JsonObject[];
    }[];
}

async function unpacked(url: URL): Promise<Recorded> {
    const bytes = await (await fetch(url)).arrayBuffer();
    const magic = new Uint8Array(bytes, 0, 2);
    if (magic[0] !== 0x1f) return JSON.parse(new TextDecoder().decode(bytes)) as Recorded;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return (await new Response(stream).json()) as Recorded;
}

const wanted = new URLSearchParams(location.search);
const recorded = await unpacked(new URL("../../recorded/risk-more.json.gz", import.meta.url));
document.documentElement.dataset["theme"] = wanted.get("theme") ?? "light";
document.body.style.cssText = "margin: 8px; background: var(--ground); color: var(--ink)";

const shown = new Shown();
const viewOf = (json: JsonObject): Board => fromJson(BoardSchema, { map: recorded.map, ...json });
const toldOf = (events: JsonObject[]): Told[] =>
    events.map((event) => fromJson(EventSchema, event));

function show(game: number, n: string, viewer: string | null): void {
    const found = recorded.agreements[game];
    if (n === "end") {
        shown.view = viewOf(found?.end.views[viewer ?? ""] ?? {});
        shown.told = toldOf(found?.events ?? []);
        shown.question = undefined;
        return;
    }
    const asked = found?.questions[Number(n)];
    if (!asked) throw new Error("no such question");
    shown.view = viewOf(viewer === "" ? asked.watched : asked.view);
    shown.told = toldOf(asked.events);
    shown.question = viewer === "" ? undefined : fromJson(QuestionSchema, asked.question);
}

show(Number(wanted.get("game") ?? 0), wanted.get("n") ?? "0", wanted.get("viewer"));
mount(Harness, {
    target: document.querySelector("#here") ?? document.body,
    props: { shown, isAsked: wanted.get("ask") !== "no" },
});

/** For measuring: how many milliseconds it takes to draw each of some questions, one after the other. */
function timed(
    asked: readonly Omit<Asked, "watched">[] = recorded.agreements[0]?.questions ?? [],
): { n: number; prompt: string; ms: number }[] {
    const steps = asked.map(({ view, question, events }) => ({
        view: viewOf(view),
        question: fromJson(QuestionSchema, question),
        told: toldOf(events),
    }));
    return steps.map(({ view, question, told }, n) => {
        const start = performance.now();
        shown.view = view;
        shown.question = question;
        shown.told = told;
        flushSync();
        document.querySelector(".risk")?.getBoundingClientRect();
        return { n, prompt: question.prompt, ms: performance.now() - start };
    });
}
Object.assign(window, { show, timed });
