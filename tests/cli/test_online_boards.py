"""Boards from a platform: drawn as the same position is drawn offline, for every game there is."""

from __future__ import annotations

from io import StringIO

import pytest
from google.protobuf.any_pb2 import Any
from rich.console import Console

from bree.cli.boards import drawing_of
from bree.cli.online import boards
from services import GAMES, rules_of
from services.core.fair import Fate
from services.core.table import Table
from services.host.boards import StructCodec, codec_of

MOST, EVERY = 400, 25


def packed(game, view):
    """A view as a gateway sends it."""
    board = Any()
    board.Pack(codec_of(game).encode(view))
    return board


def drawn(drawing, view):
    console = Console(width=200, file=StringIO(), highlight=False)
    console.print(drawing.draw(view))
    return console.file.getvalue()


def positions(game):
    """Positions of a game that is played at random."""
    rules, pick = rules_of(game), Fate(b"any answers").pick
    table = Table(rules, rules.agree({}), Fate(b"any chance"))
    for number in range(MOST):
        if number % EVERY == 0 or table.is_over:
            yield rules, table
        if table.is_over:
            return
        seat = table.waiting()[0]
        actions = table.ask(seat).actions
        table.act(seat, actions[pick(len(actions))])


@pytest.mark.parametrize("game", GAMES)
def test_a_board_that_was_sent_is_drawn_as_one_that_was_not(game):
    """For every seat and for a spectator; and what is printed on pieces is told alike."""
    drawing = boards.drawing(game)
    count = 0
    for rules, table in positions(game):
        for seat in (None, *range(len(table.seats))):
            view = rules.view(table.game, seat)
            sent = boards.view_of(game, packed(game, view))
            assert drawn(drawing_of(game), view) == drawn(drawing, sent)
            assert list(drawing_of(game).about(view, "")) == list(drawing.about(sent, ""))
            count += 1

    assert count > 2 * len(table.seats)


def test_a_game_that_is_not_known_is_shown_as_text_if_it_sends_plain_data():
    """A newer game without a message of its own can be read by every client."""
    board, view = Any(), {"squares": ["king", None], "moves": 7}
    board.Pack(StructCodec().encode(view))

    assert view == boards.view_of("chess", board)
    assert '"squares"' in drawn(boards.drawing("chess"), view)


def test_a_board_of_another_kind_than_expected_is_not_drawn():
    """Whatever a platform sends."""
    duel = rules_of("duel")
    board = packed("duel", duel.view(duel.setup(duel.agree({})), 0))

    assert {} == boards.view_of("risk", board)


def test_a_game_that_is_not_known_is_played_without_a_board():
    """A newer platform may have more games; their questions come with words."""
    board = Any(type_url="type.googleapis.com/bree.chess.v1.Board", value=b"\xff")
    drawing = boards.drawing("chess")

    assert {} == boards.view_of("chess", board)
    assert "cannot draw the board" in drawn(drawing, drawing.unite([{}]))
    assert () == drawing.about({}, "king")
