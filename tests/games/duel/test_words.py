"""What people read: every kind of question and event word for word, and no name of a program's."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from services.core.decisions import CHANCE, Event
from services.duel import RULES
from services.duel.tables import CARD_NAMES, CARDS, RACES, REGION_NAMES, TILE_NAMES
from services.duel.words.events import FACTS, REASONS, REPORTS
from services.duel.words.questions import QUESTIONS
from tests.games.duel.positions import given
from tests.games.duel.test_coverage import heard
from tests.games.duel.test_play import played
from tests.play import Play

TOLD: list[tuple[str, dict[str, Any], str]] = [
    ("chapter_began", {"chapter": 2}, "Chapter 2 begins."),
    ("card_revealed", {"slot": 3, "card": "orcs"}, "The card Orcs was turned up."),
    ("card_set_aside", {"card": "eowyn"}, "The card Éowyn was set aside."),
    ("landmark_revealed", {"landmark": "barad_dur"}, "The landmark Barad-dûr was turned up."),
    ("card_played", {"side": "sauron", "card": "gimli", "mode": "paid", "price": 1},
     "Sauron played Gimli for 1 coin."),
    ("card_played", {"side": "fellowship", "card": "fellowship", "mode": "paid", "price": 0},
     "The Fellowship played Fellowship for nothing."),
    ("card_played", {"side": "sauron", "card": "dwarves", "mode": "chained", "price": 0},
     "Sauron played Dwarves through its chain."),
    ("card_played", {"side": "sauron", "card": "balrog", "mode": "from_discard", "price": 0},
     "Sauron played Balrog from the discard pile."),
    ("card_discarded", {"side": "sauron", "card": "orcs", "coins": 2},
     "Sauron discarded Orcs for 2 coins."),
    ("landmark_taken", {"side": "fellowship", "landmark": "helms_deep", "price": 5},
     "The Fellowship took Helm's Deep for 5 coins."),
    ("coins_gained", {"side": "sauron", "coins": 1}, "Sauron gained 1 coin."),
    ("coins_lost", {"side": "fellowship", "coins": 2}, "The Fellowship lost 2 coins."),
    ("quest_advanced", {"side": "sauron", "steps": 1, "step": 4},
     "Sauron advanced 1 quest step, to step 4."),
    ("extra_turn_earned", {"side": "sauron"}, "Sauron earned another turn."),
    ("extra_turn_refused", {"side": "fellowship"}, "The Fellowship did not take another turn."),
    ("effect_refused", {"side": "sauron", "effect": "advance_quest"},
     "Sauron made no steps of the quest."),
    ("effect_refused", {"side": "sauron", "effect": "place_units"}, "Sauron placed no units."),
    ("effect_refused", {"side": "sauron", "effect": "place_fortress"}, "Sauron built no fortress."),
    ("effect_refused", {"side": "sauron", "effect": "discard_opponent_card"},
     "Sauron left the opponent every grey card."),
    ("effect_refused", {"side": "sauron", "effect": "alliance_from_one_race"},
     "Sauron chose no race."),
    ("units_placed", {"side": "sauron", "region": "rohan", "units": 3},
     "Sauron placed 3 units in Rohan."),
    ("unit_moved", {"side": "fellowship", "from": "arnor", "to": "lindon"},
     "The Fellowship moved a unit from Arnor to Lindon."),
    ("conflict_fought", {"region": "gondor", "losses": 1},
     "Conflict in Gondor: each side lost 1 unit."),
    ("unit_removed", {"side": "sauron", "region": "mordor"}, "Sauron lost a unit in Mordor."),
    ("fortress_built", {"side": "sauron", "region": "rohan"}, "Sauron built a fortress in Rohan."),
    ("fortress_removed", {"side": "fellowship", "region": "gondor"},
     "The Fellowship lost the fortress in Gondor."),
    ("alliance_sought", {"side": "sauron", "races": ["elves", "dwarves", "humans"]},
     "Sauron seeks an alliance with the Elves, Dwarves and Humans."),
    ("alliance_sought", {"side": "fellowship", "races": ["dwarves"]},
     "The Fellowship seeks an alliance with the Dwarves."),
    ("maneuver_chosen", {"side": "sauron", "maneuver": "removal"},
     "Sauron chose a maneuver: remove 1 enemy unit."),
    ("tokens_revealed", {"side": "sauron", "tokens": ["hobbits_eagle", "wizards_quest"]},
     "Sauron is offered the Hobbits token “The Eagle” or the Wizards token “Two quest steps”."),
    ("tokens_revealed", {"side": "sauron", "tokens": ["hobbits_eagle"]},
     "Sauron is offered the Hobbits token “The Eagle”."),
    ("token_kept", {"side": "fellowship", "token": "ents_extra_turn"},
     "The Fellowship kept the Ents token “Another turn”."),
    ("discard_searched", {"side": "sauron", "count": 1},
     "Sauron looked through the discard pile: 1 card."),
    ("set_aside_seen", {"cards": ["fellowship", "dwarves", "orcs"]},
     "Set aside in this chapter: Fellowship, Dwarves and Orcs."),
    ("card_lost", {"side": "fellowship", "card": "imrahil"}, "The Fellowship lost Imrahil."),
    ("game_ended", {"winner": "fellowship", "reason": "quest_of_the_ring"},
     "The Fellowship wins by the Quest of the Ring."),
    ("game_ended", {"winner": "sauron", "reason": "support_of_the_races"},
     "Sauron wins by the support of six races."),
    ("game_ended", {"winner": "sauron", "reason": "conquest"},
     "Sauron wins by conquest, present in every region."),
    ("game_ended", {"winner": "sauron", "reason": "most_regions"},
     "Sauron wins by presence in more regions."),
    ("game_ended", {"winner": None, "reason": "equal_regions"},
     "Both share the victory because both are present in as many regions."),
    ("game_ended", {"winner": "sauron", "reason": "forfeit"},
     "Sauron wins because the other side has given up."),
]  # fmt: skip

MAIN = "Do you play a card, discard one, or take a landmark?"
ENTS = ("chapter 3; display quickbeam, oliphaunts; sauron: treebeard; coins sauron 9; "
        "coins fellowship 3; top ents_three_maneuvers; token fellowship: ents_extra_turn, "
        "ents_remove_fortress")  # fmt: skip
ASKED = [
    ("turn.choose", "display orcs, gimli", "", MAIN),
    ("turn.again", "display gold_coins_first, orcs; token sauron: elves_yellow_extra_turn",
     "play gold_coins_first", "You have earned another turn. Do you take it?"),
    ("armies.place", "display orcs, gimli", "play orcs", "Where do you place 1 unit?"),
    ("armies.place", ("display orcs, gimli; landmarks helms_deep; coins sauron 9; "
     "token sauron: dwarves_no_surcharge"), "landmark helms_deep",
     "Do you place 3 units in Rohan?"),
    ("armies.place_freely", ("display gollum_in_the_cave_free, orcs; "
     "token sauron: hobbits_blue_unit"), "play gollum_in_the_cave_free",
     "Where do you place a unit? You may place 1 unit."),
    ("armies.move", "chapter 3; display hill_army, banners; coins sauron 9", "play hill_army",
     "Which unit do you move, and where? You have 3 movements left."),
    ("armies.remove", "chapter 3; display ballista, banners; coins sauron 9", "play ballista",
     "Where do you remove an enemy unit? You have 2 removals left."),
    ("armies.build", "display orcs, gimli; landmarks bree; coins sauron 9", "landmark bree",
     "Do you build a fortress in Arnor, though it makes your next landmarks dearer?"),
    ("armies.raze", ("display gollum_in_the_cave_free, orcs; quest sauron 11; "
     "fortress fellowship: gondor"), "play gollum_in_the_cave_free, advance 1",
     "Which enemy fortress do you remove?"),
    ("quest.advance", "display gollum_in_the_cave_free, orcs; quest sauron 8",
     "play gollum_in_the_cave_free", "Do you make the quest step?"),
    ("quest.advance", ("chapter 3; display gollum_close_three_rings, banners; quest sauron 7; "
     "coins sauron 3"), "play gollum_close_three_rings",
     "How many of your 3 quest steps do you make?"),
    ("alliance.keep", ("chapter 2; display dwarves, archers; sauron: gimli; "
     "top dwarves_no_surcharge; token fellowship: dwarves_green_movement, "
     "dwarves_landmark_extra_turn"), "play dwarves", "Which alliance token do you keep?"),
    ("alliance.race", ("chapter 3; display orc_raiders, banners; landmarks grey_havens; "
     "coins sauron 9"), "landmark grey_havens", "From which race do you choose a token?"),
    ("alliance.three", "option three_races may_wait; display gimli, orcs; sauron: legolas, aragorn",
     "play gimli", "Do you make the alliance of three races now?"),
    ("discard.play", "chapter 3; display orc_raiders, banners; landmarks barad_dur; coins sauron 9",
     "landmark barad_dur", "Which card of the discard pile do you play?"),
    ("discard.strip", ("chapter 3; display orc_raiders, banners; landmarks isengard; "
     "coins sauron 9; fellowship: imrahil"), "landmark isengard",
     "Which grey card does your opponent lose?"),
    ("maneuver.choose", ENTS, "play quickbeam, keep ents_three_maneuvers",
     "Which maneuver do you make? You have 3 maneuvers left."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "facts", "sentence"), TOLD)
def test_an_event_is_told_word_for_word(kind: str, facts: dict[str, Any], sentence: str) -> None:
    assert sentence == RULES.report(Event(kind, facts))


def test_every_kind_of_event_fact_and_end_is_among_these() -> None:
    assert set(REPORTS) == {kind for kind, _, _ in TOLD}
    assert set(FACTS) == {fact for _, facts, _ in TOLD for fact in facts}
    assert set(REASONS) == {facts["reason"] for _, facts, _ in TOLD if "reason" in facts}


@pytest.mark.parametrize(("prompt", "position", "script", "sentence"), ASKED)
def test_a_question_is_put_word_for_word(
    prompt: str, position: str, script: str, sentence: str
) -> None:
    play = Play(RULES, game=given(RULES, [position]))
    for action in filter(None, script.split(", ")):
        play(f"sauron: {action}")

    assert prompt == play.ask("sauron").prompt
    assert sentence == RULES.question(play.game, 1)


def test_every_question_of_a_seat_is_among_these() -> None:
    assert set(QUESTIONS) - heard().by_chance == {prompt for prompt, *_ in ASKED}


# What must hold of every sentence.

CAPITALS = (*RACES, *(name.lower() for name in (*REGION_NAMES, *TILE_NAMES)), "sauron", "nazgûl")
LOWER_CASE = re.compile(rf"\b({'|'.join(map(re.escape, CAPITALS))})\b")
ONE_OF_MANY = re.compile(r"\b(1|a|an|one) (coin|unit|step|card|movement|removal|maneuver|turn)s\b")
MANY_OF_ONE = re.compile(
    r"\b([02-9]|\d\d+|two|three) (\w+ )?(coin|unit|step|card|movement|removal|maneuver)\b"
)
PROGRAM = re.compile(r"_|\bNone\b|\bTrue\b|\bFalse\b|[\[\]{}<>]|\s\s")
PLURAL_CARDS = [name for name in CARD_NAMES if name.endswith("s") or " and " in name]


def wrong_in(text: str) -> list[str]:
    """What no person should read there."""
    patterns = (LOWER_CASE, ONE_OF_MANY, MANY_OF_ONE, PROGRAM)
    return [found.group() for pattern in patterns for found in pattern.finditer(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Sauron gained 1 coins.", "2 unit in Rohan", "2 quest step", "an alliance with the elves",
        "Play helms_deep.", "None wins.", "units in gondor", "a coins",
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(text: str) -> None:
    assert wrong_in(text)


def test_no_sentence_of_any_case_holds_an_id_a_wrong_plural_or_a_lower_case_name() -> None:
    assert [] == [s for s in heard().sentences if wrong_in(s)]


@pytest.mark.parametrize("preset", RULES.presets)
def test_nor_does_any_sentence_of_random_games_or_text_of_a_view(preset: str) -> None:
    chance = random.Random(f"words {preset}")
    for seed in range(4):
        for game, events in played(seed, dict(RULES.presets[preset])):
            for text in (*_spoken(game), *map(RULES.report, events)):
                assert text[0].isupper(), text
                assert text[-1] in ".?", text
                assert not wrong_in(text), text
            if chance.random() < 0.2:
                assert [] == [text for text in _texts(RULES.view(game, 0)) if wrong_in(text)]


def _spoken(game: Any) -> Iterator[str]:
    for seat in RULES.waiting(game):
        yield RULES.question(game, seat)
        if seat != CHANCE:
            yield from (RULES.sentence(game, seat, a) for a in RULES.ask(game, seat).actions)


def _texts(part: Any) -> Iterator[str]:
    """All that a view calls a text or a name."""
    if isinstance(part, dict):
        yield from (part[key] for key in ("text", "name") if key in part)
        for inner in part.values():
            yield from _texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _texts(inner)


@pytest.mark.parametrize("name", PLURAL_CARDS)
def test_cards_with_a_plural_for_a_name_get_a_verb_that_fits(name: str) -> None:
    card = CARDS[CARD_NAMES.index(name)]

    assert f"The card {name} was turned up." == RULES.report(
        Event("card_revealed", {"slot": 0, "card": card})
    )


def test_options_and_presets_tell_what_they_are_and_what_is_not_there() -> None:
    meanings = {option.name: option.meaning for option in RULES.options}

    assert "no rules here and are not offered" in meanings["expansions"]
    assert "is a bot" in meanings["expansions"]
    assert RULES.agree({}) == RULES.agree(RULES.presets["standard"])
    assert all(RULES.presets.values())
    for meaning in meanings.values():
        assert not wrong_in(meaning)
