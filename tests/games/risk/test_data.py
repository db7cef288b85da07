"""The printed components: counts, borders, places and cards as the rules state them."""

from __future__ import annotations

import pytest

from services.risk import tables as t
from services.risk.tables import bits


def lands(*names):
    return t.mask(t.TERRITORY[name] for name in names)


def test_the_map_has_64_territories_in_nine_regions():
    sizes = dict(zip(t.REGIONS, (lands.bit_count() for lands in t.REGION_LANDS), strict=True))

    assert 64 == t.LANDS == sum(sizes.values())
    assert {
        "eriador": 7, "arnor": 11, "rhun": 4, "mirkwood": 5, "rohan": 7, "rhovanion": 8,
        "gondor": 10, "mordor": 6, "haradwaith": 6,
    } == sizes  # fmt: skip


def test_the_bonuses_are_those_on_the_board():
    """RULES 5."""
    assert {
        "eriador": 3, "arnor": 7, "rhun": 2, "mirkwood": 4, "rohan": 4, "rhovanion": 5,
        "gondor": 7, "mordor": 2, "haradwaith": 2,
    } == dict(zip(t.REGIONS, t.BONUS, strict=True))  # fmt: skip


def test_there_are_101_borders_that_hold_both_ways():
    kinds = [via for _, _, via in t.EDGES]

    assert (78, 18, 5) == tuple(kinds.count(via) for via in ("land", "bridge", "sea"))
    for a in range(t.LANDS):
        assert not t.NEAR[a] >> a & 1
        assert all(t.NEAR[b] >> a & 1 for b in bits(t.NEAR[a]))
    assert 202 == sum(near.bit_count() for near in t.NEAR)


def test_every_territory_can_be_reached():
    found = edge = 1
    while edge:
        near = t.mask(land for one in bits(edge) for land in bits(t.NEAR[one]))
        edge = near & ~found
        found |= edge

    assert t.ALL_LANDS == found


def test_bridges_and_sea_routes_are_borders():
    bridges = {frozenset((a, b)) for a, b, via in t.EDGES if via == "bridge"}

    assert bridges == {frozenset(ends) for ends in t.BRIDGE_ENDS}
    assert 5 == t.PORTS.bit_count() == len(t.PORT_POINTS)
    for a, b, points in t.SEA_ROUTES:
        assert t.BY_SEA[a] >> b & 1
        assert t.PORTS >> a & t.PORTS >> b & 1
        assert points


@pytest.mark.parametrize(
    ("one", "other", "adjacent"),
    [
        ("forodwaith", "mithlond", True),
        ("forodwaith", "minhiriath", False),
        ("north_downs", "evendim_hills", False),
        ("south_downs", "rhudaur", False),
        ("gap_of_rohan", "the_wold", True),
        ("moria", "eregion", True),
        ("minas_tirith", "ithilien", True),
    ],
)
def test_borders_that_the_rules_name(one, other, adjacent):
    assert adjacent == bool(t.NEAR[t.TERRITORY[one]] >> t.TERRITORY[other] & 1)


@pytest.mark.parametrize(
    ("profile", "strongholds", "sites"),
    [("reference_manual_counts", 12, 21), ("published_board", 11, 22)],
)
def test_places_are_counted_by_profile(profile, strongholds, sites):
    """RULES R28, R29: Dol Amroth alone changes its kind."""
    assert strongholds == t.STRONGHOLDS[profile].bit_count()
    assert sites == t.SITES[profile].bit_count()
    assert not t.STRONGHOLDS[profile] & t.SITES[profile]
    assert 33 == len(t.LOCATION_AT)
    differs = t.STRONGHOLDS[profile] ^ t.STRONGHOLDS["published_board"]
    assert differs in (0, lands("belfalas"))


def test_the_path_has_eighteen_steps_and_six_dice():
    """RULES 10."""
    rolls = [t.TERRITORIES[land] for land, die in zip(t.PATH, t.HAS_DIE, strict=True) if die]

    assert 18 == len(set(t.PATH))
    assert ("the_shire", "mount_doom") == (t.TERRITORIES[t.PATH[0]], t.TERRITORIES[t.PATH[-1]])
    assert ["moria", "lorien", "dead_marshes", "minas_morgul", "gorgoroth", "mount_doom"] == rolls
    off_road = [a for a, b in zip(t.PATH, t.PATH[1:], strict=False) if not t.NEAR[a] >> b & 1]
    assert ["south_downs"] == [t.TERRITORIES[land] for land in off_road]


def test_territory_cards_have_their_shields_and_symbols():
    assert 66 == len(t.TERRITORY_CARDS)
    assert (16, 16, 32) == tuple(t.SHIELD[s].bit_count() for s in ("good", "evil", "neutral"))
    assert [22, 21, 21, 2] == [t.SYMBOL.count(symbol) for symbol in range(4)]
    assert (4, 6, 8, 10) == t.SET_VALUES


def test_adventure_cards_are_22_13_and_25():
    assert (22, 13, 25) == tuple(kind.bit_count() for kind in (t.MISSIONS, t.EVENTS, t.POWERS))
    assert t.ALL_ADVENTURES == t.MISSIONS | t.EVENTS | t.POWERS
    assert all(t.POINTS[card] == (0, 0) for card in bits(t.EVENTS))
    assert all(t.POINTS[card] == (1, 1) for card in bits(t.POWERS))
    assert all(1 <= min(t.POINTS[card]) and max(t.POINTS[card]) <= 3 for card in bits(t.MISSIONS))


def test_every_mission_names_another_site_of_the_board():
    """RULES R29: one mission for each of the 22 sites."""
    assert t.SITES["published_board"] == t.mask(t.MISSION_LAND.values())


def test_every_power_card_has_one_window():
    windows = list(t.IN_WINDOW.values())

    assert t.POWERS == sum(windows)
    assert 25 == sum(window.bit_count() for window in windows)


def test_mountain_ranges_join_territories_on_both_sides():
    assert 13 == len(t.RANGES)
    moria = t.UNDER_MOUNTAINS[t.TERRITORY["moria"]]
    assert moria >> t.TERRITORY["fangorn"] & 1
    assert not moria >> t.TERRITORY["moria"] & 1
    assert not t.UNDER_MOUNTAINS[t.TERRITORY["nurn"]] >> t.TERRITORY["mount_doom"] & 1
