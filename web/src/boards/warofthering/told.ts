/** What only the log tells: how a battle went, round by round, and what the Hunt has rolled and drawn.
 *
 * Design. A view says how things stand, and the log how they came to be so. All is read anew from the log, which
 * a page has from the beginning of the match, so nothing is lost when a page is loaded again. Only the turn that
 * is played is read: what was before it is history.
 */
import type { Told } from "../contract";
import { isNation, NATIONS, PERSONS, type SideName } from "./facts";

export interface Loss {
    figure: string;
    /** An Elite that has become a Regular. */
    isReduced: boolean;
}

/** What a side did in one round of a battle. */
export interface SideRound {
    /** The event card whose Combat half was played. */
    card?: string;
    dice: readonly number[];
    again: readonly number[];
    /** The hits that its dice and cards have made, once they are counted. */
    hits?: number;
    lost: readonly Loss[];
}

export interface FoughtRound {
    free: SideRound;
    shadow: SideRound;
    /** What cards had rolled besides. */
    more: readonly { what: string; dice: readonly number[] }[];
    /** Which line of the log is its first. */
    at: number;
}

export interface Fought {
    region: string;
    attacker: SideName;
    kind: string;
    rounds: readonly FoughtRound[];
    isOver: boolean;
    /** Who has left it, and where to; nowhere is into the Stronghold. */
    left?: { side: SideName; to: string };
    /** What has changed hands since. */
    taken: readonly { region: string; by: SideName }[];
    /** Whether nobody has done anything else since. */
    isNow: boolean;
    /** Which line of the log tells that it began: no other battle has this one. */
    at: number;
}

export interface Hunted {
    /** The dice of the Hunt, if it has rolled, and those that were rolled again. */
    dice: readonly number[];
    again: readonly number[];
    successes?: number;
    /** The tiles drawn, in their order; of a tile with a die what that has shown. */
    tiles: readonly { tile: string; isVoid: boolean; die?: number }[];
    /** What came of it, in the order in which it was told: of whom, or where. */
    came: readonly { kind: string; about: string }[];
    isNow: boolean;
    at: number;
}

type Facts = NonNullable<Told["facts"]>;
const text = (facts: Facts | undefined, name: string): string => {
    const fact = facts?.[name];
    return typeof fact === "string" ? fact : "";
};
/** A name or a number. */
const plain = (facts: Facts | undefined, name: string): string => {
    const fact = facts?.[name];
    return typeof fact === "number" ? String(fact) : text(facts, name);
};
const numbers = (facts: Facts | undefined, name: string): number[] => {
    const fact = facts?.[name];
    return Array.isArray(fact) ? fact.map(Number) : [];
};
const texts = (facts: Facts | undefined, name: string): string[] => {
    const fact = facts?.[name];
    return Array.isArray(fact) ? fact.map(String) : [];
};
const sideOf = (word: string): SideName => (word === "shadow" ? "shadow" : "free");

/** Which side a figure is of. */
export function sideOfFigure(figure: string): SideName {
    const nation = figure.slice(0, figure.lastIndexOf("_"));
    if (isNation(nation)) return NATIONS[nation].side;
    return figure === "nazgul" || PERSONS.get(figure)?.side === "shadow" ? "shadow" : "free";
}

/** With these somebody does something else. */
const DEEDS = new Set(["action_taken", "taken_back", "passed", "die_skipped", "turn_began"]);

/** Of the turn that is played, the last line that is wanted; -1 if there is none. */
function lastOf(told: readonly Told[], from: number, wanted: (line: Told) => boolean): number {
    for (let at = from; at >= 0; at--) {
        const line = told[at];
        if (!line || wanted(line)) return at;
        if (line.kind === "turn_began") return -1;
    }
    return -1;
}

/** From a line on until somebody does something else, or all there is. */
function deedFrom(told: readonly Told[], from: number): { lines: readonly Told[]; isNow: boolean } {
    let end = from;
    while (end < told.length && !DEEDS.has(told[end]?.kind ?? "")) end += 1;
    return { lines: told.slice(from, end), isNow: end === told.length };
}

