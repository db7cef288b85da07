/** The panel of the turn: whose it is, what goes on, what is left of it. */
import { doing } from "../../../parts/touching";
import { cut, type Item, paragraph, roomOf, type Sheet, SMALL, type ThingItem } from "../items";
import type { IconName } from "../icons";
import type { Due, TurnTold } from "../turn";

const TITLE = 15;
const ICONS: Readonly<Record<string, IconName>> = {
    moves: "arrow",
    territory: "cards",
    adventure: "cards",
    ring: "ring",
};

const ROW = 24;
const GAP = 4;
const SYMBOL = 14;
const WIDEST = 190;
/** Words are reckoned wider than they are, so that they are never cut. */
const TIGHT = 0.93;

/** Side by side, as many as there is room for. */
function duesAt(dues: readonly Due[], top: number, width: number): Sheet {
    if (!dues.length) return { items: [], height: top };
    const least = Math.max(...dues.map(({ text }) => roomOf(text, SMALL) * TIGHT + 30));
    const inRow = Math.max(1, Math.min(dues.length, Math.floor((width + GAP) / (least + GAP))));
    const even = Math.ceil(dues.length / Math.ceil(dues.length / inRow)) || 1;
    const w = Math.min(WIDEST, (width - (even - 1) * GAP) / even);
    const items = dues.map(({ key, text, state, onward }, at): ThingItem => ({
        kind: "thing",
        key: `due.${key}`,
        nouns: onward ? [doing(onward.verb)] : [],
        label: onward ? `${text}, and on to it` : text,
        ...(onward && { about: { title: text, lines: [onward.line] } }),
        x: (at % even) * (w + GAP),
        y: top + Math.floor(at / even) * (ROW + GAP),
        w,
        h: ROW,
        look: state,
        items: [
            { kind: "box", key: "box", x: 0, y: 0, w, h: ROW, r: 6, look: "chip" },
            {
                kind: "icon",
                key: "icon",
                icon: ICONS[key] ?? "turn",
                x: 6,
                y: (ROW - SYMBOL) / 2,
                size: SYMBOL,
            },
            { kind: "text", key: "text", x: 25, y: ROW / 2, text, size: SMALL },
        ],
    }));
    return { items, height: top + Math.ceil(dues.length / even) * (ROW + GAP) };
}

export function turnSheet(told: TurnTold, width: number): Sheet {
    const left = told.seat ? 34 : 2;
    const items: Item[] = [
        {
            kind: "text",
            key: "title",
            x: left,
            y: 15,
            text: cut(told.title, TITLE, width - left, true),
            size: TITLE,
            look: "title",
        },
    ];
    if (told.seat)
        items.push({ kind: "owner", key: "who", seat: told.seat, x: 15, y: 15, r: 10, text: "" });
    let y = 30;
    told.lines.forEach((line, at) => {
        const { items: lines, bottom } = paragraph(`line.${at}`, line, { x: 2, y, width });
        items.push(...lines);
        y = bottom + 1;
    });
    const dues = duesAt(told.dues, y + 4, width);
    return { items: [...items, ...dues.items], height: dues.height };
}
