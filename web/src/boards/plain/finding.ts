/** What of a board of words is looked for: by words, by what can be touched, by what has changed. */
import { wordsOf } from "../../parts/words";
import type { Item, Word } from "./items";
import type { Fact, Row, Section } from "./sections";

export interface Sought {
    typed: string;

    /** Only what has a word that can be touched. */
    touchable: ReadonlySet<string> | undefined;

    /** Only what has one of these places. */
    changed: ReadonlySet<string> | undefined;
}

/** Whether a word is touched here, and not where its own row or section is. */
export function isTouched(word: Word, keys: ReadonlySet<string>): boolean {
    return word.noun !== undefined && (word.isKey === true || !keys.has(word.noun));
}

/** Where a fact or a row stands, the same from view to view. */
export function placeOf(section: Section, part: Fact | Row): string {
    return `${section.key} ${"label" in part ? part.label : `= ${part.key}`}`;
}

/** What every fact and row says, by its place. */
export function saidIn(sections: readonly Section[]): Map<string, string> {
    const said = new Map<string, string>();
    for (const section of sections) {
        for (const fact of section.facts) said.set(placeOf(section, fact), textOf(fact.items));
        for (const row of section.table?.rows ?? []) {
            said.set(placeOf(section, row), row.cells.map(textOf).join("\n"));
        }
        for (const [place, text] of saidIn(section.parts)) said.set(place, text);
    }
    return said;
}

/** The places of which something else was said before, or nothing. */
export function changes(
    before: ReadonlyMap<string, string>,
    now: ReadonlyMap<string, string>,
): Set<string> {
    return new Set(
        [...now].filter(([place, text]) => before.get(place) !== text).map(([at]) => at),
    );
}

/** The sections with what is looked for in them, without those that have nothing. */
export function found(
    sections: readonly Section[],
    sought: Sought,
    keys: ReadonlySet<string>,
): Section[] {
    return sections.flatMap((section) => {
        const isNamed = hasWords(section.title, sought.typed);
        const head = section.head ? [section.head] : [];
        const isHead = sought.touchable !== undefined && hasOne(head, sought.touchable, keys);
        const inner = {
            ...sought,
            typed: isNamed ? "" : sought.typed,
            touchable: isHead ? undefined : sought.touchable,
        };
        const isWanted = (part: Fact | Row, items: readonly Item[], text: string): boolean =>
            hasWords(text, inner.typed) &&
            (!sought.changed || sought.changed.has(placeOf(section, part))) &&
            (!inner.touchable || hasOne(items, inner.touchable, keys));
        const facts = section.facts.filter((fact) =>
            isWanted(fact, fact.items, `${fact.label} ${textOf(fact.items)}`),
        );
        const rows = section.table?.rows.filter((row) =>
            isWanted(row, row.cells.flat(), row.cells.map(textOf).join(" ")),
        );
        const table = section.table && rows?.length ? { ...section.table, rows } : undefined;
        const parts = found(section.parts, inner, keys);
        const isAlone = head.length > 0 && isNamed && !inner.touchable && !sought.changed;
        const isEmpty = facts.length === 0 && !table && parts.length === 0 && !isAlone;
        return isEmpty ? [] : [{ ...section, facts, table, parts }];
    });
}

/** The nouns of some sections that are touched there. */
export function nounsIn(sections: readonly Section[], keys: ReadonlySet<string>): Set<string> {
    const nouns = new Set<string>();
    for (const section of sections) {
        const cells = section.table?.rows.flatMap((row) => row.cells.flat()) ?? [];
        const head = section.head ? [section.head] : [];
        const facts = section.facts.flatMap((fact) => fact.items);
        for (const { words } of [...head, ...facts, ...cells]) {
            for (const word of words) if (word.noun && isTouched(word, keys)) nouns.add(word.noun);
        }
        for (const noun of nounsIn(section.parts, keys)) nouns.add(noun);
    }
    return nouns;
}

function hasOne(
    items: readonly Item[],
    touchable: ReadonlySet<string>,
    keys: ReadonlySet<string>,
): boolean {
    return items.some(({ words }) =>
        words.some((word) => isTouched(word, keys) && touchable.has(word.noun ?? "")),
    );
}

function textOf(items: readonly Item[]): string {
    return items
        .map(({ words, notes }) => {
            const said = words.map((word) => word.text).join("");
            return [said, ...notes.map((note) => `${note.label} ${note.text}`)].join(" ");
        })
        .join("\n");
}

function hasWords(text: string, typed: string): boolean {
    const words = wordsOf(text);
    return wordsOf(typed).every((part) => words.some((word) => word.startsWith(part)));
}
