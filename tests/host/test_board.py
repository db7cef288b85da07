"""The board of The Confrontation as a message: no field is never there; charts on demand."""

from __future__ import annotations

import random

from bree.confrontation.v1 import board_pb2
from bree.engine.v1 import engine_pb2 as e
from services.core.fair import Fate
from services.core.table import Table
from tests.games import rules_of
from tests.host.boards import fields_of, used_by
from tests.host.engines import in_loop, replica

RULES = rules_of("confrontation")
CHOSEN = (
    {},
    {"preset": "classic_2002", "special_cards": "set_2002", "inference": "on"},
    {"preset": "deluxe_draft", "announce_draft": "off", "match": "two_games_swap_sides"},
    {"preset": "deluxe_variant", "special_cards": "set_deluxe", "special_count": "4"},
    {"draw_ply_cap": "12", "inference": "on"},
)


def positions(chosen, seed):
    """Positions on the way through a match played at random."""
    chance = random.Random(seed)
    table = Table(RULES, RULES.agree(chosen), Fate(chance.randbytes(32)))
    yield table.game.copy()
    while not table.is_over:
        seat = chance.choice(table.waiting())
        table.act(seat, chance.choice(table.ask(seat).actions))
        yield table.game.copy()


def test_every_field_is_used_in_some_position():
    """A field that is never there would be a promise that nobody keeps."""
    found, everything = set(), fields_of("confrontation")
    for seed in range(20):
        for chosen in CHOSEN:
            for game in list(positions(chosen, seed))[:: 9 if "inference" in chosen else 2]:
                for seat in (0, 1):
                    found |= used_by("confrontation", RULES.view(game, seat))
            if found >= everything:
                return

    assert set() == everything - found


@in_loop
async def test_charts_are_sent_to_whoever_asks_for_them():
    """They are most of a view, and never change."""
    async with replica(rules=RULES) as engine:
        players = [e.Player(seat=seat, nonce=b"n") for seat in ("good", "dark")]
        await engine.call("CreateMatch", e.CreateMatchRequest(match="c-charts", players=players))
        request = e.GetSeatViewRequest(match="c-charts", viewer=e.Viewer(seat="good"))
        plain = board_pb2.Board()
        (await engine.call("GetSeatView", request)).view.Unpack(plain)
        request.with_charts = True
        whole = board_pb2.Board()
        (await engine.call("GetSeatView", request)).view.Unpack(whole)

        assert not plain.charts.ListFields()
        assert whole.charts.good
        assert whole.charts.dark
        assert len(plain.SerializeToString()) * 5 < len(whole.SerializeToString())
        whole.ClearField("charts")
        plain.ClearField("charts")
        assert plain == whole
