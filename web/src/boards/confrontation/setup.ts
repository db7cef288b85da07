/** What is chosen before the first turn: who has chosen how much, and what the viewer chose. */
import { Stage, type Board, type Setup } from "$gen/bree/confrontation/v1/board_pb";
import { SIDES, START, TILES, TITLE, nameOf, specialSet, type SideName } from "./facts";
import { ownSide } from "./position";

export interface Option {
    noun: string;
    side: SideName;
    /** Its number among the viewer's choices, from 1; 0 if it is not chosen. */
    chosen: number;
    /** It was not chosen where another was. */
    gone: boolean;
}

export interface Row {
    /** What the row is about, if not by what stands in it. */
    label: string;
    options: readonly Option[];
    /** It is this row's turn. */
    now: boolean;
}

export interface Choosing {
    title: string;
    done: readonly string[];
    /** What the columns are. */
    heads: readonly string[];
    rows: readonly Row[];
    top: number;
    height: number;
}

export const ROW = { head: 44, height: 34, heads: 18 };

const TITLES: Record<Stage, string> = {
    [Stage.UNSPECIFIED]: "Setting up",
    [Stage.DRAFT]: "Choosing characters",
    [Stage.SPECIALS]: "Choosing special cards",
    [Stage.PLACE]: "Placing the characters",
};

export function choosing(view: Board, setup: Setup): Choosing {
    const all = setup.stage === Stage.DRAFT ? TILES.good.length : undefined;
    const done = SIDES.map((side) => {
        const number = side === "good" ? setup.goodDone : setup.darkDone;
        return `${TITLE[side]} has chosen ${number}${all ? ` of ${all}` : ""}`;
    });
    const rows = rowsOf(view, setup);
    const isDraft = setup.stage === Stage.DRAFT && rows.length > 0;
    const top = ROW.head + (isDraft ? ROW.heads : 0);
    return {
        title: TITLES[setup.stage],
        done,
        heads: isDraft ? ["Classic face", "Variant face"] : [],
        rows,
        top,
        height: top + rows.length * ROW.height + 8,
    };
}

function rowsOf(view: Board, setup: Setup): Row[] {
    const side = ownSide(view);
    if (setup.stage === Stage.SPECIALS) return specialRows(view, setup);
    if (!side) return [];
    return setup.stage === Stage.DRAFT ? draftRows(side, setup) : placeRows(side, setup);
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
        return { label: "", options, now: n === setup.yours.length };
    });
}

function specialRows(view: Board, setup: Setup): Row[] {
    const set = specialSet(
        view.options.find((one) => one.name === "special_cards")?.value ?? "off",
    );
    const longest = Math.max(set.good.length, set.dark.length);
    return Array.from({ length: longest }, (_, n) => ({
        label: "",
        now: false,
        options: SIDES.flatMap((side) => {
            const noun = set[side][n];
            return noun ? [{ noun, side, chosen: setup.yours.indexOf(noun) + 1, gone: false }] : [];
        }),
    }));
}

function placeRows(side: SideName, setup: Setup): Row[] {
    return START[side].map((region, n) => {
        const noun = setup.yours[n]?.split(" ")[0];
        const options = noun ? [{ noun, side, chosen: n + 1, gone: false }] : [];
        return { label: nameOf(region) ?? region, options, now: n === setup.yours.length };
    });
}
