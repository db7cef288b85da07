/** A side's nine cards, and its fallen: how they lie. */
import { CHARACTERS } from "./facts";
import { LETTERS, PLATE, type Box } from "./ground";
import { widthOf } from "./letters";

export const CARD = { height: 50, gap: 4, head: 22 };

export interface Lay {
    columns: number;
    width: number;
    height: number;
}

export function layOf(width: number): Lay {
    const columns = width >= 600 ? 9 : 5;
    const rows = Math.ceil(9 / columns);
    return {
        columns,
        width: (width - (columns - 1) * CARD.gap) / columns,
        height: CARD.head + rows * CARD.height + (rows - 1) * CARD.gap,
    };
}

export interface FallenRow {
    character: string;
    y: number;
    height: number;
}

/** One below the other in a corner, long names in two lines, all of them closer if there are many. */
export function fallenRows(
    fallen: readonly string[],
    { width, height }: Box,
): { rows: FallenRow[]; height: number } {
    const isLong = (id: string): boolean =>
        widthOf(CHARACTERS.get(id)?.short ?? "", { size: LETTERS, bold: true }) > width - 10;
    const long = fallen.filter(isLong).length;
    const free = height - 16 - long * PLATE.height;
    const line = Math.min(17, free / Math.max(1, fallen.length - long));
    const rows: FallenRow[] = [];
    let y = 0;
    for (const character of fallen) {
        const here = isLong(character) ? PLATE.height : line;
        rows.push({ character, y, height: here });
        y += here;
    }
    return { rows, height: y };
}
