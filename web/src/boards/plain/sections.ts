/** A tree of words as what is read: sections with facts, and tables of what has names.
 *
 * Design. Nothing here knows a game. A list of things that have a name in actions and one for people
 * is *printed*: it says what the names are called, and what a number means that numbers such things
 * (`territory: 3`). Lists beside it whose things begin with the same kind of name are told in its
 * table: who holds a territory and what stands there stand beside what is printed of it.
 */
import { grouped } from "../../parts/grouped";
import { sentenced } from "../../parts/words";
import { Wording, type Item, type Word } from "./items";
import { isCalling, kindOf, Naming, nounOf } from "./naming";
import { isBare, type Field, type Many, type Thing, type Tree } from "./tree";

export interface Fact {
    label: string;
    items: readonly Item[];
}

export interface Row {
    key: string;

    /** One a column; none where there is nothing to tell. */
    cells: readonly (readonly Item[])[];
}

export interface Table {
    columns: readonly string[];

    /** Which columns are numbers alone. */
    isNumber: readonly boolean[];
    rows: readonly Row[];
}

export interface Section {
    key: string;
    title: string;

    /** What it is about, if that has a name in actions: its title, to be touched. */
    head: Item | undefined;
    facts: readonly Fact[];
    table: Table | undefined;
    parts: readonly Section[];

    /** Whether it is the same all through a match, and is folded at first. */
    isPrinted: boolean;
}

export interface Told {
    sections: readonly Section[];

    /** What people call the names. */
    names: ReadonlyMap<string, string>;

    /** The names that have a row or a section of their own. */
    keys: ReadonlySet<string>;
}

interface Beside {
    name: string;
    value: Many;
}

/** What a list tells of the place with a name. */
type Standing = (noun: string | undefined) => Field[];

/** A printed list, and the lists at the top of the view that tell of the same things. */
interface Joined {
    kind: string;
    printed: Many;
    beside: Beside[];
}

const none: Many = { kind: "many", items: [] };

/** So many things are told one by one, if there is more to each than fits a row. */
const FEW = 6;

export function told(view: Thing): Told {
    const naming = new Naming(view);
    const teller = new Teller(naming);
    return { sections: teller.sections(view), names: naming.names, keys: teller.keys };
}

class Teller {
    readonly keys = new Set<string>();
    readonly #naming: Naming;
    readonly #wording: Wording;

    constructor(naming: Naming) {
        this.#naming = naming;
        this.#wording = new Wording(naming);
    }

    sections(view: Thing): Section[] {
        const joined = this.#joined(view);
        const gone = new Set(
            joined.flatMap((one) => [one.printed, ...one.beside.map(({ value }): Tree => value)]),
        );
        const isPlain = ({ value }: Field): boolean =>
            value.kind === "leaf" || (value.kind === "many" && value.items.every(isLeaf));
        const plain = view.fields.filter(isPlain);
        const rest = view.fields.filter((field) => !isPlain(field));
        const said = plain.filter(({ value }) => !isBare(value));
        const now = this.#section("now", "Now", { kind: "thing", fields: said }, gone);
        const tables = joined.map((one) => this.#places(one));
        const others = rest
            .filter((field) => !gone.has(field.value) && !isBare(field.value))
            .map((field) => this.#section(field.name, sentenced(field.name), field.value, gone));
        return [now, ...others.filter((one) => !one.isPrinted), ...tables]
            .concat(others.filter((one) => one.isPrinted))
            .filter((one) => one.facts.length > 0 || one.table || one.parts.length > 0 || one.head);
    }

    /** What is printed in a part of the view, with the lists beside it that tell of the same things. */
    #joined(view: Thing): Joined[] {
        const top = view.fields.map((field) => field.value);
        return [...this.#naming.printed].flatMap(([kind, printed]) => {
            if (top.includes(printed)) return [];
            const beside = view.fields.flatMap(({ name, value }) =>
                value.kind === "many" && kindOf(value.items[0]) === kind ? [{ name, value }] : [],
            );
            return beside.length > 0 ? [{ kind, printed, beside }] : [];
        });
    }

