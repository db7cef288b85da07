"""A match that cannot begin so is refused, each wrong field by its name, and nothing is stored."""

from __future__ import annotations

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2 as t
from tests.host.engines import creation, in_loop
from tests.host.test_refusals import NONE, RUNNING, all_refused

C = grpc.StatusCode


def players(*seats, **changes):
    made = [e.Player(seat=seat, nonce=b"n") for seat in seats]
    for field, value in changes.items():
        setattr(made[0], field, value)
    return made


def created(made=None, chosen=(), clock=None):
    given = players("gondor", "mordor") if made is None else made
    options = [t.OptionChoice(name=name, value=value) for name, value in chosen]
    return e.CreateMatchRequest(match=NONE, options=options, players=given, clock=clock)


WRONG_OPTIONS = [
    ("INVALID_REQUEST", [("", "x")], {"field": "options[0].name"}),
    ("INVALID_REQUEST", [("seats", "")], {"field": "options[0].value"}),
    ("INVALID_REQUEST", [("seats", "2"), ("x" * 41, "2")], {"field": "options[1].name"}),
    ("INVALID_REQUEST", [("seats", "2" * 50_000)], {"field": "options[0].value"}),
    ("INVALID_REQUEST", [("seats", "2"), ("seats", "2")], {"field": "options[1].name"}),
    ("UNKNOWN_OPTION", [("dice", "3")], {"game": "skirmish", "option": "dice"}),
    ("UNKNOWN_OPTION", [("\U0001f3d4" * 40, "3")], {}),
    (
        "OPTION_NOT_ALLOWED",
        [("seats", "4")],
        {"option": "seats", "value": "4", "allowed": "2 to 3"},
    ),
    ("OPTION_NOT_ALLOWED", [("seats", "02")], {"option": "seats", "value": "02"}),
    ("OPTION_NOT_ALLOWED", [("deck", "\U0001f3d4" * 40)], {"allowed": "full, small"}),
    ("OPTIONS_CONTRADICT", [("seats", "3"), ("deck", "small")], {"said": "deck=small"}),
]


@pytest.mark.parametrize("method", ["CommitMatch", "CreateMatch"])
@pytest.mark.parametrize(("reason", "chosen", "said"), WRONG_OPTIONS)
@in_loop
async def test_options_must_be_those_of_the_game(method, reason, chosen, said):
    """Known, allowed, and such that they go together; before a match and when it is made."""
    request = created(chosen=chosen)
    if method == "CommitMatch":
        request = e.CommitMatchRequest(match=NONE, options=request.options)
    await all_refused([(method, request, said)], reason, C.INVALID_ARGUMENT)


WRONG_PLAYERS = [
    ("SEATS_NOT_FILLED", players(), {"seat": "gondor"}),
    ("SEATS_NOT_FILLED", players("gondor"), {"seat": "mordor"}),
    ("SEATS_NOT_FILLED", players("gondor", "gondor"), {"seat": "gondor"}),
    ("SEATS_NOT_FILLED", players("gondor", "mordor", "mordor"), {"seat": "mordor"}),
    ("SEATS_NOT_FILLED", players("gondor", "mordor", nonce=b""), {"seat": "gondor"}),
    ("UNKNOWN_SEAT", players("gondor", "rohan"), {"seat": "rohan", "seats": "gondor mordor"}),
    ("UNKNOWN_SEAT", players("gondor", "mordor", "rohan"), {"seat": "rohan"}),
    ("INVALID_REQUEST", players("mordor", "gondor"), {"field": "players"}),
    ("INVALID_REQUEST", players("", "mordor"), {"field": "players[0].seat"}),
    ("INVALID_REQUEST", players("G" * 9000, "mordor"), {"field": "players[0].seat"}),
    (
        "INVALID_REQUEST",
        players("gondor", "mordor", nonce=b"x" * 65),
        {"field": "players[0].nonce"},
    ),
    ("INVALID_REQUEST", players("gondor", "mordor", label="x" * 41), {"field": "players[0].label"}),
    ("INVALID_REQUEST", players("gondor", "mordor", label="a\nb"), {"field": "players[0].label"}),
    ("INVALID_REQUEST", players("gondor", "mordor", label=" a"), {"field": "players[0].label"}),
    (
        "INVALID_REQUEST",
        players("gondor", "mordor", bot_level="god"),
        {"field": "players[0].bot_level"},
    ),
]
STATUS = {
    "SEATS_NOT_FILLED": C.FAILED_PRECONDITION,
    "UNKNOWN_SEAT": C.NOT_FOUND,
    "INVALID_REQUEST": C.INVALID_ARGUMENT,
}


@pytest.mark.parametrize(("reason", "made", "said"), WRONG_PLAYERS)
@in_loop
async def test_every_seat_has_one_player(reason, made, said):
    """With a nonce, a name that people can read, and a level that workers have."""
    await all_refused([("CreateMatch", created(made), said)], reason, STATUS[reason])


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        (e.Clock(), "clock"),
        (e.Clock(bot_level="greedy"), "clock"),
        (e.Clock(bank_ms=-1), "clock.bank_ms"),
        (e.Clock(bank_ms=1, move_ms=-(2**63)), "clock.move_ms"),
        (e.Clock(bank_ms=2**63 - 1), "clock.bank_ms"),
        (e.Clock(move_ms=2**50), "clock.move_ms"),
        (e.Clock(move_ms=1, bot_level="god"), "clock.bot_level"),
    ],
)
@in_loop
async def test_a_clock_gives_time_and_not_for_ever(clock, field):
    """One that gives none would end a match before it begins."""
    request = created(clock=clock)
    await all_refused(
        [("CreateMatch", request, {"field": field})], "INVALID_REQUEST", C.INVALID_ARGUMENT
    )


@pytest.mark.parametrize(
    "other",
    [
        creation(RUNNING, rounds="2"),
        creation(RUNNING, levels={"gondor": "greedy"}),
        creation(RUNNING, clock=e.Clock(move_ms=1000)),
    ],
    ids=["options", "players", "clock"],
)
@in_loop
async def test_a_match_is_not_created_in_two_ways(other):
    """The first one stands."""
    said = {"match": RUNNING, "request_id": RUNNING}
    await all_refused([("CreateMatch", other, said)], "REQUEST_ID_REUSED", C.ALREADY_EXISTS)
