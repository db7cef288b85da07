"""An action is taken back as long as nobody has learnt anything and only its die is gone."""

from __future__ import annotations

from typing import Any

import pytest

from services.core.decisions import CHANCE, Action
from services.core.frames import Game
from services.warofthering import RULES
from services.warofthering.board import NO_SEAT, Board
from services.warofthering.play import marches
from services.warofthering.play.armies import march_areas, parties
from services.warofthering.play.asking import _INTENTIONS, BACK, Choose
from services.warofthering.play.deeds import DEED_NAMES
from services.warofthering.play.forces import ANY_ARMY
from services.warofthering.play.turn import Act
from services.warofthering.tables import REGION
from tests.cases.cases import cases_in
from tests.conform.walks import Variant, chosen, fate, variants
from tests.games.warofthering.listening import FOLDER, moments
from tests.games.warofthering.positions import given

PRESETS = [variant for variant in variants(RULES.name) if variant.is_preset]
DECISIONS = 1500
G = Game[Board]


class Listener:
    """Follows a game, and knows what may be taken back from nothing but what has happened."""

    def __init__(self, g: G) -> None:
        self.g = g
        self.before = b""
        self.seat = CHANCE
        self.is_begun = False

    def decide(self, seat: int, action: Action) -> None:
        question = self.g.question()
        assert question is not None
        if question.prompt == "turn.action":
            self.before, self.seat = RULES.dump(self.g), seat
            self.is_begun = action.verb == "act"
        told = {event.kind for event in RULES.apply(self.g, seat, action)}
        if seat != self.seat or told - _INTENTIONS:
            self.is_begun = False

    def may_take_back(self, seat: int) -> bool:
        question = self.g.question()
        chooses = question is not None and question.prompt == "turn.action"
        return self.is_begun and seat == self.seat and not chooses


@pytest.mark.parametrize("variant", PRESETS, ids=str)
def test_it_is_offered_as_long_as_nothing_has_happened_and_gives_the_same_position(
    variant: Variant,
) -> None:
    g = RULES.setup(RULES.agree(dict(variant.options)))
    pick, heard = fate(f"back {variant}").pick, Listener(g)
    offered = 0
    for _ in range(DECISIONS):
        if not RULES.waiting(g):
            break
        for seat in RULES.waiting(g):
            if seat != CHANCE:
                may = heard.may_take_back(seat)
                assert may == (BACK in RULES.ask(g, seat).actions) == RULES.allows(g, seat, BACK)
                offered += may
                if may:
                    assert heard.before == taken_back(g, seat)
        heard.decide(*onward(g, pick))
    assert offered > DECISIONS // 20


def taken_back(g: G, seat: int) -> bytes:
    """The position after an action has been taken back."""
    other = g.copy()
    told = RULES.apply(other, seat, BACK)
    assert ["taken_back"] == [event.kind for event in told]
    RULES.audit(other)
    anew = RULES.load(RULES.dump(other))
    assert RULES.ask(anew, seat) == RULES.ask(other, seat)
    return RULES.dump(other)


def test_what_may_be_done_is_found_anew_where_the_hand_is_imagined() -> None:
    g = given(RULES, ("hand shadow: wormtongue; dice shadow: event, army; to_act shadow",))
    acts = {tuple(RULES.ask(g, 1).actions)}
    for number in range(20):
        imagined = RULES.guess(g, 0, fate(f"hand {number}").pick)
        RULES.audit(imagined)
        acts.add(tuple(RULES.ask(imagined, 1).actions))

    assert len(acts) > 1


def onward(g: G, pick: Any) -> tuple[int, Action]:
    """Any decision, but for taking back."""
    while True:
        seat, action = chosen(RULES, g, pick, pick)
        if action != BACK:
            return seat, action


def test_every_kind_of_action_that_asks_for_more_can_be_taken_back() -> None:
    """All deeds in all cases, but those that are done without a question, or begin with chance."""
    silent = {"move_fellowship", "hide", "crown_aragorn", "strider_hides"}
    tried: set[str] = set()
    for case in cases_in(FOLDER):
        before = b""
        for now in moments(case):
            question, g = now.game.question(), now.game
            if question is not None and question.prompt == "turn.action":
                before = RULES.dump(g)
            elif g.board.tentative != NO_SEAT:
                assert before == taken_back(g, g.board.tentative)
                act = next(frame for frame in g.stack if isinstance(frame, Act))
                tried.add(DEED_NAMES[act.deed])

    assert set(DEED_NAMES) - tried <= silent


