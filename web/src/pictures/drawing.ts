/** Boards as pictures that stand alone: no browser draws them, and no page is around them.
 *
 * Design. All boards are here at once and nothing is waited for, so that whatever runs JavaScript
 * can draw: Node for `scripts/pictures`, and the engine that the gateway has embedded.
 */
import { type DescMessage, fromJson, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import type { Component } from "svelte";
import { render } from "svelte/server";
import type { Picture } from "../boards/contract";
import page from "../theme.css?raw";
import { resolved, type Theme } from "./colours";

/** What was wanted cannot be drawn, and why. */
export class Refused extends Error {
    override readonly name = "Refused";
}

export interface PictureOf {
    game: string;
    view: JsonValue;
    viewer: string;
    width: number;
    theme: Theme;
}

type Drawing = Component<Picture<MessageShape<DescMessage>>>;

const drawings = import.meta.glob<Drawing>("../boards/*/Picture.svelte", {
    import: "default",
    eager: true,
});
const schemas = import.meta.glob<DescMessage>("../../gen/bree/*/v1/board_pb.ts", {
    import: "BoardSchema",
    eager: true,
});
const sheets = import.meta.glob<string>("../boards/*/*.css", {
    query: "?raw",
    import: "default",
    eager: true,
});

/** A position as the text of an SVG file. */
export function drawn({ game, view, viewer, width, theme }: PictureOf): string {
    const folder = `../boards/${game}/`;
    const drawing = drawings[`${folder}Picture.svelte`];
    const schema = schemas[`../../gen/bree/${game}/v1/board_pb.ts`];
    if (!drawing || !schema) throw new Refused(`there is no picture of ${game}`);
    let message;
    try {
        message = fromJson(schema, view);
    } catch (error) {
        throw new Refused(`that is no view of ${game}: ${String(error)}`);
    }
    const { body, head } = render(drawing, { props: { view: message, viewer, width } });
    const own = Object.keys(sheets).filter((path) => path.startsWith(folder));
    const scoped = [...head.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map((found) => found[1]);
    const styles = [page, ...own.map((path) => sheets[path]), ...scoped].join("\n");
    return standalone(body, resolved(styles, theme));
}

/** One element with its own styles, and nothing that only a page has. */
function standalone(body: string, styles: string): string {
    const bare = body
        .replace(/<!--[^]*?-->/g, "")
        .replace(/ (?:tabindex|data-noun)="[^"]*"/g, "")
        // On a page what moves is moved by a style, and its attribute says the same; most programs
        // know the attribute, and some only see that there is a style.
        .replace(/ style="transform: translate\([^"]*"(?= transform=)/g, "");
    const escaped = styles.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `${bare.trim().replace(/^<svg[^>]*>/, (open) => `${open}<style>${escaped}</style>`)}\n`;
}
