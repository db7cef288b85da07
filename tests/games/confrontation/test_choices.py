"""Whether there is a choice of moves (RULES 4, 12): told by nothing but what everyone sees."""

from __future__ import annotations

import random

from services.confrontation import RULES
from services.core.decisions import Ask
from tests.conform.walks import fate
from tests.games.confrontation.positions import given, options
from tests.games.confrontation.test_inference import RARE, decide, lines_of
from tests.play import Play

GAMES = (*range(120), *RARE)
DECISIONS = 60


def test_a_move_is_neutral_wherever_the_opponent_cannot_know_that_it_is_a_choice() -> None:
    """Small and jammed positions, where a text or a card is sometimes all that is left."""
    kinds: dict[tuple[bool, bool], int] = {}
    for seed in GAMES:
        pick = random.Random(f"choices {seed}")
        lines = lines_of(pick)
        play = Play(RULES, options(lines), given(RULES, lines))
        for number in range(DECISIONS):
            if play.is_over:
                break
            ask = mover_asked(play)
            if ask is not None:
                kind = (ask.neutral, len(ask.actions) > 1)
                kinds[kind] = kinds.get(kind, 0) + 1
                assert_alike_for_the_opponent(play, ask, f"{seed} {number}")
            decide(play, pick)

    assert (False, False) not in kinds
    assert kinds[True, False] > 5, "no move was forced"
    assert kinds[True, True] > 5, "every neutral move was forced"
    assert kinds[False, True] > kinds[True, True] + kinds[True, False]


def test_two_plain_steps_of_one_piece_are_a_choice_that_all_see() -> None:
    play = Play(RULES, {}, given(RULES, ["dark to move; shire: frodo; mirkwood: orcs"]))

    ask = mover_asked(play)
    assert ask is not None
    assert (False, True) == (ask.neutral, len(ask.actions) > 1)


def mover_asked(play: Play) -> Ask | None:
    ask = None
    if len(play.waiting) == 1:
        ask = play.ask(play.waiting[0])
    return ask if ask is not None and ask.prompt == "turn.move" else None


def assert_alike_for_the_opponent(play: Play, ask: Ask, label: str) -> None:
    mover = RULES.waiting(play.game)[0]
    for number in range(4):
        guess = RULES.guess(play.game, 1 - mover, fate(f"{label} {number}").pick)
        there = RULES.ask(guess, mover)
        assert ask.neutral == there.neutral, label
        assert there.neutral or len(there.actions) > 1, label