def test_actions_come_before_rings_and_rings_before_throwing_dice_away() -> None:
    """To pass comes first, where it may be."""
    lines = "hand shadow: none; dice free: army, event; dice shadow: army, event, event"
    g = given(RULES, (lines, "at_war gondor; rings free 1"))
    verbs = [action.verb for action in RULES.ask(g, 0).actions]
    order = ["pass", "act", "ring", "skip"]

    assert order == list(dict.fromkeys(verbs))
    assert sorted(verbs, key=order.index) == verbs


def test_one_die_moves_two_whole_armies_with_three_answers() -> None:
    g = given(RULES, ("clear; at_war gondor; dice free: army, event",
                      "pelargir: 4 gondor_regular; osgiliath: 3 gondor_regular"))  # fmt: skip
    for spelt in ("act army move_armies", "march pelargir lossarnach", "march osgiliath pelargir"):
        play(g, spelt)
    question = g.question()
    assert question is not None

    assert "turn.action" == question.prompt
    assert [1] == [1 for seat in RULES.waiting(g) if seat == 1]


def test_more_marches_than_a_list_may_hold_are_asked_for_army_by_army(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(marches, "MOST_LISTED", 5)
    g = given(RULES, ("clear; at_war gondor; dice free: army, event",
                      "pelargir: 4 gondor_regular; osgiliath: 3 gondor_regular"))  # fmt: skip
    before = RULES.dump(g)
    play(g, "act army move_armies")
    offered = [RULES.spell(action) for action in RULES.ask(g, 0).actions]
    assert ["area osgiliath", "area pelargir", "back"] == offered
    play(g, "area pelargir")
    starts = {RULES.spell(action).split()[1:2].pop() for action in RULES.ask(g, 0).actions[:-1]}
    assert {"pelargir"} == starts
    back = g.copy()
    play(back, "back")
    assert before == RULES.dump(back)
    for spelt in ("march pelargir lossarnach", "decline"):
        play(g, spelt)

    assert 4 == g.board.units_at(REGION["lossarnach"], 0)


@pytest.mark.parametrize("variant", PRESETS, ids=str)
def test_no_list_of_marches_is_too_long(variant: Variant) -> None:
    """All marches of every army, wherever armies may have come in random play."""
    g, pick = RULES.setup(RULES.agree(dict(variant.options))), fate(f"marches {variant}").pick
    most = 0
    for number in range(2400):
        if not RULES.waiting(g):
            break
        if number % 40 == 0:
            for seat in range(len(g.board.settings.seats)):
                areas = march_areas(g.board, seat, ANY_ARMY)
                found = [list(parties(g.board, seat, area, ANY_ARMY)) for area in areas]
                most = max(most, sum(map(len, found)) + len(found))
        RULES.apply(g, *onward(g, pick))

    assert 0 < most <= marches.MOST_LISTED


def test_what_was_learnt_stays() -> None:
    """A card that is shown, a figure on the map and what another seat has answered."""
    g = given(RULES, ("hand free_peoples: wisdom_of_elrond; dice free: event",))
    play(g, "act event play_event")
    assert BACK in RULES.ask(g, 0).actions
    play(g, "play wisdom_of_elrond")

    assert BACK not in RULES.ask(g, 0).actions


def test_nothing_is_taken_back_when_another_seat_has_decided() -> None:
    g = given(RULES, ("at_war gondor; dice free: army",))
    play(g, "act army move_armies")
    g.call(Choose(seat=1, verb="answer", options=(0, 1), what="combine"))
    assert not RULES.allows(g, 1, BACK)
    play(g, "answer yes")

    assert (0,) == RULES.waiting(g)
    assert not RULES.allows(g, 0, BACK)


def test_the_messenger_is_ready_again() -> None:
    lines = "clear; at_war sauron; moria: 2 sauron_regular; umbar: mouth_of_sauron; to_act shadow"
    g = given(RULES, (lines, "dice shadow: muster"))
    before = RULES.dump(g)
    play(g, "act muster move_armies")
    assert g.board.used_messenger
    play(g, "back")

    assert before == RULES.dump(g)


def test_a_saved_action_can_be_taken_back_after_it_was_loaded() -> None:
    g = given(RULES, ("at_war gondor; dice free: army",))
    before = RULES.dump(g)
    play(g, "act army move_armies")
    loaded = RULES.load(RULES.dump(g))
    play(loaded, "back")

    assert before == RULES.dump(loaded)


def play(g: G, spelt: str) -> None:
    seat, action = RULES.waiting(g)[0], RULES.parse(spelt)
    assert RULES.allows(g, seat, action)
    RULES.apply(g, seat, action)
