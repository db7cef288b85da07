"""What an engine does about circles of objects, which Python's own looks leave for later."""

from __future__ import annotations

import asyncio
import gc
import socket
import weakref

import pytest

from bree.process import collector
from tests.host.engines import in_loop, replica
from tests.host.test_main import ended

NOTED = """\
import atexit, gc, runpy, sys
tell = lambda: print("kept", gc.get_freeze_count(), *gc.get_threshold(), file=sys.stderr)
atexit.register(tell)
runpy.run_module("services.confrontation", run_name="__main__", alter_sys=True)
"""


class Circle:
    """Refers to itself, so that only a look for circles frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def no_looks_of_its_own():
    """Python frees no circle unless somebody asks for that."""
    gc.disable()
    yield
    gc.enable()


@in_loop
async def test_a_running_engine_frees_circles(no_looks_of_its_own, monkeypatch):
    """It takes the long looks itself, by time."""
    monkeypatch.setattr(collector, "COLLECT_SECONDS", 0.01)
    circle = weakref.ref(Circle())
    assert circle() is not None
    async with replica(), asyncio.timeout(10):
        while circle() is not None:  # noqa: ASYNC110  # nothing tells when it is gone
            await asyncio.sleep(0.01)


def test_an_engine_lets_be_what_it_has_imported():
    """The process says so at its end, which comes at once: somebody has its port."""
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))  # noqa: S104
        taken.listen()
        port = str(taken.getsockname()[1])
        _, said = ended(("-c", NOTED), BREE_METRICS_PORT=port)
    (kept,) = [line.split() for line in said.splitlines() if line.startswith("kept")]

    assert int(kept[1]) > 10_000
    assert [str(n) for n in (collector.YOUNG, collector.MIDDLE, collector.NEVER)] == kept[2:]
