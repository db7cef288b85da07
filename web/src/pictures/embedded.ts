/** What an embedded engine is given: it has JavaScript and nothing else, no console and no wires. */
import "./encoding";
import type { JsonValue } from "@bufbuild/protobuf";
import type { Theme } from "./colours";
import { drawn } from "./drawing";

/** A position as the text of an SVG file, from texts that come from outside. */
function draw(game: string, view: string, viewer: string, width: number, theme: Theme): string {
    const text = drawn({ game, view: JSON.parse(view) as JsonValue, viewer, width, theme });
    // In one piece: a text that was added up may be a tree of texts, which not every engine gives away.
    return [text].join("");
}

(globalThis as Record<string, unknown>)["draw"] = draw;
