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

const asked = questions.filter(({ view }) => view);
const moments = presets["standard"]?.moments ?? [];

staged({
    board,
    title: "Duel's board",
    positionOf: (wanted) => {
        const n = Number(wanted.get("n") ?? 0);
        if (wanted.get("at") === "question") {
            const { seat, question, view } = found(asked[n]);
            return {
                view: fromJson(BoardSchema, found(view)),
                viewer: seat,
                question: fromJson(QuestionSchema, question),
            };
        }
        const viewer = wanted.get("viewer") ?? "";
        const view = found(moments.at(n)?.views[viewer]);
        return { view: fromJson(BoardSchema, view), viewer };
    },
});
