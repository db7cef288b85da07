/** The way of the Fellowship: where the Ring is, where it has to roll, what it rolled last. */
import type { Explained } from "../../parts/touching";
import { type Board, many, nameOfLand } from "./facts";
import type { RingRoll } from "./told";

export interface StagePoint {
    step: number;
    name: string;
    die: boolean;
    state: "passed" | "here" | "ahead";
    about: Explained;
}

export function stages(view: Board): StagePoint[] {
    const lands = view.map?.territories ?? [];
    const all = view.map?.path ?? [];
    return all.map(({ territory, die }, at) => {
        const name = lands[territory]?.name ?? nameOfLand("");
        const step = at + 1;
        const isLast = step === all.length;
        const leave = isLast
            ? "Here a roll of 4, 5 or 6 destroys the Ring, and the game ends."
            : die
              ? "The Ring leaves with a roll of 4 or more."
              : "The Ring leaves without a roll.";
        return {
            step,
            name,
            die,
            state: step < view.ring ? "passed" : step === view.ring ? "here" : "ahead",
            about: { title: `${name}, step ${step} of ${all.length}`, lines: [leave] },
        };
    });
}

/** Where it stands and what it needs, in a line or two. */
export function ringLines(view: Board): string[] {
    if (view.result?.reason === "ring_destroyed") return ["The Ring is destroyed."];
    const all = stages(view);
    const here = all[view.ring - 1];
    if (!here) return [];
    const left = all.length - view.ring;
    const dice = all.slice(view.ring - 1, -1).filter(({ die }) => die).length;
    const rolls = dice ? `, ${left > 1 ? `${dice} of them ` : ""}by a roll` : "";
    const way = left ? `${many(left, "step")} to Mount Doom${rolls}` : "4, 5 or 6 destroys it";
    return [`In ${here.name}: ${way}.`];
}

/** What its last roll was for, and what came of it. */
export function rollLine(view: Board, { die, at, destroyed }: RingRoll): string {
    if (destroyed) return `It rolled ${die} on Mount Doom.`;
    const changed =
        view.step?.roll && view.step.roll !== die ? `, with cards ${view.step.roll}` : "";
    return at === "mount_doom"
        ? `Last roll on Mount Doom: ${die}, not destroyed.`
        : `Last roll, to leave ${nameOfLand(at)}: ${die}${changed}.`;
}
