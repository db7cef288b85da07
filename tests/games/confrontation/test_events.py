"""Who is told what (RULES 12.1, 12.2): events name a hidden character to his owner alone."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from services.confrontation import RULES
from services.confrontation.tables import CHARACTER, CHARACTERS, SIDES
from services.core.decisions import Event
from tests.play import Play

REVEALING = {
    "ambushed", "battle_joined", "defeated", "exposed", "overcome", "places_changed", "region_seen",
    "retreated", "returned", "ring_passed_on", "shown",
}  # fmt: skip
"""What can happen only to a character who is shown, or is shown by it."""

ABOUT_ALL = {"roster_drafted"}

VARIANTS = (
    {"preset": "manual"},
    {"preset": "classic_2002", "special_cards": "set_2002"},
    {"preset": "deluxe_classic", "special_cards": "set_deluxe", "special_count": "4"},
    {"preset": "deluxe_variant", "special_cards": "set_deluxe", "special_count": "4"},
    {"preset": "deluxe_draft", "special_cards": "set_deluxe", "special_count": "4"},
    {"preset": "deluxe_draft", "announce_draft": "off"},
)


def named(facts: object) -> set[str]:
    """Every character that facts speak of."""
    if isinstance(facts, Mapping):
        return set().union(*(named(value) for value in facts.values()))
    if isinstance(facts, str):
        return {facts} & CHARACTER.keys()
    return set().union(*map(named, facts)) if isinstance(facts, Iterable) else set()


def shown_in(view: Mapping[str, Any]) -> set[str]:
    """Whom a view names on the board, or among the fallen."""
    return named(view["regions"]) | named(view["fallen"])


def of_enemies(names: set[str], viewer: str | None) -> set[str]:
    if viewer is None:
        return names
    return {name for name in names if SIDES[CHARACTERS[CHARACTER[name]].side] != viewer}


def betrayed(event: Event, known: set[str], viewer: str | None) -> set[str]:
    """The characters that an event names to a viewer who does not see them."""
    seat = None if viewer is None else SIDES.index(viewer)
    if not event.is_seen_by(seat) or event.kind in REVEALING | ABOUT_ALL:
        return set()
    if event.facts.get("by") == "march":  # the Uruk-hai are shown in order to do that (RULES 10)
        return named(event.facts) - {"uruk_hai"}
    return of_enemies(named(event.facts), viewer) - known


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: " ".join(options.values()))
def test_no_event_names_a_hidden_character_to_his_enemy(options: dict[str, str], seed: int) -> None:
    pick = random.Random(f"events {seed} {options}")
    play, decisions = Play(RULES, options), 0
    while not play.is_over:
        known = {viewer: shown_in(play.view(viewer)) for viewer in (*SIDES, None)}
        who = pick.choice(play.waiting)
        decisions += 1
        for event in play(f"{who}: {pick.choice(play.offered(who))}"):
            for viewer in (*SIDES, None):
                before_or_after = known[viewer] | shown_in(play.view(viewer))
                assert not betrayed(event, before_or_after, viewer), event

    assert decisions > 15


@pytest.mark.parametrize("seed", range(6))
def test_who_moved_is_told_to_his_owner_and_where_he_went_to_everyone(seed: int) -> None:
    pick = random.Random(f"moves {seed}")
    play = Play(RULES, {"preset": "classic_2002"})
    while not play.is_over:
        who = pick.choice(play.waiting)
        action = pick.choice(play.offered(who))
        events = play(f"{who}: {action}")
        if not action.startswith("move "):
            continue
        moved = [event for event in events if event.kind == "moved"]
        for viewer, seat in (("good", 0), ("dark", 1), (None, None)):
            (seen,) = (event for event in moved if event.is_seen_by(seat))
            assert seen.facts["to"] == action.split()[2]
            assert named(seen.facts) == ({action.split()[1]} if viewer == who else set())


def test_cards_are_told_when_both_have_chosen() -> None:
    play = Play(RULES, {"preset": "classic_2002"})
    pick = random.Random("cards")
    while not play.is_over:
        who = pick.choice(play.waiting)
        sealing = play.ask(who).prompt == "battle.card" and len(play.waiting) == 2
        events = play(f"{who}: {pick.choice(play.offered(who))}")
        if sealing:
            assert events == []
            other = play.waiting[0]
            assert play.view(other)["battle"]["sealed"] == {who: True, other: False}
            assert play.view(other)["battle"]["your_card"] is None
            assert play.view(None)["battle"]["your_card"] is None
            assert play.view(who)["battle"]["your_card"] is not None
