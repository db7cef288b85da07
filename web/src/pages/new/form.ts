/** What is chosen for a new match, and the order that it makes. */
import type { DescribeGameResponse } from "$gen/bree/engine/v1/engine_pb";
import type { OptionSpec, Preset } from "$gen/bree/engine/v1/types_pb";
import { capital, optionTitle, valueWords } from "../../frame/words";
import { BY_CHANCE, LATER, type Order } from "../play/opening";

export type Values = Readonly<Record<string, string>>;

export const UNIT_MS = {
    seconds: 1_000,
    minutes: 60_000,
    hours: 3_600_000,
    days: 86_400_000,
} as const;
export type Unit = keyof typeof UNIT_MS;

export interface ClockForm {
    kind: "bank" | "both" | "move" | "none";
    bank: string;
    bankUnit: Unit;
    move: string;
    moveUnit: Unit;

    /** The level of the bot that takes over; "" forfeits. */
    bot: string;
}

export interface Form {
    game: string;
    values: Values;
    seat: string;
    bots: string;
    clock: ClockForm;
}

export const NO_CLOCK: ClockForm = {
    kind: "none",
    bank: "20",
    bankUnit: "minutes",
    move: "15",
    moveUnit: "seconds",
    bot: "",
};

/** The longest clock that the platform takes. */
const LONGEST_MS = 365 * UNIT_MS.days;

/** All options with the values that a preset gives them. */
export function presetValues(game: DescribeGameResponse, preset?: Preset): Values {
    const values: Record<string, string> = {};
    for (const option of game.options) values[option.name] = option.defaultValue;
    for (const option of preset?.options ?? []) values[option.name] = option.value;
    return values;
}

/** The preset whose values these are, if they are those of one. */
export function presetOf(game: DescribeGameResponse, values: Values): Preset | undefined {
    return game.presets.find((preset) => {
        const its = presetValues(game, preset);
        return game.options.every(({ name }) => its[name] === values[name]);
    });
}

/** The values of an option as a list to choose from; numbers are typed. */
export function valueChoices(option: OptionSpec): { value: string; text: string }[] {
    const choices = option.values.map((value) => ({ value, text: choiceText(option, value) }));
    if (option.span) {
        const { first, last } = option.span;
        choices.push({ value: NUMBER, text: `A number from ${first} to ${last}` });
    }
    if (!option.values.includes(BY_CHANCE) && choices.length + (option.span ? 1 : 0) > 1) {
        choices.push({ value: BY_CHANCE, text: "By chance" });
    }
    return choices;
}

/** Stands in a list for all numbers that an option allows. */
export const NUMBER = "#";

function choiceText(option: OptionSpec, value: string): string {
    return capital(valueWords(value)) + (value === option.defaultValue ? " (usual)" : "");
}

/** Whether there is anything to choose. */
export function isOpen(option: OptionSpec): boolean {
    return option.values.length > 1 || option.span !== undefined;
}

/** What is wrong with an option's value, or nothing. */
export function optionProblem(option: OptionSpec, value: string): string {
    if (value === BY_CHANCE || option.values.includes(value)) return "";
    const { first, last } = option.span ?? { first: 0, last: -1 };
    const number = /^(0|[1-9]\d{0,8})$/.test(value) ? Number(value) : NaN;
    if (number >= first && number <= last) return "";
    return option.span
        ? `A whole number from ${first} to ${last}, please.`
        : "This value is not allowed.";
}

/** What is wrong with the clock, or nothing. */
export function clockProblem(clock: ClockForm): string {
    const wrong = (ms: number): boolean => !(ms > 0 && ms <= LONGEST_MS);
    const needsBank = clock.kind === "bank" || clock.kind === "both";
    const needsMove = clock.kind === "move" || clock.kind === "both";
    if ((needsBank && wrong(bankMs(clock))) || (needsMove && wrong(moveMs(clock)))) {
        return "A clock has more than nothing and at most 365 days.";
    }
    return "";
}

function msOf(count: string, unit: Unit): number {
    const number = Number(count.trim().replace(",", "."));
    return count.trim() === "" || !Number.isFinite(number)
        ? NaN
        : Math.round(number * UNIT_MS[unit]);
}

const bankMs = (clock: ClockForm): number => msOf(clock.bank, clock.bankUnit);
const moveMs = (clock: ClockForm): number => msOf(clock.move, clock.moveUnit);

/** The clock as the platform has it; undefined for none. */
export function clockOf(
    clock: ClockForm,
): { bankMs: bigint; moveMs: bigint; botLevel: string } | undefined {
    if (clock.kind === "none") return undefined;
    return {
        bankMs: clock.kind === "move" ? 0n : BigInt(bankMs(clock)),
        moveMs: clock.kind === "bank" ? 0n : BigInt(moveMs(clock)),
        botLevel: clock.bot,
    };
}

/** All that is wrong, in the order of the page; an order is made of none of it. */
export function problemsOf(
    game: DescribeGameResponse,
    form: Form,
): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const option of game.options) {
        const problem = optionProblem(option, form.values[option.name] ?? option.defaultValue);
        if (problem) found[option.name] = problem;
    }
    const clock = clockProblem(form.clock);
    if (clock) found["clock"] = clock;
    return found;
}

/** The order: options that differ from their defaults, in the game's own order. */
export function orderOf(game: DescribeGameResponse, form: Form): Order {
    const options = game.options.flatMap(({ name, defaultValue }) => {
        const value = form.values[name] ?? defaultValue;
        return value === defaultValue ? [] : [{ name, value }];
    });
    const clock = clockOf(form.clock);
    return {
        request: { game: game.game, options, ...(clock ? { clock } : {}) },
        seat: form.seat,
        // Bots are sent for when all seats are seen, if one's own is chosen then.
        bots: form.seat === LATER ? "" : form.bots,
    };
}

/** Which option a refusal speaks of: "special_count=3" or the name itself. */
export function optionSaid(metadata: Readonly<Record<string, string>>): string {
    return metadata["option"] ?? (metadata["said"] ?? "").split("=")[0] ?? "";
}

/** What an option is called on the page. */
export function titleOf(option: OptionSpec): string {
    return optionTitle(option.name);
}
