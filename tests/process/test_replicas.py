"""Which replicas there are, and which of them a match has."""

from __future__ import annotations

import pytest

from bree.process.replicas import engines_of, ranked


def test_engines_are_spelt_by_game():
    """Games are parted by semicolons, replicas by commas."""
    text = "confrontation=127.0.0.1:7101, engine-2:7102 ; duel=[::1]:7103;"

    assert {
        "confrontation": ("127.0.0.1:7101", "engine-2:7102"),
        "duel": ("[::1]:7103",),
    } == engines_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";",
        "duel",
        "duel=",
        "duel=here",
        "confrontation=1:2=3:4",
        "Duel=a:1",
        "duel=a:1,a:1",
        "duel=a:1;duel=b:1",
        "duel=a:123456",
        "=a:1",
    ],
)
def test_engines_that_are_spelt_wrong_are_refused(text):
    """Each mistake is one error, before anything is started."""
    with pytest.raises(ValueError, match=r"engine|game|address|twice"):
        engines_of(text)


def test_keys_spread_over_replicas_and_stay():
    """Each replica is the first of some; when one goes, only its keys move."""
    addresses = [f"10.0.0.{n}:7101" for n in range(4)]
    keys = [f"c-{n}" for n in range(400)]
    first = {key: ranked(key, addresses)[0] for key in keys}
    fewer = {key: ranked(key, addresses[1:])[0] for key in keys}

    assert all(list(first.values()).count(address) > 50 for address in addresses)
    assert all(fewer[key] == first[key] for key in keys if first[key] != addresses[0])
