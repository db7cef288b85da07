/** Hosted bots that play for people: who is asked something himself, and which standing is newer. */
import type { Standing, StandIn } from "$gen/bree/engine/v1/engine_pb";

type Known = Pick<Standing, "revision" | "waiting"> & { standIns?: readonly StandIn[] };

/** The bot that plays a seat of a person now, or has played it. */
export function standInOf(standing: Known | undefined, seat: string): StandIn | undefined {
    return standing?.standIns?.find((one) => one.seat === seat);
}

/** The level of the bot that plays for the person at a seat; "" if he plays himself. */
export function standInAt(standing: Known | undefined, seat: string): string {
    return standInOf(standing, seat)?.botLevel ?? "";
}

/** The seats among these whose people are asked something. */
export function askedOf(standing: Known | undefined, seats: readonly string[]): string[] {
    const waiting = standing?.waiting ?? [];
    return seats.filter((seat) => waiting.includes(seat) && !standInAt(standing, seat));
}

/** Whether a standing was overtaken by another on its way. */
export function isOlder(standing: Known, than: Known): boolean {
    if (standing.revision !== than.revision) return standing.revision < than.revision;
    return changesOf(standing) < changesOf(than);
}

function changesOf({ standIns }: Known): number {
    return (standIns ?? []).reduce((sum, { changes }) => sum + changes, 0);
}
