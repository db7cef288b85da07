"""The board of The Confrontation as a message holds everything of its view, and nothing else."""

from __future__ import annotations

import random

import pytest
from google.protobuf.descriptor import FieldDescriptor

from bree.confrontation.v1 import board_pb2
from bree.engine.v1 import engine_pb2 as e
from services.confrontation.wire import WIRE
from services.core.fair import Fate
from services.core.table import Table
from tests.games import rules_of
from tests.host.engines import in_loop, replica

RULES = rules_of("confrontation")
CHOSEN = (
    {},
    {"preset": "classic_2002", "special_cards": "set_2002", "inference": "on"},
    {"preset": "deluxe_draft", "announce_draft": "off", "match": "two_games_swap_sides"},
    {"preset": "deluxe_variant", "special_cards": "set_deluxe", "special_count": "4"},
    {"draw_ply_cap": "12", "inference": "on"},
)
EVERYTHING = {
    f"{message.name}.{field.name}"
    for message in board_pb2.DESCRIPTOR.message_types_by_name.values()
    for field in message.fields
}


def positions(chosen, seed):
    """Positions on the way through a match played at random."""
    chance = random.Random(seed)
    table = Table(RULES, RULES.agree(chosen), Fate(chance.randbytes(32)))
    yield table.game.copy()
    while not table.is_over:
        seat = chance.choice(table.waiting())
        table.act(seat, chance.choice(table.ask(seat).actions))
        yield table.game.copy()


def used(message):
    """The fields that are there in a message and in all within it."""
    for field, value in message.ListFields():
        yield f"{message.DESCRIPTOR.name}.{field.name}"
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from used(inner)


def plain(value):
    """What equality should not depend on: lists and tuples are the same in text."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("chosen", CHOSEN, ids=lambda chosen: chosen.get("preset", "manual"))
def test_every_view_is_written_and_read_back(chosen):
    """Whole matches, each position as every viewer sees it, through bytes and back."""
    for seed in range(3):
        games = list(positions(chosen, seed))
        for game in [*games[:: 7 if "inference" in chosen else 3], games[-1]]:
            for seat in (0, 1, None):
                view = plain(RULES.view(game, seat))
                board = board_pb2.Board.FromString(WIRE.board(view).SerializeToString())

                assert view == plain(WIRE.view(board))
                assert list(view["options"]) == [option.name for option in board.options]


def test_every_field_is_used_in_some_position():
    """A field that is never there would be a promise that nobody keeps."""
    found = set()
    for seed in range(20):
        for chosen in CHOSEN:
            for game in list(positions(chosen, seed))[:: 9 if "inference" in chosen else 2]:
                for seat in (0, 1):
                    found |= set(used(WIRE.board(RULES.view(game, seat))))
            if found >= EVERYTHING:
                return

    assert set() == EVERYTHING - found


@in_loop
async def test_charts_are_sent_to_whoever_asks_for_them():
    """They are most of a view, and never change."""
    async with replica(rules=RULES, wire=WIRE) as engine:
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
