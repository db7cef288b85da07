"""What the texts of combatants do in a battle (RULES 5.1, 5.2, 9, 10): Good's, Dark's, and after.

Order: who may choose; Good's questions; Dark's questions; leaving a battle. Questions are asked so
that being asked tells the other side nothing (RULES 5.3, RULINGS 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.confrontation.board import Board, anyone_at, name_of
from services.confrontation.characters import ANY, ATTACKED, ATTACKING
from services.confrontation.play.ending import tell_shown
from services.confrontation.play.movement import retreats
from services.confrontation.tables import (
    ADJACENT,
    CHANGES_PLACES,
    CHARACTERS,
    DARK,
    FORWARD,
    GOOD,
    NEIGHBOURS,
    NOBODY,
    NOWHERE,
    REGIONS,
    SLIPS,
    SLIPS_WHEN,
    STEPS_IN_FOR,
    STOOD_IN_FOR,
    STRONG_BESIDE,
    SUPPORTS,
    TAG,
    TILES,
    WAIVES_CARDS,
)
from services.confrontation.worlds import PIECES
from services.core.decisions import Action, Seat
from services.core.frames import Game, Question

G = Game[Board]

RETREATS, BOOSTS, WAIVES, STEPS_IN, SWAPS = range(5)
"""What the text of a combatant may do, if it is used."""


class Answer(NamedTuple):
    """How a text is used; a question hands this back, or nothing where it is not."""

    does: int
    of: int = NOBODY  # the region to go to, or the piece that helps


STAND, WAIVE = Action("stand"), Action("waive")


MAY_CHOOSE = frozenset(
    character.id
    for character in CHARACTERS
    if SLIPS[character.id]
    or STRONG_BESIDE[character.id][0]
    or character.id in STOOD_IN_FOR | CHANGES_PLACES | WAIVES_CARDS
)
"""The characters whose text, or a friend's text for them, may be used or not."""


def _is_boostable(b: Board, piece: int) -> bool:
    return b.turn == DARK and bool(STRONG_BESIDE[b.face[piece]][0])


def _friend_at(b: Board, where: int, piece: int) -> int:
    """The friend beside whom this character is stronger, if he is there, or `NOBODY`."""
    friend = STRONG_BESIDE[b.face[piece]][0]
    for other in b.pieces_at(GOOD, where):
        if TAG[b.face[other]] == friend:
            return other
    return NOBODY


def is_boosted_openly(b: Board, where: int, piece: int) -> bool:
    """Whether Sam defends beside a Frodo whom everyone sees: his strength needs no choice."""
    if not _is_boostable(b, piece):
        return False
    friend = _friend_at(b, where, piece)
    return friend != NOBODY and b.is_shown(friend)


def early_retreats(b: Board, piece: int, where: int) -> list[int]:
    """Where a character's own text lets it slip away before cards."""
    face, side = b.face[piece], piece // PIECES
    if SLIPS_WHEN[face] not in (ANY, ATTACKING if b.turn == side else ATTACKED):
        return []
    return [to for direction in SLIPS[face] for to in retreats(b, side, where, direction)]


@dataclass(slots=True)
class GoodText(Question[Board]):
    """Good's combatant may use its text, or stand."""

    where: int = NOWHERE
    piece: int = NOBODY
    prompt: ClassVar[str] = "battle.good_text"
    neutral: ClassVar[bool] = True

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        asked = self._is_asked_anyway(b) or len(self.legal(g, b.seat_of(GOOD))) > 1
        return (b.seat_of(GOOD),) if asked else ()

    def _is_asked_anyway(self, b: Board) -> bool:
        """Frodo or Sam attacked in company: silence would tell who the other is (RULES 5.3)."""
        if b.turn == GOOD or b.number_at(GOOD, self.where) < 2:
            return False
        return b.face[self.piece] in STOOD_IN_FOR or _is_boostable(b, self.piece)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        actions = [STAND]
        actions += [Action("retreat", (to,)) for to in early_retreats(b, self.piece, self.where)]
        if b.turn == DARK:
            actions += self._helpers(b) + self._swaps(b)
            if b.face[self.piece] in WAIVES_CARDS:
                actions.append(WAIVE)
        return actions

    def _helpers(self, b: Board) -> list[Action]:
        """Sam may step in for Frodo; Frodo may be shown for Sam."""
        others = [p for p in b.pieces_at(GOOD, self.where) if p != self.piece]
        face = b.face[self.piece]
        if face in STOOD_IN_FOR:
            helpers = [p for p in others if STEPS_IN_FOR[b.face[p]] == TAG[face]]
            return [Action("substitute", (b.face[p],)) for p in helpers]
        friend = _friend_at(b, self.where, self.piece)
        if _is_boostable(b, self.piece) and friend != NOBODY:
            return [Action("show", (b.face[friend],))]
        return []

    def _swaps(self, b: Board) -> list[Action]:
        """Sméagol, attacked alone, may change places with a neighbour."""
        if b.face[self.piece] not in CHANGES_PLACES or b.number_at(GOOD, self.where) > 1:
            return []
        pieces = [p for near in ADJACENT[self.where] for p in b.pieces_at(GOOD, near)]
        return [Action("swap", (b.face[p],)) for p in pieces]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        if action == STAND:
            g.done()
        elif action == WAIVE:
            g.done(*Answer(WAIVES))
        elif action.verb == "retreat":
            g.done(*Answer(RETREATS, action.nouns[0]))
        else:
            helper = b.piece_of(action.nouns[0])
            b.show(helper)
            tell_shown(g, helper)
            if action.verb == "swap":
                _change_places(g, self.piece, helper)
            g.done(*Answer(_HELPS[action.verb], helper))


