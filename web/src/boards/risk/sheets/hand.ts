/** The panel of one's own cards: what sets they make, and what each does. */
import { doing } from "../../../parts/touching";
import { aboutAdventure, aboutTerritoryCard, nameOfCard, SYMBOL_NAMES, SET_LINES } from "../facts";
import type { CardSet, Hand, HeldAdventure } from "../hand";
import {
    broken,
    type Chip,
    chipped,
    cut,
    type Item,
    paragraph,
    SMALL,
    type Sheet,
    TEXT,
    type ThingItem,
} from "../items";
import type { Alignment } from "$gen/bree/risk/v1/board_pb";

const CARD = 150;
const GAP = 6;
const LEADING = 14.5;

export function handSheet(
    hand: Hand,
    alignment: Alignment,
    meant: ReadonlySet<string>,
    width: number,
): Sheet {
    const items: Item[] = [];
    let y = 0;
    const heading = (key: string, text: string): void => {
        items.push({ kind: "text", key, x: 0, y: y + 8, text, size: SMALL, look: "faint" });
        y += 18;
    };
    heading("t", hand.territory.length ? "Territory cards" : "No Territory card");
    const chips = chipped(
        hand.territory.map(({ card, name, symbol }): Chip => ({
            key: `t.${card}`,
            nouns: meant.has(card) ? [card] : [],
            label: `Territory card ${name}, ${SYMBOL_NAMES[symbol]}`,
            about: aboutTerritoryCard(card),
            icon: symbol,
            text: name,
            look: "card",
        })),
        { x: 0, y, width },
    );
    items.push(...chips.items);
    y = chips.bottom;
    if (hand.sets.length) {
        const sets = chipped(hand.sets.map(setChip), { x: 0, y: y + 1, width });
        items.push(...sets.items);
        y = sets.bottom + 1;
    }
    heading("a", hand.adventure.length ? "Adventure cards" : "No Adventure card");
    const cards = adventures(hand.adventure, alignment, y, width);
    items.push(...cards.items);
    y = cards.bottom;
    if (hand.secrets.length) {
        const names = hand.secrets.map(nameOfCard).join(", ");
        const text = `Your secret card: ${names}. Four battalions join you there once you hold it.`;
        const said = paragraph("secret", text, { x: 2, y, width });
        items.push(...said.items);
        y = said.bottom + 3;
    }
    return { items, height: y };
}

/** The best set turns in; the others tell what they are. */
const setChip = ({ key, names, value }: CardSet, at: number): Chip => ({
    key: `set.${key}`,
    nouns: at ? [] : [doing("turn_in")],
    label: `A set: ${names.join(", ")}, for ${value} battalions`,
    about: {
        title: `A set for ${value} battalions`,
        lines: [`${names.join(", ")}.`, ...SET_LINES],
    },
    icon: "battalions",
    text: `Set for ${value}: ${names.join(", ")}`,
    look: "set",
});

function adventures(
    cards: readonly HeldAdventure[],
    alignment: Alignment,
    top: number,
    width: number,
): { items: ThingItem[]; bottom: number } {
    const inRow = Math.max(1, Math.floor((width + GAP) / (CARD + GAP)));
    const w = (width - (inRow - 1) * GAP) / inRow;
    const texts = cards.map(({ meaning }) => broken(meaning, SMALL, w - 14, 6));
    const items: ThingItem[] = [];
    let y = top;
    for (let first = 0; first < cards.length; first += inRow) {
        const row = cards.slice(first, first + inRow);
        const most = Math.max(...row.map((_, at) => texts[first + at]?.length ?? 0));
        const h = 44 + most * LEADING;
        row.forEach((card, at) => {
            const lines = texts[first + at] ?? [];
            items.push(cardAt(card, lines, alignment, { x: at * (w + GAP), y, w, h }));
        });
        y += h + GAP;
    }
    return { items, bottom: y };
}

function cardAt(
    card: HeldAdventure,
    lines: readonly string[],
    alignment: Alignment,
    box: { x: number; y: number; w: number; h: number },
): ThingItem {
    const { w, h } = box;
    const points = card.points ? `${card.points} point${card.points > 1 ? "s" : ""}` : "";
    return {
        kind: "thing",
        key: card.card,
        nouns: [...(card.verb === undefined ? [] : [doing(card.verb)]), card.card].reverse(),
        label: `${card.title}, ${card.kind.toLowerCase()}: ${card.meaning}${points ? ` Worth ${points}.` : ""}`,
        about: aboutAdventure(card.card, alignment),
        ...box,
        look: "adventure",
        items: [
            { kind: "box", key: "box", x: 0, y: 0, w, h, r: 6, look: "chip" },
            {
                kind: "text",
                key: "title",
                x: 8,
                y: 14,
                text: cut(card.title, TEXT, w - 14, true),
                size: TEXT,
                look: "bold",
            },
            {
                kind: "text",
                key: "kind",
                x: 8,
                y: 30,
                text: points ? `${card.kind} · ${points}` : card.kind,
                size: SMALL,
                look: "faint",
            },
            ...lines.map((line, at): Item => ({
                kind: "text",
                key: `line.${at}`,
                x: 8,
                y: 46 + at * LEADING,
                text: line,
                size: SMALL,
            })),
        ],
    };
}
