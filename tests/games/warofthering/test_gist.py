"""The gist of a position tells it from every other, as its dump does."""

from __future__ import annotations

from services.warofthering import RULES
from services.warofthering.board.gist import _FOLLOWS, _SIGN, ARRAYS, REST, gist
from services.warofthering.tables import FIGURE_COUNT
from tests.conform.walks import chosen, fate
from tests.games.gists import tells_apart


def test_positions_differ_in_their_gists_where_they_differ_in_their_dumps() -> None:
    tells_apart(RULES, ("two", "four"))


def test_every_field_that_is_saved_is_in_the_gist() -> None:
    """Each array and each other field, changed alone, changes it."""
    b = RULES.setup(RULES.agree({})).board
    before = gist(b)
    for name in ("counts", *ARRAYS):
        twin = b.copy()
        getattr(twin, name)[0] ^= 1
        assert gist(twin) != before, name
    for name in REST:
        twin = b.copy()
        setattr(twin, name, "another")
        assert gist(twin) != before, name
    assert not {*ARRAYS, *REST} & _FOLLOWS


def test_every_count_has_a_sign() -> None:
    """However many figures of a kind there are, and wherever all of them stand."""
    most = max(sum(counts) for counts in zip(*_by_area(), strict=True))

    assert most < _SIGN.index(b"?")


def _by_area() -> list[bytearray]:
    counts = RULES.setup(RULES.agree({})).board.counts
    return [counts[at : at + FIGURE_COUNT] for at in range(0, len(counts), FIGURE_COUNT)]


def test_arrays_keep_their_lengths() -> None:
    g = RULES.setup(RULES.agree({}))
    pick = fate("lengths").pick
    lengths = [len(getattr(g.board, name)) for name in ARRAYS]
    for _ in range(300):
        RULES.apply(g, *chosen(RULES, g, pick, pick))

    assert lengths == [len(getattr(g.board, name)) for name in ARRAYS]
