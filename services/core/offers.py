"""What seats have proposed to each other, as the notes of a match tell it.

Design. Offers and answers are notes: they change nothing in a position. What all have agreed on is
an entry of the host's, which is refused without an offer that somebody has accepted and nobody
declined. Who must be asked is not known here: a record does not say which seats are people's.
Notes that mean nothing are left alone, as those of other programs are.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Self

from services.core.decisions import Seat

TAKE_BACK, ABORT, DRAW = "takeback", "abort", "draw"
"""What can be offered: that the last decision is taken back with all since, and two endings."""

OFFER, ACCEPT, DECLINE, WITHDRAW = "offer", "accept", "decline", "withdraw"
"""The first words of the notes."""


class Offer(NamedTuple):
    """Something that a seat has proposed."""

    number: int  # the revision at which it was made
    kind: str
    seat: Seat
    accepted: frozenset[Seat] = frozenset()


class Offers(NamedTuple):
    """Those that stand, the oldest first, and what may not be offered again yet."""

    standing: tuple[Offer, ...] = ()
    barred: frozenset[tuple[Seat, str]] = frozenset()

    def find(self, number: int) -> Offer | None:
        """The offer with this number, if it stands."""
        return next((offer for offer in self.standing if offer.number == number), None)

    def of(self, seat: Seat) -> Offer | None:
        """The offer that a seat has made, if one stands."""
        return next((offer for offer in self.standing if offer.seat == seat), None)

    def agreed(self, kind: str, seat: Seat | None = None) -> Offer | None:
        """An offer of this kind that somebody has accepted."""
        fits = (o for o in self.standing if o.kind == kind and seat in (None, o.seat))
        return next((offer for offer in fits if offer.accepted), None)

    def noted(self, seat: Seat, what: str, number: int, kinds: Collection[str]) -> Offers:
        """What comes of a note that a seat makes as the entry with this number."""
        verb, _, word = what.partition(" ")
        if verb == OFFER:
            if word not in kinds:
                return self
            others = self.without(self.of(seat)).standing
            return self._replace(standing=(*others, Offer(number, word, seat)))
        offer = self.find(int(word)) if word.isdecimal() and len(word) < 9 else None
        if offer is None or (verb == WITHDRAW) != (seat == offer.seat):
            return self
        if verb == ACCEPT:
            accepted = offer._replace(accepted=offer.accepted | {seat})
            changed = tuple(accepted if one is offer else one for one in self.standing)
            return self._replace(standing=changed)
        if verb not in (DECLINE, WITHDRAW):
            return self
        bar = (offer.seat, offer.kind)
        return self.without(offer)._replace(barred=self.barred | {bar})

    def without(self, *gone: Offer | None) -> Self:
        """The others."""
        return self._replace(standing=tuple(one for one in self.standing if one not in gone))

    def moved(self, decider: Seat | None = None) -> Self:
        """The game has gone on, by a decision of this seat if it was one's."""
        still = tuple(offer for offer in self.standing if offer.kind != TAKE_BACK)
        barred = frozenset(bar for bar in self.barred if bar[0] != decider)
        return self._replace(standing=still, barred=barred)


NO_OFFERS = Offers()
