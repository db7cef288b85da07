/** The log of a match: a line for each thing that was seen to happen, with the nouns it speaks of. */
import type { Event } from "$gen/bree/engine/v1/types_pb";

export interface Line {
    /** Its place in the log. */
    at: number;

    /** The revision after which it had happened. */
    revision: bigint;
    sentence: string;
    nouns: readonly string[];
    kind: string;
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

/** The lines of one step, which goes from one revision to another. */
export function linesOf(
    events: readonly Event[],
    first: number,
    after: bigint,
    revision: bigint,
): Line[] {
    const told = events.filter((event) => event.sentence !== "");
    return told.map((event, n) => ({
        at: first + n,
        revision: revisionOf(event, n, told.length, after, revision),
        sentence: event.sentence,
        nouns: [...nounsIn(event.facts)],
        kind: event.kind,
    }));
}

/** An event says its revision where the platform tells it. Else those of a long step are spread. */
function revisionOf(event: Event, n: number, count: number, after: bigint, last: bigint): bigint {
    const said = (event as Event & { revision?: bigint }).revision;
    if (said) return said;
    const span = Number(last - after);
    return last - BigInt(span - Math.ceil((span * (n + 1)) / count));
}

/** The lines at the revisions of the entries in which they were seen, as far as those go. */
export function placed(
    lines: readonly Line[],
    seen: readonly { revision: bigint; events: readonly Event[] }[],
): readonly Line[] {
    const told = seen.flatMap(({ revision, events }) =>
        linesOf(events, 0, revision - 1n, revision),
    );
    const fits = told.every(
        (line, at) => at >= lines.length || line.sentence === lines[at]?.sentence,
    );
    if (!fits) return lines;
    return lines.map((line, at) => ({ ...line, revision: told[at]?.revision ?? line.revision }));
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
