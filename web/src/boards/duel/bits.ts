/** Symbols and short words side by side: what a card brings, costs, or what lies before a side. */
import type { SkillCount } from "$gen/bree/duel/v1/board_pb";
import { type Effect, namesOf } from "./facts";
import { chainIcon } from "./icons";
import { widthOf } from "./letters";

export interface Bit {
    icon?: string;
    text?: string;
    /** How it is drawn: `faint`, `short` (a skill that is lacking), `from` and `to` (chains). */
    look?: string;
}

export interface PlacedBit extends Bit {
    x: number;
}

export const skillBits = (skills: readonly SkillCount[], look = ""): Bit[] =>
    skills.flatMap(({ skill, count }) =>
        Array.from({ length: count }, () => ({ icon: skill, look })),
    );

const repeated = (icon: string, count: number): Bit[] =>
    Array.from({ length: count }, () => ({ icon }));

const EFFECT_BITS: Record<string, (e: Effect) => Bit[]> = {
    produce_skills: (e) =>
        Object.entries(e.skills ?? {}).flatMap(([skill, count]) => repeated(skill, count)),
    produce_skill_choice: (e) =>
        (e.options ?? []).flatMap((skill, at) => [
            ...(at ? [{ text: "/" }] : []),
            ...(typeof skill === "string" ? [{ icon: skill }] : []),
        ]),
    race_symbol: (e) => [{ icon: e.race ?? "" }],
    gain_coins: (e) => [{ text: `+${e.amount ?? 0}` }, { icon: "coin" }],
    opponent_loses_coins: (e) => [{ text: `−${e.amount ?? 0}` }, { icon: "coin" }],
    advance_quest: (e) => repeated("step", e.steps ?? 0),
    place_units: (e) => repeated("unit", e.count ?? 0),
    move_units: (e) => repeated("move", e.count ?? 0),
    remove_enemy_units: (e) => repeated("remove", e.count ?? 0),
};

/** What a card brings, as symbols. */
export const effectBits = (effects: readonly Effect[]): Bit[] =>
    effects.flatMap((effect) => EFFECT_BITS[effect.type]?.(effect) ?? []);

/** The regions of a red card, one on a line. What parts them goes with the shorter, or is a stroke
 * where there is little room. */
export function regionLines(effects: readonly Effect[], roomy: boolean): string[] {
    const names = effects
        .filter((effect) => effect.type === "place_units")
        .flatMap((effect) => namesOf(effect.regions));
    const [first = "", second = ""] = names;
    if (names.length !== 2) return names;
    if (!roomy) return [`${first}/`, second];
    return first.length <= second.length ? [`${first} or`, second] : [first, `or ${second}`];
}

export const chainBit = (chain: string, look: "from" | "to"): Bit => ({
    icon: chainIcon(chain),
    look,
});

const isBetween = (bit: Bit | undefined): boolean => bit?.text === "/";

const isFramed = (bit: Bit | undefined): boolean =>
    bit?.look === "short" || bit?.look === "from" || bit?.look === "to";

/** Frames do not touch. */
const gapBetween = (before: Bit | undefined, bit: Bit, size: number): number =>
    size * 0.14 + (isFramed(before) && isFramed(bit) ? 2.5 : 0);

/** Where each begins, on one line, and how wide all are. */
export function placed(bits: readonly Bit[], size: number): { bits: PlacedBit[]; width: number } {
    let x = 0;
    const found = bits.map((bit, at) => {
        const gap =
            isBetween(bit) || isBetween(bits[at - 1]) ? 1 : gapBetween(bits[at - 1], bit, size);
        x += at === 0 ? 0 : gap;
        const here = { ...bit, x };
        x += widthOfBit(bit, size);
        return here;
    });
    return { bits: found, width: x };
}

/** The same, as large as fits. */
export function fitted(
    bits: readonly Bit[],
    size: number,
    room: number,
): { bits: PlacedBit[]; width: number; size: number } {
    const natural = placed(bits, size).width;
    const fits = natural > room ? Math.max(9, (size * room) / natural) : size;
    return { ...placed(bits, fits), size: fits };
}

const widthOfBit = (bit: Bit, size: number): number =>
    (bit.icon ? size * (bit.look === "from" || bit.look === "to" ? 1.38 : 1) : 0) +
    (bit.text ? widthOf(bit.text, letterSize(size), true) : 0);

/** Letters beside symbols are a little smaller, and never too small to read. */
export const letterSize = (size: number): number => Math.max(11, size * 0.86);