// Battles.

/** The battle of this turn that began last, as far as it is told. */
function foughtLast(told: readonly Told[]): Fought | undefined {
    const at = lastOf(told, told.length - 1, ({ kind }) => kind === "battle_began");
    const began = told[at]?.facts;
    if (!began) return undefined;
    const { lines, isNow } = deedFrom(told, at + 1);
    const end = lines.findIndex(({ kind }) => kind === "battle_ended");
    const reading = new Reading();
    for (const [n, line] of (end < 0 ? lines : lines.slice(0, end)).entries())
        reading.read(line, at + 1 + n);
    const { rounds, left } = reading;
    const taken = lines.filter(({ kind }) => kind === "settlement_captured");
    return {
        region: text(began, "region"),
        attacker: sideOf(text(began, "attacker")),
        kind: text(began, "kind"),
        rounds,
        isOver: end >= 0,
        ...(left ? { left } : {}),
        taken: taken.map(({ facts }) => ({
            region: text(facts, "region"),
            by: sideOf(text(facts, "side")),
        })),
        isNow,
        at,
    };
}

const LOSSES = new Set(["unit_lost", "unit_reduced", "eliminated"]);
type Writing<T> = { -readonly [K in keyof T]: T[K] };

/** Reads the lines of one battle. A round begins with its cards or, without any, with its dice. */
class Reading {
    readonly rounds: Writing<FoughtRound>[] = [];
    left: Fought["left"];
    private isCounted = true;
    private at = 0;

    read({ kind, facts }: Told, at: number): void {
        this.at = at;
        const side = sideOf(text(facts, "side"));
        if (kind === "rolled") this.roll(text(facts, "what"), numbers(facts, "dice"));
        else if (kind === "combat_card_chosen") this.begin();
        else if (kind === "combat_card_revealed") this.write(side, "card", text(facts, "card"));
        else if (kind === "hits_scored") this.count(side, Number(facts?.["hits"] ?? 0));
        else if (kind === "army_retreated" || kind === "withdrew")
            this.left = { side, to: kind === "withdrew" ? "" : text(facts, "to") };
        else if (LOSSES.has(kind)) this.lose(text(facts, "figure"), kind === "unit_reduced");
    }

    private get last(): Writing<FoughtRound> | undefined {
        return this.rounds.at(-1);
    }

    /** A round that is counted is over: what is told next belongs to another. */
    private begin(): void {
        if (!this.isCounted) return;
        this.isCounted = false;
        const nobody = { dice: [], again: [], lost: [] };
        this.rounds.push({ free: nobody, shadow: nobody, more: [], at: this.at });
    }

    private write<K extends keyof SideRound>(side: SideName, key: K, value: SideRound[K]): void {
        this.begin();
        const round = this.last;
        if (round) round[side] = { ...round[side], [key]: value };
    }

    private roll(what: string, dice: readonly number[]): void {
        const [roll, by = ""] = what.split("_");
        if (roll === "combat") this.write(sideOf(by), "dice", dice);
        else if (!this.last) return;
        // Leaders may roll again after the losses.
        else if (roll === "reroll")
            this.last[sideOf(by)] = { ...this.last[sideOf(by)], again: dice };
        else this.last.more = [...this.last.more, { what, dice }];
    }

    private count(side: SideName, hits: number): void {
        const round = this.last;
        if (round) round[side] = { ...round[side], hits: (round[side].hits ?? 0) + hits };
        this.isCounted = true;
    }

    private lose(figure: string, isReduced: boolean): void {
        const [round, side] = [this.last, sideOfFigure(figure)];
        if (!round) return;
        const lost = [...round[side].lost, { figure, isReduced }];
        round[side] = { ...round[side], lost };
    }
}

// The Hunt.

const isRoll = ({ kind, facts }: Told, what: string): boolean =>
    kind === "rolled" && text(facts, "what") === what;

