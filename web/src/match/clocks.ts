/** The clocks of a match between one standing and the next. */
import type { Standing } from "$gen/bree/engine/v1/engine_pb";

export interface Face {
    seat: string;
    leftMs: number;
    runs: boolean;
}

/** How far the platform's clock is from this machine's cannot be known exactly: what a seat has left
 *  was counted when the standing was made, which was just before it came. */
export function faces(standing: Standing, cameAt: number, now: number): Face[] {
    return standing.clocks.map(({ seat, leftMs, expires }) => {
        const runs = expires !== undefined && !standing.outcome;
        const left = Number(leftMs) - (runs ? Math.max(0, now - cameAt) : 0);
        return { seat, leftMs: Math.max(0, left), runs };
    });
}
