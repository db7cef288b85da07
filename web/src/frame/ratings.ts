/** Ratings in words. */
import type { Rating } from "$gen/bree/gateway/v1/gateway_pb";
import { counted } from "./words";

/** "27.3 ± 4.1": the estimate, and how far off it may well be. */
export function ratingFigures({ mu, sigma }: Pick<Rating, "mu" | "sigma">): string {
    return `${mu.toFixed(1)} ± ${sigma.toFixed(1)}`;
}

/** How well the strength is known. Everybody begins at 25 ± 8.3. */
export function certaintyWords({ sigma, matches }: Pick<Rating, "matches" | "sigma">): string {
    if (matches === 0n) return "nothing has counted yet";
    const after = `after ${counted(matches, "match", "matches")}`;
    if (sigma > 6.5) return `hardly known, ${after}`;
    if (sigma > 4.5) return `a rough guess, ${after}`;
    if (sigma > 3) return `fairly sure, ${after}`;
    return `well known, ${after}`;
}
