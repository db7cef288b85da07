/** Risk, until it is drawn: the plain board. */
import { BoardSchema } from "$gen/bree/risk/v1/board_pb";
import { plainBoard } from "../plain/board";

export const board = plainBoard(BoardSchema);
