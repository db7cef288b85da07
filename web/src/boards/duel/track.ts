/** The quest track: the chase as it looks on the table, and the steps of each side with their bonuses. */
import trackData from "$data/duel/data/track.json";
import { type Board, SIDES, type SideName, sideName } from "./facts";

const BONUS_ICONS: Readonly<Record<string, string>> = {
    gain_coins: "coin",
    place_units: "unit",
    extra_turn: "again",
    remove_enemy_fortress: "remove",
};
const ICON_AT = new Map(
    trackData.bonuses.map(({ step, effect }) => [step, BONUS_ICONS[effect.type] ?? "wild"]),
);

/** How many steps one effect makes at most. */
const FARTHEST = 3;

export interface Place {
    step: number;
    x: number;
    /** How many steps on it is for the side that is asked: the noun of an action. */
    noun: string;
    icon: string;
    bonus: string;
    made: boolean;
}

export interface Lane {
    side: SideName;
    y: number;
    steps: number;
    places: Place[];
}

const LANE = 50;
export const CHASE = 58;
export const trackHeight = CHASE + 2 * LANE;

/** Before the first step a piece waits, within the frame and beside the way. */
const FIRST = 20;

/** Where a step of a lane lies. */
export const placeX = (step: number, pitch: number): number =>
    step ? FIRST + pitch * (step - 0.5) : 11;
export const pitchFor = (goal: number, width: number): number => (width - FIRST) / goal;

export function lanes(view: Board, width: number): Lane[] {
    const goal = view.track?.goal ?? 14;
    const pitch = pitchFor(goal, width);
    const mine = !view.result && view.side === view.turn ? sideName(view.side) : undefined;
    const bonuses = new Map(view.track?.bonuses.map(({ step, text }) => [step, text]));
    return SIDES.map((side, at) => {
        const steps = view.track?.[side] ?? 0;
        const places = Array.from({ length: goal }, (_, index) => {
            const step = index + 1;
            const on = step - steps;
            return {
                step,
                x: placeX(step, pitch),
                noun: side === mine && on > 0 && on <= FARTHEST ? String(on) : "",
                icon:
                    step === goal
                        ? side === "sauron"
                            ? "nazgul"
                            : "doom"
                        : (ICON_AT.get(step) ?? ""),
                bonus: step === goal ? "this side wins" : (bonuses.get(step) ?? ""),
                made: step <= steps,
            };
        });
        return { side, y: CHASE + at * LANE, steps, places };
    });
}

/** Where hobbits, Nazgûl and Mount Doom stand on the table, by columns. */
export function chase(
    view: Board,
    width: number,
): { column: (n: number) => number; columns: number; hobbits: number; nazgul: number } {
    const goal = view.track?.goal ?? 14;
    const [f, s] = [view.track?.fellowship ?? 0, view.track?.sauron ?? 0];
    const column = (n: number): number => 12 + (n * (width - 26)) / (2 * goal);
    return { column, columns: 2 * goal, hobbits: goal + f, nazgul: f + s };
}
