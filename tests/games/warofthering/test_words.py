"""Whatever can be asked, offered or told has words of its own, in good sentences."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from services.core.decisions import CHANCE, Action, Event
from services.core.frames import Game, Question
from services.warofthering import RULES
from services.warofthering.board import REASONS, Board
from services.warofthering.play.asking import ANSWERS, NAMES, Choose
from services.warofthering.play.deeds import DEED_NAMES
from services.warofthering.tables import (
    CARD,
    CARD_NAMES,
    CARD_NEEDS,
    CARD_TEXTS,
    COMBAT,
    COMBAT_NAMES,
    COMBAT_NEEDS,
    COMBAT_TEXTS,
    FIGURE_NAMES,
    FIGURES,
    NATION_NAMES,
    REGION,
    REGION_NAMES,
    SEATS,
    TILES,
)
from services.warofthering.words.actions import DEED_WORDS, SENTENCES
from services.warofthering.words.choices import CHOICES, KINDS, PLAIN
from services.warofthering.words.events import _WHY, EVENTS
from services.warofthering.words.names import SEAT_NAMES, TILE_NAMES, force_name, many
from services.warofthering.words.questions import QUESTIONS
from tests.conform.walks import chosen, fate
from tests.conform.words import faults
from tests.games.warofthering.listening import heard

HERE = Path(str(files("services.warofthering")))
PROMPTS = {frame.prompt for frame in RULES.frames if issubclass(frame, Question)}
VERBS = set(RULES.vocabulary._verbs)
SPEAKERS = {"say": 1, "confide": 1}
"""By function of the rules: which of its arguments is the kind of the event."""


def calls() -> Iterator[ast.Call]:
    """Every call in the chapters and the cards."""
    for folder in ("play", "cards"):
        for path in (HERE / folder).glob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            yield from (node for node in nodes if isinstance(node, ast.Call))


def constants(node: ast.expr) -> list[str]:
    """The texts that an expression may be."""
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and n.value]


def told() -> set[str]:
    """The kinds of events that the code speaks of where it says something."""
    found: set[str] = set()
    for call in calls():
        if isinstance(call.func, ast.Name) and (at := SPEAKERS.get(call.func.id)):
            found |= set(constants(call.args[at]))
    return found


def test_every_prompt_has_words() -> None:
    assert PROMPTS == set(QUESTIONS)


def test_every_verb_has_words() -> None:
    assert VERBS == set(SENTENCES)


def test_every_deed_every_answer_and_every_kind_of_choice_has_words() -> None:
    assert set(DEED_NAMES) == set(DEED_WORDS)
    assert set(ANSWERS) == set(PLAIN)
    assert set(NAMES) == set(KINDS)


def test_every_event_that_is_told_has_words() -> None:
    assert set() == told() - set(EVENTS)
    assert set() == heard().events - set(EVENTS)


def test_every_end_every_seat_and_every_tile_has_a_name() -> None:
    assert set(REASONS) - {""} == set(_WHY)
    assert {name for names in SEATS.values() for name in names} == set(SEAT_NAMES)
    assert len(TILES) == len(set(TILE_NAMES))


def test_what_is_chosen_has_a_question_or_is_for_a_card() -> None:
    """The name of a card stands for what it asks; anything else has a question of its own."""
    named = {what for what, _ in heard().chosen_for}

    assert set() == {w for w in named if w not in CHOICES and w not in CARD and w not in COMBAT}


def test_every_answer_between_words_has_a_sentence() -> None:
    """Where a choice of the chapters is between words, none of them reads as a bare word."""
    listed = [
        (constants(call.args[3]), constants(call.args[2]))
        for call in calls()
        if isinstance(call.func, ast.Name) and call.func.id == "choose_word"
    ]
    bare = {
        (what, word)
        for whats, words in listed
        for what in whats
        for word in words
        if what in CHOICES and word in ANSWERS and word not in CHOICES[what].words
    }

    assert set() == bare


@pytest.mark.parametrize("part", ["prompts", "verbs", "events"])
def test_cases_have_been_heard(part: str) -> None:
    assert len(getattr(heard(), part)) > 8


TITLES = (
    *REGION_NAMES,
    *NATION_NAMES,
    *CARD_NAMES,
    *COMBAT_NAMES,
    *(name.partition(",")[0] for name in FIGURE_NAMES),
    *("Free Peoples", "Shadow Army", "Fellowship", "Gollum", "Elven Ring", "Hunt Box"),
)
"""What a game is about, as it is written on the board and the cards."""


def unfit(sentences: Iterable[str]) -> list[tuple[str, list[str]]]:
    """The sentences with faults, and these."""
    found = ((text, faults(text, TITLES)) for text in sorted(sentences))
    return [(text, wrong) for text, wrong in found if wrong]


def test_sentences_are_fit_for_people() -> None:
    """No id, no lower-case name, no wrong article or plural, in any case."""
    assert [] == unfit(heard().sentences)


@pytest.mark.parametrize("preset", list(RULES.presets))
def test_a_game_is_told_in_sentences_fit_for_people(preset: str) -> None:
    """All that is asked, answered, told and said of cards in a random game."""
    g, pick = RULES.setup(RULES.agree(RULES.presets[preset])), fate(f"aloud {preset}").pick
    said: set[str] = set()
    for number in range(1200):
        for seat in RULES.waiting(g):
            if seat != CHANCE and number % 3 == 0:
                said |= set(asked_and_offered(g, seat))
        if not RULES.waiting(g):
            break
        said |= {RULES.report(event) for event in RULES.apply(g, *chosen(RULES, g, pick, pick))}

    assert len(said) > 300
    assert [] == unfit(said)


def asked_and_offered(g: Game[Board], seat: int) -> Iterator[str]:
    """The question, the answers, and why cards cannot be played."""
    yield RULES.question(g, seat)
    yield from (RULES.sentence(g, seat, action) for action in RULES.ask(g, seat).actions)
    seats: Any = RULES.view(g, seat)["seats"]
    yield from (play["reason"] for play in seats[seat]["hand"]["plays"] if play["reason"])


def test_every_kind_of_question_action_and_event_is_heard() -> None:
    """The cases and these games leave out nothing that a person may read."""
    assert VERBS - heard().verbs <= {f"roll{n}" for n in range(7)} | CHANCE_VERBS
    assert all(prompt.startswith("chance.") for prompt in PROMPTS - heard().prompts)
    assert set() == set(EVENTS) - heard().events


CHANCE_VERBS = {*(f"dice{n}" for n in range(1, 11)), "draw", "tile", "companion"}


def test_cards_options_and_presets_are_explained_in_sentences() -> None:
    printed = [*CARD_TEXTS, *COMBAT_TEXTS, *filter(None, (*CARD_NEEDS, *COMBAT_NEEDS))]
    chosen_from = [*(option.meaning for option in RULES.options), *RULES.preset_meanings.values()]

    assert [] == [(text, faults(text)) for text in (*printed, *chosen_from) if faults(text)]


def test_sentences_are_short() -> None:
    """Beside its number an answer fits a line of eighty columns, if it is not about many."""
    long = [text for text in heard().sentences if len(text) > 100]

    assert [] == [text for text in long if "," not in text]


# Some of them.


def asked(**fields: Any) -> Any:
    """A game at a choice."""
    g = RULES.setup(RULES.agree({}))
    g.call(Choose(**fields))
    return g


def test_a_choice_reads_as_its_purpose_wants() -> None:
    g = asked(seat=0, verb="region", options=(REGION["moria"], REGION["dale"]), what="declare",
              optional=1)  # fmt: skip

    assert RULES.question(g, 0) == "Do you declare the Fellowship, and where?"
    assert [RULES.sentence(g, 0, action) for action in RULES.ask(g, 0).actions] == [
        "Do not declare it.",
        "Declare it in Moria.",
        "Declare it in Dale.",
    ]


def test_a_choice_for_a_card_begins_with_its_name() -> None:
    g = asked(seat=0, verb="nation", options=(0, 1), what="wisdom_of_elrond")

    assert RULES.question(g, 0) == "Wisdom of Elrond: which nation?"
    assert RULES.sentence(g, 0, Action("nation", (0,))) == "The Dwarves."


@pytest.mark.parametrize(
    ("what", "verb", "options", "spoken"),
    [
        (
            "there_is_another_way",
            "answer",
            [ANSWERS.index(word) for word in ("no", "hide", "move")],
            ["Nothing.", "He hides it.", "He leads it one step on."],
        ),
        (
            "gwaihir_the_windlord",
            "answer",
            [ANSWERS.index(word) for word in ("separate", "move")],
            ["Companions who leave the Fellowship.", "Companions who are on the map."],
        ),
        (
            "we_prove_the_swifter",
            "answer",
            [ANSWERS.index(word) for word in ("separate", "move")],
            ["Companions who leave the Fellowship.", "Companions who are on the map."],
        ),
        (
            "scouts",
            "answer",
            [ANSWERS.index(word) for word in ("retreat", "withdraw")],
            ["Retreat before the attack.", "Withdraw into siege."],
        ),
        (
            "heroic_death",
            "figure",
            [FIGURES.index("gimli")],
            ["Nobody dies for it.", "Gimli falls and cancels up to 2 hits."],
        ),
        (
            "blade_of_westernesse",
            "figure",
            [FIGURES.index("saruman")],
            ["No: it counts as a hit.", "Saruman is slain."],
        ),
        ("fateful_strike", "figure", [FIGURES.index("nazgul")], ["A Nazgûl is struck down."]),
        ("dead_men_of_dunharrow", "region", [REGION["lamedon"]], ["To Lamedon."]),
        (
            "dead_men_of_dunharrow_muster",
            "number",
            [2, 0],
            ["Recruit 2 Regulars.", "Recruit 0 Regulars."],
        ),
        ("the_eagles_are_coming", "area", [REGION["moria"]], ["Those in Moria."]),
        ("the_eagles_are_coming_to", "region", [REGION["dol_guldur"]], ["To Dol Guldur."]),
    ],
)
def test_cards_that_ask_for_more_than_their_name_says(
    what: str, verb: str, options: list[int], spoken: list[str]
) -> None:
    optional = int(len(spoken) > len(options))
    g = asked(seat=0, verb=verb, options=tuple(options), what=what, optional=optional)
    name = next(name for name in (*CARD, *COMBAT) if what.startswith(name))
    title = CARD_NAMES[CARD[name]] if name in CARD else COMBAT_NAMES[COMBAT[name]]

    assert RULES.question(g, 0).startswith(f"{title}: ")
    assert RULES.question(g, 0) != f"{title}: {KINDS[verb]}"
    assert spoken == [RULES.sentence(g, 0, action) for action in RULES.ask(g, 0).actions]


def test_what_others_chose_reads_as_their_answer() -> None:
    facts = {"seat": "shadow", "what": "allocate_hunt", "choice": "2"}

    assert RULES.report(Event("chosen", facts)) == "The Shadow: Allocate 2 dice to the Hunt Box."


def test_a_card_is_named_to_those_who_saw_it_only() -> None:
    facts = {"seat": "shadow", "deck": "strategy"}

    assert RULES.report(Event("card_drawn", facts)) == "The Shadow draws a Strategy card."
    assert "Wormtongue" in RULES.report(Event("card_drawn", {**facts, "card": "wormtongue"}))


def test_numbers_of_things() -> None:
    assert many(1, "die") == "1 die"
    assert many(0, "hit") == "0 hits"
    assert many(2, "Action die") == "2 Action dice"
    assert many(3, "Nazgûl") == "3 Nazgûl"


def test_a_force_is_named_by_its_figures() -> None:
    force = [0] * len(FIGURES)
    assert force_name(force) == "nobody"
    force[FIGURES.index("rohan_regular")] = 2
    force[FIGURES.index("strider")] = 1
    assert force_name(force) == "2 Rohan Regulars and Strider"
