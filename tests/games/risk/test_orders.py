"""Standing orders: who is asked says nothing of hands, and what is ordered nobody else learns."""

from __future__ import annotations

import random

import pytest

from services.core.decisions import CHANCE
from services.risk import RULES
from services.risk.play.orders import ATTACKED, FELLOWSHIP, KEEPS, RESTS, completes, wants
from services.risk.play.windows import PlayCard
from services.risk.tables import EVENTS, bits, mask
from tests.games.risk.positions import given
from tests.play import Play

BASE = "players 3; yellow: moria 9, harad 2; red: eregion 6, nurn 1, khand 4; rest black 1"
RING = "players 3; at fellowship; yellow: harad 4; red: nurn 1; rest black 1"


def play_from(*lines):
    return Play(RULES, {"players": "3"}, given(RULES, list(lines)))


def orders_of(play, of, by, number=200):
    """What the orders of a seat are in the worlds of another one."""
    pick = random.Random("orders").randrange
    return {RULES.guess(play.game, by, pick).board.orders[of] for _ in range(number)}


def test_who_has_said_nothing_is_asked_for_no_cards():
    """And all know it, until he could have said something."""
    play = play_from(RING, "red holds power_gollum")

    assert {0} == orders_of(play, 2, 1)


def test_who_could_have_ordered_something_may_have():
    play = play_from(BASE)

    assert set(range(8)) == orders_of(play, 0, 1)
    assert {0} == orders_of(play, 1, 0)


def test_the_player_himself_sees_his_orders_and_nobody_else():
    play = play_from(BASE)
    play("yellow: ask attacked\nyellow: keep_missions\nyellow: ask fellowship")
    play("yellow: spare fellowship")
    own = {"attacked": True, "fellowship": False, "rests": False, "keeps_missions": True}

    assert own == play.view("yellow")["players"][0]["orders"]
    assert play.view("red")["players"][0]["orders"] is None
    assert {ATTACKED | KEEPS} == orders_of(play, 0, 0)


def test_who_is_asked_is_known_to_want_it():
    play = play_from(BASE, "red holds mission_bree; red asks attacked")
    play("yellow: invade moria eregion")

    assert ("red",) == play.waiting
    assert all(state & ATTACKED for state in orders_of(play, 1, 0))


def test_who_is_not_asked_is_known_not_to():
    play = play_from(BASE, "red holds power_courage_alone; red asks fellowship")
    play("yellow: invade moria eregion")

    assert ("yellow",) == play.waiting
    assert {FELLOWSHIP, FELLOWSHIP | KEEPS, 0, KEEPS} == orders_of(play, 1, 0)


def test_looking_up_what_is_ordered_teaches_nobody_anything():
    """Others learn it as somebody is asked, or turns a mission in, and from no look at orders."""
    play = play_from(BASE, "red asks attacked", "black asks fellowship")
    before = RULES.dump(play.game)
    b = play.game.board
    looked_up = [
        (wants(b, seat, ATTACKED), wants(b, seat, FELLOWSHIP), completes(b, seat))
        for seat in b.seats
    ]

    assert [(False, False, True), (True, False, True), (False, True, True)] == looked_up
    assert before == RULES.dump(play.game)


@pytest.mark.parametrize("answer", ["pass", "pass_turn", "never"])
def test_what_was_said_in_a_window_shows_only_in_the_next(answer):
    """Passing, letting all pass and wanting to be asked no more look the same."""
    play = play_from(BASE, "red holds mission_bree; red asks attacked")
    play(f"yellow: invade moria eregion\nred: {answer}")
    seen = {state & ~KEEPS & ~FELLOWSHIP for state in orders_of(play, 1, 0)}
    assert {ATTACKED, ATTACKED | RESTS, 0} == seen
    play("yellow: back\nyellow: invade moria eregion")

    wanted = answer == "pass"
    seen = {state & ~KEEPS & ~FELLOWSHIP for state in orders_of(play, 1, 0)}
    assert (("red",) if wanted else ("yellow",)) == play.waiting
    assert ({ATTACKED} if wanted else {ATTACKED | RESTS, 0}) == seen


def test_who_turned_in_a_mission_is_known_not_to_keep_them():
    play = play_from(
        "players 3; yellow: moria 9 leader, harad 2; red: eregion 1, nurn 1; rest black 1",
        "yellow holds mission_gates_of_moria",
    )
    play("yellow: invade moria eregion\nyellow: fight 3\nchance: battle 666 1\nyellow: move 0")

    assert "mission.place" == play.game.question().prompt
    assert not any(state & KEEPS for state in orders_of(play, 0, 1))


# All answer at once.


def answered():
    """Red has answered in a window of the Ring, black has not."""
    play = play_from(
        RING,
        "red holds power_gollum mission_bree; red asks fellowship",
        "black holds power_knife_in_the_dark mission_erech; black asks fellowship",
    )
    assert {"red", "black"} == set(play.waiting)
    return play


