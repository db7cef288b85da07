"""What is worth a thought in Risk, what habit would do, and what comes of the rest of a turn."""

from __future__ import annotations

import random

import pytest

from services import rules_of
from services.core.decisions import CHANCE
from services.risk.board import BLOCK
from services.risk.tables import BRIDGES, NEAR, NEUTRAL, bits
from tests.games.risk.positions import given
from workers.bots import bot_of
from workers.bots.evals.risk.prospects import HELD, WEIGHTS, holdings, lead, standing
from workers.bots.habits.risk import likely
from workers.bots.habits.risk.candidates import priors, sensible
from workers.bots.habits.risk.invasions import hostile, invasion
from workers.bots.judge import judge_of

RULES = rules_of("risk")
JUDGE = judge_of(RULES)


def positions(seed, options, blunders=6):
    """The questions of a game in which seats do what they usually do, now and then anything."""
    pick = random.Random(seed).randrange
    game = RULES.setup(RULES.agree(options))
    while waiting := RULES.waiting(game):
        seat = waiting[0]
        if seat == CHANCE:
            action = RULES.deal(game, pick)
        else:
            actions = RULES.ask(game, seat).actions
            yield game, seat, actions
            usual = likely(game, seat, actions, pick)
            action = usual if pick(blunders) else actions[pick(len(actions))]
        RULES.apply(game, seat, action)


GAMES = [
    {"players": "2", "setup_mode": "random"},
    {"players": "3", "setup_mode": "batched"},
    {"players": "4", "setup_mode": "random", "team_mode": "on"},
]


@pytest.mark.parametrize("options", GAMES, ids=lambda options: options["players"])
def test_what_is_thought_of_is_legal_and_likely(options):
    """All through games: some of the offered actions, each once, with priors that sum to 1."""
    prompts = set()
    for game, seat, actions in positions("sense", options):
        found = list(sensible(game, seat, actions))
        chances = priors(game, seat, found)

        assert found
        assert len(set(found)) == len(found)
        assert set(found) <= set(actions)
        assert sum(chances) == pytest.approx(1)
        assert min(chances) > 0
        prompts.add(RULES.ask(game, seat).prompt)

    assert {"reinforce.place", "combat.invade", "combat.battle", "conquest.follow"} <= prompts


def test_long_lists_become_short():
    """However many territories a seat holds, it thinks of a few."""
    longest = {}
    for game, seat, actions in positions("lists", GAMES[0]):
        prompt = RULES.ask(game, seat).prompt
        long, short = longest.get(prompt, (0, 0))
        found = len(sensible(game, seat, actions))
        longest[prompt] = max(long, len(actions)), max(short, found)

    assert longest["reinforce.place"][0] > 60
    assert longest["reinforce.place"][1] <= 20
    assert longest["combat.battle"][1] <= 4
    assert longest["combat.defence"][1] == 1


def test_all_dice_are_thrown():
    """Neither a fight nor a defence with fewer is thought of."""
    met = set()
    for game, seat, actions in positions("dice", GAMES[0]):
        if RULES.ask(game, seat).prompt == "combat.battle":
            fights = [a.nouns[0] for a in actions if a.verb == "fight"]
            kept = [a.nouns[0] for a in sensible(game, seat, actions) if a.verb == "fight"]
            assert kept == fights[-1:]
            met.add(len(fights))

    assert {1, 3} <= met


def test_habit_reinforces_borders_and_fights_where_it_is_promising():
    """Nothing is placed inland; nothing is invaded that promises a loss."""
    placed = begun = 0
    for game, seat, actions in positions("habits", GAMES[0]):
        b = game.board
        usual = likely(game, seat, actions, lambda n: 0)
        prompt = RULES.ask(game, seat).prompt
        if usual.verb == "place" and any(
            NEAR[a.nouns[0]] & hostile(b, seat) for a in actions if a.verb == "place"
        ):
            assert NEAR[usual.nouns[0]] & hostile(b, seat)
            placed += 1
        if prompt == "combat.invade" and usual.nouns:
            assert usual.verb == "assault"
            assert invasion(b, seat, *usual.nouns) > 0
            begun += 1

    assert placed > 5
    assert begun > 20


def test_reserves_make_an_invasion_more_promising():
    game, seat, _ = next(p for p in positions("reserves", GAMES[0]) if p[0].board.number)
    b = game.board
    source = next(land for land in bits(b.held[seat]) if NEAR[land] & hostile(b, seat))
    target = bits(NEAR[source] & hostile(b, seat))[0]

    promises = [invasion(b, seat, source, target, reserves) for reserves in (0, 3, 8)]

    assert promises == sorted(promises)
    assert promises[0] < promises[-1]


def test_no_invasion_is_begun_that_leads_nowhere():
    """Not even where a bridge is blocked: else it would be stopped and begun again for ever."""
    begun = 0
    for game, seat, _ in positions("circles", GAMES[2]):
        if RULES.ask(game, seat).prompt != "combat.invade":
            continue
        for bridge in range(len(BRIDGES)):
            there = game.copy()
            there.board.begin_effect(BLOCK, bridge, seat)
            offered = RULES.ask(there, seat).actions
            for named in sensible(there, seat, offered):
                if named.verb in ("invade", "assault"):
                    begun += 1
                    after = there.copy()
                    RULES.apply(after, seat, named._replace(verb="invade"))
                    assert leads_on(after, seat), (BRIDGES[bridge], RULES.spell(named))
    assert begun > 500


