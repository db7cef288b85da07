/** Reads back what has been drawn: the numbers and letters in the SVG, and where they lie. */

/** Everything between an opening tag with this attribute and its end. */
function inner(html: string, from: number): string {
    let depth = 0;
    const tags = /<(\/?)g\b[^>]*>/g;
    tags.lastIndex = from;
    for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
        depth += tag[1] ? -1 : 1;
        if (depth === 0) return html.slice(from, tags.lastIndex);
    }
    throw new Error("a group does not end");
}

/** All groups with an attribute, by its value: their text as it is drawn. Throws where one is there twice. */
export function groups(html: string, attribute: string): Map<string, string> {
    const found = new Map<string, string>();
    for (const match of html.matchAll(new RegExp(`<g [^>]*${attribute}="([^"]*)"[^>]*>`, "g"))) {
        const key = match[1] ?? "";
        if (found.has(key)) throw new Error(`${attribute} ${key} is drawn twice`);
        found.set(key, inner(html, match.index));
    }
    return found;
}

/** The words in a drawing, without its marks. */
export const words = (html: string): string[] =>
    [...html.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => (text ?? "").trim());

export const icons = (html: string): string[] =>
    [...html.matchAll(/data-icon="([^"]+)"/g)].map(([, name]) => name ?? "");

/** Where a group has been moved to. */
export function placeOf(html: string): readonly [number, number] {
    const match = /transform="translate\(([-\d.e]+)[ ,]([-\d.e]+)\)"/.exec(html);
    return [Number(match?.[1]), Number(match?.[2])];
}
