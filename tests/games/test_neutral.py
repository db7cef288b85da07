"""Which questions of each game are neutral: who is asked may have one answer, and nobody knows."""

from __future__ import annotations

import pytest

from services import GAMES, rules_of
from services.core.frames import Question

ALWAYS = {
    "confrontation": {"battle.good_text", "battle.support", "tunnel.ambush"},
    "duel": set(),
    "risk": {"reinforce.set", "window.play"},
    "warofthering": {"battle.combat_card", "event.card", "event.pay"},
}
SOMETIMES = {"confrontation": {"turn.move"}, "warofthering": {"turn.action"}}


@pytest.mark.parametrize("game", GAMES)
def test_neutral_questions(game):
    """Each is here on purpose: a bot thinks less at these, and a person is asked for a key."""
    asked = [frame for frame in rules_of(game).frames if issubclass(frame, Question)]
    sometimes = {f.prompt for f in asked if f.is_neutral is not Question.is_neutral}

    assert ALWAYS[game] == {frame.prompt for frame in asked if frame.neutral}
    assert SOMETIMES.get(game, set()) == sometimes
