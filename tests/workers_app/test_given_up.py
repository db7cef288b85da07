"""A hosted bot that always fails, from the worker that counts to the engine that acts on it."""

from __future__ import annotations

import asyncio

from bree.engine.v1.engine_pb2 import CreateMatchRequest, Player
from services import rules_of
from tests.host.engines import MATCH, TOKEN, in_loop, replica
from tests.redis_server import redis_server
from workers.bot_turn import Turn
from workers.clients import Clients
from workers.settings import WorkerSettings
from workers.tries import Tries

GAME, MOST = "confrontation", 3


def due(engine):
    """The turns that are due, as a sweeper sends them."""
    members = [member.split("|") for member in engine.engine.store.due]
    return [
        Turn(GAME, match, seat, int(number), level)
        for kind, match, seat, number, level, _ in members
        if kind == "bot_turn"
    ]


@in_loop
async def test_a_turn_that_always_fails_is_due_no_longer():
    """First the weakest bot has the seat, and if that fails as often the match is frozen."""
    with redis_server() as broker:
        async with replica(rules=rules_of(GAME)) as engine:
            players = [
                Player(seat="good", bot_level="master", nonce=b"1"),
                Player(seat="dark", nonce=b"2"),
            ]
            await engine.call("CreateMatch", CreateMatchRequest(match=MATCH, players=players))
            settings = WorkerSettings(
                platform_token=TOKEN,
                engines=f"{GAME}=127.0.0.1:{engine.engine.server.port}",
                store_url=broker.url,
                turn_tries=MOST,
            )
            clients, tries, seen = Clients(settings), Tries(settings), []
            clients.open()
            while due(engine):
                (turn,) = due(engine)
                result = await asyncio.to_thread(tries.play, clients, turn, lambda: "failed")
                seen.append((turn.match, turn.level, result))
            clients.close()

    once = [*["failed"] * MOST, "given up"]
    assert [(MATCH, "master", r) for r in once] + [(MATCH, "uniform", r) for r in once] == seen
