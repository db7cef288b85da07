/** Where a territory can be pulled to: an invasion, or a move to fortify. */
import type { Touching } from "../../parts/touching";
import { type Board, isLand } from "./facts";

const NOWHERE: ReadonlySet<string> = new Set();

/** While battalions are placed nothing goes from one territory to another; a name that follows another one
 *  then is a card of the same set. */
export function endsOf(
    view: Board,
    noun: string,
    touching: Pick<Touching, "beyond">,
    cards: ReadonlySet<string>,
): ReadonlySet<string> {
    const at = view.map?.territories.findIndex(({ territory }) => territory === noun);
    const holder = view.territories.find(({ territory }) => territory === at)?.holder;
    const isPlacing = view.toPlace > 0 || view.planned.length > 0;
    if (!view.seat || holder !== view.seat || isPlacing) return NOWHERE;
    const next = touching.beyond?.(noun) ?? NOWHERE;
    return new Set([...next].filter((end) => isLand(end) && !cards.has(end)));
}
