/** What proves to a player that nobody else has chosen the chance of a match: what he keeps of it. */
import { ownStorage } from "../frame/settings.svelte";

export interface Kept {
    seat: string;
    nonce: string;
    commitment: string;
}

const keyOf = (match: string): string => `bree.kept.${match}`;

/** Keeps the nonce of a seat and the commitment that was published before it, in this browser. */
export function keepNonce(
    match: string,
    seat: string,
    nonce: Uint8Array,
    commitment: string,
): void {
    const hex = [...nonce].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const kept: Kept[] = [
        ...keptOf(match).filter((one) => one.seat !== seat),
        { seat, nonce: hex, commitment },
    ];
    try {
        ownStorage()?.setItem(keyOf(match), JSON.stringify(kept));
    } catch {
        // Then the record is verified without it, and the page says what that proves.
    }
}

export function keptOf(match: string): Kept[] {
    try {
        return JSON.parse(ownStorage()?.getItem(keyOf(match)) ?? "[]") as Kept[];
    } catch {
        return [];
    }
}
