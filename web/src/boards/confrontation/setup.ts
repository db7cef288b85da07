/** What is chosen before the first turn: who has chosen how much, and what the viewer chose. */
import { Stage, type Board, type Setup } from "$gen/bree/confrontation/v1/board_pb";
import { SIDES, START, TILES, TITLE, nameOf, specialSet, within, type SideName } from "./facts";
import { broken } from "./letters";
import { homeOf, ownSide, shortName, waiting } from "./position";

export interface Option {
    noun: string;
    side: SideName;
    /** Its number among the viewer's choices, from 1; 0 if it is not chosen. */
    chosen: number;
    /** It was not chosen where another was. */
    gone: boolean;
}

export interface Row {
    options: readonly Option[];
    /** It is this row's turn. */
    now: boolean;
}

export interface Choosing {
    title: string;
    done: readonly string[];
    lines: readonly string[];
    /** What the columns are. */
    heads: readonly string[];
    rows: readonly Row[];
    top: number;
    height: number;
}

export const ROW = { head: 44, height: 34, heads: 18, text: 12, line: 16, gap: 6 };

const TITLES: Record<Stage, string> = {
    [Stage.UNSPECIFIED]: "Setting up",
    [Stage.DRAFT]: "Choosing characters",
    [Stage.SPECIALS]: "Choosing special cards",
    [Stage.PLACE]: "Placing the characters",
};

export function choosing(view: Board, setup: Setup, width: number): Choosing {
    const all = setup.stage === Stage.DRAFT ? TILES.good.length : undefined;
    const done = SIDES.map((side) => {
        const number = side === "good" ? setup.goodDone : setup.darkDone;
        return `${TITLE[side]} has chosen ${number}${all ? ` of ${all}` : ""}`;
    });
    const rows = rowsOf(view, setup);
    const lines = placedLines(view, setup).flatMap((line) =>
        broken(line, width - 20, { size: ROW.text }),
    );
    const isDraft = setup.stage === Stage.DRAFT && rows.length > 0;
    const words = lines.length ? lines.length * ROW.line + ROW.gap : 0;
    const top = ROW.head + words + (isDraft ? ROW.heads : 0);
    return {
        title: TITLES[setup.stage],
        done,
        lines,
        heads: isDraft ? ["Classic face", "Variant face"] : [],
        rows,
        top,
        height: top + rows.length * ROW.height + 8,
    };
}

/** Where the viewer has placed whom, in the order of his choices, and what comes next. */
function placedLines(view: Board, setup: Setup): string[] {
    const side = ownSide(view);
    if (!side || setup.stage !== Stage.PLACE) return [];
    const placed = setup.yours.map((text, n) => {
        const [who = "", where = ""] = text.split(" ");
        const name = who === "nobody" ? "nobody" : shortName(who);
        // What belongs together is not broken.
        return `${n + 1}. ${nameOf(where) ?? where}: ${name}`.replaceAll(" ", "\u00a0");
    });
    const next = START[side][setup.yours.length];
    const home = within(homeOf(side));
    return [
        ...(placed.length ? [placed.join(", ")] : []),
        next ? `Next: ${nameOf(next) ?? next}. Still in ${home}:` : `The others stay in ${home}.`,
    ];
}

function rowsOf(view: Board, setup: Setup): Row[] {
    const side = ownSide(view);
    if (setup.stage === Stage.SPECIALS) return specialRows(view, setup);
    if (!side) return [];
    return setup.stage === Stage.DRAFT ? draftRows(side, setup) : placeRows(view, side);
}

function draftRows(side: SideName, setup: Setup): Row[] {
    return TILES[side].map((faces, n) => {
        const made = setup.yours[n];
        const options = faces.map((noun) => ({
            noun,
            side,
            chosen: noun === made ? n + 1 : 0,
            gone: made !== undefined && noun !== made,
        }));
        return { options, now: n === setup.yours.length };
    });
}

function specialRows(view: Board, setup: Setup): Row[] {
    const set = specialSet(
        view.options.find((one) => one.name === "special_cards")?.value ?? "off",
    );
    const longest = Math.max(set.good.length, set.dark.length);
    return Array.from({ length: longest }, (_, n) => ({
        now: false,
        options: SIDES.flatMap((side) => {
            const noun = set[side][n];
            return noun ? [{ noun, side, chosen: setup.yours.indexOf(noun) + 1, gone: false }] : [];
        }),
    }));
}

/** Those who have no place yet, two in a row. */
function placeRows(view: Board, side: SideName): Row[] {
    const options = waiting(view).map((noun) => ({ noun, side, chosen: 0, gone: false }));
    return Array.from({ length: Math.ceil(options.length / 2) }, (_, n) => ({
        options: options.slice(2 * n, 2 * n + 2),
        now: false,
    }));
}
