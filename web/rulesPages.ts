/** A plugin of Vite: `import page from "….md?rules"` is a page of rules, rendered when it is built.
 *
 * Design. The text is ours, and still nothing of it can be more than text: raw HTML in it is refused
 * when the page is built, and links lead to other parts of the same page or are no links.
 */
import { readFile } from "node:fs/promises";
import { Marked, type Token, type Tokens } from "marked";
import type { Plugin } from "vite";

export interface RulesPage {
    title: string;
    html: string;
    contents: { id: string; title: string; depth: number }[];
}

export function rulesPages(): Plugin {
    return {
        name: "rules-pages",
        async load(id) {
            const [file, query] = id.split("?");
            if (query !== "rules" || !file) return null;
            this.addWatchFile(file);
            const page = rendered(await readFile(file, "utf8"));
            return `export default ${JSON.stringify(page)};`;
        },
    };
}

/** A page of rules from its text. */
export function rendered(text: string): RulesPage {
    const marked = new Marked();
    const tokens = marked.lexer(text);
    const page: RulesPage = { title: "", html: "", contents: [] };
    const ids = new Set<string>();
    marked.use({ renderer: rendererOf(page, ids) });
    // The title stands above the page, not in it.
    const [first, ...rest] = tokens;
    if (first?.type !== "heading" || (first as Tokens.Heading).depth !== 1) {
        throw new Error("a page of rules begins with its title");
    }
    page.title = plain(first);
    const body = marked.parser(Object.assign(rest, { links: tokens.links }));
    page.html = linked(body, ids);
    return page;
}

type Renderer = NonNullable<Parameters<Marked["use"]>[0]["renderer"]>;

function rendererOf(page: RulesPage, ids: Set<string>): Renderer {
    return {
        html({ text }) {
            throw new Error(`rules have no raw HTML: ${text}`);
        },
        image({ href }) {
            throw new Error(`rules have no pictures: ${href}`);
        },
        heading(token) {
            const title = plain(token);
            const id = fresh(slug(title), ids);
            if (token.depth === 2 || token.depth === 3) {
                page.contents.push({ id, title, depth: token.depth });
            }
            return `<h${token.depth} id="${id}">${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
        },
        // A paragraph or an item that begins with a bold number, "**D1.**", can be linked to by it.
        listitem(item) {
            const id = numberOf(item.tokens, ids);
            return `<li${id}>${this.parser.parse(item.tokens)}</li>\n`;
        },
        paragraph(token) {
            const id = numberOf([token], ids);
            return `<p${id}>${this.parser.parseInline(token.tokens)}</p>\n`;
        },
        // Wide tables and drawings of letters are scrolled by themselves, also by keys.
        code({ text }) {
            const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
            return `<pre tabindex="0" role="group" aria-label="Figure"><code>${safe}\n</code></pre>\n`;
        },
        table(token) {
            const cells = (row: Tokens.TableCell[], tag: string): string =>
                row
                    .map(
                        (cell) =>
                            `<${tag}${tag === "th" ? ' scope="col"' : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`,
                    )
                    .join("");
            const head = token.header.some((cell) => cell.text !== "")
                ? `<thead><tr>${cells(token.header, "th")}</tr></thead>`
                : "";
            const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
            return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
        },
        link({ href, tokens }) {
            const text = this.parser.parseInline(tokens);
            return href.startsWith("#")
                ? `<a href="${href}">${text}</a>`
                : `<span class="cited">${text}</span>`;
        },
    };
}

/** Links within the page that lead nowhere are mistakes of the text. */
function linked(html: string, ids: ReadonlySet<string>): string {
    for (const [, id = ""] of html.matchAll(/<a href="#([^"]*)"/g)) {
        if (!ids.has(decodeURIComponent(id)))
            throw new Error(`a link leads to #${id}, which is not there`);
    }
    return html;
}

function numberOf(tokens: readonly Token[], ids: Set<string>): string {
    const [first] = tokens;
    if (!first || !("tokens" in first) || !first.tokens) return "";
    const strong: Token | undefined = first.type === "strong" ? first : first.tokens[0];
    if (strong?.type !== "strong") return "";
    const number = /^(?:([A-Z]\d{1,2})\b|(\d+(?:\.\d+)+)\.?$)/.exec(plain(strong));
    // "D1" is "d1", "6.2.1" is "6-2-1".
    const id = number ? slug((number[1] ?? number[2] ?? "").replaceAll(".", "-")) : "";
    if (!id || ids.has(id)) return "";
    ids.add(id);
    return ` id="${id}"`;
}

/** The text of a token without its marks. */
function plain(token: Token): string {
    if ("tokens" in token && token.tokens) return token.tokens.map(plain).join("");
    return unescaped("text" in token ? String(token.text) : token.raw);
}

function unescaped(text: string): string {
    return text
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&");
}

/** The anchor of a heading, as the sites that show these files make it, too. */
export function slug(title: string): string {
    return title
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-");
}

function fresh(wanted: string, ids: Set<string>): string {
    let id = wanted;
    for (let again = 1; ids.has(id); again += 1) id = `${wanted}-${again}`;
    ids.add(id);
    return id;
}
