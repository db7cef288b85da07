"""What a position of Risk is judged to be worth, and what the greedy bot makes of it."""

from __future__ import annotations

import random
from itertools import product

import pytest

from services import rules_of
from services.core.decisions import CHANCE
from services.risk.tables import HAS_DIE, MISSIONS, MOUNT_DOOM, REGION_LANDS, bits
from tests.play import Play
from workers.bots import bot_of
from workers.bots.evals.risk.prospects import WEIGHTS, ends_within, lead, standing
from workers.bots.habits.risk.invasions import late, odds
from workers.bots.judge import judge_of

RULES = rules_of("risk")
JUDGE = judge_of(RULES)


def simulated(attack, defence, more, more_theirs, chance):
    """Whether an attack that is fought to the end is won."""
    while attack and defence:
        ours = sorted((chance.randint(1, 6) for _ in range(min(3, attack))), reverse=True)
        theirs = sorted((chance.randint(1, 6) for _ in range(min(2, defence))), reverse=True)
        ours[0] += more
        theirs[0] += more_theirs
        for a, d in zip(ours, theirs, strict=False):
            attack, defence = (attack, defence - 1) if a > d else (attack - 1, defence)
    return bool(attack)


@pytest.mark.parametrize("forces", [(1, 1, 0, 0), (3, 2, 0, 0), (6, 4, 1, 0), (8, 8, 0, 2)])
def test_the_odds_are_those_of_the_dice(forces):
    chance = random.Random(str(forces))
    won = sum(simulated(*forces, chance) for _ in range(3000)) / 3000

    assert abs(odds(*forces)[0] - won) < 0.03
    if forces == (1, 1, 0, 0):
        assert odds(*forces)[0] == pytest.approx(15 / 36)


def test_more_attackers_are_never_worse():
    for defence, more, theirs in product(range(1, 8), (0, 1), (0, 2)):
        chances = [odds(attack, defence, more, theirs)[0] for attack in range(12)]
        assert chances == sorted(chances)


def test_winning_is_worth_more_than_anything_before_the_end():
    play = Play(RULES, {"players": "3", "setup_mode": "random"})
    chance = random.Random("ending")
    while not play.game.board.number:
        RULES.apply(play.game, CHANCE, RULES.deal(play.game, chance.randrange))
    before = [JUDGE.value(play.game, seat) for seat in range(3)]
    play("host: resign red\nhost: resign black")
    after = [JUDGE.value(play.game, seat) for seat in range(3)]

    assert after[0] > max(before) + 500
    assert after[1] < min(before) - 500
    assert after[1] < after[2] < after[0]


def test_the_greedy_bot_beats_chance():
    """After some turns against a player who does anything at all it has far more points."""
    chance = random.Random("greedy")
    game = RULES.setup(RULES.agree({"players": "2", "setup_mode": "random"}))
    while (waiting := RULES.waiting(game)) and game.board.number < 10:
        seat = waiting[0]
        if seat == CHANCE:
            action = RULES.deal(game, chance.randrange)
        else:
            bot = bot_of("uniform" if seat else "greedy", "risk")
            world = RULES.guess(game, seat, chance.randrange)
            action = bot.choose(RULES, world, seat, chance.randrange)
        RULES.apply(game, seat, action)
    points = [player["points"]["total"] for player in RULES.view(game, None)["players"]]

    assert points[0] > 1.5 * points[1]


@pytest.mark.parametrize("moves", [1, 2, 4])
@pytest.mark.parametrize("ring", [10, 13, 14, 15, 16, 17])
def test_the_end_comes_as_often_as_dice_say(ring, moves):
    """A region with a die is left with four or more, and so is the Ring destroyed (10)."""
    chance = random.Random(f"{ring} {moves}")

    def ends():
        at = ring
        for _ in range(moves):
            if at < MOUNT_DOOM and HAS_DIE[at] and chance.randint(1, 6) < 4:
                continue
            at = min(at + 1, MOUNT_DOOM)
            if at == MOUNT_DOOM and chance.randint(1, 6) >= 4:
                return True
        return False

    assert ends_within(ring, moves) == pytest.approx(
        sum(ends() for _ in range(2000)) / 2000, abs=0.04
    )


def dealt(options, seed):
    """The board at the beginning of the first turn, when chance has placed everything."""
    game, chance = (
        RULES.setup(RULES.agree({"setup_mode": "random", **options})),
        random.Random(seed),
    )
    while not game.board.number:
        RULES.apply(game, CHANCE, RULES.deal(game, chance.randrange))
    return game.board


def test_near_the_end_points_are_what_counts():
    """Whoever has the most is ahead, however many battalions the others have."""
    b = dealt({}, "points")
    rich, poor = 0, 1
    for land in bits((b.held[2] | b.held[3]) & b.settings.strongholds):
        b.give(land, rich, 1)
    for land in bits(b.held[poor]):
        b.add(land, 9)

    early = standing(b, rich) - standing(b, poor)
    b.ring = MOUNT_DOOM
    at_the_end = standing(b, rich) - standing(b, poor)

    assert early < 0 < at_the_end


@pytest.mark.parametrize("ring", [0, 8])
def test_a_seat_stands_by_what_it_leads_in_each_as_it_counts(ring):
    """With the first weight of each at the beginning, and with more of the second on the way."""
    b = dealt({"players": "2"}, "lead")
    b.ring, b.led = ring, 1 << bits(b.held[0])[0]
    b.territory_cards, b.hands, b.played = (0b111, 0b1), (0b11 << 20, 0), (MISSIONS, 0)
    for land in bits(REGION_LANDS[2]):
        b.give(land, 0, 1)
    b.add(bits(b.held[0])[0], 7)
    leads = lead(b, 0)
    assert all(leads)
    assert 0 == ends_within(ring, 2)

    counts = [first + more * late(b) for first, more in WEIGHTS[2]]
    assert standing(b, 0) == pytest.approx(sum(c * by for c, by in zip(counts, leads, strict=True)))


def grows(b, seat, by):
    """The same board with `by` battalions more of a seat, in no large army."""
    after = b.copy()
    after.add(bits(b.held[seat])[1], by)
    return after


def weakened(b, weak, heir):
    """A seat keeps two territories only, and its heir gets the rest; everybody has a huge army."""
    for land in bits(b.held[weak])[2:]:
        b.give(land, heir, 1)
    for seat in b.seats:
        b.add(bits(b.held[seat])[0], 40)


def test_places_count_and_not_margins():
    """An equal's battalions are worse than those of somebody who is far behind anyway."""
    b = dealt({}, "places")
    weakened(b, 3, 2)
    before = standing(b, 0)
    worse = [before - standing(grows(b, foe, 10), 0) for foe in (1, 3)]

    assert worse[0] > 1.2 * worse[1] > 0


def test_against_one_enemy_margins_count():
    """There nobody is spared for another's sake."""
    b = dealt({"players": "2"}, "margins")
    weakened(b, 1, 0)
    gains = [standing(grows(b, 0, by), 0) - standing(b, 0) for by in (5, 10)]

    assert gains[1] == pytest.approx(2 * gains[0])


def test_partners_stand_together():
    """Each stands where both do, and what one gains helps the other as much."""
    b = dealt({"team_mode": "on"}, "partners")
    partner = b.settings.ally(0)

    assert standing(b, 0) == pytest.approx(standing(b, partner))
    assert standing(grows(b, partner, 5), 0) > standing(b, 0)
