/** Event cards: in hands, on the table, in decks and among the discards. */
import type { Card, Deck } from "$gen/bree/warofthering/v1/board_pb";
import { doing } from "../../parts/touching";
import { titled } from "../../parts/words";
import { aboutCard, aboutPrinted } from "./abouts";
import { answerBlocks } from "./answers";
import type { Bit, Block, Chip, Panel } from "./blocks";
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
import { NO_TALE, type Tale } from "./told";

/** As wide as the longest title is. */
const LEAST = 316;

/** Whether there is nothing to say of what a card needs, or why it can not be played has said it. */
const isTold = (needs: string | undefined, notes: readonly string[]): boolean =>
    needs === undefined || notes.some((note) => note.includes(needs));

/** A card with all that is printed on it: nobody need point at it to read it. */
function cardChip(
    card: Card,
    where: string,
    claims: Claims,
    notes: readonly string[],
    marks: readonly Bit[] = [],
): Chip {
    const combatNeeds = card.combatNeeds === undefined ? "" : ` Needs: ${card.combatNeeds}`;
    const lines = [
        ...notes,
        ...(isTold(card.needs, notes) ? [] : [`Needs: ${card.needs ?? ""}`]),
        card.text,
        `In battle, ${card.combat}:${combatNeeds} ${card.combatText}`,
    ];
    return {
        key: `${where}.${card.card}`,
        noun: claims.take(card.card),
        label: [card.name, ...lines].join(". "),
        about: aboutCard(card, notes),
        bits: [{ icon: FACES[card.icon]?.icon ?? "card" }, { text: card.name }, ...marks],
        lines,
        look: `card ${sideName(card.side)} ${card.deck}`,
    };
}

/** The viewer's own hand, with what could play each card or why nothing can. */
export function handPanels(view: Board, claims: Claims, { swaps }: Tale = NO_TALE): Panel[] {
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
                card.players.length && view.seats.length > 2 && !play?.reason?.startsWith("Only ")
                    ? [`Event of ${card.players.map(seatTitle).join(" or ")}.`]
                    : [];
            const isAsked = seat === view.seat && play !== undefined;
            const marks = isAsked ? [{ icon: dice.length ? "check" : "cross" }] : [];
            return cardChip(card, `hand.${seat}`, claims, [...notes, ...players], marks);
        });
        const isMine = seat === view.seat;
        const count = hand.character + hand.strategy;
        return [
            {
                key: `hand.${seat}`,
                title: isMine
                    ? `Your hand: ${count} of at most ${hand.limit}`
                    : `Known of ${seatTitle(seat)}'s hand`,
                blocks: [
                    ...(isMine ? swapBlocks(view, claims, swaps) : []),
                    { kind: "chips", chips, least: LEAST },
                ],
                folds: "narrow",
            } satisfies Panel,
        ];
    });
}

/** Team-mates may each offer a card; and what came of it. */
function swapBlocks(view: Board, claims: Claims, swaps: Tale["swaps"]): Block[] {
    const answers = answerBlocks("swap", { keep: "Keep all cards" }, claims);
    const swapped = swaps[mySide(view)];
    const cards = (swapped ?? []).map((card) => nameOf(card) ?? titled(card));
    return [
        ...(claims.isMeant(doing("swap"))
            ? [
                  {
                      kind: "line",
                      text: "Touch the card that you offer. If your team-mate offers one, too, both change hands, and nobody else sees them.",
                  } as const,
                  ...answers,
              ]
            : []),
        ...(swapped
            ? [
                  {
                      kind: "line",
                      text: `Exchanged this turn with your team-mate: ${cards.join(" and ")}.`,
                      look: "small faint",
                  } as const,
              ]
            : []),
    ];
}

/** The sides' cards on the table, their decks and discards. */
export function pilesPanel(view: Board, claims: Claims): Panel {
    const mine = mySide(view);
    const columns = [mine, other(mine)].map((side): Block[] => {
        const state = view[side];
        const table = (state?.table ?? []).map((card) => cardChip(card, "table", claims, []));
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
    return {
        key: "piles",
        title: "Cards on the table and decks",
        blocks: [{ kind: "columns", columns, least: LEAST }],
        folds: "narrow",
    };
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
