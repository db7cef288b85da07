"""What a seat plans or orders is its own: no event, view or sentence of another's tells it."""

from __future__ import annotations

import random

import pytest

from services.core.decisions import CHANCE
from services.risk import RULES
from services.risk.play.combat import ChooseInvasion
from services.risk.play.counts import MOST_OFFERED
from services.risk.play.invasion import NO_LIMIT, Invasion
from services.risk.play.turn import Turn
from services.risk.tables import TERRITORIES
from tests.games.risk.positions import given
from tests.play import Play

BASE = "players 3; yellow: moria 9, harad 2; red: eregion 6, nurn 1, khand 4; rest black 1"
PLACING = "players 3; at reinforce; yellow: moria 9, harad 2; red: eregion 6, nurn 1; rest black 1"
MARCHING = (
    "players 3; at fortify; yellow: moria 9, gladden_fields 1; red: eregion 6, nurn 1; rest black 1"
)


def play_from(*lines):
    return Play(RULES, {"players": "3"}, given(RULES, list(lines)))


def told(play, line):
    """What others than its seat are told when it answers."""
    name, _, text = line.partition(": ")
    seat = play.game.board.settings.seats.index(name)
    events = RULES.apply(play.game, seat, RULES.parse(text))
    others = {None, *play.game.board.seats} - {seat}
    return [event.kind for event in events if any(event.is_seen_by(other) for other in others)]


def looks(game):
    """All that others than yellow see."""
    return [RULES.view(game, seat) for seat in (1, 2, None)]


def worlds(game, seat, number=80):
    pick = random.Random("intentions").randrange
    return [RULES.guess(game, seat, pick) for _ in range(number)]


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        (PLACING, ("place harad 1", "place moria 2", "back", "back", "place harad 3")),
        (MARCHING, ("march moria gladden_fields", "back", "march moria gladden_fields")),
        (BASE, ("hold", "release", "hold")),
        (BASE, ("ask attacked", "ask fellowship", "spare attacked")),
        (PLACING, ("keep_missions", "ask fellowship", "complete_missions")),
    ],
)
def test_what_can_still_be_taken_back_is_told_to_nobody(position, answers):
    """Neither by an event nor by a view, nor by who is waited for."""
    play = play_from(position)
    before, waiting = looks(play.game), RULES.waiting(play.game)
    for answer in answers:
        assert [] == told(play, f"yellow: {answer}")
        assert (before, waiting) == (looks(play.game), RULES.waiting(play.game))


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        (PLACING, ("place harad 1", "place moria 2")),
        (MARCHING, ("march moria gladden_fields",)),
    ],
)
def test_in_the_worlds_of_others_nothing_was_said_yet(position, answers):
    play = play_from(position)
    before = [RULES.dump(RULES.guess(play.game, 1, random.Random(n).randrange)) for n in range(9)]
    for answer in answers:
        told(play, f"yellow: {answer}")

    after = [RULES.dump(RULES.guess(play.game, 1, random.Random(n).randrange)) for n in range(9)]
    assert before == after


def test_the_player_himself_sees_what_he_plans():
    play = play_from(PLACING)
    play("yellow: place harad 1\nyellow: place moria 1\nyellow: place harad 1")
    planned = [("harad", 2), ("moria", 1)]

    assert planned == sorted(tuple(part.values()) for part in play.view("yellow")["planned"])
    assert [] == play.view("red")["planned"]
    assert (0, 3) == (play.view("yellow")["to_place"], play.view("red")["to_place"])


def test_all_are_told_where_battalions_stand_when_that_is_confirmed():
    play = play_from(PLACING)
    play("yellow: place harad 1\nyellow: place moria 1\nyellow: place harad 1")

    assert ["placed", "placed"] == told(play, "yellow: confirm")


def test_how_long_an_attacker_fights_on_is_told_to_nobody():
    play = play_from(BASE)
    play("yellow: invade moria eregion")
    assert [] == told(play, "yellow: press 3")

    assert 3 == play.view("yellow")["invasion"]["press_until"]
    assert [0, 0, 0] == [view["invasion"]["press_until"] for view in looks(play.game)]
    limits = {limit_in(world) for world in worlds(play.game, 1, 300)}
    assert {NO_LIMIT, *range(1, 8)} == limits


def limit_in(game):
    return next(frame.limit for frame in game.stack if isinstance(frame, Invasion))


def test_who_is_not_asked_between_battles_is_known_to_fight_on():
    play = play_from(BASE)
    play("yellow: invade moria eregion\nyellow: press 3\nred: defend 2\nchance: battle 111 66")

    assert ("red",) == play.waiting
    limits = {limit_in(world) for world in worlds(play.game, 1, 300)}
    assert set(range(1, 7)) == limits


def test_fewer_dice_than_may_be_thrown_show_that_he_does_not():
    play = play_from(BASE)
    play("yellow: invade moria eregion\nyellow: fight 2")

    assert {NO_LIMIT} == {limit_in(world) for world in worlds(play.game, 1)}


def test_an_assault_is_known_by_its_attacker_not_being_asked():
    play = play_from(f"{BASE}; red holds power_courage_alone; red asks attacked")
    play("yellow: assault moria eregion")
    assert {NO_LIMIT, 1} == {limit_in(world) for world in worlds(play.game, 1)}
    play("red: pass")

    assert {1} == {limit_in(world) for world in worlds(play.game, 1)}


