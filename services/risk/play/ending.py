"""The end (RULES 11): points, ties, who wins; and what becomes of a seat that is out (RULES 12).

Order of reading: points, the end of the game, leaving it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.frames import Game, Procedure
from services.risk.board import Board
from services.risk.play.dice import RollOff
from services.risk.tables import (
    ADVENTURES,
    BONUS,
    NEUTRAL,
    POINTS,
    REGION_LANDS,
    bits,
)

G = Game[Board]

STRONGHOLD_POINTS = 2


class Score(NamedTuple):
    """What a seat scores, item by item."""

    territories: int
    strongholds: int  # how many; each counts twice
    regions: int
    cards: int

    @property
    def points(self) -> int:
        """The sum."""
        return self.territories + STRONGHOLD_POINTS * self.strongholds + self.regions + self.cards

    @property
    def sort_key(self) -> tuple[int, int, int, int]:
        """What is compared, the points first and then what breaks ties (RULES R22)."""
        return self.points, self.territories, self.strongholds, self.cards


def score(b: Board, seat: int) -> Score:
    """What a seat would score if the Ring were destroyed now."""
    held = b.held[seat]
    side = b.settings.sides[seat]
    return Score(
        held.bit_count(),
        (held & b.settings.strongholds).bit_count(),
        sum(bonus for lands, bonus in zip(REGION_LANDS, BONUS, strict=True) if not lands & ~held),
        sum(POINTS[card][side] for card in bits(b.played[seat])),
    )


def parties(b: Board) -> list[tuple[int, ...]]:
    """Who wins together: partners, or each player for himself."""
    if b.settings.has_teams:
        return [(0, 2), (1, 3)]
    return [(seat,) for seat in b.seats]


def _sort_key(b: Board, party: tuple[int, ...]) -> tuple[int, ...]:
    """What is compared of a party: the sums of its players who are not out."""
    keys = [score(b, seat).sort_key for seat in party if b.is_in(seat)]
    return tuple(map(sum, zip(*keys, strict=True)))


def standing(b: Board) -> tuple[int, ...]:
    """By seat, how many others stand below it now: points, or how late it left (RULINGS 3)."""
    last = {party: min((_exit(b, seat) for seat in party), default=0) for party in parties(b)}
    keys = {}
    for party in parties(b):
        inside = any(b.is_in(seat) for seat in party)
        keys[party] = (1, *_sort_key(b, party)) if inside else (0, last[party])
    return tuple(sum(keys[_party_of(b, seat)] > key for key in keys.values()) for seat in b.seats)


def rank_of(b: Board, seat: int) -> int | None:
    """A seat's rank, from 1 for the winner, once it is certain; partners wait for the end."""
    if b.placing:
        return 1 + sum(other > b.placing[seat] for other in b.placing)
    if b.settings.has_teams or b.is_in(seat):
        return None
    return len(b.seats) - b.gone.index(seat)


def next_rank(b: Board) -> int | None:
    """The rank of whoever leaves now; partners wait for the end."""
    return None if b.settings.has_teams else len(b.playing())


def _exit(b: Board, seat: int) -> int:
    return b.gone.index(seat) if seat in b.gone else len(b.gone)


def _party_of(b: Board, seat: int) -> tuple[int, ...]:
    return next(party for party in parties(b) if seat in party)


# The end of the game.


def is_decided(b: Board) -> bool:
    """Whether only one player, or two partners, are left (RULES R21)."""
    return sum(any(b.is_in(seat) for seat in party) for party in parties(b)) < 2


@dataclass(slots=True)
class Ending(Procedure):
    """Compare, let the dice break a tie for the first place, and tell."""

    destroyed: int = 0  # the Ring is

    script: ClassVar[tuple[str, ...]] = ("compare", "conclude")

    def compare(self, g: G) -> None:
        g.call(RollOff(seats=leaders(g.board)))

    def conclude(self, g: G) -> None:
        b = g.board
        winner = _party_of(b, self.got[0])
        tied = {_party_of(b, seat) for seat in leaders(b)} - {winner}
        placing = list(standing(b))
        for seat in winner:
            placing[seat] += len(tied)
        b.placing = tuple(placing)
        b.reason = "ring_destroyed" if self.destroyed else "last_player"
        winners, seats = ([b.name(seat) for seat in who] for who in (winner, b.playing()))
        points = [score(b, seat).points for seat in b.playing()]
        facts = {"winners": winners, "reason": b.reason, "seats": seats, "points": points}
        g.emit("game_ended", facts, None)
        g.stop()


def leaders(b: Board) -> tuple[int, ...]:
    """One seat of each party that ties for the first place; of one alone, its first."""
    below = standing(b)
    first = []
    for party in parties(b):
        inside = [seat for seat in party if b.is_in(seat)]
        if inside and below[inside[0]] == max(below):
            first.append(inside[0])
    return tuple(first)


# Leaving.


def fall(g: G, seat: int) -> None:
    """A seat is out: its cards leave the game or are laid on the discard piles (RULES R23)."""
    b = g.board
    hand = bits(b.hands[seat])
    for card in hand:
        b.discard_adventure(seat, card)
    if hand:
        names = [ADVENTURES[card] for card in hand]
        g.emit("hand_discarded", {"seat": b.name(seat), "cards": names}, None)
    b.lay_secrets_down(seat)
    b.retire(seat)


def give_up(g: G, seat: int) -> None:
    """A seat leaves outside the rules: what it holds becomes neutral (RULINGS 4).

    Whoever has just lost his last territory, and was about to be eliminated, goes before it.
    """
    b = g.board
    for other in b.playing() if b.number else ():
        if other != seat and not b.held[other]:
            _leave(g, other)
    _leave(g, seat)


def _leave(g: G, seat: int) -> None:
    b = g.board
    b.led &= ~b.held[seat]
    for land in bits(b.held[seat]):
        b.give(land, NEUTRAL, b.army[land])
    cards = b.territory_cards[seat]
    g.emit("gave_up", {"seat": b.name(seat), "place": next_rank(b)}, None)
    b.spend_territory_cards(seat, cards)
    fall(g, seat)
