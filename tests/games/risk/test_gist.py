"""The gist of a position tells it from every other of its game, as its dump does."""

from __future__ import annotations

from services.risk import RULES
from services.risk.board import Board
from services.risk.play.saving import CARDS, TURN, gist
from tests.games.gists import tells_apart

FIELDS = {name for kind in Board.__mro__ for name in getattr(kind, "__slots__", ())}
_FOLLOWS = {"held", "stormed", "blocked", "taxed"}
"""From the holders, and from the effects that last."""


def test_positions_differ_in_their_gists_where_they_differ_in_their_dumps() -> None:
    tells_apart(RULES, ("two", "four_quick"))


def test_every_field_is_in_the_gist() -> None:
    b = RULES.setup(RULES.agree({})).board
    before = gist(b)
    for name in (*CARDS, *TURN):
        twin = b.copy()
        setattr(twin, name, "another")
        assert gist(twin) != before, name
    for name in ("owner", "army"):
        twin = b.copy()
        getattr(twin, name)[0] ^= 1
        assert gist(twin) != before, name

    assert FIELDS == {"settings", "owner", "army", *CARDS, *TURN} | _FOLLOWS


def test_a_gist_is_the_same_on_every_machine() -> None:
    b = RULES.setup(RULES.agree({})).board
    b.army[0] = 258

    assert f'","{258:08x}' in gist(b)
