"""What `about` finds in the Confrontation: by name, id or unaccented name, whoever asks."""

from __future__ import annotations

import pytest

from bree.cli.boards import drawing_of
from bree.cli.boards.confrontation_charts import about
from services import rules_of

RULES = rules_of("confrontation")
SPECIAL = {"special_cards": "set_deluxe"}
CHOSEN = (
    {},
    {"preset": "classic_2002"},
    {"preset": "deluxe_variant", **SPECIAL},
    {"preset": "deluxe_draft", "announce_draft": "off"},
    {"match": "two_games_swap_sides"},
)


def view(seat=0, **chosen):
    """The beginning of a game, as a seat sees it."""
    return RULES.view(RULES.setup(RULES.agree(chosen)), seat)


def titles(seen, words):
    return [title for title, _ in about(seen, words)]


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("chosen", CHOSEN, ids=lambda chosen: " ".join(chosen.values()) or "usual")
def test_whoever_asks_finds_everything_whatever_the_options(seat, chosen):
    """By id and by title, and in words that everybody can type."""
    seen = view(seat, **chosen)
    for side in ("good", "dark"):
        for entry in seen["charts"][side]:
            for words in (entry["name"], entry["title"], entry["title"].upper()):
                texts = [text for _, text in about(seen, words)]
                assert any(text.startswith(entry["text"]) for text in texts), words


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("theoden", "Théoden, strength 2 (not in this game)"),
        ("smeagol", "Sméagol, strength 0 (not in this game)"),
        ("nazgul", "The Nazgûl, strength 3"),
        ("the witch king", "The Witch-king, strength 5"),
        ("witch_king", "The Witch-king, strength 5"),
        ("saruman_variant", "Saruman (variant), strength 3 (not in this game)"),
        ("palantir", "Dark's special card The Palantír (not in this game)"),
        ("good_sacrifice", "Good's card Noble Sacrifice"),
        ("dark 4", "Dark's card 4"),
        ("balr", "The Balrog, strength 5"),
    ],
)
def test_names_are_taken_as_people_type_them(words, title):
    """Unaccented, as an id, without an article, or cut short."""
    assert title in titles(view(), words)


def test_printed_exceptions_are_told():
    """What holds a text back stands beside it."""
    ((_, sacrifice),) = about(view(), "sacrifice")
    ((_, boromir),) = about(view(), "boromir")

    assert "No effect if the Dark player's card is Retreat" in sacrifice
    assert "With Frodo as the Good combatant the Dark player wins." in sacrifice
    assert "Not against the Warg: that is an ordinary battle at strength 0." in boromir


@pytest.mark.parametrize(
    ("option", "value", "words", "said"),
    [
        ("both_retreat", "dark_only", "good_retreat", "the battle is over and yours stays"),
        ("both_retreat", "both_leave", "good_retreat", "yours leaves all the same"),
        ("eye_cancels_magic", "true", "good_magic", "Cancelled by the Eye of Sauron"),
        ("eye_cancels_magic", "false", "good_magic", "The Eye of Sauron does not cancel it"),
        ("sacrifice_vs_failed_dark_retreat", "works", "sacrifice", "does not prevent it"),
        ("river_sideways_retreat", "downstream_only", "frodo", "Never up the Anduin"),
    ],
)
def test_exceptions_agree_with_the_options(option, value, words, said):
    """A chart of this game tells what was agreed for it."""
    assert any(said in text for _, text in about(view(**{option: value}), words))
    other = {"both_leave": "dark_only", "dark_only": "both_leave", "true": "false", "false": "true"}
    changed = other.get(value, {"works": "no_effect"}.get(value, "both_directions"))
    assert not any(said in text for _, text in about(view(**{option: changed}), words))


def test_who_plays_comes_first_and_who_does_not_is_said_not_to():
    """The same name on two tiles is told apart."""
    assert titles(view(), "saruman") == [
        "Saruman, strength 4",
        "Saruman (variant), strength 3 (not in this game)",
    ]
    assert titles(view(preset="deluxe_variant"), "saruman") == [
        "Saruman (variant), strength 3",
        "Saruman, strength 4 (not in this game)",
    ]


def test_both_charts_are_told_without_a_name_ones_own_first():
    """All who play, of both sides; numbers speak for themselves."""
    good, dark = (titles(view(seat), "") for seat in (0, 1))

    assert good[0] == "The chart of Good."
    assert dark[0] == "The chart of Dark."
    assert sorted(good) == sorted(dark)
    assert {"Frodo, strength 1", "Shelob, strength 5", "Dark's card Retreat"} <= set(good)
    assert not any("not in this game" in title or "card 4" in title for title in good)
    assert titles(view(), "dark") == dark[: len(titles(view(), "dark"))]
    assert titles(view(None), "") == good


def test_a_name_that_nobody_has_gets_those_that_are_near():
    """A slip of the finger is met with what may have been meant."""
    assert about(view(), "borromir") == [
        ("No character or card is called 'borromir'.", "Perhaps Boromir?")
    ]
    assert "Perhaps Legolas?" in dict(about(view(), "legolass")).values()
    ((said, hint),) = about(view(), "galadriel")
    assert "'galadriel'" in said
    assert "Say about alone" in hint


def test_a_drawing_offers_what_the_charts_say():
    assert drawing_of("confrontation").about(view(), "gimli") == about(view(), "gimli")
