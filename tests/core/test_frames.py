"""Frames and the stack: what a copy shares, how results are handed back, how rules run and stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import pytest

from services.core.decisions import CHANCE, Action
from services.core.frames import Frame, Game, Procedure, Question


class Log:
    """A board that remembers which steps ran."""

    def __init__(self, ran: list[str] | None = None) -> None:
        self.ran = list(ran or ())

    def copy(self) -> Self:
        return type(self)(self.ran)


G = Game[Log]


@dataclass(slots=True)
class Ask(Question[Log]):
    """Waits for one seat, and hands back what it says."""

    seat: int = 0
    open: int = 1

    prompt: ClassVar = "test.ask"

    def waiting(self, g: G) -> tuple[int, ...]:
        return (self.seat,) if self.open else ()

    def legal(self, g: G, seat: int) -> list[Action]:
        return [Action("say", (number,)) for number in range(3)]

    def take(self, g: G, seat: int, action: Action) -> None:
        g.done(*action.nouns)


@dataclass(slots=True)
class Inner(Procedure):
    script: ClassVar = ("first", "second")

    def first(self, g: G) -> None:
        g.board.ran.append("inner first")

    def second(self, g: G) -> None:
        g.board.ran.append("inner second")
        g.done(7, 8)


@dataclass(slots=True)
class Outer(Procedure):
    heard: tuple[int, ...] = ()

    script: ClassVar = ("call_inner", "ask", "hear", "jump", "skipped", "last")

    def call_inner(self, g: G) -> None:
        g.call(Inner())

    def ask(self, g: G) -> None:
        self.heard += self.got
        g.call(Ask(seat=1))

    def hear(self, g: G) -> None:
        self.heard += self.got
        g.board.ran.append("heard")

    def jump(self, g: G) -> None:
        self.heard += self.got
        self.go_to("last")

    def skipped(self, g: G) -> None:
        g.board.ran.append("skipped")

    def last(self, g: G) -> None:
        g.board.ran.append("last")


def begun(*frames: Frame) -> G:
    game = Game(Log(), list(frames))
    game.advance()
    return game


def answer(game: G, number: int) -> None:
    question = game.question()
    assert question is not None
    question.take(game, 1, Action("say", (number,)))
    game.advance()


def test_steps_run_in_the_order_of_the_script_until_someone_must_decide() -> None:
    game = begun(Outer())

    assert ["inner first", "inner second"] == game.board.ran
    assert Ask(seat=1) == game.question()


def test_a_frame_reads_what_the_frame_above_handed_back() -> None:
    outer = Outer()
    game = begun(outer)
    assert (7, 8) == outer.heard
    answer(game, 2)

    assert (7, 8, 2) == outer.heard


def test_what_was_handed_back_is_forgotten_after_one_step() -> None:
    outer = Outer()
    answer(begun(outer), 2)

    assert () == outer.got


def test_a_jump_leaves_out_the_steps_between() -> None:
    game = begun(Outer())
    answer(game, 0)

    assert ["inner first", "inner second", "heard", "last"] == game.board.ran


def test_a_jump_to_no_step_is_an_error() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        Outer().go_to("nowhere")


def test_a_script_that_names_no_step_is_an_error_at_once() -> None:
    with pytest.raises(AttributeError, match="wander"):
        type("Lost", (Procedure,), {"script": ("wander",), "__slots__": ()})


def test_the_game_is_over_when_nothing_is_left_to_do() -> None:
    game = begun(Outer())
    answer(game, 0)

    assert [] == game.stack
    assert game.question() is None
    assert "the end" == game.where()


def test_a_procedure_without_a_result_hands_back_nothing() -> None:
    outer = Outer(got=(1,))
    game = Game(Log(), [outer, Inner()])
    game.done()

    assert () == outer.got


def test_a_question_that_nobody_need_answer_answers_itself() -> None:
    game = begun(Outer(at=2, got=(9,)), Ask(open=0))

    assert ["heard", "last"] == game.board.ran


def test_a_stop_ends_the_game_at_once() -> None:
    game = begun(Outer())
    game.stop()
    game.advance()

    assert game.question() is None
    assert ["inner first", "inner second"] == game.board.ran


def test_unwinding_goes_on_with_the_frame_at_the_bottom() -> None:
    game = begun(Outer(at=5), Inner(), Ask())
    game.unwind()
    game.advance()

    assert ["last"] == game.board.ran


def test_a_place_is_named_in_words_of_the_rulebook() -> None:
    assert "Outer.ask > Ask" == begun(Outer()).where()
    assert "Outer" == Game(Log(), [Outer()]).where()
    assert "Outer.last > Inner.first" == Game(Log(), [Outer(at=6), Inner(at=1)]).where()


def test_a_copied_frame_is_equal_and_another() -> None:
    frame = Outer(at=3, got=(1, 2), heard=(4,))
    twin = frame.copy()
    twin.at, twin.heard = 5, ()

    assert Outer(at=3, got=(1, 2), heard=(4,)) == frame
    assert type(twin) is Outer


def test_a_frame_lists_its_fields_in_the_order_of_their_declaration() -> None:
    assert (3, (1,), (4, 5)) == Outer(at=3, got=(1,), heard=(4, 5)).values()
    assert (0, (), 1, 0) == Ask(seat=1, open=0).values()


def test_a_copied_game_shares_nothing() -> None:
    game = begun(Outer())
    game.emit("spoke", {"word": 1}, (0,))
    twin = game.copy()
    answer(twin, 1)

    assert ["inner first", "inner second"] == game.board.ran
    assert "Outer.ask > Ask" == game.where()
    assert [] == twin.events
    assert 1 == len(game.events)


def test_an_event_is_seen_by_nobody_unless_a_rule_says_who() -> None:
    game = begun(Outer())
    game.emit("nobody", {})
    game.emit("some", {}, (0, None))
    game.emit("all", {}, None)
    seen = {
        viewer: [e.kind for e in game.events if e.is_seen_by(viewer)] for viewer in (0, 1, None)
    }

    assert {0: ["some", "all"], 1: ["all"], None: ["some", "all"]} == seen


def test_a_question_deals_any_legal_action_and_shows_nothing() -> None:
    game = begun(Outer())
    question = game.question()
    assert question is not None

    assert [Action("say", (n,)) for n in range(3)] == [
        question.deal(game, lambda choices, n=n: n % choices) for n in range(3)
    ]
    assert question.allows(game, 1, Action("say", (2,)))
    assert not question.allows(game, 1, Action("say", (3,)))
    assert {} == question.shown(game, 1)
    assert (CHANCE,) == Question().waiting(game)
    assert () == Question().legal(game, CHANCE)
