/** What is said of a piece on the map, and who may be behind a back. */
import type { Board } from "$gen/bree/confrontation/v1/board_pb";
import type { Explained } from "../../parts/touching";
import { TITLE, faceOf, within } from "./facts";
import { LETTERS } from "./ground";
import { broken, fitted, widthOf } from "./letters";
import { listed, ownSide, regionName, shortName, type Heap, type Standing } from "./position";
import { explained } from "./told";

export function labelOfPiece(piece: Standing): string {
    const where = `in ${within(piece.region)}`;
    if (!piece.character) return `A hidden piece of ${TITLE[piece.side]}’s ${where}`;
    const marks = [
        piece.shown ? "seen by both sides" : "",
        piece.ring ? "carries the Ring" : "",
    ].filter(Boolean);
    return [`${faceOf(piece.character)}, ${where}`, ...marks].join(", ");
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
const LETTERING = { size: LETTERS };

/** A line or two for each back, with as many names as there is room for. */
export function hintsOf(
    view: Board,
    around: ReadonlyMap<string, readonly Standing[]>,
    heaps: ReadonlyMap<string, Heap>,
): Map<string, string[]> {
    const hints = new Map<string, string[]>();
    const own = ownSide(view);
    for (const { region } of view.regions) {
        const heap = heaps.get(region);
        if (!heap) continue;
        const backs = (around.get(region) ?? []).filter((p) => !p.character && p.side !== own);
        const unsure = heap.perhaps.filter((name) => !heap.certain.includes(name));
        backs.forEach((piece, n) => {
            const certain = heap.certain[n];
            hints.set(piece.key, certain ? nameOn(certain) : someOf(unsure));
        });
    }
    return hints;
}

/** A name in two lines at most. */
const nameOn = (id: string): string[] => fitted(shortName(id), ROOM, LETTERS).lines;

/** The names, if there is room for all; else how many there are. */
function someOf(names: readonly string[]): string[] {
    const lines = broken(names.map(shortName).join(", "), ROOM, LETTERING);
    const fits = lines.length <= 2 && lines.every((line) => widthOf(line, LETTERING) <= ROOM);
    return fits ? lines : [`one of ${names.length}`];
}