def test_what_one_answers_the_others_are_not_told():
    play, other = answered(), answered()
    for one, text in ((play, "play power_gollum"), (other, "never")):
        events = RULES.apply(one.game, 1, RULES.parse(text))
        assert [] == [event for event in events if event.is_seen_by(2)]

    assert ("black",) == play.waiting == other.waiting
    for seat in (0, 2, None):
        assert RULES.view(play.game, seat) == RULES.view(other.game, seat)
    pick = random.Random("sealed").randrange
    worlds = [RULES.guess(play.game, 2, pick).stack[-2].picks for _ in range(200)]
    assert len(set(worlds)) == 5


def test_a_card_that_does_not_count_nobody_hears_of():
    play = answered()
    RULES.apply(play.game, 2, RULES.parse("play power_knife_in_the_dark"))
    events = RULES.apply(play.game, 1, RULES.parse("play power_gollum"))
    told = [event.facts.get("card") for event in events if event.kind == "card_played"]

    assert ["power_gollum"] == told
    assert "power_knife_in_the_dark" not in str([event.facts for event in events])
    assert {0b1000 * rests | 0b0010 for rests in (0, 1)} | {0} <= orders_of(play, 2, 0)


def test_who_gives_up_is_not_waited_for():
    play = answered()
    RULES.apply(play.game, 2, RULES.parse("play power_knife_in_the_dark"))
    RULES.forfeit(play.game, 1)

    assert 1 << 0 == play.game.board.played[2].bit_count()
    RULES.audit(play.game)


# Hands may be any: whole games.


def redrawn(game, pick, keeps):
    """The same position with all hidden cards anywhere else, but for one hand."""
    new = game.copy()
    b = new.board
    fixed = [_spoken_for(game, seat) for seat in b.seats]
    free = [s for s in b.seats if s != keeps]
    hidden = b.deck | mask(card for s in free for card in bits(b.hands[s] & ~fixed[s]))
    hands = list(b.hands)
    for seat in free:
        hands[seat] = fixed[seat]
        for _ in range(b.hands[seat].bit_count() - fixed[seat].bit_count()):
            among = bits(hidden & ~EVENTS)
            card = 1 << among[pick(len(among))]
            hands[seat], hidden = hands[seat] | card, hidden & ~card
    b.hands, b.deck = tuple(hands), hidden
    _redraw_deeds(b, pick, free)
    return new


def _redraw_deeds(b, pick, free):
    hidden = b.territory_deck | mask(
        card for seat in free for card in bits(b.territory_cards[seat])
    )
    hands = list(b.territory_cards)
    for seat in free:
        count, hands[seat] = b.territory_cards[seat].bit_count(), 0
        for _ in range(count):
            among = bits(hidden)
            card = 1 << among[pick(len(among))]
            hands[seat], hidden = hands[seat] | card, hidden & ~card
    b.territory_cards, b.territory_deck = tuple(hands), hidden


def _spoken_for(game, seat):
    """Cards that a seat has said it plays: these it holds."""
    question = game.question()
    if isinstance(question, PlayCard):
        window = question.window(game)
        picks = zip(window.seats, window.picks, strict=True)
        return mask(pick for other, pick in picks if other == seat and pick >= 0)
    return 0


def shown(game, events, seat):
    """All that a seat, or a spectator, is shown."""
    waiting = RULES.waiting(game)
    told = [event for event in events if event.is_seen_by(seat)]
    asked = None
    if seat in waiting:
        ask = RULES.ask(game, seat)
        asked = (list(ask.actions), RULES.question(game, seat))
    return waiting, prompt(game), RULES.view(game, seat), told, asked


def prompt(game):
    """What is asked, if the game goes on."""
    question = game.question()
    return question and question.prompt


SHOWN = {"mission_completed", "hand_discarded", "eliminated", "deck_shuffled"}
"""What shows cards, so that what follows depends on them."""


@pytest.mark.parametrize("preset", ["four_quick", "three", "two_quick", "partners"])
def test_hands_change_nothing_that_another_seat_is_shown(preset):
    """Neither who is waited for, nor for what, nor any view or event, over a whole game."""
    chance = random.Random(f"hands {preset}")
    game = RULES.setup(RULES.agree(RULES.presets[preset]))
    compared = 0
    while waiting := RULES.waiting(game):
        seat = chance.choice(waiting)
        actions = RULES.ask(game, seat).actions if seat != CHANCE else ()
        action = chance.choice(actions) if actions else RULES.deal(game, chance.randrange)
        viewer = chance.choice([None, *game.board.seats])
        other = redrawn(game, chance.randrange, viewer)
        assert shown(game, (), viewer) == shown(other, (), viewer)
        is_known, asked = RULES.allows(other, seat, action), (waiting, game.question().prompt)
        events = RULES.apply(game, seat, action)
        if viewer != seat and asked == (RULES.waiting(game), prompt(game)):
            told = any(event.is_seen_by(viewer) for event in events)
            assert is_known or told, f"a step that only a hand allows: {RULES.spell(action)}"
        if is_known:
            told = RULES.apply(other, seat, action)
            if not SHOWN & {event.kind for event in (*events, *told)}:
                assert shown(game, events, viewer) == shown(other, told, viewer)
                compared += 1
    assert compared > 300
