/** Shows one recorded position, for eyes: `?at=2.33&as=asked&theme=dark`.
 *
 * `at` counts agreements and their questions in `recorded/confrontation-more.json.gz`, `as` is
 * `asked` or `watched`; `at=2.end0` with a seat is how a game ended; `later` adds a button that goes on.
 */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { mount } from "svelte";
import { BoardSchema } from "$gen/bree/confrontation/v1/board_pb";
import "../../../src/theme.css";
import "./page.css";
import Touched from "./Touched.svelte";

interface Recorded {
    agreements: {
        questions: {
            question: { sentence: string; choices: { action: { nouns?: string[] } }[] };
            view: JsonObject;
            watched: JsonObject;
        }[];
        ends: { views: Record<string, JsonObject> }[];
    }[];
}

async function recorded(): Promise<Recorded> {
    const packed = await fetch("/tests/recorded/confrontation-more.json.gz");
    const bytes = new Uint8Array(await packed.arrayBuffer());
    if (bytes[0] !== 0x1f) return JSON.parse(new TextDecoder().decode(bytes)) as Recorded;
    const open = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return (await new Response(open).json()) as Recorded;
}

const asked = new URLSearchParams(location.search);
document.documentElement.dataset.theme = asked.get("theme") ?? "light";
const [agreement = "0", which = "0"] = (asked.get("at") ?? "0.0").split(".");
const as = asked.get("as") ?? "asked";
const all = (await recorded()).agreements[Number(agreement)];
const target = document.getElementById("app");
if (!all || !target) throw new Error("there is no such position");
const question = all.questions[Number(which)];
const view = which.startsWith("end")
    ? all.ends[Number(which.slice(3))]?.views[as === "watched" ? "" : as]
    : question?.[as === "watched" ? "watched" : "view"];
const later = asked.has("later") ? all.questions.slice(Number(which) + 1) : [];
const lit = as === "asked" ? (question?.question.choices ?? []) : [];
mount(Touched, {
    target,
    props: {
        view: fromJson(BoardSchema, view ?? {}),
        lit: new Set(lit.flatMap((choice) => choice.action.nouns ?? [])),
        later: later
            .filter((one) => one.view["side"] === view?.["side"])
            .map((one) => fromJson(BoardSchema, one.view)),
        question: as === "asked" ? (question?.question.sentence ?? "") : "",
    },
});