def leads_on(game, seat):
    """Whether what was named is worth a battle."""
    if RULES.waiting(game) != (seat,):  # another is asked first, for a card
        return True
    some = [a.verb for a in sensible(game, seat, RULES.ask(game, seat).actions)]
    return "stop" not in some and "back" not in some


# How a seat stands.


def test_what_one_seat_leads_by_the_other_lacks():
    """With two seats standings cancel out, between turns and within them."""
    for game, _, _ in positions("standing", GAMES[0]):
        b = game.board
        if all(b.held[seat] for seat in b.seats) and b.number:
            assert standing(b, 0) == pytest.approx(-standing(b, 1))


@pytest.mark.parametrize("options", GAMES)
def test_holdings_are_as_many_as_they_are_named(options):
    game, seat, _ = next(p for p in positions("held", options) if p[0].board.number)
    b = game.board
    have = [holdings(b, other) for other in b.seats]

    assert len(HELD) == len(have[0]) == len(lead(b, seat)) == len(WEIGHTS[len(b.seats)])
    assert have[seat][HELD.index("territories")] == b.held[seat].bit_count()
    assert have[seat][HELD.index("battalions")] == b.battalions_of(seat)


@pytest.mark.parametrize("options", GAMES[1:])
def test_a_lead_is_over_the_average_of_all_enemies(options):
    """Those who are out have nothing; what partners have counts for both."""
    number = HELD.index("territories")
    game, seat, _ = next(p for p in positions("lead", options) if p[0].board.number > 9)
    b = game.board
    for _ in range(2):
        side = [o for o in b.seats if o == seat or b.settings.are_allies(o, seat)]
        lands = [b.held[other].bit_count() for other in b.seats]
        ours = sum(lands[o] for o in side) / len(side)
        theirs = (sum(lands) - ours * len(side)) / (len(lands) - len(side))

        assert lead(b, seat)[number] == pytest.approx(ours - theirs)
        foe = next(other for other in b.seats if other not in side)
        for land in bits(b.held[foe]):
            b.give(land, NEUTRAL, 1)


def test_what_can_still_be_taken_counts():
    """Before its invasions a seat foresees at least what it has, and often more."""
    more = 0
    for game, seat, _ in positions("foresee", GAMES[0]):
        b = game.board
        if b.number and RULES.ask(game, seat).prompt == "combat.invade":
            before = standing(b, seat)
            stack = repr(game.stack)
            hoped = JUDGE.foresee(game, seat)

            assert hoped > before - 1
            assert (standing(b, seat), repr(game.stack)) == (before, stack)
            more += hoped > before

    assert more > 10


@pytest.mark.parametrize("options", GAMES, ids=lambda options: options["players"])
def test_who_keeps_to_what_is_sensible_does_not_go_in_circles(options):
    """Nothing is taken back: in one turn no position of the board is asked about twice."""
    pick = random.Random("circles").randrange
    game = RULES.setup(RULES.agree(options))
    asked, turn = set(), None
    while (waiting := RULES.waiting(game)) and game.board.number < 12:
        seat = waiting[0]
        if seat == CHANCE:
            action = RULES.deal(game, pick)
        else:
            actions = RULES.ask(game, seat).actions
            some = sensible(game, seat, actions)
            action = some[pick(len(some))]
            if (game.board.number, game.board.turn) != turn:
                asked, turn = set(), (game.board.number, game.board.turn)
            question = RULES.gist(game)
            assert len(actions) == 1 or question not in asked, question
            asked.add(question)
        RULES.apply(game, seat, action)

    assert turn


@pytest.mark.parametrize(
    ("level", "wanted"),
    [
        ("apprentice", []),
        ("adept", ["ask fellowship"]),
        ("master", ["ask attacked", "ask fellowship"]),
    ],
)
def test_a_careful_bot_says_first_when_it_wants_to_be_asked_whatever_it_holds(level, wanted):
    for hand in ("mission_bree", "power_courage_alone", "power_gollum mission_erech"):
        lines = [f"at reinforce; yellow: moria 4; rest red 1; yellow holds {hand}"]
        game, said = given(RULES, lines), []
        bot, pick = bot_of(level, "risk", seconds=0.1), random.Random("orders").randrange
        while (action := bot.choose(RULES, game.copy(), 0, pick)).verb == "ask":
            said.append(RULES.spell(action))
            RULES.apply(game, 0, action)

        assert wanted == said


def test_cards_that_only_the_seat_on_turn_may_play_are_played():
    lines = ["at start; yellow: moria 9; rest red 1; yellow holds power_hunt_for_the_ringbearer"]
    game, pick = given(RULES, [*lines, "yellow holds power_ambush"]), random.Random("x").randrange
    while game.board.turn == 0:
        (seat,) = RULES.waiting(game)
        actions = RULES.ask(game, seat).actions if seat != CHANCE else ()
        action = likely(game, seat, actions, pick) if actions else RULES.deal(game, pick)
        RULES.apply(game, seat, action)

    assert 2 == game.board.played[0].bit_count()
