"""Sealed picks: made alone, shown as a number, opened all at once, redrawn for imagined worlds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from services.core.decisions import Action
from services.core.frames import Game, Procedure
from services.core.questions import Seal


class Heard:
    """A board that keeps what was opened."""

    def __init__(self, opened: tuple[int, ...] = ()) -> None:
        self.opened = opened

    def copy(self) -> Self:
        return type(self)(self.opened)


@dataclass(slots=True)
class Draft(Seal[Heard]):
    """Each of three seats picks two different cards."""

    prompt: ClassVar = "draft.pick"

    def offers(self, g: Game[Heard], seat: int) -> Sequence[Action]:
        return [Action("take", (card,)) for card in range(4) if card not in self.picks[seat]]


@dataclass(slots=True)
class Opening(Procedure):
    script: ClassVar = ("seal", "open")

    def seal(self, g: Game[Heard]) -> None:
        g.call(Draft(picks=((), (), ()), size=2))

    def open(self, g: Game[Heard]) -> None:
        g.board.opened = self.got


def begun() -> tuple[Game[Heard], Draft]:
    game = Game(Heard(), [Opening()])
    game.advance()
    question = game.question()
    assert isinstance(question, Draft)
    return game, question


def test_each_seat_is_waited_for_until_it_has_made_its_picks() -> None:
    game, draft = begun()
    assert (0, 1, 2) == draft.waiting(game)
    draft.take(game, 0, Action("take", (3,)))
    assert (0, 1, 2) == draft.waiting(game)
    draft.take(game, 0, Action("take", (1,)))

    assert (1, 2) == draft.waiting(game)
    assert () == game.board.opened


def test_the_last_pick_opens_them_all_seat_after_seat() -> None:
    game, draft = begun()
    for seat, card in ((2, 1), (1, 3), (0, 3), (2, 0), (0, 1), (1, 2)):
        draft.take(game, seat, Action("take", (card,)))
    game.advance()

    assert (3, 1, 3, 2, 1, 0) == game.board.opened
    assert game.question() is None


def test_a_seat_is_offered_what_it_may_pick_next() -> None:
    game, draft = begun()
    draft.take(game, 0, Action("take", (2,)))

    assert [0, 1, 3] == [action.nouns[0] for action in draft.legal(game, 0)]
    assert [0, 1, 2, 3] == [action.nouns[0] for action in draft.legal(game, 1)]


def test_others_are_shown_how_many_picks_were_made_and_no_more() -> None:
    game, draft = begun()
    draft.take(game, 0, Action("take", (2,)))

    assert {"done": [1, 0, 0], "yours": (2,)} == draft.shown(game, 0)
    assert {"done": [1, 0, 0], "yours": ()} == draft.shown(game, 1)
    assert {"done": [1, 0, 0], "yours": ()} == draft.shown(game, None)


def test_an_imagined_world_has_as_many_other_picks_and_legal_ones() -> None:
    game, draft = begun()
    for card in (2, 0):
        draft.take(game, 0, Action("take", (card,)))
    found = set()
    for first in range(4):
        for second in range(3):
            draws = iter((first, second))
            draft.redraw(game, 0, lambda choices, draws=draws: next(draws) % choices)
            found.add(draft.picks[0])

    assert {(a, b) for a in range(4) for b in range(4) if a != b} == found
    assert ((), ()) == draft.picks[1:]


def test_one_pick_for_each_of_two_seats_is_the_rule() -> None:
    seal: Seal[Heard] = Seal()
    game = Game(Heard(), [seal])

    assert (0, 1) == seal.waiting(game)
    assert () == seal.legal(game, 0)
    assert 7 == seal.pick_of(game, Action("take", (7,)))
