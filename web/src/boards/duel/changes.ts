/** What is different from the position before, to be marked on the board. */
import { type Board, SIDES, type SideName } from "./facts";

/** By thing, the mark in a few letters: "+2", "new", "gone". */
export type Marks = ReadonlyMap<string, string>;

export const NO_MARKS: Marks = new Map();

export function changes(before: Board, after: Board): Marks {
    const marks = new Map<string, string>();
    const number = (key: string, from: number | undefined, to: number | undefined): void => {
        const by = (to ?? 0) - (from ?? 0);
        if (by) marks.set(key, by > 0 ? `+${by}` : `−${-by}`);
    };
    for (const side of SIDES) sideChanges(before, after, side, number, marks);
    displayChanges(before, after, marks);
    after.regions.forEach((region, at) => {
        const was = before.regions[at];
        for (const side of SIDES) number(`${side}.${region.region}`, was?.[side], region[side]);
        if (was?.fortress !== region.fortress) {
            marks.set(`fort.${region.region}`, region.fortress ? "new" : "gone");
        }
    });
    number("discard", before.discard?.count, after.discard?.count);
    return marks;
}

function sideChanges(
    before: Board,
    after: Board,
    side: SideName,
    number: (key: string, from: number | undefined, to: number | undefined) => void,
    marks: Map<string, string>,
): void {
    const [was, is] = [before[side], after[side]];
    number(`${side}.coins`, was?.coins, is?.coins);
    number(`${side}.step`, before.track?.[side], after.track?.[side]);
    const had = new Set([
        ...(was?.cards.map((card) => card.card) ?? []),
        ...(was?.tokens.map((token) => token.token) ?? []),
        ...(was?.landmarks ?? []),
    ]);
    const has = [
        ...(is?.cards.map((card) => card.card) ?? []),
        ...(is?.tokens.map((token) => token.token) ?? []),
        ...(is?.landmarks ?? []),
    ];
    for (const id of has) if (!had.has(id)) marks.set(`${side}.${id}`, "new");
}

function displayChanges(before: Board, after: Board, marks: Map<string, string>): void {
    if (before.chapter !== after.chapter) return;
    after.display.forEach((slot, at) => {
        const was = before.display[at];
        if (!was) return;
        if (slot.taken && !was.taken) marks.set(`slot.${slot.slot}`, "gone");
        else if (slot.card && !was.card && !was.taken) marks.set(`slot.${slot.slot}`, "new");
    });
}
