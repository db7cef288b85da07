/** How a width is shared between the map and the panels. */
import { SHAPES } from "./ground";
import { FIRST, GAP, type Kind, REST } from "./plan";

export interface Layout {
    /** Whether the panels lie beside the map. */
    isBeside: boolean;

    /** The widths of the map and of the panels. */
    map: number;
    panels: number;
    columns: number;

    /** In how many columns the panels above the map lie, on a narrow page. */
    above: number;

    /** Which of them lie above the map, below it, and beside it or below all. */
    kinds: { above: readonly Kind[]; below: readonly Kind[]; rest: readonly Kind[] };

    /** How high the map may be, as in a style sheet. */
    height: string;
}

const BESIDE = 700;
const COLUMN = 264;
const TWO_COLUMNS = 560;
const SHARE = 0.55;
const WIDEST = 780;

/** As wide as the map is for each pixel of its height, and what else stands above and below it. */
const ASPECT = SHAPES.width / SHAPES.height;
const AROUND = 190;
const NARROWEST = 380;

const WHERE = {
    narrow: { above: FIRST, below: [], rest: REST },
    /** Where one column lies beside the map, it would be twice as high. */
    beside: {
        above: [],
        below: REST.filter((kind) => ["regions", "orders", "piles"].includes(kind)),
        rest: [...FIRST, "hand", "players", "path"],
    },
    wide: { above: [], below: [], rest: [...FIRST, ...REST] },
} as const satisfies Readonly<Record<string, Layout["kinds"]>>;

/** For the width that there is, and for a screen of this height. */
export function laidOut(width: number, screen = Infinity): Layout {
    if (width < BESIDE) {
        const columns = width >= TWO_COLUMNS ? 2 : 1;
        return {
            isBeside: false,
            map: width,
            panels: width,
            columns,
            above: columns,
            kinds: WHERE.narrow,
            height: "max(24rem, 78svh)",
        };
    }
    const high = Math.max(NARROWEST, (screen - AROUND) * ASPECT);
    const map = Math.round(Math.min(WIDEST, high, Math.max(NARROWEST, width * SHARE)));
    const panels = width - map - GAP;
    const columns = Math.max(1, Math.floor((panels + GAP) / (COLUMN + GAP)));
    const kinds = columns > 1 ? WHERE.wide : WHERE.beside;
    const height = "calc(100svh - 8rem)";
    return { isBeside: true, map, panels, columns, above: 1, kinds, height };
}
