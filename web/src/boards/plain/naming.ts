/** What things are called, and what a number means that numbers things.
 *
 * A list of things that have a name in actions, and one for people, is *printed*: by their place in it
 * other fields of a view number them.
 */
import { titled } from "../../parts/words";
import type { Field, Leaf, Many, Thing, Tree } from "./tree";

export class Naming {
    /** The printed lists, by the kind of their things: the name of their first field. */
    readonly printed = new Map<string, Many>();

    /** What people call the names in actions. */
    readonly names = new Map<string, string>();

    constructor(view: Thing) {
        collect(view, this.printed, this.names);
    }

    called(noun: string): string {
        return this.names.get(noun) ?? titled(noun);
    }

    /** The name in actions of what a number means. */
    numbered(leaf: Leaf): string | undefined {
        const printed = leaf.numbers === undefined ? undefined : this.printed.get(leaf.numbers);
        const item = printed?.items[Number(leaf.text)];
        return item && nounOf(item);
    }
}

/** The names of things, and the lists that print them. */
function collect(tree: Tree, printed: Map<string, Many>, names: Map<string, string>): void {
    if (tree.kind === "leaf") return;
    if (tree.kind === "many") {
        const kind = tree.items.every(isNamed) ? kindOf(tree.items[0]) : undefined;
        const kept = kind === undefined ? undefined : printed.get(kind);
        if (kind !== undefined && (kept?.items.length ?? 0) < tree.items.length) {
            printed.set(kind, tree);
        }
        for (const item of tree.items) collect(item, printed, names);
        return;
    }
    const noun = nounOf(tree);
    const name = leafIn(tree, "name")?.text;
    if (noun !== undefined && name !== undefined) names.set(noun, name);
    for (const { name, value } of tree.fields) {
        const called = leafIn(tree, `${name}_name`)?.text;
        if (value.kind === "leaf" && called !== undefined) names.set(value.text, called);
    }
    for (const field of tree.fields) collect(field.value, printed, names);
}

export function isNamed(tree: Tree): boolean {
    return nounOf(tree) !== undefined && leafIn(tree, "name") !== undefined;
}

/** What the first field of a thing is called. */
export function kindOf(tree: Tree | undefined): string | undefined {
    return tree?.kind === "thing" ? tree.fields[0]?.name : undefined;
}

/** The name of a thing in actions: its first field, if that is one. */
export function nounOf(tree: Tree): string | undefined {
    const first = tree.kind === "thing" ? tree.fields[0]?.value : undefined;
    return first?.kind === "leaf" && first.type === "name" ? first.text : undefined;
}

function leafIn(tree: Tree, name: string): Leaf | undefined {
    const found = tree.kind === "thing" && tree.fields.find((field) => field.name === name);
    return found && found.value.kind === "leaf" && !found.value.isEmpty ? found.value : undefined;
}

/** Whether a field only says what another one is called, which that one tells itself. */
export function isCalling(thing: Thing, { name }: Field): boolean {
    if (name === "name") return isNamed(thing);
    const called = name.endsWith("_name") ? name.slice(0, -"_name".length) : undefined;
    return called !== undefined && thing.fields.some((field) => field.name === called);
}
