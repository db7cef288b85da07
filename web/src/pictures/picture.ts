/** Boards as pictures that stand alone: no browser draws them, and no page is around them. */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { render } from "svelte/server";
import { boardOf } from "../boards";
import page from "../theme.css?raw";
import { resolved, type Theme } from "./colours";

/** What was wanted cannot be drawn, and why. */
export class Refused extends Error {}

export interface PictureOf {
    game: string;
    view: JsonValue;
    viewer: string;
    width: number;
    theme: Theme;
}

const sheets = import.meta.glob<string>("../boards/*/*.css", {
    query: "?raw",
    import: "default",
    eager: true,
});

/** A position as the text of an SVG file. */
export async function picture({ game, view, viewer, width, theme }: PictureOf): Promise<string> {
    const board = await boardOf(game).catch(() => undefined);
    if (!board?.picture) throw new Refused(`there is no picture of ${game}`);
    let message;
    try {
        message = fromJson(board.schema, view);
    } catch (error) {
        throw new Refused(`that is no view of ${game}: ${String(error)}`);
    }
    const { body, head } = render(board.picture, { props: { view: message, viewer, width } });
    const folder = `../boards/${game}/`;
    const own = Object.keys(sheets).filter((path) => path.startsWith(folder));
    const scoped = [...head.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map((found) => found[1]);
    const styles = [page, ...own.map((path) => sheets[path]), ...scoped].join("\n");
    return standalone(body, resolved(styles, theme));
}

/** One element with its own styles, and nothing that only a page has. */
function standalone(body: string, styles: string): string {
    const bare = body.replace(/<!--[^]*?-->/g, "").replace(/ (?:tabindex|data-noun)="[^"]*"/g, "");
    const escaped = styles.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `${bare.trim().replace(/^<svg[^>]*>/, (open) => `${open}<style>${escaped}</style>`)}\n`;
}
