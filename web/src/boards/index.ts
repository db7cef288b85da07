/** The boards by game, each loaded when it is wanted. A game that is not here has the plain one. */
import type { Board } from "./contract";

const drawn = import.meta.glob<{ board: Board }>("./*/board.ts");

/** The board that is drawn for a game, or the plain one: where there is no other, and on request. */
export async function boardOf(game: string, inWords = false): Promise<Board> {
    const load = drawn[`./${game}/board.ts`] ?? drawn["./plain/board.ts"];
    if (!load) throw new Error("there is no plain board");
    const { board } = await load();
    if (!inWords) return board;
    const { plainBoard } = await import("./plain/board");
    return plainBoard(board.schema);
}