/** What the Hunt did last this turn: what it rolled, what was drawn, and what came of it. */
function huntedLast(told: readonly Told[]): Hunted | undefined {
    const isHunt = (line: Told): boolean => line.kind === "tile_drawn" || isRoll(line, "hunt");
    const last = lastOf(told, told.length - 1, isHunt);
    if (last < 0) return undefined;
    const before = lastOf(told, last, ({ kind }) => DEEDS.has(kind));
    const { lines, isNow } = deedFrom(told, before + 1);
    const first = lines.findIndex(isHunt);
    const own = lines.slice(first);
    const rolled = (what: string): number[] =>
        numbers(own.find((line) => isRoll(line, what))?.facts, "dice");
    const counted = own.find(({ kind }) => kind === "hunt_rolled")?.facts?.["successes"];
    return {
        dice: rolled("hunt"),
        again: rolled("hunt_reroll"),
        ...(counted === undefined ? {} : { successes: Number(counted) }),
        tiles: tilesIn(own),
        came: own.flatMap(({ kind, facts }) => {
            const name = ABOUT[kind];
            return name === undefined ? [] : [{ kind, about: plain(facts, name) }];
        }),
        isNow,
        at: before + 1 + first,
    };
}

function tilesIn(lines: readonly Told[]): Hunted["tiles"] {
    const tiles: Writing<Hunted["tiles"][number]>[] = [];
    for (const line of lines) {
        const last = tiles.at(-1);
        if (line.kind === "tile_drawn")
            tiles.push({ tile: text(line.facts, "tile"), isVoid: false });
        else if (line.kind === "tile_without_effect" && last) last.isVoid = true;
        else if (isRoll(line, "tile") && last) last.die = numbers(line.facts, "dice")[0] ?? 0;
    }
    return tiles;
}

/** What can come of a tile, and which fact says of whom or where. */
const ABOUT: Readonly<Record<string, string>> = {
    companion_picked: "companion",
    companion_lost: "companion",
    separated: "companion",
    table_card_discarded: "card",
    corruption_changed: "corruption",
    fellowship_revealed: "",
    fellowship_found: "region",
    mordor_step: "step",
};

// What else the log tells of this turn.

/** What a seat does, or has done last. */
export interface Deed {
    kind: string;
    seat: string;
    face: string;
    deed: string;
}

function deedLast(told: readonly Told[]): Deed | undefined {
    const at = lastOf(told, told.length - 1, ({ kind }) => DEEDS.has(kind));
    const { kind = "", facts } = told[at] ?? {};
    if (!kind || kind === "turn_began" || kind === "taken_back") return undefined;
    return {
        kind,
        seat: text(facts, "seat"),
        face: text(facts, "face"),
        deed: text(facts, "deed"),
    };
}

/** The cards that team-mates have exchanged, by their side: none where one may not know which. */
type Swaps = Partial<Record<SideName, readonly string[]>>;

/** All that a board reads of the log. */
export interface Tale {
    fought?: Fought | undefined;
    hunted?: Hunted | undefined;
    deed?: Deed | undefined;
    swaps: Swaps;
    /** Which line tells what the dice of a side have shown. */
    rolled: Partial<Record<SideName, number>>;
    /** From this line on it has happened while somebody looked. */
    since: number;
}
export const NO_TALE: Tale = { swaps: {}, rolled: {}, since: Infinity };

export function taleOf(told: readonly Told[], since = Infinity): Tale {
    const swaps: Swaps = {};
    const rolled: Tale["rolled"] = {};
    const began = lastOf(told, told.length - 1, ({ kind }) => kind === "turn_began");
    for (let at = Math.max(0, began); at < told.length; at++) {
        const { kind, facts } = told[at] ?? {};
        const side = sideOf(text(facts, "side"));
        if (kind === "action_dice_rolled") rolled[side] = at;
        if (kind === "cards_swapped") swaps[side] = texts(facts, "cards");
    }
    return {
        fought: foughtLast(told),
        hunted: huntedLast(told),
        deed: deedLast(told),
        swaps,
        rolled,
        since,
    };
}
