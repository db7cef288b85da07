/** Shows Risk's board in recorded positions.
 *
 *     scripts/node npx vite        # then /tests/harness/risk/?game=0&n=3, or ?game=0&n=end&viewer=red
 *
 * `game` counts the agreements in `recorded/risk-more.json.gz`, `n` their questions.
 */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { EventSchema, QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import { type Board, BoardSchema } from "$gen/bree/risk/v1/board_pb";
import { board } from "../../../src/boards/risk/board";
import type { Told } from "../../../src/boards/contract";
import { found, staged } from "../board/staged";
import { unpacked } from "../board/unpacked";

interface Recorded {
    map: JsonObject;
    agreements: {
        questions: {
            question: JsonObject;
            view: JsonObject;
            watched: JsonObject;
            events: JsonObject[];
        }[];
        end: { views: Record<string, JsonObject> };
        events: JsonObject[];
    }[];
}

const file = new URL("../../recorded/risk-more.json.gz", import.meta.url);
const recorded = (await unpacked(file)) as Recorded;
const toldOf = (events: JsonObject[]): Told[] =>
    events.map((event) => fromJson(EventSchema, event));

function seen(json: JsonObject): { view: Board; viewer: string } {
    const view = fromJson(BoardSchema, { map: recorded.map, ...json });
    return { view, viewer: view.seat ?? "" };
}

staged({
    board,
    title: "Risk's board",
    positionOf: (asked) => {
        const viewer = asked.get("viewer");
        const { questions, end, events } = found(recorded.agreements[Number(asked.get("game"))]);
        if (asked.get("n") === "end")
            return { ...seen(found(end.views[viewer ?? ""])), told: toldOf(events) };
        const one = found(questions[Number(asked.get("n"))]);
        if (viewer === "") return { ...seen(one.watched), told: toldOf(one.events) };
        const question = fromJson(QuestionSchema, one.question);
        return { ...seen(one.view), told: toldOf(one.events), question };
    },
});
