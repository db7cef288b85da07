/** A drawing as text, read back as a tree. */
export interface Node {
    tag: string;
    attributes: Readonly<Record<string, string>>;
    children: Node[];
    text: string;
}

const EMPTY = new Set(["br", "hr", "img", "input"]);
const TOKEN = /<!--[^]*?-->|<(\/?)([\w:-]+)((?:\s+[\w:@-]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/g;

export function treeOf(html: string): Node {
    const root: Node = { tag: "", attributes: {}, children: [], text: "" };
    const open = [root];
    for (const [, closing, tag, attributes = "", isEmpty, text] of html.matchAll(TOKEN)) {
        const top = open.at(-1) ?? root;
        if (text !== undefined) top.text += text;
        else if (closing) open.pop();
        else if (tag !== undefined) {
            const found = [...attributes.matchAll(/([\w:@-]+)(?:="([^"]*)")?/g)];
            const named = found.map(([, name = "", value = ""]) => [name, value] as const);
            const node = { tag, attributes: Object.fromEntries(named), children: [], text: "" };
            top.children.push(node);
            if (!isEmpty && !EMPTY.has(tag)) open.push(node);
        }
    }
    return root;
}

export const classesOf = (node: Node): string[] =>
    (node.attributes["class"] ?? "").split(" ").filter((name) => name && !name.startsWith("s-"));

/** All nodes below with all of these classes, in their order. */
export function all(node: Node, ...classes: string[]): Node[] {
    const own = node.children.flatMap((child) => all(child, ...classes));
    const found = classesOf(node);
    return classes.every((name) => found.includes(name)) ? [node, ...own] : own;
}

/** All nodes below that are such elements. */
export const tagged = (node: Node, tag: string): Node[] =>
    node.children.flatMap((child) => [
        ...(child.tag === tag ? [child] : []),
        ...tagged(child, tag),
    ]);

export function textOf(node: Node): string {
    return [node.text, ...node.children.map(textOf)].join(" ").replace(/\s+/g, " ").trim();
}

/** The texts below, one by one. */
export const texts = (node: Node): string[] =>
    node.tag === "text" ? [textOf(node)] : node.children.flatMap(texts);

/** Where a node is moved to. */
export function placeOf(node: Node): [number, number] {
    const found = /translate\((-?[\d.]+) (-?[\d.]+)\)/.exec(node.attributes["transform"] ?? "");
    if (!found) throw new Error(`nowhere: ${node.tag} ${JSON.stringify(node.attributes)}`);
    return [Number(found[1]), Number(found[2])];
}
