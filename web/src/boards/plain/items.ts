/** What a field holds, in a few words and a few sentences. */
import { sentenced } from "../../parts/words";
import { isCalling, type Naming } from "./naming";
import { isBare, type Leaf, type Tree } from "./tree";

/** A word of a value, and its name in actions if it has one. */
export interface Word {
    text: string;
    noun?: string;

    /** Whether its row or section is about it; elsewhere it is only mentioned. */
    isKey?: true;
}

/** One thing that is told: a few words, and whole sentences about it. */
export interface Item {
    words: readonly Word[];
    notes: readonly { label: string; text: string }[];
}

/** Fields whose things need no word that says what they are. */
const clear = new Set(["card", "cards", "figures", "nations", "pieces"]);

/** Tells what fields hold, by the names that a view has for things. */
export class Wording {
    readonly #naming: Naming;

    constructor(naming: Naming) {
        this.#naming = naming;
    }

    /** What a field holds, one item for each thing of a list of things. */
    items(tree: Tree): Item[] {
        const isList = tree.kind === "many" && tree.items.some((item) => item.kind !== "leaf");
        const items = isList ? tree.items : [tree];
        return items.map((item) => this.#item(item)).filter((item) => !isNothing(item));
    }

    #item(tree: Tree): Item {
        if (tree.kind === "leaf") return { words: [this.#word(tree)], notes: [] };
        if (tree.kind === "many") {
            const items = tree.items.map((item) => this.#item(item));
            return {
                words: parted(tree.items.map((item, at) => [item, items[at]?.words ?? []])),
                notes: items.flatMap(notesOf),
            };
        }
        const shown = tree.fields.filter(
            (field, at) => (at === 0 || !isBare(field.value)) && !isCalling(tree, field),
        );
        const prose = shown.filter(({ value }) => isProse(value));
        const short = shown.filter(({ value }) => !isProse(value));
        const inner = short.map(({ name, value }, at) => this.#told(name, value, at === 0));
        return {
            words: parted(short.map(({ value }, at) => [value, inner[at]?.words ?? []])),
            notes: [
                ...inner.flatMap(notesOf),
                ...prose.map(({ name, value }) => ({
                    label: sentenced(name),
                    text: value.kind === "leaf" ? value.text : "",
                })),
            ],
        };
    }

    /** A field of a thing within a line: its value, with what it is called where that is needed. */
    #told(name: string, tree: Tree, isFirst: boolean): Item {
        const label = name.replaceAll("_", " ");
        if (tree.kind !== "leaf") {
            const { words, notes } = this.#item(tree);
            const isClear = clear.has(name) || words.length === 0;
            return { words: isClear ? words : [{ text: `${label}: ` }, ...words], notes };
        }
        const word = this.#word(tree);
        if (tree.type === "truth")
            return { words: tree.isEmpty ? [] : [{ text: label }], notes: [] };
        if (tree.type === "number" && tree.numbers === undefined) {
            return { words: [{ text: counted(tree.text, label, isFirst) }], notes: [] };
        }
        const isClear = isFirst || tree.type === "enum" || tree.type === "text";
        return { words: isClear ? [word] : [{ text: `${label} ` }, word], notes: [] };
    }

    #word(leaf: Leaf): Word {
        const numbered = this.#naming.numbered(leaf);
        if (numbered !== undefined) return { text: this.#naming.called(numbered) };
        if (leaf.type === "name") return { text: this.#naming.called(leaf.text), noun: leaf.text };
        if (leaf.type !== "enum") return { text: leaf.text };
        return { text: leaf.isEmpty ? "none" : sentenced(leaf.text) };
    }
}

function counted(number: string, label: string, isFirst: boolean): string {
    if (label === "count") return isFirst ? number : `× ${number}`;
    return `${number} ${number === "1" ? singular(label) : label}`;
}

function isProse(tree: Tree): boolean {
    return tree.kind === "leaf" && tree.type === "text" && / .* .* /.test(tree.text);
}

function isNothing({ words, notes }: Item): boolean {
    return words.length === 0 && notes.length === 0;
}

function notesOf({ notes }: Item): Item["notes"] {
    return notes;
}

/** Words with commas between; about things that have more to tell, with semicolons. */
function parted(groups: readonly (readonly [Tree, readonly Word[]])[]): Word[] {
    const some = groups.filter(([, words]) => words.length > 0);
    return some.flatMap(([tree, words], at) => {
        const before = some[at - 1]?.[0];
        if (!before) return words;
        if (words[0]?.text.startsWith("×")) return [{ text: " " }, ...words];
        const isDeep = tree.kind !== "leaf" || before.kind !== "leaf";
        return [{ text: isDeep ? "; " : ", " }, ...words];
    });
}

export function singular(name: string): string {
    if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
    return name.endsWith("s") ? name.slice(0, -1) : name;
}
