"""Everything that the game can ask, do and tell occurs, has words, and is shown by some case."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from services.core.decisions import CHANCE
from services.core.frames import Question
from services.risk import RULES
from services.risk.board import REASONS
from services.risk.cards.texts import MEANINGS
from services.risk.tables import ADVENTURES, STEM
from services.risk.words.actions import SENTENCES
from services.risk.words.events import _REASONS, EVENTS
from services.risk.words.questions import _TOLD, QUESTIONS
from tests.cases.cases import cases_in
from tests.games.heard import Heard, heard_in

CASES = Path(__file__).parents[2] / "cases" / "risk"
WRITTEN = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.txt")))
RARE = {"deck_shuffled", "secret_shown"}  # a test below, and a case each
MIXED = ({}, {"lock_scope": "all"}, {"location_profile": "published_board"})


@cache
def heard() -> Heard:
    """What comes up in all cases."""
    return heard_in(RULES, cases_in(CASES))


@cache
def found() -> tuple[set[str], set[str], set[str]]:
    """The verbs, events and prompts that occur in random games of every preset, and in cases."""
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
    done = {text.split()[0] for text in heard().done}
    return verbs | done, kinds | heard().events, prompts | heard().prompts


def test_every_verb_is_used_and_has_words() -> None:
    assert set(RULES.vocabulary._verbs) == found()[0]
    assert set(RULES.vocabulary._verbs) == set(SENTENCES)


def test_every_event_happens_and_has_its_sentence() -> None:
    assert set(EVENTS) == found()[1] | RARE


def test_every_prompt_is_asked_and_has_words() -> None:
    prompts = {kind.prompt for kind in RULES.frames if issubclass(kind, Question)}

    assert prompts == found()[2]
    assert prompts == {*QUESTIONS, *_TOLD}


def test_every_way_to_end_a_game_is_reached_in_a_case_and_has_words() -> None:
    assert set(REASONS) - {""} == heard().reasons == set(_REASONS)


def test_sentences_are_sentences() -> None:
    """They begin like one, end like one, and hold no name of a program's."""
    for sentence in heard().sentences:
        assert sentence[0].isupper() or sentence[0].isdigit(), sentence
        assert sentence.endswith((".", "?", "!")), sentence
        assert "_" not in sentence, sentence
        assert "None" not in sentence, sentence


def test_chance_is_asked_what_no_seat_should_decide_and_nothing_else() -> None:
    by_chance = {"setup.deal", "dice.roll", "dice.battle", "deck.territory", "deck.adventure"}

    assert by_chance == heard().by_chance


def test_every_adventure_card_has_a_case() -> None:
    named = set(re.findall(r"\b(?:mission|event|power)_\w+", WRITTEN))

    assert set() == {
        name for name in ADVENTURES if STEM[ADVENTURES.index(name)] not in _stems(named)
    }


def _stems(names: set[str]) -> set[str]:
    return {STEM[ADVENTURES.index(name)] for name in names if name in ADVENTURES}


def test_every_event_and_power_card_has_a_meaning() -> None:
    stems = {STEM[n] for n, name in enumerate(ADVENTURES) if not name.startswith("mission")}

    assert stems == set(MEANINGS)