    /** One table of what stands in places, and what is printed of them. */
    #places({ kind, printed, beside }: Joined): Section {
        const taken = new Set<string>();
        const lists = beside.map((list) => this.#standing(list, kind, taken));
        const rows = printed.items.map((item): Thing => {
            const [key, ...own] = item.kind === "thing" ? item.fields : [];
            const here = lists.flatMap((at) => at(nounOf(item)));
            const rest = own.map((field) =>
                taken.has(field.name) ? { ...field, name: `${field.name}_here` } : field,
            );
            return { kind: "thing", fields: [...(key ? [key] : []), ...here, ...rest] };
        });
        const table = this.#table({ kind: "many", items: rows });
        return {
            key: kind,
            title: plural(kind),
            head: undefined,
            facts: [],
            table,
            parts: [],
            isPrinted: false,
        };
    }

    /** What a list tells of a place. If it has one thing at most for each: that thing's fields, under
     *  names that no list before it has taken. If it has more: all there are. */
    #standing({ name, value }: Beside, kind: string, taken: Set<string>): Standing {
        const things = value.items.filter((item) => item.kind === "thing");
        const at = grouped(things, (thing) => this.#nounIn(thing, kind));
        const bare = (thing: Thing): Thing => ({ ...thing, fields: thing.fields.slice(1) });
        if (at.size < things.length || things.some(isDeep)) {
            taken.add(name);
            return (noun) => [
                { name, value: { kind: "many", items: (at.get(noun) ?? []).map(bare) } },
            ];
        }
        const fields = [
            ...new Set(things.flatMap((thing) => bare(thing).fields.map((f) => f.name))),
        ];
        const names = new Map(fields.map((f) => [f, taken.has(f) ? `${name}_${f}` : f]));
        for (const told of names.values()) taken.add(told);
        return (noun) => {
            const thing = at.get(noun)?.[0];
            return fields.map((field) => ({
                name: names.get(field) ?? field,
                value: thing ? valueIn(bare(thing), field) : none,
            }));
        };
    }

