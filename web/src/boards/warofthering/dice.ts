/** Dice that have fallen, as they lie. */
import type { Bit, Chip } from "./blocks";

/** Dice by what they show; nothing where none were rolled. */
export const pips = (dice: readonly number[]): Bit[] => dice.map((die) => ({ icon: `die${die}` }));

/** Dice in a box of their own: those of a roll, and those that were rolled again. */
export function diceChip(
    key: string,
    words: string,
    dice: readonly number[],
    again: readonly number[] = [],
    look = "",
): Chip {
    const told = dice.length ? `${words} ${dice.join(", ")}` : `${words} nothing`;
    const more = again.length ? `; again ${again.join(", ")}` : "";
    return {
        key,
        label: told + more,
        bits: [...pips(dice), ...(again.length ? [{ icon: "again" }, ...pips(again)] : [])],
        look: `rolled ${look}`,
    };
}
