/** The panel of one's own cards: what sets they make, and what each does. */
import { doing } from "../../../parts/touching";
import { aboutAdventure, aboutTerritoryCard, nameOfCard, SYMBOL_NAMES, SET_LINES } from "../facts";
import type { CardSet, Hand, HeldAdventure } from "../hand";
import {
    broken,
    brokenBold,
    type Chip,
    chipped,
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
    hand.sets.forEach((set, at) => {
        const thing = setAt(set, at, y, width);
        items.push(thing);
        y += thing.h + GAP;
    });
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
function setAt({ key, names, value }: CardSet, at: number, y: number, width: number): ThingItem {
    const lines = broken(names.join(", "), SMALL, width - 36, 2);
    const h = 24 + lines.length * LEADING;
    const line = (name: string, top: number, text: string, look: string): Item => ({
        kind: "text",
        key: name,
        x: 28,
        y: top,
        text,
        size: look === "bold" ? TEXT : SMALL,
        look,
    });
    return {
        kind: "thing",
        key: `set.${key}`,
        nouns: at ? [] : [doing("turn_in")],
        label: `A set: ${names.join(", ")}, for ${value} battalions`,
        about: {
            title: `A set for ${value} battalions`,
            lines: [`${names.join(", ")}.`, ...SET_LINES],
        },
        x: 0,
        y,
        w: width,
        h,
        look: "set",
        items: [
            { kind: "box", key: "box", x: 0, y: 0, w: width, h, r: 6, look: "chip" },
            { kind: "icon", key: "icon", icon: "battalions", x: 7, y: h / 2 - 8, size: 16 },
            line("worth", 12, `A set for ${value} battalions`, "bold"),
            ...lines.map((text, n) => line(`names.${n}`, 26 + n * LEADING, text, "")),
        ],
    };
}

function adventures(
    cards: readonly HeldAdventure[],
    alignment: Alignment,
    top: number,
    width: number,
): { items: ThingItem[]; bottom: number } {
    const inRow = Math.max(1, Math.floor((width + GAP) / (CARD + GAP)));
    const w = (width - (inRow - 1) * GAP) / inRow;
    const faces = cards.map(({ title, meaning }) => ({
        title: brokenBold(title, TEXT, w - 14, 2),
        lines: broken(meaning, SMALL, w - 14, 6),
    }));
    const items: ThingItem[] = [];
    let y = top;
    for (let first = 0; first < cards.length; first += inRow) {
        const row = cards.slice(first, first + inRow);
        const shown = faces.slice(first, first + inRow);
        const most = Math.max(...shown.map(({ title, lines }) => title.length + lines.length));
        const h = 30 + most * LEADING;
        shown.forEach((face, at) => {
            const card = row[at];
            if (card) items.push(cardAt(card, face, alignment, { x: at * (w + GAP), y, w, h }));
        });
        y += h + GAP;
    }
    return { items, bottom: y };
}

function cardAt(
    card: HeldAdventure,
    face: { title: readonly string[]; lines: readonly string[] },
    alignment: Alignment,
    box: { x: number; y: number; w: number; h: number },
): ThingItem {
    const { w, h } = box;
    const below = face.title.length * LEADING;
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
            ...face.title.map((text, at): Item => ({
                kind: "text",
                key: `title.${at}`,
                x: 8,
                y: 14 + at * LEADING,
                text,
                size: TEXT,
                look: "bold",
            })),
            {
                kind: "text",
                key: "kind",
                x: 8,
                y: 15.5 + below,
                text: points ? `${card.kind} · ${points}` : card.kind,
                size: SMALL,
                look: "faint",
            },
            ...face.lines.map((line, at): Item => ({
                kind: "text",
                key: `line.${at}`,
                x: 8,
                y: 31.5 + below + at * LEADING,
                text: line,
                size: SMALL,
            })),
        ],
    };
}
