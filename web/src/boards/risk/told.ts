/** What only the log tells: dice as they fell. They stay to be read until others fall. */
import type { Told } from "../contract";

export interface Fought {
    from: string;
    to: string;
    attack: readonly number[];
    defence: readonly number[];

    /** What is added to the highest die of either. */
    bonus: readonly [number, number];

    /** How many battalions each lost. */
    lost: readonly [number, number];

    /** Which throw of all that are told: another one falls anew. */
    nth: number;
}

export interface Battles {
    attacker: string;
    defender: string;

    /** The rounds of one invasion, the last one last. */
    rounds: readonly Fought[];
    conquered: boolean;
}

export interface RingRoll {
    nth: number;
    die: number;
    at: string;
    destroyed: boolean;
}

type Facts = NonNullable<Told["facts"]>;

const text = (facts: Facts, name: string): string => {
    const fact = facts[name];
    return typeof fact === "string" ? fact : "";
};
const number = (facts: Facts, name: string): number => Number(facts[name] ?? 0);
const numbers = (facts: Facts, name: string): number[] => {
    const fact = facts[name];
    return Array.isArray(fact) ? fact.map(Number) : [];
};

function fought(facts: Facts, nth: number): Fought {
    const [ours = 0, theirs = 0] = numbers(facts, "lost");
    const [more = 0, moreTheirs = 0] = numbers(facts, "bonus");
    const falling = (name: string): number[] => numbers(facts, name).sort((a, b) => b - a);
    return {
        from: text(facts, "from"),
        to: text(facts, "to"),
        attack: falling("attack"),
        defence: falling("defence"),
        bonus: [more, moreTheirs],
        lost: [ours, theirs],
        nth,
    };
}

/** The invasion in which dice fell last. */
export function lastBattles(told: readonly Told[]): Battles | undefined {
    const rounds: Fought[] = [];
    let conquered = false;
    for (let at = told.length - 1; at >= 0; at--) {
        const { kind, facts } = told[at] ?? {};
        if (!facts) continue;
        if (kind === "battle_fought") rounds.unshift(fought(facts, at));
        else if (kind === "conquered" && !rounds.length) conquered = true;
        else if (kind === "invasion_declared") {
            const [attacker, defender] = [text(facts, "seat"), text(facts, "against")];
            if (rounds.length) return { attacker, defender, rounds, conquered };
            conquered = false;
        }
    }
    return undefined;
}

/** What the Ring rolled last. */
export function lastRing(told: readonly Told[]): RingRoll | undefined {
    const isRoll = ({ kind }: Told): boolean =>
        kind === "fellowship_rolled" || kind === "doom_rolled";
    const nth = told.findLastIndex(isRoll);
    const facts = told[nth]?.facts;
    if (!facts) return undefined;
    const at = text(facts, "territory") || "mount_doom";
    return { nth, die: number(facts, "die"), at, destroyed: number(facts, "destroyed") > 0 };
}

/** Of each pair of dice, highest with highest: which side loses. */
export function losers(
    { attack, defence, bonus }: Fought,
    highest = Infinity,
): ("ours" | "theirs")[] {
    return attack.slice(0, defence.length).map((die, at) => {
        const plus = (face: number, more: number): number =>
            at ? face : Math.min(face + more, Math.max(face, highest));
        return plus(die, bonus[0]) > plus(defence[at] ?? 0, bonus[1]) ? "theirs" : "ours";
    });
}
