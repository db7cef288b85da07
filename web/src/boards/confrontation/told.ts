/** The whole text of a character, a card or a region, for whoever points at it. */
import { EntryKind, type Board, type Entry } from "$gen/bree/confrontation/v1/board_pb";
import type { Explained } from "../../parts/touching";
import {
    CARDS,
    CHARACTERS,
    SIDES,
    TILES,
    TITLE,
    nameOf,
    type Card,
    type Character,
    type Region,
    type SideName,
} from "./facts";
import { listed, shortName, type Heap, type Standing } from "./position";

/** What a chart says of one character or card: the view's own chart, or else what is printed. */
export function explained(view: Board, id: string): Explained | undefined {
    const entry = SIDES.flatMap((side) => view.charts?.[side] ?? []).find((one) => one.name === id);
    const printed = CHARACTERS.get(id) ?? CARDS.get(id);
    if (!printed) return undefined;
    const lines = entry ? [entry.text, ...entry.exceptions] : printedLines(view, printed);
    return { title: titled(printed), lines: [...stateOf(view, id, entry), ...lines] };
}

function titled(printed: Character | Card): string {
    if (printed.kind === "character")
        return `${nameOf(printed.id) ?? printed.name}, strength ${printed.strength}`;
    const kind = printed.kind === "card" ? "card" : "special card";
    return `${TITLE[printed.side]}’s ${kind}: ${printed.name}`;
}

function printedLines(view: Board, printed: Character | Card): string[] {
    const chosen = new Map(view.options.map((option) => [option.name, option.value]));
    const told = printed.optionNotes
        .filter((note) => chosen.get(note.option) === note.value)
        .map((note) => note.note);
    return [printed.text, ...printed.notes, ...told];
}

function stateOf(view: Board, id: string, entry: Entry | undefined): string[] {
    if (entry && !entry.inGame) return ["Not in this game."];
    const has = (lists: { good: string[]; dark: string[] } | undefined): boolean =>
        SIDES.some((side) => lists?.[side].includes(id));
    if (has(view.fallen)) return ["Fallen."];
    if (has(view.used)) return ["Used; comes back when all nine have been used."];
    if (view.ringBearer === id) return ["Carries the Ring."];
    return [];
}

/** What is to be said of a region: who stands there, how many may, and what is special. */
export function regionExplained(
    region: Region,
    here: readonly Standing[],
    heap: Heap | undefined,
): Explained {
    const lines = SIDES.flatMap((side) => {
        const pieces = here.filter((piece) => piece.side === side);
        if (!pieces.length) return [];
        const known = pieces.flatMap((p) => (p.character ? [shortName(p.character)] : []));
        const backs = pieces.length - known.length;
        return [`${TITLE[side]}: ${listed([...known, ...(backs ? [`${backs} hidden`] : [])])}.`];
    });
    if (heap) lines.push(`Hidden may be: ${listed(heap.perhaps.map(shortName))}.`);
    lines.push(`Holds ${region.capacity} of each side.`);
    if (region.mountain) lines.push("Mountains: nobody moves sideways here.");
    return { title: region.name, lines: [...lines, ...(WAYS[region.id] ?? [])] };
}

const WAYS: Record<string, string[]> = {
    mirkwood: ["Good may go along the Anduin to Fangorn."],
    fangorn: [
        "Good may go along the Anduin to Rohan.",
        "The Tunnel of Moria ends here, from Eregion.",
    ],
    eregion: ["Good may go through the Tunnel of Moria to Fangorn."],
    moria: ["The Balrog here may destroy who goes through the tunnel."],
};

export interface ChartLine {
    id: string;
    title: string;
    lines: readonly string[];
}

/** A side's reference chart: all that plays or may; numbers say themselves. */
export function chartOf(view: Board, side: SideName): ChartLine[] {
    const entries = view.charts?.[side] ?? [];
    const ids = entries.length
        ? entries.filter((one) => one.inGame && !isNumber(one)).map((one) => one.name)
        : printedChart(view, side);
    return ids.flatMap((id) => {
        const told = explained(view, id);
        return told ? [{ id, ...told }] : [];
    });
}

function isNumber(entry: Entry): boolean {
    return (
        entry.kind === EntryKind.CARD && entry.strength !== undefined && /^\d+$/.test(entry.title)
    );
}

/** Where nobody asked for charts: the roster, if the viewer knows it, and the cards. */
function printedChart(view: Board, side: SideName): string[] {
    const names = view.rosters?.[side]?.names ?? [];
    const cards = [...CARDS.values()].filter((card) => card.side === side);
    return [
        ...(names.length ? names : TILES[side].flat()),
        ...cards
            .filter((card) => card.kind === "card" && !/^\d+$/.test(card.name))
            .map((c) => c.id),
        ...(view.specials?.[side] ?? []),
    ];
}
