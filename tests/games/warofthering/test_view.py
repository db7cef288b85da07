"""What a seat sees: all figures and tracks, its own cards, and of others the backs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services.warofthering import RULES
from services.warofthering.tables import AREAS, CARDS, FIGURES
from tests.conform.walks import chosen, fate
from tests.games.warofthering.positions import given
from tests.play import Play


def view(*lines: str, seat: int | None = 0) -> Any:
    return RULES.view(given(RULES, lines), seat)


def army(seen: Any, region: str, side: str, *, garrison: bool = False) -> Any:
    place = (region, side, garrison)
    return next(a for a in seen["armies"] if (a["region"], a["side"], a["garrison"]) == place)


def words(part: Any) -> Iterator[str]:
    """Every text anywhere in a view."""
    if isinstance(part, dict):
        for value in part.values():
            yield from words(value)
    elif isinstance(part, list):
        for value in part:
            yield from words(value)
    elif isinstance(part, str):
        yield part


def test_an_army_is_told_of_by_nation_and_kind() -> None:
    seen = view("lorien: 2 elves_regular, 1 elves_elite, 1 rohan_leader, strider; company none")
    expected = {
        "nations": [
            {"nation": "elves", "regulars": 2, "elites": 1, "leaders": 0},
            {"nation": "rohan", "regulars": 0, "elites": 0, "leaders": 1},
        ],
        "nazgul": 0,
        "characters": ["strider"],
    }

    assert army(seen, "lorien", "free")["figures"] == expected
    assert army(seen, "lorien", "free")["commander"] == "free_peoples"


def test_besieged_and_besiegers_are_told_apart() -> None:
    seen = view("minas_tirith_garrison: 2 gondor_regular", "minas_tirith: 3 sauron_regular")
    settlement = next(s for s in seen["settlements"] if s["region"] == "minas_tirith")

    assert army(seen, "minas_tirith", "free", garrison=True)
    assert army(seen, "minas_tirith", "shadow")
    assert settlement["besieged"]
    assert settlement["controller"] == "free"


def test_a_conquest_shows_who_took_it() -> None:
    seen = view("preset four; control shadow lorien; lorien: 1 sauron_regular")
    settlement = next(s for s in seen["settlements"] if s["region"] == "lorien")

    assert (settlement["owner"], settlement["controller"]) == ("free", "shadow")
    assert seen["shadow"]["points"] == 2


def test_a_seat_sees_its_own_hand_and_the_backs_of_others() -> None:
    lines = ("hand free_peoples: athelas; hand shadow: wormtongue, orc_patrol",)
    own, other = view(*lines)["seats"]

    assert [card["card"] for card in own["hand"]["cards"]] == ["athelas"]
    assert other["hand"]["cards"] == []
    assert (other["hand"]["character"], other["hand"]["strategy"]) == (2, 0)


def test_a_spectator_sees_no_hand() -> None:
    seen = view("hand free_peoples: athelas; hand shadow: wormtongue", seat=None)

    assert [seat["hand"]["cards"] for seat in seen["seats"]] == [[], []]
    assert seen["seat"] is None


def test_a_chosen_combat_card_is_a_back_to_all_but_its_player() -> None:
    lines = (
        "hand shadow: stormcrow; hand free_peoples: athelas; at_war sauron; dice shadow: army",
        "osgiliath: 3 gondor_regular; south_ithilien: 4 sauron_regular; to_act shadow",
    )
    play = Play(RULES, {}, given(RULES, lines))
    play("shadow: act army attack\nshadow: all\nshadow: combat stormcrow")

    assert play.view("shadow")["battle"]["your_card"]["card"] == "stormcrow"
    for viewer in ("free_peoples", None):
        seen = play.view(viewer)
        assert seen["battle"]["shadow"]["back"] == "strategy"
        assert seen["battle"]["your_card"] is None
        assert "stormcrow" not in set(words(seen))


@pytest.mark.parametrize("preset", ["two", "three", "four"])
def test_no_other_part_of_a_view_names_a_card_that_its_seat_does_not_know(preset: str) -> None:
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"view {preset}").pick
    for number in range(400):
        seat, action = chosen(RULES, g, pick, pick)
        RULES.apply(g, seat, action)
        for viewer in range(len(g.board.charter.seats)) if number % 20 == 0 else ():
            secret = {name for n, name in enumerate(CARDS) if not g.board.knows(viewer, n)}
            # Hunt tiles are called like the cards that bring them.
            seen = {key: part for key, part in RULES.view(g, viewer).items() if key != "hunt"}
            assert set() == secret & set(words(seen))


def test_every_figure_on_the_map_is_seen() -> None:
    g = RULES.setup(RULES.agree({}))
    seen = RULES.view(g, None)
    units = sum(
        nation[kind]
        for one in seen["armies"]
        for nation in one["figures"]["nations"]
        for kind in ("regulars", "elites", "leaders")
    )
    expected = sum(
        g.board.count(area, figure)
        for area in range(AREAS.index("reserve"))
        for figure in range(FIGURES.index("nazgul"))
    )

    assert expected == units


@pytest.mark.parametrize(
    ("step", "phase"),
    [("fellowship_phase", "fellowship"), ("ask_hunt", "hunt_allocation")],
)
def test_the_phase_is_named(step: str, phase: str) -> None:
    assert view(f"begin {step}")["phase"] == phase


def test_an_ended_game_says_how() -> None:
    g = RULES.setup(RULES.agree({}))
    RULES.forfeit(g, 0)
    seen = RULES.view(g, 1)

    assert seen["result"] == {
        "winner": "shadow",
        "reason": "forfeit",
        "merits": [{"seat": "free_peoples", "merit": 0}, {"seat": "shadow", "merit": 0}],
    }
    assert seen["phase"] is None
