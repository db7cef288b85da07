"""How long hosted bots take for an answer, on a platform whose worker is a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

from bree.client.client import Client
from bree.client.patience import Refused
from bree.engine.v1.engine_pb2 import Clock
from services.host.dispatch import Broker
from tests.cli.town import TOKEN, Town
from tests.cli.tunnel import OPTION

GAME = "confrontation"
GOOD, DARK = "good", "dark"
BANK = 600_000


class Busy(Town):
    """A gateway and an engine in this process, and a broker between them and workers."""

    def __init__(self, rules, broker):
        self.broker = broker
        super().__init__(rules, Broker(broker, GAME))

    @contextmanager
    def worker(self):
        """A worker that plays the hosted bots."""
        told = {
            "PLATFORM_TOKEN": TOKEN, "STORE_URL": self.broker, "QUEUES": "bots",
            "ENGINES": f"{GAME}=127.0.0.1:{self.engine.server.port}", "GATEWAY": self.address,
            # A match that is over may still be thought about when the next one begins.
            "WORKER_PROCESSES": "4", "LOG_LEVEL": "error",
        }  # fmt: skip
        env = os.environ | {f"BREE_{name}": value for name, value in told.items()}
        process = subprocess.Popen([sys.executable, "-m", "workers"], env=env)
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)


def answer(client: Client, limit, place, level):
    """How many ms a bot takes for its answer, to whoever waits for it; its clock shows nothing."""
    match = client.create(GAME, {OPTION: limit}, clock=Clock(bank_ms=BANK)).id
    client.join(match, GOOD)
    client.add_bot(match, level, DARK)
    client.start(match)
    steps = client.watch(match, GOOD)
    number = next(steps).question.number
    done = client.act(match, GOOD, number, place.move)
    began = time.perf_counter()
    while (step := next(steps)).standing.revision <= done.standing.revision:
        pass
    seen = 1000 * (time.perf_counter() - began)
    assert BANK == next(clock.left_ms for clock in step.standing.clocks if clock.seat == DARK)
    with suppress(Refused):  # Frodo may have fallen
        client.resign(match, GOOD)
    steps.close()
    return seen
