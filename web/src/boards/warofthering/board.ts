/** War of the Ring, drawn. */
import { BoardSchema } from "$gen/bree/warofthering/v1/board_pb";
import type { Board } from "../contract";
import { nameOf } from "./facts";
import Picture from "./Picture.svelte";
import War from "./War.svelte";

export const board: Board<typeof BoardSchema> = {
    schema: BoardSchema,
    component: War,
    picture: Picture,
    nameOf,
};
