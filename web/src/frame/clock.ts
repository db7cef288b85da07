/** Clocks in words. */
import type { Clock } from "$gen/bree/engine/v1/engine_pb";
import { counted } from "./words";

const UNITS: readonly (readonly [number, string, string])[] = [
    [86_400_000, "day", "d"],
    [3_600_000, "hour", "h"],
    [60_000, "minute", "min"],
    [1_000, "second", "s"],
];

/** "2 hours 30 minutes": the two largest units that say something. */
export function durationWords(ms: number | bigint): string {
    return spelt(Number(ms), (count, unit) => counted(count, unit[1])) || "no time";
}

/** "2 h 30 min". */
export function durationShort(ms: number | bigint): string {
    return spelt(Number(ms), (count, unit) => `${count} ${unit[2]}`) || "0 s";
}

function spelt(ms: number, spell: (count: number, unit: (typeof UNITS)[number]) => string): string {
    let left = Math.round(ms / 1000) * 1000;
    const said: string[] = [];
    for (const unit of UNITS) {
        const count = Math.floor(left / unit[0]);
        left -= count * unit[0];
        if (count > 0 && said.length < 2) said.push(spell(count, unit));
    }
    return said.join(" ");
}

/** What a clock means, in a sentence or two. */
export function clockWords(clock: Clock | undefined): string {
    if (!clock || (clock.bankMs === 0n && clock.moveMs === 0n)) {
        return "No clock: everyone takes as long as he likes.";
    }
    return `${timeWords(clock)} ${fateWords(clock.botLevel)}`;
}

function timeWords({ bankMs, moveMs }: Clock): string {
    if (bankMs === 0n) return `${durationWords(moveMs)} for each question.`;
    const bank = `${durationWords(bankMs)} for each seat in the whole match`;
    return moveMs === 0n
        ? `${bank}.`
        : `${bank}, and ${durationWords(moveMs)} more with each question.`;
}

function fateWords(botLevel: string): string {
    return botLevel
        ? `A hosted bot (${botLevel}) takes over the seat of whoever runs out.`
        : "Whoever runs out forfeits.";
}

/** The same for a list: "15 min + 10 s", "1 d a question", "no clock". */
export function clockShort(clock: Clock | undefined): string {
    if (!clock || (clock.bankMs === 0n && clock.moveMs === 0n)) return "no clock";
    if (clock.bankMs === 0n) return `${durationShort(clock.moveMs)} a question`;
    const more = clock.moveMs === 0n ? "" : ` + ${durationShort(clock.moveMs)}`;
    return durationShort(clock.bankMs) + more;
}

/** "just now", "5 minutes ago", "on 3 May 2026". */
export function agoWords(then: Date, now: Date): string {
    const ms = now.getTime() - then.getTime();
    if (ms < 60_000) return "just now";
    if (ms < 7 * 86_400_000) {
        return `${durationWords(ms).split(" ").slice(0, 2).join(" ")} ago`;
    }
    return `on ${dayWords(then)}`;
}

/** "3 May 2026". */
export function dayWords(day: Date): string {
    return day.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** "Friday 27 November 2026, 12:05", on the clock of whoever looks. */
export function momentWords(then: Date): string {
    const day = then.toLocaleDateString("en-GB", { weekday: "long" });
    return `${day} ${dayWords(then)}, ${timeOfDay(then)}`;
}

/** "12:05". */
export function timeOfDay(then: Date): string {
    return then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** Time that is left, for a countdown: "4:59". */
export function countdown(ms: number): string {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
