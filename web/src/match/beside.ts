/** What stands beside a board, and is not needed to play: fetched when the board is drawn. */
export { default as More } from "./More.svelte";
export { default as Players } from "./Players.svelte";
