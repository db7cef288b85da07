/** What is read beside the map: whose turn it is, what follows from what was seen, the charts. */
import type { Board, Whereabouts } from "$gen/bree/confrontation/v1/board_pb";
import { CHARACTERS, TITLE, nameOf, sideNamed, within, type SideName } from "./facts";
import { broken } from "./letters";
import { ownSide, regionName, shortName } from "./position";
import { chartOf } from "./told";

export interface Line {
    text: string;
    y: number;
    size: number;
    isTitle: boolean;
}

export interface Page {
    lines: readonly Line[];
    height: number;
}

class Column {
    readonly lines: Line[] = [];
    height = 0;

    constructor(private readonly width: number) {}

    write(text: string, size: number, isTitle = false): void {
        const leading = size * 1.32;
        for (const line of broken(text, this.width, { size, bold: isTitle })) {
            this.height += leading;
            this.lines.push({ text: line, y: this.height - size * 0.3, size, isTitle });
        }
    }

    space(height: number): void {
        this.height += height;
    }
}

/** Whose turn it is, how it ended, what a card demands: what one reads first. */
export function status(view: Board, width: number): Page {
    const column = new Column(width);
    const words: string[] = [];
    const turn = sideNamed(view.turn);
    const own = turn && turn === ownSide(view);
    if (view.result) words.push(view.result.sentence);
    else if (turn)
        words.push(`Turn ${view.ply + 1}`, `${TITLE[turn]}${own ? " (you)" : ""} to move`);
    else if (view.setup) words.push("Setting up");
    column.write(words.join(" · "), 14, true);
    if (view.games > 1)
        column.write(`Game ${view.game} of ${view.games} · points ${view.points.join(" : ")}`, 12);
    const journey = view.journey && sideNamed(view.journey.by);
    if (view.journey && journey)
        column.write(
            `${TITLE[journey]} goes through the tunnel from ${within(view.journey.from)} to ${within(view.journey.to)}.`,
            13,
        );
    const duty = view.duty && sideNamed(view.duty.side);
    if (view.duty && duty) {
        const who = view.duty.character
            ? within(nameOf(view.duty.character) ?? "")
            : "one hidden character";
        column.write(
            `${TITLE[duty]} ${view.duty.mustMove ? "must" : "may not"} move ${who.replace(/^The /, "the ")} now.`,
            13,
        );
    }
    column.space(6);
    return column;
}

/** Where each character of the other side may stand. */
export function knowledge(view: Board, width: number): Page {
    const column = new Column(width);
    const inference = view.inference;
    if (!inference) return column;
    column.write("What you may conclude", 15, true);
    const ways =
        inference.worlds === 1n ? "One way" : `${inference.worlds.toLocaleString("en")} ways`;
    column.write(`${ways} in which the enemy may stand.`, 12);
    column.space(3);
    for (const [regions, names] of alike(inference.couldBe))
        column.write(`${names.join(", ")}: ${regions}`, 12);
    column.space(6);
    return column;
}

/** Those who may be in the same regions stand together, the best known first. */
function alike(all: readonly Whereabouts[]): [string, string[]][] {
    const found = new Map<string, string[]>();
    for (const one of [...all].sort((a, b) => a.regions.length - b.regions.length)) {
        const regions = one.regions.map(regionName).join(", ") || "in the tunnel";
        const name = strongly(one.character);
        found.set(regions, [...(found.get(regions) ?? []), name]);
    }
    return [...found];
}

const strongly = (id: string): string => `${shortName(id)} (${CHARACTERS.get(id)?.strength ?? 0})`;

/** A side's whole chart. */
export function chart(view: Board, side: SideName, width: number): Page {
    const column = new Column(width);
    column.write(`The chart of ${TITLE[side]}`, 15, true);
    for (const entry of chartOf(view, side)) {
        column.space(5);
        column.write(entry.title, 12, true);
        column.write(entry.lines.join(" "), 12);
    }
    column.space(6);
    return column;
}
