/** Recorded questions and views in a browser without a platform, while the page is being written.
 *
 * With Vite's server: `/tests/harness/?game=risk&at=3&theme=dark`, and `&once` to act at once.
 */
import { fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { mount } from "svelte";
import { BoardSchema as ConfrontationSchema } from "$gen/bree/confrontation/v1/board_pb";
import { BoardSchema as DuelSchema } from "$gen/bree/duel/v1/board_pb";
import { QuestionSchema, type Question } from "$gen/bree/engine/v1/types_pb";
import { BoardSchema as RiskSchema } from "$gen/bree/risk/v1/board_pb";
import { BoardSchema as WarOfTheRingSchema } from "$gen/bree/warofthering/v1/board_pb";
import { plainBoard } from "../../../src/boards/plain/board";
import "../../../src/theme.css";
import Harness from "./Harness.svelte";

export interface Position {
    seat: string;
    question: Question;
    view: Message;
}

interface Kept {
    presets: Record<
        string,
        { questions: { seat: string; question: JsonValue; view?: JsonValue }[] }
    >;
}

const schemas = {
    confrontation: ConfrontationSchema,
    duel: DuelSchema,
    risk: RiskSchema,
    warofthering: WarOfTheRingSchema,
};
const files = import.meta.glob<string>("../recorded/*.gz", {
    query: "?url",
    import: "default",
    eager: true,
});

const asked = new URLSearchParams(location.search);
const game = (asked.get("game") ?? "risk") as keyof typeof schemas;
const schema = schemas[game];
const file = await fetch(files[`../recorded/${game}.json.gz`] ?? "");
const packed = new Uint8Array(await file.arrayBuffer());
const isPacked = packed[0] === 0x1f;
const stream = new Blob([packed]).stream();
const text = await new Response(
    isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream,
).text();
const kept = Object.values((JSON.parse(text) as Kept).presets)[0];
const positions = (kept?.questions ?? []).map(({ seat, question, view }, at): Position => ({
    seat,
    question: { ...fromJson(QuestionSchema, question), number: BigInt(at + 1) },
    view: fromJson(schema, view ?? {}),
}));
document.documentElement.dataset["theme"] = asked.get("theme") ?? "light";
mount(Harness, {
    target: document.body,
    props: {
        board: plainBoard(schema),
        positions,
        first: Number(asked.get("at") ?? 0),
        atOnce: asked.has("once"),
    },
});
