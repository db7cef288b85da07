"""What comes up while cases are played: everything that is asked, offered, done and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from services.core.contract import Rules
from services.core.decisions import CHANCE
from tests.cases.cases import Case, positions_of
from tests.play import Play


@dataclass
class Heard:
    """All of it, over as many cases as were listened to."""

    prompts: set[str] = field(default_factory=set)
    by_chance: set[str] = field(default_factory=set)  # prompts
    offered: set[str] = field(default_factory=set)  # verbs
    done: set[str] = field(default_factory=set)  # texts of actions
    events: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    sentences: set[str] = field(default_factory=set)

    def listen(self, play: Play) -> None:
        """Take in what this moment has to say."""
        rules = play.rules
        for event in play.events:
            self.events.add(event.kind)
            self.sentences.add(rules.report(event))
        self.reasons |= {str(e.facts["reason"]) for e in play.events if e.kind == "game_ended"}
        self.done |= {entry.what for entry in play.table.entries if entry.who != "host"}
        for who in play.waiting:
            seat, ask = play.table.seat(who), play.ask(who)
            self.prompts.add(ask.prompt)
            if seat == CHANCE:
                self.by_chance.add(ask.prompt)
            self.sentences.add(rules.question(play.game, seat))
            for action in ask.actions:
                self.offered.add(action.verb)
                self.sentences.add(rules.sentence(play.game, seat, action))


def heard_in(rules: Rules[Any], cases: Iterable[Case]) -> Heard:
    """What is heard in all of these cases."""
    found = Heard()
    for case in cases:
        for play in moments(rules, case):
            found.listen(play)
    return found


def moments(rules: Rules[Any], case: Case) -> Iterator[Play]:
    """A case's game before its first decision, and after each."""
    positions = positions_of(rules.name)
    lines = [line.text for line in case.lines if line.word == "given"]
    described = (positions.options(lines), positions.given(rules, lines)) if lines else ()
    play = Play(rules, *described)
    yield play
    for line in case.lines:
        if line.word == "":
            play(line.text, line.number)
            yield play
