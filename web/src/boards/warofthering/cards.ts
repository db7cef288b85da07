/** Event cards: in hands, on the table, in decks and among the discards. */
import type { Card, Deck } from "$gen/bree/warofthering/v1/board_pb";
import { titled } from "../../parts/words";
import { aboutCard, aboutPrinted } from "./abouts";
import type { Block, Chip, Panel } from "./blocks";
import type { Claims } from "./claims";
import {
    type Board,
    FACES,
    many,
    mySide,
    nameOf,
    other,
    seatTitle,
    SIDE_TITLES,
    type SideName,
    sideName,
} from "./facts";

const LEAST = 230;

function cardChip(card: Card, where: string, claims: Claims, notes: readonly string[]): Chip {
    const lines = [...notes, `${titled(card.deck)} · in battle: ${card.combat}`];
    return {
        key: `${where}.${card.card}`,
        noun: claims.take(card.card),
        label: [card.name, ...lines].join(". "),
        about: aboutCard(
            card,
            notes.filter((note) => note !== card.text),
        ),
        bits: [{ icon: FACES[card.icon]?.icon ?? "card" }, { text: card.name }],
        lines,
        look: `card ${sideName(card.side)} ${card.deck}`,
    };
}

/** The viewer's own hand, with what could play each card or why nothing can. */
export function handPanels(view: Board, claims: Claims): Panel[] {
    const seats = [...view.seats].sort(
        (a, b) => Number(b.seat === view.seat) - Number(a.seat === view.seat),
    );
    return seats.flatMap(({ seat, hand }) => {
        if (!hand?.cards.length) return [];
        const plays = new Map(hand.plays.map((play) => [play.card, play]));
        const chips = hand.cards.map((card) => {
            const play = plays.get(card.card);
            const dice = play?.dice.map((face) => FACES[face]?.title ?? face) ?? [];
            const notes = dice.length
                ? [`Can be played: ${dice.join(", ")}.`]
                : play?.reason
                  ? [play.reason]
                  : [];
            const players =
                card.players.length && view.seats.length > 2
                    ? [`Event of ${card.players.map(seatTitle).join(" or ")}.`]
                    : [];
            return cardChip(card, `hand.${seat}`, claims, [...notes, ...players]);
        });
        const isMine = seat === view.seat;
        const count = hand.character + hand.strategy;
        return [
            {
                key: `hand.${seat}`,
                title: isMine
                    ? `Your hand: ${count} of at most ${hand.limit}`
                    : `Known of ${seatTitle(seat)}'s hand`,
                blocks: [{ kind: "chips", chips, least: LEAST }],
                folds: "narrow",
            } satisfies Panel,
        ];
    });
}

/** The sides' cards on the table, their decks and discards. */
export function pilesPanel(view: Board, claims: Claims): Panel {
    const mine = mySide(view);
    const blocks = [mine, other(mine)].flatMap((side): Block[] => {
        const state = view[side];
        const table = (state?.table ?? []).map((card) =>
            cardChip(card, "table", claims, [card.text]),
        );
        const decks = (state?.decks ?? []).map((deck) =>
            deckChip(deck, side, side === mine ? claims : undefined),
        );
        return [
            { kind: "line", text: SIDE_TITLES[side], look: "strong" },
            {
                kind: "chips",
                caption: table.length ? "On the table" : "Nothing on the table",
                chips: table,
                least: LEAST,
            },
            { kind: "chips", chips: decks },
        ];
    });
    return { key: "piles", title: "Cards on the table and decks", blocks, folds: "narrow" };
}

function deckChip(
    { deck, left, discarded }: Deck,
    side: SideName,
    claims: Claims | undefined,
): Chip {
    const name = titled(deck);
    return {
        key: `deck.${side}.${deck}`,
        noun: claims?.take(`${deck}_deck`) ?? "",
        label: `${name} ${left} left, ${discarded} out: deck of the ${SIDE_TITLES[side]}`,
        about: {
            title: `${name} deck`,
            lines: [`${many(left, "card")} left, ${discarded} discarded.`],
        },
        bits: [
            { icon: "deck" },
            { text: name },
            { text: `${left} left, ${discarded} out`, look: "count" },
        ],
        look: `${side} back ${deck}`,
    };
}

/** The discards that the viewer has seen. */
export function discardsPanel(view: Board, claims: Claims): Panel[] {
    const blocks = (["free", "shadow"] as const).flatMap((side): Block[] =>
        (view[side]?.decks ?? [])
            .filter(({ known }) => known.length)
            .map(({ deck, known, discarded }) => ({
                kind: "chips",
                caption: `${SIDE_TITLES[side]}, ${titled(deck)}: ${known.length} of ${discarded} known`,
                chips: known.map((id) => ({
                    key: `discard.${id}`,
                    noun: claims.take(id),
                    label: `${nameOf(id) ?? id}, discarded`,
                    about: aboutPrinted(id, "Discarded."),
                    bits: [{ text: nameOf(id) ?? titled(id) }],
                    look: `discard ${side}`,
                })),
            })),
    );
    return blocks.length
        ? [{ key: "discards", title: "Discards that you have seen", blocks, folds: "always" }]
        : [];
}
