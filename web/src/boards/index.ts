/** The boards by game, each loaded when it is wanted. A game that is not here has the plain one. */
import type { Board } from "./contract";

const drawn = import.meta.glob<{ board: Board }>("./*/board.ts");

/** The board that is drawn for a game, or the plain one. */
export async function boardOf(game: string): Promise<Board> {
    const load = drawn[`./${game}/board.ts`] ?? drawn["./plain/board.ts"];
    if (!load) throw new Error("there is no plain board");
    return (await load()).board;
}
