"""What a seat has seen is remembered for it, and a guess redraws the rest (RULES 11)."""

from __future__ import annotations

import random

from services.core.frames import Game
from services.duel import RULES
from services.duel.board import Board
from services.duel.tables import CARDS, FELLOWSHIP, SAURON
from tests.games.duel.positions import given
from tests.play import Play

LINES = (
    "slot 9: face_down; slot 10: face_down; slot 14: orcs; slot 15: gimli; slot 16: legolas",
    "bag aragorn, frodo_and_sam; aside imrahil, fellowship, balrog",
    "landmarks barad_dur; coins sauron 6",
)
UNSEEN = {"aragorn", "frodo_and_sam", "imrahil", "fellowship", "balrog"}


def guessed(game: Game[Board], seat: int, times: int = 60) -> list[frozenset[str]]:
    """The cards set aside in each of some imagined worlds."""
    chance = random.Random(1)
    worlds = [RULES.guess(game, seat, chance.randrange) for _ in range(times)]
    return [frozenset(CARDS[card] for card in world.board.aside) for world in worlds]


def test_any_card_that_was_not_turned_up_may_be_set_aside() -> None:
    game = given(RULES, LINES)

    for seat in (FELLOWSHIP, SAURON):
        found = guessed(game, seat)
        assert set().union(*found) == UNSEEN
        assert len(set(found)) == 10  # three of five
        assert {len(cards) for cards in found} == {3}


def test_who_has_looked_knows_and_the_other_goes_on_guessing() -> None:
    play = Play(RULES, game=given(RULES, LINES))
    play("sauron: landmark barad_dur\nsauron: build mordor")

    assert {frozenset({"imrahil", "fellowship", "balrog"})} == set(guessed(play.game, SAURON))
    assert 10 == len(set(guessed(play.game, FELLOWSHIP)))


def test_a_card_that_is_turned_up_later_was_not_set_aside() -> None:
    play = Play(RULES, game=given(RULES, LINES))
    play("sauron: discard orcs\nfellowship: discard gimli\nchance: deal aragorn")

    assert set().union(*guessed(play.game, SAURON)) == UNSEEN - {"aragorn"}


def test_a_set_aside_card_that_was_played_is_no_secret_any_more() -> None:
    play = Play(RULES, game=given(RULES, LINES))
    play("sauron: landmark barad_dur\nsauron: build mordor\nsauron: play imrahil")

    found = guessed(play.game, FELLOWSHIP)
    assert {2} == {len(cards) for cards in found}
    assert set().union(*found) == UNSEEN - {"imrahil"}


def test_both_are_told_that_the_pile_was_searched_and_one_what_was_set_aside() -> None:
    play = Play(RULES, game=given(RULES, LINES))
    play("sauron: landmark barad_dur\nsauron: build mordor")

    told = {who: {event.kind for event in play.seen(who)} for who in ("sauron", "fellowship", None)}
    assert "discard_searched" in told["sauron"] & told["fellowship"] & told[None]
    assert "set_aside_seen" in told["sauron"]
    assert "set_aside_seen" not in told["fellowship"] | told[None]


def test_nobody_is_told_what_is_set_aside() -> None:
    play = Play(RULES)
    for _ in range(12):
        play(f"chance: {play.offered('chance')[0]}")
    play(f"chance: {play.offered('chance')[0]}")

    assert "card_set_aside" == play.events[-1].kind
    assert all("card_set_aside" != event.kind for who in ("sauron", "fellowship", None)
               for event in play.seen(who))  # fmt: skip


def test_when_everything_is_turned_up_nothing_is_left_to_guess() -> None:
    game = given(RULES, ["display orcs, gimli; aside imrahil, fellowship, balrog"])

    assert {frozenset({"imrahil", "fellowship", "balrog"})} == set(guessed(game, FELLOWSHIP))


def test_whether_a_card_was_refused_or_was_not_there_is_not_shown() -> None:
    """After a search that played nothing the other side has learnt nothing of what lies there."""
    play = Play(RULES, game=given(RULES, LINES))
    play("sauron: landmark barad_dur\nsauron: build mordor\nsauron: pass")

    assert "imrahil" not in str(play.view("fellowship"))
    assert play.view("fellowship")["discard"]["searched"] == {"fellowship": False, "sauron": True}
    assert play.view("sauron")["discard"]["count"] == play.view("fellowship")["discard"]["count"]
