"""The one codec for the views of all games: a message holds a whole view, whatever the game."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2
from services import GAMES as SERVED
from services.host import boards
from services.host.boards import BoardCodec, Shape, StructCodec, codec_of
from services.host.queries import CHARTS
from tests.conform.walks import Variant, Walk, variants
from tests.games import GAMES, rules_of
from tests.host.boards import fields_of, plain
from tests.host.engines import in_loop, replica

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = [variant for game in GAMES for variant in variants(game)]
FARTHEST = 1500
"""Decisions after which a game that is played under a preset is left."""
OFTEN, SELDOM = 24, 6
"""Positions that are looked at, under a preset and where one option is another."""


def views(variant: Variant) -> list[Any]:
    """Views on the way through a game at random, of every seat and a spectator."""
    walk = Walk(variant, "boards", most=FARTHEST if variant.is_preset else None)
    every = len(walk.moments) // (OFTEN if variant.is_preset else SELDOM) + 1
    games = [moment.game for moment in (*walk.moments[::every], walk.moments[-1])]
    return [variant.rules.view(game, seat) for game in games for seat in walk.viewers]


def through(codec: Any, view: Any) -> Any:
    """A view as whoever reads its bytes has it."""
    return codec.decode(codec.message.FromString(codec.encode(view).SerializeToString()))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_view_is_written_and_read_back(variant):
    """Of every seat and a spectator, through bytes."""
    own = codec_of(variant.game)
    for view in views(variant):
        seen = through(own, view)

        assert plain(view) == plain(seen)
        assert [*view.get("options", ())] == [*seen.get("options", ())]  # in their order


def shape_of(game: str) -> Shape:
    """What a game says of where its views differ from their message."""
    said = find_spec(f"services.{game}.wire")
    shape: Shape = import_module(said.name).SHAPE if said else Shape()
    return shape


@pytest.mark.parametrize("game", SERVED)
def test_a_part_that_is_written_once_is_not_taken_for_another(game):
    """Only the very same part is sent again as it was."""
    rules, codec = variants(game)[0].rules, codec_of(game)
    view = rules.view(rules.setup(rules.agree({})), 0)
    for field in shape_of(game).constant:
        name = field.removeprefix("Board.")
        whole, empty = codec.encode(view), codec.encode({**view, name: {}})

        assert getattr(whole, name).ListFields()
        assert not getattr(empty, name).ListFields()
        assert whole == codec.encode(view)


@pytest.mark.parametrize("game", SERVED)
def test_a_shape_speaks_of_fields_that_there_are(game):
    """A misspelt line would do nothing."""
    shape = shape_of(game)
    shared = types_pb2.OptionChoice.DESCRIPTOR.name
    fields = fields_of(game)
    messages = {field.partition(".")[0] for field in fields} | {shared}

    assert set() == {*shape.places, *shape.numbered, *shape.constant} - fields
    assert set() == {*shape.tables, *shape.bare} - messages


def test_a_field_may_have_another_name_in_a_view():
    shape = Shape(places={"OptionChoice.value": "chosen"})
    codec = BoardCodec(types_pb2.OptionChoice, shape)
    view = {"name": "coins", "chosen": "limited"}

    assert types_pb2.OptionChoice(name="coins", value="limited") == codec.encode(view)
    assert view == through(codec, view)


@pytest.mark.parametrize("shared", ["core", "host"])
def test_what_games_share_names_none_of_them(shared):
    """Else a new game would have to be written into it."""
    names = re.compile(rf"\b({'|'.join(SERVED)})\b")
    sources = sorted((ROOT / "services" / shared).rglob("*.py"))

    assert sources
    assert [] == [path.name for path in sources if names.search(path.read_text(encoding="utf-8"))]


def test_a_game_without_a_board_is_served_all_the_same():
    """Its views are plain data, which every client can read."""
    assert isinstance(codec_of("skirmish"), StructCodec)


@pytest.mark.parametrize("game", SERVED)
def test_any_view_can_travel_as_plain_data(game):
    """A game may go without a message of its own, however rich its views are."""
    walk = Walk(variants(game)[0], "plain")
    for moment in (walk.moments[0], walk.moments[-1]):
        view = walk.rules.view(moment.game, 0)

        assert plain(view) == through(StructCodec(), view)


def test_a_module_that_is_there_and_lacks_something_is_an_error(tmp_path, monkeypatch):
    """Else a broken board would quietly travel as something else."""
    (tmp_path / "lacking.py").write_text("import nowhere_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert boards._imported("not_there") is None
    assert boards._imported("not_there.at_all") is None
    with pytest.raises(ModuleNotFoundError, match="nowhere_at_all"):
        boards._imported("lacking")


@pytest.mark.parametrize("game", SERVED)
@in_loop
async def test_charts_are_sent_to_whoever_asks_for_them(game):
    """They are most of a view, and never change; all else is there without asking."""
    rules, codec = rules_of(game), codec_of(game)
    async with replica(rules=rules) as engine:
        seats = rules.seats(rules.agree({}))
        players = [e.Player(seat=seat, nonce=b"n") for seat in seats]
        await engine.call("CreateMatch", e.CreateMatchRequest(match="c-charts", players=players))
        request = e.GetSeatViewRequest(match="c-charts", viewer=e.Viewer(seat=seats[0]))
        short, whole = codec.message(), codec.message()
        (await engine.call("GetSeatView", request)).view.Unpack(short)
        request.with_charts = True
        (await engine.call("GetSeatView", request)).view.Unpack(whole)
    if CHARTS in codec.decode(whole):
        assert not short.charts.ListFields()
        assert len(whole.charts.ListFields()) == len(whole.charts.DESCRIPTOR.fields)
        assert len(short.SerializeToString()) * 5 < len(whole.SerializeToString())
        whole.ClearField("charts")
        short.ClearField("charts")

    assert short == whole
