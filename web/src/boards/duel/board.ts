/** Duel for Middle-earth, drawn. */
import { BoardSchema } from "$gen/bree/duel/v1/board_pb";
import type { Board } from "../contract";
import Duel from "./Duel.svelte";
import { nameOf } from "./facts";
import Picture from "./Picture.svelte";

export const board: Board<typeof BoardSchema> = {
    schema: BoardSchema,
    component: Duel,
    picture: Picture,
    nameOf,
};
