"""What is read aloud: no id, underscore, wrong plural or misplaced capital reaches a person."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from services.confrontation import RULES, words
from services.confrontation.board import Board
from services.confrontation.tables import CARDS, CHARACTER_KEYS, REGIONS, SPECIALS
from services.core.decisions import CHANCE
from services.core.frames import Game, Question
from tests.games.confrontation.positions import given

GAMES = (
    {"preset": "manual"},
    {"preset": "manual", "special_cards": "set_2002", "match": "two_games_swap_sides"},
    {"preset": "deluxe_classic", "special_cards": "set_deluxe", "special_count": "4"},
    {"preset": "deluxe_variant", "special_cards": "set_deluxe", "special_pick": "opponents"},
    {"preset": "deluxe_draft", "special_cards": "set_deluxe", "special_count": "4"},
)
RARE = (
    "special sp_palantir sp_crebain; shire: frodo; rohan: sam, gimli; gondor: balrog",
    "preset manual; eregion: frodo; shire: gimli; moria: balrog; mordor: orcs; good to move",
    "shire: frodo, sam, gimli; cardolan: black_rider; mordor: orcs",
)
SEEDS = 60

ONE_WORD = {key for key in (*CHARACTER_KEYS, *REGIONS) if key.isalpha()}
SEVERAL = ("Orcs", "Uruk-hai", "Misty Mountains")
WITH_ARTICLE = r"(?:Balrog|Warg|Witch-king|Nazgûl|Watcher|Orcs|Shire|Gap of|Misty|High Pass|Eye of)"


class Said(NamedTuple):
    """A sentence, and what it says: a prompt, a verb or the kind of an event."""

    kind: str
    sentence: str


@cache
def aloud() -> frozenset[Said]:
    """All that is said in random games, some from where rare things happen, to all who hear it."""
    starts = [RULES.setup(RULES.agree(game)) for game in GAMES]
    starts += [given(RULES, [lines]) for lines in RARE]
    return frozenset(said for n in range(SEEDS) for g in starts for said in _game(g.copy(), n))


def _game(g: Game[Board], number: int) -> Iterator[Said]:
    chance = random.Random(f"aloud {number}")
    while waiting := RULES.waiting(g):
        seat = chance.choice(waiting)
        if seat == CHANCE:
            actions = [RULES.deal(g, chance.randrange)]
        else:
            ask = RULES.ask(g, seat)
            actions = list(ask.actions)
            yield Said(ask.prompt, RULES.question(g, seat))
        yield from (Said(a.verb, RULES.sentence(g, seat, a)) for a in actions)
        for event in RULES.apply(g, seat, chance.choice(actions)):
            yield Said(event.kind, RULES.report(event))


def failing(pattern: str) -> list[Said]:
    return sorted(said for said in aloud() if re.search(pattern, said.sentence))


def test_every_kind_of_question_answer_and_event_is_read_aloud() -> None:
    """What cannot be met in some games would be wrong unnoticed."""
    prompts = {
        frame.prompt
        for frame in RULES.frames
        if issubclass(frame, Question) and frame.waiting is not Question.waiting
    }
    kinds = {*prompts, *words._SENTENCES, *words._REPORTS}

    assert kinds - {said.kind for said in aloud()} == set()


def test_everything_is_a_sentence() -> None:
    assert [s for s in aloud() if not re.fullmatch(r"[A-Z].*[.?]", s.sentence)] == []


def test_no_id_is_said() -> None:
    ids = "|".join(sorted({*CARDS, *SPECIALS, *ONE_WORD} | {k for k in CHARACTER_KEYS if "_" in k}))

    assert failing("_") == []
    assert failing(rf"\b(?:{ids})\b") == []
    assert failing(r"\bNone\b|\[|\{|  ") == []


def test_names_have_their_article_and_it_is_small_within_a_sentence() -> None:
    assert failing(r"[^.:?] The ") == []
    assert failing(rf"(?<![Tt]he )(?<![Tt]he Flying )\b{WITH_ARTICLE}") == []


@pytest.mark.parametrize("name", SEVERAL)
def test_those_who_are_several_do_nothing_in_the_singular(name: str) -> None:
    assert failing(rf"{name},? (?:who )?(?:is|was|has|does|\w+[^s]s) ") == []


def test_counts_agree_with_what_is_counted() -> None:
    assert failing(r"\b1 (?:enemies|characters|cards)\b") == []
    assert failing(r"\b[02-9] (?:enemy|character|card)\b") == []
