/** What is said of a piece on the map, and who may be behind a back. */
import type { Board } from "$gen/bree/confrontation/v1/board_pb";
import type { Explained } from "../../parts/touching";
import { TITLE, nameOf, within, CHARACTERS } from "./facts";
import { widthOf } from "./letters";
import { listed, regionName, shortName, type Heap, type Standing } from "./position";
import { explained } from "./told";

export function labelOfPiece(piece: Standing): string {
    const where = `in ${within(piece.region)}`;
    if (!piece.character) return `A hidden piece of ${TITLE[piece.side]}’s ${where}`;
    const strength = CHARACTERS.get(piece.character)?.strength ?? 0;
    const marks = [
        piece.shown ? "seen by both sides" : "",
        piece.ring ? "carries the Ring" : "",
    ].filter(Boolean);
    return [`${nameOf(piece.character) ?? ""}, strength ${strength}, ${where}`, ...marks].join(
        ", ",
    );
}

/** A face has its own text; of a back what has been seen says who it may be. */
export function pieceExplained(view: Board, piece: Standing, heap?: Heap): Explained | undefined {
    if (piece.character) return explained(view, piece.character);
    const title = `A hidden piece of ${TITLE[piece.side]}’s in ${regionName(piece.region)}`;
    if (!heap) return { title, lines: ["Nobody but its owner knows who it is."] };
    const lines = [
        `It may be ${listed(heap.perhaps.map(shortName)).replace(/ and ([^,]*)$/, " or $1")}.`,
    ];
    if (heap.certain.length) lines.push(`Certainly here: ${listed(heap.certain.map(shortName))}.`);
    return { title, lines };
}

const ROOM = 72;
const LETTERS = { size: 10.5 };

/** A line or two for each back, with as many names as there is room for. */
export function hintsOf(
    view: Board,
    around: ReadonlyMap<string, readonly Standing[]>,
    heaps: ReadonlyMap<string, Heap>,
): Map<string, string[]> {
    const hints = new Map<string, string[]>();
    for (const { region } of view.regions) {
        const heap = heaps.get(region);
        if (!heap) continue;
        const backs = (around.get(region) ?? []).filter((p) => !p.character && heapIs(view, p));
        const unsure = heap.perhaps.filter((name) => !heap.certain.includes(name));
        backs.forEach((piece, n) => {
            const certain = heap.certain[n];
            hints.set(piece.key, certain ? [`= ${shortName(certain)}`] : someOf(unsure));
        });
    }
    return hints;
}

const heapIs = (view: Board, piece: Standing): boolean =>
    piece.side === (view.side === 1 ? "dark" : "good");

function someOf(names: readonly string[]): string[] {
    const lines: string[] = [];
    for (const [n, name] of names.map(shortName).entries()) {
        const more = names.length - n;
        const last = lines.at(-1);
        const longer = last === undefined ? name : `${last}, ${name}`;
        const rest = lines.length > 1 && more > 1 ? ` +${more - 1}` : "";
        if (last !== undefined && widthOf(longer + rest, LETTERS) <= ROOM)
            lines[lines.length - 1] = longer;
        else if (lines.length < 2) lines.push(name);
        else {
            lines[1] = `${lines[1] ?? ""} +${more}`;
            break;
        }
    }
    return lines;
}
