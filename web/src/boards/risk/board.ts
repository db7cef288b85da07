/** Risk, drawn. */
import { BoardSchema } from "$gen/bree/risk/v1/board_pb";
import type { Board } from "../contract";
import Risk from "./Board.svelte";
import { nameOf } from "./facts";
import Picture from "./Picture.svelte";

export const board: Board<typeof BoardSchema> = {
    schema: BoardSchema,
    component: Risk,
    picture: Picture,
    nameOf,
};