_HELPS: Mapping[str, int] = {"substitute": STEPS_IN, "show": BOOSTS, "swap": SWAPS}
"""By verb: what a friend of the combatant's does."""


def _change_places(g: G, piece: int, other: int) -> None:
    b = g.board
    here, there = b.place[piece], b.place[other]
    b.relocate(piece, there)
    b.relocate(other, here)
    b.show(other)
    facts = {"character": name_of(b, piece), "with": name_of(b, other), "region": REGIONS[there]}
    g.emit("places_changed", facts, None)


@dataclass(slots=True)
class DarkText(Question[Board]):
    """Dark's combatant may use its text, or stand."""

    where: int = NOWHERE
    piece: int = NOBODY
    no_cards: int = 0
    prompt: ClassVar[str] = "battle.dark_text"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        seat = g.board.seat_of(DARK)
        return (seat,) if len(self.legal(g, seat)) > 1 else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        actions = [STAND]
        actions += [Action("retreat", (to,)) for to in early_retreats(b, self.piece, self.where)]
        if b.face[self.piece] in WAIVES_CARDS and not self.no_cards:
            actions.append(WAIVE)
        return actions

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action == STAND:
            g.done()
        elif action == WAIVE:
            g.done(*Answer(WAIVES))
        else:
            g.done(*Answer(RETREATS, action.nouns[0]))


@dataclass(slots=True)
class Support(Question[Board]):
    """Gandalf may be shown for a companion's battle nearby (RULES 10).

    Asked whenever a hidden piece in reach could be he, so that the question does not betray him
    (RULINGS 3).
    """

    where: int = NOWHERE
    piece: int = NOBODY
    prompt: ClassVar[str] = "battle.support"
    neutral: ClassVar[bool] = True

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (b.seat_of(GOOD),) if self._is_possible(b) else ()

    def _is_possible(self, b: Board) -> bool:
        return any(
            self._could_support(b, piece)
            for place in (self.where, *self._near())
            for piece in b.pieces_at(GOOD, place)
            if piece != self.piece
        )

    def _near(self) -> list[int]:
        return sorted({*ADJACENT[self.where], *NEIGHBOURS[self.where]})

    def _could_support(self, b: Board, piece: int) -> bool:
        """Whether this may be Gandalf, for all that Dark knows."""
        if b.is_shown(piece):
            return bool(SUPPORTS[b.face[piece]])
        for other in b.pieces_in_play(GOOD):
            faces = (b.face[other],) if b.faced >> other & 1 else TILES[GOOD][other]
            if any(SUPPORTS[face] for face in faces):
                return other != self.piece and not b.is_shown(other)
        return False

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        helpers = [
            piece
            for place in (self.where, *self._near())
            for piece in b.pieces_at(GOOD, place)
            if piece != self.piece and SUPPORTS[b.face[piece]]
        ]
        return [STAND, *(Action("show", (b.face[p],)) for p in helpers)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action == STAND:
            g.done(0)
            return
        b = g.board
        helper = b.piece_of(action.nouns[0])
        b.show(helper)
        tell_shown(g, helper)
        g.done(SUPPORTS[b.face[helper]])


@dataclass(slots=True)
class Escape(Question[Board]):
    """A defeated Wormtongue may slip backward into an empty region instead."""

    where: int = NOWHERE
    piece: int = NOBODY
    prompt: ClassVar[str] = "battle.escape"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (b.seat_of(DARK),) if self._ways(b) else ()

    def _ways(self, b: Board) -> list[int]:
        return [to for to in FORWARD[GOOD][self.where] if not anyone_at(b, to)]

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("fall"), *(Action("escape", (to,)) for to in self._ways(g.board))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


def withdraw(g: G, piece: int, to: int) -> None:
    """A shown combatant leaves the battle; it is hidden as soon as it has left."""
    b = g.board
    facts = {
        "character": name_of(b, piece),
        "from": REGIONS[b.place[piece]],
        "to": REGIONS[to],
    }
    b.relocate(piece, to)
    g.emit("retreated", facts, None)
