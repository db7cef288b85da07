"""Everything that the game can ask, do and tell occurs, has words, and is shown by some case."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from services.core.decisions import CHANCE
from services.core.frames import Question
from services.risk import RULES
from services.risk.cards.texts import MEANINGS
from services.risk.tables import ADVENTURES, STEM
from services.risk.words.events import EVENTS
from tests.cases.cases import cases_in, positions_of
from tests.play import Play

CASES = Path(__file__).parents[2] / "cases" / "risk"
WRITTEN = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.txt")))
RARE = {"deck_shuffled", "secret_shown"}  # a test below, and a case each
MIXED = ({}, {"ask_everybody_in_windows": "true"}, {"location_profile": "published_board"})


@cache
def found():
    """What occurs in random games of every preset, and in every case."""
    verbs, kinds, prompts = set(), set(), set()
    for number, preset in enumerate(RULES.presets):
        chance = random.Random(f"coverage {preset}")
        game = RULES.setup(RULES.agree({**RULES.presets[preset], **MIXED[number % 3]}))
        while waiting := RULES.waiting(game):
            prompts.add(game.question().prompt)
            actions = RULES.ask(game, waiting[0]).actions if waiting[0] != CHANCE else ()
            action = chance.choice(actions) if actions else RULES.deal(game, chance.randrange)
            verbs.add(action.verb)
            events = RULES.apply(game, waiting[0], action)
            kinds |= {event.kind for event in events}
            assert all(RULES.report(event) for event in events)
            RULES.audit(game)
    for case in cases_in(CASES):
        lines = [line.text for line in case.lines if line.word == "given"]
        positions = positions_of("risk")
        play = Play(RULES, positions.options(lines), positions.given(RULES, lines))
        for line in case.lines:
            if line.word == "":
                question = play.game.question()
                prompts.add(question.prompt)
                verbs.add(line.text.partition(":")[2].split()[0])
                kinds |= {event.kind for event in play(line.text)}
    return verbs, kinds, prompts


def test_every_verb_is_used():
    assert set(RULES.vocabulary._verbs) == found()[0] - {"resign"}


def test_every_event_happens_and_has_its_sentence():
    assert set(EVENTS) == found()[1] | RARE


def test_every_prompt_is_asked():
    prompts = {kind.prompt for kind in RULES.frames if issubclass(kind, Question)}

    assert prompts == found()[2]


def test_every_adventure_card_has_a_case():
    named = set(re.findall(r"\b(?:mission|event|power)_\w+", WRITTEN))

    assert set() == {
        name for name in ADVENTURES if STEM[ADVENTURES.index(name)] not in _stems(named)
    }


def _stems(names):
    return {STEM[ADVENTURES.index(name)] for name in names if name in ADVENTURES}


def test_every_event_and_power_card_has_a_meaning():
    stems = {STEM[n] for n, name in enumerate(ADVENTURES) if not name.startswith("mission")}

    assert stems == set(MEANINGS)
