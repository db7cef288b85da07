/** What the harness shows now. */
import type { Board } from "$gen/bree/duel/v1/board_pb";

export class Shown {
    view = $state.raw<Board>();
    viewer = $state("");
    lit = $state.raw<ReadonlySet<string>>(new Set());
    picked = $state.raw<ReadonlySet<string>>(new Set());
}
