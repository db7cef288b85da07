/** Shows The Confrontation's board in recorded positions, for eyes: `?at=2.33&as=asked&theme=dark`.
 *
 * `at` counts agreements and their questions in `recorded/confrontation-more.json.gz`, `as` is
 * `asked` or `watched`; `at=2.end0` with a seat is how a game ended; `later` adds a button that goes on.
 */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type Board, BoardSchema } from "$gen/bree/confrontation/v1/board_pb";
import { QuestionSchema } from "$gen/bree/engine/v1/types_pb";
import { board } from "../../../src/boards/confrontation/board";
import { found, staged } from "../board/staged";
import type { Position } from "../board/shown.svelte";
import { unpacked } from "../board/unpacked";

interface Asked {
    seat: string;
    question: JsonObject;
    view: JsonObject;
    watched: JsonObject;
}

interface Recorded {
    agreements: { questions: Asked[]; ends: { views: Record<string, JsonObject> }[] }[];
}

const file = new URL("../../recorded/confrontation-more.json.gz", import.meta.url);
const recorded = (await unpacked(file)) as Recorded;
const viewOf = (json: JsonObject): Board => fromJson(BoardSchema, json);

function questionAt(questions: readonly Asked[], n: number, isLater: boolean): Position<Board> {
    const { seat, question, view } = found(questions[n]);
    const later = questions.slice(n + 1).filter((one) => one.seat === seat);
    return {
        view: viewOf(view),
        viewer: seat,
        question: fromJson(QuestionSchema, question),
        later: isLater ? later.map((one) => viewOf(one.view)) : [],
    };
}

staged({
    board,
    title: "The Confrontation",
    positionOf: (asked) => {
        const [agreement = "0", which = "0"] = (asked.get("at") ?? "0.0").split(".");
        const { questions, ends } = found(recorded.agreements[Number(agreement)]);
        const as = asked.get("as") ?? "asked";
        const viewer = as === "watched" ? "" : as;
        if (which.startsWith("end")) {
            const end = found(ends[Number(which.slice(3))]);
            return { view: viewOf(found(end.views[viewer])), viewer };
        }
        if (as === "asked") return questionAt(questions, Number(which), asked.has("later"));
        return { view: viewOf(found(questions[Number(which)]).watched), viewer: "" };
    },
});
