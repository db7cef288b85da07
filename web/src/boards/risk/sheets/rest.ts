/** The panels of standing orders, of what lasts, and of the piles. */
import { type Board, listed, many, nameOfBridge, nameOfCard, nameOfLand, titleOf } from "../facts";
import { type Chip, chipped, type Item, paragraph, type Sheet } from "../items";
import type { Order } from "../orders";
import { ownerOf } from "../owners";

export function ordersSheet(orders: readonly Order[], width: number): Sheet {
    const chips = orders.map(({ key, nouns, text, isOn, about }): Chip => ({
        key,
        nouns,
        label: text,
        about,
        icon: isOn ? "asked" : "silent",
        text,
        look: isOn ? "on" : "off",
    }));
    const { items, bottom } = chipped(chips, { x: 0, y: 0, width });
    return { items, height: bottom };
}

const EFFECTS = {
    storms: {
        icon: "storms",
        title: "Winter Storms",
        line: "Nobody invades out of these territories or into them.",
    },
    bridge: {
        icon: "bridge",
        title: "You Shall Not Pass!",
        line: "Only groups with a Leader cross this bridge.",
    },
    corsairs: {
        icon: "corsairs",
        title: "Corsairs of Umbar",
        line: "Each invasion by sea costs its source 3 battalions.",
    },
} as const;

/** What lasts until the next turn of a seat. */
export function effectChips(view: Board): Chip[] {
    return view.effects.flatMap(({ effect, seat, territories, bridge }, at): Chip[] => {
        const told = EFFECTS[effect as keyof typeof EFFECTS] as
            (typeof EFFECTS)["storms"] | undefined;
        if (!told) return [];
        const where =
            bridge === undefined ? listed(territories.map(nameOfLand)) : nameOfBridge(bridge);
        const until = `Until ${ownerOf(seat).name}'s next turn`;
        const text = where ? `${told.title}: ${where}` : told.title;
        return [
            {
                key: `${effect}.${at}`,
                label: `${text}. ${until}`,
                about: { title: text, lines: [told.line, `${until}.`] },
                icon: told.icon,
                text,
                look: "due",
            },
        ];
    });
}

export function pilesSheet(view: Board, width: number): Sheet {
    const effects = chipped(effectChips(view), { x: 0, y: 0, width });
    const items: Item[] = [...effects.items];
    let y = effects.bottom;
    pileLines(view).forEach((line, at) => {
        const said = paragraph(`line.${at}`, line, { x: 2, y, width }, { most: 8 });
        items.push(...said.items);
        y = said.bottom + 3;
    });
    return { items, height: y };
}

export function pileLines({ piles }: Board): string[] {
    if (!piles) return [];
    const { territoryDiscards, adventureDiscards, removed, faceDown } = piles;
    const unseen = faceDown ? `${faceDown} face down` : "";
    const open = territoryDiscards.map(nameOfCard);
    const gone = [...open, ...(unseen ? [unseen] : [])];
    return [
        `Decks: ${many(piles.territoryDeck, "Territory card")}, ${many(piles.adventureDeck, "Adventure card")}.`,
        ...(gone.length ? [`Discarded Territory cards: ${gone.join(", ")}.`] : []),
        ...(adventureDiscards.length
            ? [`Discarded Adventure cards: ${adventureDiscards.map(titleOf).join(", ")}.`]
            : []),
        ...(removed.length ? [`Out of the game: ${removed.map(titleOf).join(", ")}.`] : []),
    ];
}
