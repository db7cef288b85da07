"""A world that a seat cannot tell from this one: the cards that it cannot know, drawn anew.

Design. The event cards are the only secret. A card that the seat does not know of is in one of the
places that hold such cards: a deck, another hand, the face-down discards; whose back shows which
deck it is from. So the unknown cards of each deck change places among themselves. What the seat may
conclude is kept: a chosen Combat card is one that could be chosen, and who must choose a card from
his hand has one to choose. Everything is taken in the order of the cards, never in the order of the
truth, so that a guess made from a guess is as good as one made from the game.
"""

from __future__ import annotations

from services.core.decisions import Pick, Seat
from services.core.frames import Game
from services.core.questions import Seal
from services.warofthering.board import FACE_DOWN, IN_HAND, NO_HOLDER, Board
from services.warofthering.play import combat_effects
from services.warofthering.play.battle import Round
from services.warofthering.play.hands import HandQuestion
from services.warofthering.tables import CARDS_IN, DECK_OF_CARD, NO_CARD, SIDE_OF_CARD

G = Game[Board]


def guess(g: G, seat: Seat, pick: Pick) -> G:
    """The same game with the cards that a seat does not know redrawn."""
    imagined = g.copy()
    b = imagined.board
    b.actions = None  # with other cards, others
    for decks in CARDS_IN:
        for cards in decks:
            _shuffle(b, seat, cards, pick)
    for frame in imagined.stack:
        if isinstance(frame, Round):
            _seal_anew(b, seat, frame, pick)
    question = imagined.question()
    if isinstance(question, HandQuestion) and question.seat != seat:
        _give_one(b, seat, question, pick)
    if isinstance(question, Seal):
        for other in range(len(b.settings.seats)):
            if other != seat:
                question.redraw(imagined, other, pick)
    return imagined


def _shuffle(b: Board, seat: int, cards: range, pick: Pick) -> None:
    """Deal the places of the cards that a seat is not sure of to them anew.

    A card that the seat handed to its mate goes first, for it is with the mate or discarded by him.
    Who else is sure of a card is no business of the seat: its holder is.
    """
    unknown = [card for card in cards if not b.knows(seat, card)]
    piles = sorted(b.cards[card] for card in unknown)
    given = [card for card in unknown if _gave(b, seat, card)]
    for card in given:
        mate = b.given[card] - 1
        _take(b, card, piles, (IN_HAND + mate, FACE_DOWN + mate), pick)
    for card in unknown:
        if card not in given:
            b.given[card] = 0
            _take(b, card, piles, (), pick)


def _gave(b: Board, seat: int, card: int) -> bool:
    mate = b.given[card] - 1
    return mate >= 0 and mate != seat and b.settings.sides[mate] == b.settings.sides[seat]


def _take(b: Board, card: int, piles: list[int], among: tuple[int, ...], pick: Pick) -> None:
    """Put a card into one of the piles left, or of some of them."""
    if among:
        open_to = [at for at, pile in enumerate(piles) if pile in among]
        at = open_to[pick(len(open_to))]
    else:
        at = pick(len(piles))
    b.cards[card] = piles.pop(at)
    holder = b.holder_of(card)
    b.knowers[card] = 1 << holder if holder != NO_HOLDER else 0


def _seal_anew(b: Board, seat: int, battle_round: Round, pick: Pick) -> None:
    """A card that another seat has chosen for this battle is any that it could have chosen."""
    for side, card in enumerate(battle_round.sealed):
        holder = b.battle.seats[side]
        if (
            card == NO_CARD
            or holder == seat
            or (b.knowers[card] >> seat & 1 and b.table >> card & 1)
        ):
            continue
        cards = CARDS_IN[side][DECK_OF_CARD[card]]
        hand = [c for c in cards if b.cards[c] == IN_HAND + holder]
        known = [c for c in hand if b.knows(seat, c)]
        has_unknown = len(known) < len(hand)  # else no card that it does not know can be there
        able = [
            c
            for c in cards
            if (c in known or (has_unknown and not b.knows(seat, c)))
            and combat_effects.may_choose(b, c, side)
        ]
        chosen = able[pick(len(able))]
        if b.cards[chosen] != IN_HAND + holder:
            _trade(b, seat, chosen, holder, pick)
        sealed = list(battle_round.sealed)
        sealed[side] = chosen
        battle_round.sealed = (sealed[0], sealed[1])


def _give_one(b: Board, seat: int, question: HandQuestion, pick: Pick) -> None:
    """Let the hand of who must choose a card hold one that fits."""
    hand = b.hand(question.seat)
    if question.optional or any(question.fits(b, card) for card in hand):
        return
    backs = {(SIDE_OF_CARD[c], DECK_OF_CARD[c]) for c in hand if not b.knows(seat, c)}
    able = [
        card
        for side, deck in sorted(backs)
        for card in CARDS_IN[side][deck]
        if not b.knows(seat, card) and question.fits(b, card)
    ]
    _trade(b, seat, able[pick(len(able))], question.seat, pick)


def _trade(b: Board, seat: int, card: int, holder: int, pick: Pick) -> None:
    """Put an unknown card into a hand, in exchange for another of the same back."""
    cards = CARDS_IN[SIDE_OF_CARD[card]][DECK_OF_CARD[card]]
    there = [c for c in cards if b.cards[c] == IN_HAND + holder and not b.knows(seat, c)]
    other = there[pick(len(there))]
    b.cards[card], b.cards[other] = b.cards[other], b.cards[card]
    b.knowers[card], b.knowers[other] = b.knowers[other], b.knowers[card]
