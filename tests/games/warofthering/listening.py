"""All cases played once more, with an ear for what is asked, offered and told on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from services.warofthering import RULES
from services.warofthering.play.asking import Choose
from tests.cases.cases import Case, cases_in
from tests.games.warofthering.positions import given, options
from tests.play import Play

FOLDER = Path(__file__).parents[2] / "cases" / "warofthering"


@dataclass
class Heard:
    """What came up while all cases were played."""

    prompts: set[str] = field(default_factory=set)
    chosen_for: set[tuple[str, str]] = field(default_factory=set)  # what, and the verb
    verbs: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    rolls: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    sentences: set[str] = field(default_factory=set)


@cache
def heard() -> Heard:
    """What came up."""
    found = Heard()
    for case in cases_in(FOLDER):
        for play in moments(case):
            _listen(play, found)
    return found


def moments(case: Case) -> Iterator[Play]:
    """A case's game before its first decision, and after each."""
    lines = [line.text for line in case.lines if line.word == "given"]
    play = Play(RULES, options(lines), given(RULES, lines)) if lines else Play(RULES)
    yield play
    for line in case.lines:
        if line.word == "":
            play(line.text, line.number)
            yield play


def _listen(play: Play, found: Heard) -> None:
    for event in play.events:
        found.events.add(event.kind)
        found.sentences.add(RULES.report(event))
        if event.kind == "rolled":
            found.rolls.add(str(event.facts["what"]))
        if event.kind == "game_ended":
            found.reasons.add(str(event.facts["reason"]))
    play.events.clear()
    question = play.game.question()
    if isinstance(question, Choose):
        found.chosen_for.add((question.what, question.verb))
    for who in play.waiting:
        seat = play.table.seat(who)
        found.prompts.add(play.ask(who).prompt)
        found.sentences.add(RULES.question(play.game, seat))
        for action in play.ask(who).actions:
            found.verbs.add(action.verb)
            found.sentences.add(RULES.sentence(play.game, seat, action))
