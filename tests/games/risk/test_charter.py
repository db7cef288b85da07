"""Options that do not go together are refused."""

from __future__ import annotations

import pytest

from services.core.errors import Invalid
from services.risk import RULES


@pytest.mark.parametrize("players", ["2", "3"])
def test_partners_are_four(players):
    with pytest.raises(Invalid, match="four at a table"):
        RULES.agree({"team_mode": "on", "players": players})


@pytest.mark.parametrize("mode", ["classic", "random", "random_battalions"])
def test_a_batch_is_for_setups_that_are_batched(mode):
    with pytest.raises(Invalid, match="batched"):
        RULES.agree({"setup_mode": mode, "setup_batch": "7"})


def test_seats_are_the_colours():
    names = {p: RULES.seats(RULES.agree({"players": p})) for p in "234"}

    assert ("yellow", "red") == names["2"]
    assert ("yellow", "red", "black") == names["3"]
    assert ("yellow", "red", "green", "black") == names["4"]
