/** The board of The Confrontation. */
import { BoardSchema } from "$gen/bree/confrontation/v1/board_pb";
import type { Board as Drawn } from "../contract";
import Board from "./Board.svelte";
import Picture from "./Picture.svelte";
import { nameOf } from "./facts";

export const board: Drawn<typeof BoardSchema> = {
    schema: BoardSchema,
    component: Board,
    picture: Picture,
    nameOf,
};
