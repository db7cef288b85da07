/** Long lists in parts: by what is done, and by what it is done with. */
import { grouped } from "../parts/grouped";
import type { Option } from "./options";

/** Shorter lists are read as they are. */
export const LONG = 12;

export interface Group {
    key: string;

    /** Empty where all of the list is one group. */
    verb: string;

    /** What all of the group speak of first; undefined if they are grouped by their verb alone. */
    noun: string | undefined;
    options: readonly Option[];
}

export function groupsOf(options: readonly Option[]): readonly Group[] {
    if (options.length <= LONG) return [{ key: "", verb: "", noun: undefined, options }];
    const byVerb = grouped(options, (option) => option.verb);
    return [...byVerb].flatMap(([verb, some]) => {
        const byNoun = grouped(some, (option) => option.nouns[0]);
        const isWorthIt = some.length > LONG && byNoun.size > 1 && byNoun.size * 2 <= some.length;
        if (!isWorthIt) return [{ key: verb, verb, noun: undefined, options: some }];
        return [...byNoun].map(([noun, few]) => ({
            key: `${verb} ${noun ?? ""}`,
            verb,
            noun,
            options: few,
        }));
    });
}

/** The first so many options of groups, each still in its group. */
export function firstOf(groups: readonly Group[], most: number): readonly Group[] {
    const kept: Group[] = [];
    let left = most;
    for (const group of groups) {
        if (left <= 0) break;
        kept.push({ ...group, options: group.options.slice(0, left) });
        left -= group.options.length;
    }
    return kept;
}
