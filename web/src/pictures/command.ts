/** `scripts/pictures`: a position as one SVG file, from its view as JSON. */
import type { JsonValue } from "@bufbuild/protobuf";
import { readFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Theme } from "./colours";
import { picture, Refused } from "./picture";

const USAGE =
    "usage: scripts/pictures GAME [VIEW.json] [--viewer SEAT] [--width 720] [--theme light|dark]";
const STANDARD_INPUT = 0;
const WIDTHS = { least: 200, most: 4000 };

interface Wanted {
    game: string;
    file: string | undefined;
    viewer: string;
    width: number;
    theme: Theme;
}

function wanted(words: string[]): Wanted {
    const options = {
        viewer: { type: "string", default: "" },
        width: { type: "string", default: "720" },
        theme: { type: "string", default: "light" },
    } as const;
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    const [game, file, ...more] = positionals;
    const { viewer, theme } = values;
    const width = Number(values.width);
    if (!game || more.length) throw new Refused(USAGE);
    if (!Number.isInteger(width) || width < WIDTHS.least || width > WIDTHS.most)
        throw new Refused(`a width is a whole number from ${WIDTHS.least} to ${WIDTHS.most}`);
    if (theme !== "light" && theme !== "dark") throw new Refused("a theme is light or dark");
    return { game, file, viewer, width, theme };
}

function viewIn(file: string | undefined): JsonValue {
    try {
        return JSON.parse(readFileSync(file ?? STANDARD_INPUT, "utf-8")) as JsonValue;
    } catch (error) {
        throw new Refused(`${file ?? "standard input"} holds no view: ${String(error)}`);
    }
}

/** Write what is wanted to standard output; the answer is the code with which to end. */
export async function main(words: string[]): Promise<number> {
    try {
        const { file, ...rest } = wanted(words);
        const text = Buffer.from(await picture({ ...rest, view: viewIn(file) }));
        for (let at = 0; at < text.length;) at += writeSync(1, text, at);
        return 0;
    } catch (error) {
        // Of what is wrong with the words and the view; what else goes wrong is a fault of ours.
        if (!(error instanceof Refused || error instanceof TypeError)) throw error;
        process.stderr.write(`scripts/pictures: ${error.message}\n`);
        return 2;
    }
}
