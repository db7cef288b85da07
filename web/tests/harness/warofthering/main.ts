/** Shows War of the Ring's board in recorded positions.
 *
 *     scripts/node npx vite        # then /tests/harness/warofthering/?at=question&n=0, ?at=moment&n=3 or ?at=played&n=0
 */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import { type Board, BoardSchema } from "$gen/bree/warofthering/v1/board_pb";
import type { Told } from "../../../src/boards/contract";
import { board } from "../../../src/boards/warofthering/board";
import { found, staged } from "../board/staged";
import { unpacked } from "../board/unpacked";

interface Recorded {
    map: JsonObject;
    questions: { seat: string; question: JsonObject; view: JsonObject; events: Told[] }[];
    moments: { viewer: string; view: JsonObject; events: Told[] }[];
}

interface Played {
    presets: Record<string, { moments: { views: Record<string, JsonObject> }[] }>;
}

const fileOf = (name: string): URL => new URL(`../../recorded/${name}.json.gz`, import.meta.url);
const recorded = (await unpacked(fileOf("warofthering-more"))) as Recorded;
const { presets } = (await unpacked(fileOf("warofthering"))) as Played;
const played = Object.values(presets).flatMap(({ moments }) => moments);
const viewOf = (json: JsonObject): Board => fromJson(BoardSchema, { map: recorded.map, ...json });

staged({
    board,
    title: "War of the Ring's board",
    positionOf: (asked) => {
        const n = Number(asked.get("n") ?? 0);
        if (asked.get("at") === "question") {
            const { seat, question, view, events } = found(recorded.questions.at(n));
            return {
                view: viewOf(view),
                viewer: seat,
                question: fromJson(QuestionSchema, question),
                told: events,
            };
        }
        if (asked.get("at") === "played") {
            const [viewer, view] = found(Object.entries(found(played.at(n)).views)[0]);
            return { view: viewOf(view), viewer };
        }
        const { viewer, view, events } = found(recorded.moments.at(n));
        return { view: viewOf(view), viewer, told: events };
    },
});
