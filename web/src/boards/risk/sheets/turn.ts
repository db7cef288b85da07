/** The panel of the turn: whose it is, what goes on, what is left of it. */
import { type Chip, chipped, cut, type Item, paragraph, type Sheet } from "../items";
import type { IconName } from "../icons";
import type { Due, TurnTold } from "../turn";

const TITLE = 15;
const ICONS: Readonly<Record<string, IconName>> = {
    moves: "arrow",
    territory: "cards",
    adventure: "cards",
    ring: "ring",
};

const chip = ({ key, text, state }: Due): Chip => ({
    key: `due.${key}`,
    label: text,
    icon: ICONS[key] ?? "turn",
    text,
    look: state,
});

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
    const chips = chipped(told.dues.map(chip), { x: 0, y: y + 4, width });
    return { items: [...items, ...chips.items], height: chips.bottom };
}
