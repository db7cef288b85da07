/** A view as a tree of words, whatever message it is: the names of its fields and what they hold. */
import {
    toJson,
    type DescField,
    type DescMessage,
    type JsonValue,
    type Message,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import {
    FeatureSet_FieldPresence,
    ListValueSchema,
    StructSchema,
    ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { numbering } from "./numbering";

/** One value: a number, a word that actions may have, or a text. */
export interface Leaf {
    kind: "leaf";
    type: "number" | "name" | "text" | "truth" | "enum";
    text: string;

    /** The kind of printed thing that this number means. */
    numbers?: string;

    /** Nothing, none or no: what a message need not say. */
    isEmpty: boolean;
}

export interface Many {
    kind: "many";
    items: readonly Tree[];
}

export interface Thing {
    kind: "thing";
    fields: readonly Field[];
}

export interface Field {
    name: string;
    value: Tree;
}

export type Tree = Leaf | Many | Thing;

/** What a board of words leaves out: how the match was agreed, and where a drawing has things. */
const leftOut = new Set(["options", "charts", "x", "y", "point", "waypoints", "mordor_track"]);

const spoken = /^[a-z0-9_]*[a-z][a-z0-9_]*$/;

export function treeOf(desc: DescMessage, message: Message): Thing {
    const json = [StructSchema, ValueSchema, ListValueSchema].find(
        (known) => known.typeName === desc.typeName,
    );
    if (!json) return thingOf(reflect(desc, message));
    const tree = ofJson(toJson(json as DescMessage, message));
    return tree.kind === "thing"
        ? tree
        : { kind: "thing", fields: [{ name: "view", value: tree }] };
}

/** Without what says nothing. */
export function isBare(tree: Tree): boolean {
    if (tree.kind === "leaf") return tree.isEmpty;
    return tree.kind === "many"
        ? tree.items.every(isBare)
        : tree.fields.every((field) => isBare(field.value));
}

function thingOf(message: ReflectMessage): Thing {
    const known = message.fields.filter((field) => !leftOut.has(field.name));
    const fields = known.flatMap((field) => {
        const value = fieldOf(message, field);
        return value ? [{ name: field.name, value }] : [];
    });
    return { kind: "thing", fields };
}

function fieldOf(message: ReflectMessage, field: DescField): Tree | undefined {
    const isSaid = message.isSet(field);
    const isPlain = field.fieldKind === "scalar" || field.fieldKind === "enum";
    const mayBeNone = field.presence === FeatureSet_FieldPresence.EXPLICIT;
    if (!isSaid && (!isPlain || mayBeNone)) return undefined;
    if (field.fieldKind === "list") {
        const items = [...message.get(field)].map((item) => numbered(field, itemOf(field, item)));
        return { kind: "many", items };
    }
    if (field.fieldKind === "map") {
        const entries = [...message.get(field).entries()];
        const fields = entries.map(([key, value]) => ({
            name: String(key),
            value: itemOf(field, value),
        }));
        return { kind: "thing", fields };
    }
    const value = numbered(field, itemOf(field, message.get(field)));
    return value.kind === "leaf" && mayBeNone ? { ...value, isEmpty: false } : value;
}

function itemOf(field: DescField, value: unknown): Tree {
    if (field.message) {
        const message = value as ReflectMessage;
        return message.desc.typeName.startsWith("google.protobuf.")
            ? treeOf(message.desc, message.message)
            : thingOf(message);
    }
    if (field.enum) {
        const named = field.enum.value[Number(value)];
        const text = named?.localName.toLowerCase() ?? String(value);
        return { kind: "leaf", type: "enum", text, isEmpty: Number(value) === 0 };
    }
    return leafOf(value);
}

/** A number that means a printed thing is never nothing: the first has the number 0. */
function numbered(field: DescField, value: Tree): Tree {
    const numbers = numbering.get(`${field.parent.typeName}.${field.name}`);
    if (numbers === undefined || value.kind !== "leaf") return value;
    return { ...value, numbers, isEmpty: false };
}

function leafOf(value: unknown): Leaf {
    if (typeof value === "boolean") {
        return { kind: "leaf", type: "truth", text: value ? "yes" : "no", isEmpty: !value };
    }
    if (typeof value === "number" || typeof value === "bigint") {
        return { kind: "leaf", type: "number", text: String(value), isEmpty: Number(value) === 0 };
    }
    const text = value instanceof Uint8Array ? hexOf(value) : String(value);
    const type = spoken.test(text) ? "name" : "text";
    return { kind: "leaf", type, text, isEmpty: text === "" };
}

function hexOf(bytes: Uint8Array): string {
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function ofJson(json: JsonValue): Tree {
    if (json === null) return { kind: "leaf", type: "text", text: "", isEmpty: true };
    if (Array.isArray(json)) return { kind: "many", items: json.map(ofJson) };
    if (typeof json !== "object") return leafOf(json);
    const known = Object.entries(json).filter(([name]) => !leftOut.has(name));
    return {
        kind: "thing",
        fields: known.map(([name, value]) => ({ name, value: ofJson(value) })),
    };
}
