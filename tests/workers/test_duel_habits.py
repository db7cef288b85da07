"""What Duel's bots refuse: next to nothing, but they can where there is a reason."""

from __future__ import annotations

import random

import pytest

from services import rules_of
from services.core.decisions import CHANCE
from tests.games.duel.positions import given
from tests.play import Play
from workers.bots.budget import Budget
from workers.bots.greedy import Greedy
from workers.bots.habits.duel import _REASONS, likely
from workers.bots.judge import judge_of
from workers.bots.search import Search

RULES = rules_of("duel")
JUDGE = judge_of(RULES)

TO_A_BONUS = "display gollum_in_the_cave_free, orcs, gimli, balrog; quest sauron 8"


def asked(lines, script):
    """The game at the question that a script leads to, and what is offered there."""
    play = Play(RULES, RULES.agree({}), game=given(RULES, lines))
    play(script)
    (who,) = play.waiting
    seat = play.table.seat(who)
    return play.game, seat, list(RULES.ask(play.game, seat).actions)


def thought_of(lines, script):
    """The texts of what is worth a thought there."""
    game, seat, actions = asked(lines, script)
    return [RULES.spell(action) for action in JUDGE.candidates(game, seat, actions)]


WITHOUT_A_REASON = [
    (["display orcs, gimli"], "sauron: play orcs", ["place rohan", "place gondor"]),
    ([TO_A_BONUS], "sauron: play gollum_in_the_cave_free", ["advance 1"]),
    (["display orcs, gimli; landmarks isengard; coins sauron 9; fellowship: imrahil"],
     "sauron: landmark isengard", ["build enedwaith"]),
    (["display orcs, gimli; landmarks isengard; coins sauron 9; fellowship: imrahil"],
     "sauron: landmark isengard\nsauron: build enedwaith", ["strip imrahil"]),
    (["display gold_coins_first, orcs, gimli, balrog; token sauron: elves_yellow_extra_turn"],
     "sauron: play gold_coins_first", ["again"]),
]  # fmt: skip
WITH_A_REASON = [
    (["display orcs, gimli; army sauron: mordor 11"], "sauron: play orcs",
     ["pass", "place rohan", "place gondor"]),
    (["display gollum_in_the_cave_free, orcs; quest sauron 11"],
     "sauron: play gollum_in_the_cave_free", ["pass", "advance 1"]),
    (["display orcs, gimli; landmarks isengard, bree; coins sauron 9; army sauron: enedwaith 1"],
     "sauron: landmark isengard", ["pass", "build enedwaith"]),
    (["display orcs, gimli; landmarks isengard, barad_dur; coins sauron 9; fellowship: imrahil"],
     "sauron: landmark isengard\nsauron: build enedwaith", ["pass", "strip imrahil"]),
    (["display gold_coins_first, orcs, gimli; token sauron: elves_yellow_extra_turn"],
     "sauron: play gold_coins_first", ["pass", "again"]),
    (["chapter 3; display banners, oliphaunts; landmarks grey_havens; coins sauron 9",
      "token fellowship: elves_wild_skill, elves_red_anywhere, elves_yellow_extra_turn"],
     "sauron: landmark grey_havens",
     ["pass", "call dwarves", "call hobbits", "call humans", "call ents", "call wizards"]),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "script", "expected"), WITHOUT_A_REASON)
def test_no_thought_is_wasted_on_refusing_a_gift(lines, script, expected):
    assert expected == thought_of(lines, script)


@pytest.mark.parametrize(("lines", "script", "expected"), WITH_A_REASON)
def test_where_there_is_a_reason_refusing_is_thought_of(lines, script, expected):
    assert expected == thought_of(lines, script)


def test_a_search_weighs_a_refusal_for_which_there_is_a_reason():
    """The second extra turn of a turn is lost, and the step to it can be made later."""
    lines = ["chapter 2; display archers, spearmen, dwarves; slot 18: bags_of_gold"]
    lines += ["token sauron: humans_yellow_quest, elves_yellow_extra_turn; quest sauron 8"]
    game, seat, _ = asked(lines, "sauron: play bags_of_gold")

    pick = random.Random(1).randrange
    weighed = Search(Budget(simulations=60)).think(RULES, game, seat, pick).weighed

    assert {"pass", "advance 1"} == {RULES.spell(one.action) for one in weighed}


@pytest.mark.parametrize("preset", RULES.presets)
def test_habits_answer_with_what_is_offered_and_refuse_no_gift(preset):
    """Random games, with what is likely and what is sensible looked at in each question."""
    chance, met = random.Random(f"habits {preset}"), set()
    for _ in range(12):
        game = RULES.setup(RULES.agree(RULES.presets[preset]))
        while waiting := RULES.waiting(game):
            (seat,) = waiting
            if seat == CHANCE:
                RULES.apply(game, seat, RULES.deal(game, chance.randrange))
                continue
            ask = RULES.ask(game, seat)
            usual = likely(game, seat, ask.actions, chance.randrange)
            few = JUDGE.candidates(game, seat, ask.actions)
            assert usual in ask.actions
            assert few
            assert set(few) <= set(ask.actions)
            if ask.prompt in _REASONS:
                met.add(ask.prompt)
                assert "pass" != usual.verb
            RULES.apply(game, seat, chance.choice(ask.actions))

    assert (met == set(_REASONS)) is (preset != "brisk")


@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_still_beats_who_refuses_everything(seat):
    """A side that takes no gift is beaten by one that takes them."""
    pick = random.Random(seat).randrange
    game, bot = RULES.setup(RULES.agree({})), Greedy(worlds=2)
    while waiting := RULES.waiting(game):
        (asked_seat,) = waiting
        if asked_seat == CHANCE:
            action = RULES.deal(game, pick)
        elif asked_seat == seat:
            action = bot.choose(RULES, RULES.guess(game, seat, pick), seat, pick)
        else:
            action = RULES.ask(game, asked_seat).actions[0]
        RULES.apply(game, asked_seat, action)

    assert 1 == RULES.scores(game)[seat]
