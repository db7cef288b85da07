/** Shows Duel's board in recorded positions.
 *
 *     scripts/node npx vite        # then /tests/harness/duel/?at=question&n=0, or ?at=moment&n=3&viewer=sauron
 */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { BoardSchema } from "$gen/bree/duel/v1/board_pb";
import { QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import { board } from "../../../src/boards/duel/board";
import { found, staged } from "../board/staged";
import { unpacked } from "../board/unpacked";

interface Recorded {
    presets: Record<
        string,
        {
            questions: { seat: string; question: JsonValue; view?: JsonValue }[];
            moments: { views: Record<string, JsonValue> }[];
        }
    >;
}

const file = new URL("../../recorded/duel.json.gz", import.meta.url);
const { presets } = (await unpacked(file)) as Recorded;
const questions = Object.values(presets).flatMap(({ questions }) => questions);

staged({
    board,
    title: "Duel's board",
    positionOf: (asked) => {
        const n = Number(asked.get("n") ?? 0);
        if (asked.get("at") === "question") {
            const { seat, question, view } = found(questions.filter(({ view }) => view)[n]);
            return {
                view: fromJson(BoardSchema, found(view)),
                viewer: seat,
                question: fromJson(QuestionSchema, question),
            };
        }
        const viewer = asked.get("viewer") ?? "";
        const view = found(presets["standard"]?.moments.at(n)?.views[viewer]);
        return { view: fromJson(BoardSchema, view), viewer };
    },
});
