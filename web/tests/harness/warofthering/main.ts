/** Shows War of the Ring's board in recorded positions.
 *
 *     scripts/node npx vite        # then /tests/harness/warofthering/?at=question&n=0, or ?at=moment&n=3
 */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import { type Board, BoardSchema } from "$gen/bree/warofthering/v1/board_pb";
import { board } from "../../../src/boards/warofthering/board";
import { found, staged } from "../board/staged";
import { unpacked } from "../board/unpacked";

interface Recorded {
    map: JsonObject;
    questions: { seat: string; question: JsonObject; view: JsonObject }[];
    moments: { viewer: string; view: JsonObject }[];
}

const file = new URL("../../recorded/warofthering-more.json.gz", import.meta.url);
const recorded = (await unpacked(file)) as Recorded;
const viewOf = (json: JsonObject): Board => fromJson(BoardSchema, { map: recorded.map, ...json });

staged({
    board,
    title: "War of the Ring's board",
    all: [
        ...recorded.questions.map((_, n) => `at=question&n=${n}`),
        ...recorded.moments.map((_, n) => `at=moment&n=${n}`),
    ],
    positionOf: (asked) => {
        const n = Number(asked.get("n") ?? 0);
        if (asked.get("at") === "question") {
            const { seat, question, view } = found(recorded.questions.at(n));
            return {
                view: viewOf(view),
                viewer: seat,
                question: fromJson(QuestionSchema, question),
            };
        }
        const { viewer, view } = found(recorded.moments.at(n));
        return { view: viewOf(view), viewer };
    },
});
