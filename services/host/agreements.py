"""What happens at the table of a match whatever its game: taking back, offers and their answers.

Design. These events follow from an entry of the record and from the offers before and after it, so
they are the same when the match is followed as when it was played. Everyone sees all of them: that
somebody has thought better of it is plain from the record, and tells nothing of what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from services.core.decisions import Event
from services.core.entries import HOST_NAME, UNDO, Entry
from services.core.offers import (
    ABORT,
    ACCEPT,
    DECLINE,
    DRAW,
    OFFER,
    TAKE_BACK,
    WITHDRAW,
    Offer,
    Offers,
)

TAKEN_BACK, DRAW_AGREED = "decision_taken_back", "draw_agreed"
OFFER_MADE, OFFER_ANSWERED, OFFER_WITHDRAWN, OFFER_LAPSED = (
    "offer_made", "offer_answered", "offer_withdrawn", "offer_lapsed"
)  # fmt: skip

_ANSWERS = (ACCEPT, DECLINE, WITHDRAW)

Facts = Mapping[str, object]


def _seat(facts: Facts, key: str = "seat") -> str:
    return str(facts[key]).replace("_", " ").title()


def _taken_back(facts: Facts) -> str:
    if facts["agreed"]:
        return f"{_seat(facts)}'s last decision is taken back, with all that came of it."
    return f"{_seat(facts)} takes the last decision back."


def _answered(facts: Facts) -> str:
    does = "accepts" if facts["accepted"] else "declines"
    return f"{_seat(facts, 'by')} {does} the offer of {_seat(facts)}."


_WHAT = {TAKE_BACK: "to take its last decision back", ABORT: "to abort the match", DRAW: "a draw"}

_SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    TAKEN_BACK: _taken_back,
    DRAW_AGREED: lambda f: "A draw is agreed on.",
    OFFER_MADE: lambda f: f"{_seat(f)} offers {_WHAT[str(f['offer_kind'])]}.",
    OFFER_ANSWERED: _answered,
    OFFER_WITHDRAWN: lambda f: f"{_seat(f)} withdraws the offer.",
    OFFER_LAPSED: lambda f: f"The offer of {_seat(f)} lapses.",
}
KINDS = frozenset(_SENTENCES)
"""The kinds of these events. No game has events of these kinds."""


def sentence(event: Event) -> str:
    """One of these events as a sentence."""
    return _SENTENCES[event.kind](event.facts)


def happened(
    entry: Entry, before: Offers, after: Offers, seats: Sequence[str], back: int
) -> list[Event]:
    """What an entry means at the table; `back` is the revision that it goes back to, if it does."""
    told = list(_noted(entry, before, after, seats) if entry.is_note else _done(entry, back))
    if before.standing:
        concerned = {before.find(int(word)) for word in _numbers(entry)}
        if entry.who == HOST_NAME and not entry.is_note:
            concerned |= {_agreed(entry, before, seats)}
        still = {offer.number for offer in after.standing}
        told += [
            _event(OFFER_LAPSED, offer, seats)
            for offer in before.standing
            if offer.number not in still and offer not in concerned
        ]
    return told


def _noted(entry: Entry, before: Offers, after: Offers, seats: Sequence[str]) -> Iterator[Event]:
    verb = entry.what.partition(" ")[0]
    if before == after:  # it means nothing here
        return
    if verb == OFFER:
        yield _event(OFFER_MADE, after.standing[-1], seats)
    for number in _numbers(entry):
        offer = before.find(number)
        if offer is not None and verb == WITHDRAW:
            yield _event(OFFER_WITHDRAWN, offer, seats)
        elif offer is not None:
            yield _event(OFFER_ANSWERED, offer, seats, by=entry.who, accepted=verb == ACCEPT)


def _numbers(entry: Entry) -> list[int]:
    """The number of the offer that a note answers."""
    verb, _, number = entry.what.partition(" ")
    return [int(number)] if entry.is_note and verb in _ANSWERS and number.isdecimal() else []


def _done(entry: Entry, back: int) -> Iterator[Event]:
    if entry.who != HOST_NAME:
        return
    verb, *words = entry.what.split(" ")
    if verb in (UNDO, TAKE_BACK):
        facts = {"seat": words[0], "revision": back, "agreed": verb == TAKE_BACK}
        yield Event(TAKEN_BACK, facts, None)
    elif verb == DRAW:
        yield Event(DRAW_AGREED, {}, None)


def _agreed(entry: Entry, before: Offers, seats: Sequence[str]) -> Offer | None:
    """The offer that an entry of the host's carries out."""
    verb, *words = entry.what.split(" ")
    return before.agreed(verb, seats.index(words[0]) if verb == TAKE_BACK else None)


def _event(kind: str, offer: Offer, seats: Sequence[str], **more: object) -> Event:
    facts = {"seat": seats[offer.seat], "offer": offer.number, "offer_kind": offer.kind}
    return Event(kind, {**facts, **more}, None)
