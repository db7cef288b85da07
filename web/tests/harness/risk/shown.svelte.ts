/** What the harness shows now. */
import type { Question } from "$gen/bree/engine/v1/types_pb";
import type { Board } from "$gen/bree/risk/v1/board_pb";
import type { Told } from "../../../src/boards/contract";

export class Shown {
    view = $state.raw<Board>();
    question = $state.raw<Question>();
    told = $state.raw<readonly Told[]>([]);
}