def test_that_a_defender_stands_is_told_to_nobody_until_he_is_not_asked():
    play = play_from(BASE)
    play("yellow: invade moria eregion\nyellow: fight 3")
    assert [] == told(play, "red: hold")
    red = 1 << 1
    assert {0, red} == {world.board.stands & red for world in worlds(play.game, 0)}
    assert play.view("red")["players"][1]["stands"]
    assert play.view("yellow")["players"][1]["stands"] is None
    play("chance: battle 111 66\nyellow: fight 3")

    assert ("chance",) == play.waiting
    assert {red} == {world.board.stands & red for world in worlds(play.game, 0)}


def test_who_throws_one_die_does_not_stand():
    play = play_from(BASE)
    play("yellow: invade moria eregion\nyellow: fight 3\nred: defend 1")

    assert {0} == {world.board.stands & 2 for world in worlds(play.game, 0)}


def test_in_his_own_combat_he_may_have_said_otherwise():
    play = play_from(BASE)
    play("yellow: invade moria eregion\nyellow: fight 3\nred: defend 1\nchance: battle 111 6")
    play.game.board.turn = 1
    play.game.stack[1:] = [Turn(at=Turn.index_of["combat"])]
    play.game.advance()

    assert isinstance(play.game.question(), ChooseInvasion)
    assert {0, 2} == {world.board.stands & 2 for world in worlds(play.game, 0)}


def test_a_card_that_is_played_with_it_tells_what_is_invaded():
    play = play_from(f"{BASE}; yellow holds power_ambush mission_bree")
    kinds = told(play, "yellow: invade moria eregion power_ambush")

    assert ["target_named", "card_played", "battalions_gained"] == kinds[:3]


FITTING = "power_ambush power_grima_wormtongue_1 power_the_enemy_is_at_hand power_siege_machines"


def test_many_cards_and_many_invasions_are_offered_as_far_as_there_is_room():
    """RULINGS 13: first those with assaults are left out, then the largest sets."""
    lands = [name for n, name in enumerate(TERRITORIES) if n % 2]
    held = ", ".join(f"{name} 9" for name in lands)
    offered = asked(f"yellow: {held}; rest red 4; yellow holds {FITTING}")
    carded = [action for action in offered if len(action.nouns) > 2]
    sizes = [len(action.nouns) for action in carded]

    assert MOST_OFFERED == len(offered)
    assert {"invade"} == {action.verb for action in carded}
    assert sizes == sorted(sizes)
    assert "end_combat" == offered[0].verb
    assert ["hold", "ask"] == [action.verb for action in offered[-4:-2]]


def test_with_room_every_set_of_cards_is_offered_with_each_verb():
    offered = [RULES.spell(action) for action in asked(f"{BASE}; yellow holds {FITTING}")]
    sets = ("power_grima_wormtongue_1", "power_ambush", "power_grima_wormtongue_1 power_ambush")

    for verb in ("invade", "assault"):
        there = [text for text in offered if text.startswith(f"{verb} moria eregion ")]
        assert [f"{verb} moria eregion {cards}" for cards in sets] == there
        assert f"{verb} moria gladden_fields power_ambush" in offered
        assert f"{verb} moria gladden_fields power_grima_wormtongue_1" not in offered


def asked(position):
    """What yellow is offered in its combat."""
    play = play_from(position)
    assert "combat.invade" == RULES.ask(play.game, 0).prompt
    return RULES.ask(play.game, 0).actions


# Placing ahead in the setup.


def placing_by_turns(seed=1):
    """A game of four where the first battalion is about to be placed."""
    chance = random.Random(f"ahead {seed}")
    play = Play(RULES, {"players": "4"})
    while play.game.question().prompt != "setup.place":
        (seat,) = RULES.waiting(play.game)
        actions = RULES.ask(play.game, seat).actions if seat != CHANCE else ()
        action = chance.choice(actions) if actions else RULES.deal(play.game, chance.randrange)
        RULES.apply(play.game, seat, action)
    return play


def answer(play, number):
    """Let who is asked place battalions ahead on his first territory; who, and what was told."""
    (seat,) = RULES.waiting(play.game)
    offered = RULES.ask(play.game, seat).actions
    action = next(action for action in offered if action.nouns[1] == number)
    return seat, RULES.apply(play.game, seat, action)


def test_battalions_placed_ahead_come_one_in_each_round():
    """RULINGS 19: all see one after the other, and others are asked in between."""
    play = placing_by_turns()
    first, events = answer(play, 3)
    assert [1] == [event.facts["battalions"] for event in events]
    for _ in range(2):
        asked = []
        for _ in range(3):
            seat, events = answer(play, 1)
            asked.append(seat)
        assert first not in asked
        assert [1, 1] == [event.facts["battalions"] for event in events]
    for _ in range(3):
        answer(play, 1)

    assert (first,) == RULES.waiting(play.game)
    assert 26 == play.game.board.reserve[first]


def test_how_many_are_placed_ahead_only_their_player_knows():
    play = placing_by_turns()
    first, _ = answer(play, 3)
    other = RULES.waiting(play.game)[0]
    lefts = {world.stack[0].ahead(first).left for world in worlds(play.game, other, 200)}

    assert 2 == play.game.stack[0].ahead(first).left
    assert set(range(play.game.stack[0].ahead(first).most + 1)) == lefts
    assert [2] == [part["battalions"] for part in RULES.view(play.game, first)["planned"]]
    assert [] == RULES.view(play.game, other)["planned"]


def test_who_alone_has_battalions_left_places_them_at_once():
    play = placing_by_turns()
    b = play.game.board
    (seat,) = RULES.waiting(play.game)
    b.reserve = tuple(5 if other == seat else 0 for other in b.seats)
    _, events = answer(play, 4)

    assert [1, 1, 1, 1] == [event.facts["battalions"] for event in events]
    assert 1 == b.reserve[seat]
