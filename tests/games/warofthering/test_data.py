"""The printed components are complete, and agree with each other (RULES 23.1)."""

from __future__ import annotations

from services.warofthering import tables as t


def test_the_map_has_its_regions_and_borders() -> None:
    borders = sum(map(len, t.ADJACENT)) // 2
    symmetric = all(r in t.ADJACENT[near] for r in range(t.REGION_COUNT) for near in t.ADJACENT[r])

    assert (105, 232, True) == (t.REGION_COUNT, borders, symmetric)


def test_every_region_can_be_reached_from_every_other() -> None:
    assert max(max(row) for row in t.DISTANCE) < t.REGION_COUNT


def test_no_border_is_both_open_and_blocked() -> None:
    assert all(not set(t.ADJACENT[r]) & set(t.IMPASSABLE[r]) for r in range(t.REGION_COUNT))


def test_settlements_and_victory_points_are_as_printed() -> None:
    kinds = [t.SETTLEMENT.count(k) for k in (t.TOWN, t.CITY, t.STRONGHOLD, t.FORTIFICATION)]
    points = [
        sum(vp for vp, owner in zip(t.VICTORY_POINTS, t.OWNER, strict=True) if owner == side)
        for side in (t.FREE, t.SHADOW)
    ]

    assert [14, 6, 16, 2] == kinds
    assert [20, 18] == points


def test_the_figures_are_those_of_the_box() -> None:
    """45 and 30 units with 20 Leaders against 72 and 18 with 8 Nazgûl."""
    free = [f for f in t.UNITS if t.SIDE_OF[f] == t.FREE]
    regulars = [sum(t.TOTALS[f] for f in t.UNITS if f < 8 and (f in free) == own) for own in (1, 0)]
    elites = [sum(t.TOTALS[f] for f in t.UNITS if f >= 8 and (f in free) == own) for own in (1, 0)]

    assert ([45, 72], [30, 18]) == (regulars, elites)
    assert (20, 8) == (sum(t.TOTALS[f] for f in t.LEADERS), t.TOTALS[t.NAZGUL])


def test_there_are_24_cards_in_each_deck_and_38_combat_titles() -> None:
    assert (96, 38) == (t.CARD_COUNT, len(t.COMBATS))
    assert 14 == sum(t.IS_KEPT)
    assert set(range(38)) == set(t.COMBAT_OF)


def test_the_tiles_are_16_standard_and_8_special_ones() -> None:
    standard = sum(t.TILE_NUMBERS[tile] for tile in t.STANDARD_TILES)

    assert (16, 8) == (standard, len(t.TILE_OF_CARD))


def test_a_revealed_fellowship_can_always_leave_a_refuge() -> None:
    """S10: what would happen if it could not is never asked."""
    refuges = [
        r
        for r in range(t.REGION_COUNT)
        if t.SETTLEMENT[r] in (t.CITY, t.STRONGHOLD)
        and t.NATION_OF[r] != t.NO_NATION
        and t.SIDE_OF_NATION[t.NATION_OF[r]] == t.FREE
    ]

    assert len(refuges) > 10
    assert all(set(t.ADJACENT[r]) - set(refuges) for r in refuges)
