/** The log of a match: a line for each thing that was seen to happen, with the nouns it speaks of. */
import type { JsonObject } from "@bufbuild/protobuf";
import type { Event } from "$gen/bree/engine/v1/types_pb";

export interface Line {
    /** Its place in the log. */
    at: number;

    /** The revision of the entry with which it happened. */
    revision: bigint;
    sentence: string;
    nouns: readonly string[];
    kind: string;
    facts?: JsonObject | undefined;
}

const noun = /^[a-z][a-z0-9_]{0,39}$/;

/** The names in the facts of an event, as the texts of actions have them. */
export function nounsIn(facts: unknown, found = new Set<string>()): ReadonlySet<string> {
    if (typeof facts === "string") {
        if (noun.test(facts)) found.add(facts);
    } else if (Array.isArray(facts)) {
        for (const fact of facts) nounsIn(fact, found);
    } else if (typeof facts === "object" && facts !== null) {
        for (const fact of Object.values(facts)) nounsIn(fact, found);
    }
    return found;
}

/** The lines of one step. */
export function linesOf(events: readonly Event[], first: number): Line[] {
    const told = events.filter((event) => event.sentence !== "");
    return told.map(({ revision, sentence, facts, kind }, n) => ({
        at: first + n,
        revision,
        sentence,
        nouns: [...nounsIn(facts)],
        kind,
        facts,
    }));
}

/** How many of the lines had happened by a revision. They stand in order. */
export function linesUntil(lines: readonly Line[], revision: bigint): number {
    let [low, high] = [0, lines.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if ((lines[middle]?.revision ?? 0n) <= revision) low = middle + 1;
        else high = middle;
    }
    return low;
}