    /** The name of what a thing is about, if its first field is that name or its number. */
    #nounIn(tree: Tree, kind: string): string | undefined {
        const first = tree.kind === "thing" ? tree.fields[0] : undefined;
        if (first?.name !== kind || first.value.kind !== "leaf") return undefined;
        return this.#naming.numbered(first.value) ?? nounOf(tree);
    }

    #section(key: string, title: string, tree: Tree, gone: ReadonlySet<Tree>): Section {
        const empty = { key, title, head: undefined, facts: [], table: undefined, parts: [] };
        if (tree.kind === "leaf") return { ...empty, isPrinted: false };
        if (tree.kind === "many") return { ...empty, ...this.#listed(key, tree) };
        const inner = tree.fields.filter(({ value }) => !gone.has(value) && !isBare(value));
        const facts = tree.fields
            .filter((field) => !gone.has(field.value) && !isPart(field) && !isCalling(tree, field))
            .filter(({ value }) => value.kind === "leaf" || !isBare(value))
            .flatMap((field) => this.#fact(field));
        const parts = inner
            .filter(isPart)
            .map((field) =>
                this.#section(`${key}.${field.name}`, sentenced(field.name), field.value, gone),
            );
        return { ...empty, facts, parts, isPrinted: key === "map" };
    }

    /** A list: a table; or one by one, where things are few and have more to tell. */
    #listed(key: string, list: Many): Pick<Section, "facts" | "table" | "parts" | "isPrinted"> {
        const things = list.items.filter((item) => item.kind === "thing");
        if (things.length < list.items.length) {
            const facts = this.#fact({ name: "all", value: list });
            return { facts, table: undefined, parts: [], isPrinted: false };
        }
        if (things.length > FEW || !things.some(isDeep)) {
            return { facts: [], table: this.#table(list), parts: [], isPrinted: false };
        }
        const keys = keysOf(things);
        const parts = things.map((thing, at) => {
            const noun = nounOf(thing);
            const title = noun === undefined ? `${at + 1}` : this.#naming.called(noun);
            const part = this.#section(`${key}.${keys[at]}`, title, thing, new Set());
            return noun === undefined ? part : this.#headed(noun, part);
        });
        return { facts: [], table: undefined, parts, isPrinted: false };
    }

    /** The first fact about a thing is its name: what the section is about. */
    #headed(noun: string, section: Section): Section {
        const [first, ...facts] = section.facts;
        this.keys.add(noun);
        return { ...section, head: first?.items.map(keyed)[0], facts };
    }

    #fact({ name, value }: Field): Fact[] {
        if (value.kind === "leaf" && value.isEmpty && value.type !== "number") return [];
        const items = this.#wording.items(value);
        return items.length > 0 ? [{ label: sentenced(name), items }] : [];
    }

    #table(list: Many): Table | undefined {
        const things = list.items.filter((item) => item.kind === "thing");
        const fields = [
            ...new Set(things.flatMap((thing) => thing.fields.map(({ name }) => name))),
        ];
        const kind = kindOf(things[0]);
        const used = fields.filter(
            (name) =>
                !things.every((thing) => isCalling(thing, { name, value: valueIn(thing, name) })) &&
                things.some((thing) => name === kind || !isBare(valueIn(thing, name))),
        );
        if (used.length === 0) return undefined;
        // Long lists, such as what a region borders on, stand last.
        const isList = (name: string): boolean =>
            name !== kind && things.some((thing) => isNumbers(valueIn(thing, name)));
        used.sort((a, b) => Number(isList(a)) - Number(isList(b)));
        const keys = keysOf(things);
        const rows = things.map((thing, at) => ({
            key: keys[at] ?? "",
            cells: used.map((name) => this.#cell(thing, name, name === kind)),
        }));
        const isNumber = used.map((_, at) =>
            rows.every(({ cells }) => cells[at]?.every(isNumeral) ?? true),
        );
        return { columns: used.map(sentenced), isNumber, rows };
    }

    #cell(thing: Thing, name: string, isKey: boolean): readonly Item[] {
        const value = valueIn(thing, name);
        if (isBare(value) && !isKey) return [];
        const items = this.#wording.items(value);
        const noun = isKey ? nounOf(thing) : undefined;
        if (noun === undefined) return items;
        this.keys.add(noun);
        return items.map(keyed);
    }
}

/** The names of things, each once; of those without one, their place. */
function keysOf(things: readonly Thing[]): string[] {
    const counts = new Map<string, number>();
    return things.map((thing, at) => {
        const noun = nounOf(thing) ?? `${at + 1}`;
        const count = (counts.get(noun) ?? 0) + 1;
        counts.set(noun, count);
        return count === 1 ? noun : `${noun} ${count}`;
    });
}

function keyed(item: Item): Item {
    const words = item.words.map((word): Word => (word.noun ? { ...word, isKey: true } : word));
    return { ...item, words };
}

/** Whether it is a list of numbers of printed things. */
function isNumbers(tree: Tree): boolean {
    return (
        tree.kind === "many" &&
        tree.items.some((item) => item.kind === "leaf" && item.numbers !== undefined)
    );
}

function isLeaf(tree: Tree): boolean {
    return tree.kind === "leaf";
}

/** Whether a field is told in a section of its own. */
function isPart({ value }: Field): boolean {
    return value.kind === "many"
        ? value.items.some((item) => item.kind === "thing")
        : value.kind === "thing" && value.fields.some(isPart);
}

/** Whether there is more to a thing than a row can tell. */
function isDeep(tree: Tree): boolean {
    return tree.kind === "thing" && tree.fields.some(({ value }) => value.kind !== "leaf");
}

function isNumeral({ words, notes }: Item): boolean {
    return notes.length === 0 && words.every(({ text, noun }) => !noun && /^-?\d+$/.test(text));
}

function valueIn(thing: Thing, name: string): Tree {
    const found = thing.fields.find((field) => field.name === name);
    return found?.value ?? none;
}

function plural(name: string): string {
    return sentenced(name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`);
}
