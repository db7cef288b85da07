/** What the harness shows now. */
import type { Told } from "../../../src/boards/contract";
import type { Board } from "$gen/bree/warofthering/v1/board_pb";

const nothing = new Set<string>() as ReadonlySet<string>;

export class Shown {
    view = $state.raw<Board>();
    told = $state.raw<readonly Told[]>([]);
    viewer = $state("");
    lit = $state.raw(nothing);
    picked = $state.raw(nothing);
}
