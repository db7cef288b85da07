"""One platform for all tests of a session that want one, with two replicas of an engine."""

from __future__ import annotations

import asyncio

import pytest

from tests.e2e.client import GAME
from tests.e2e.collector import Collector
from tests.e2e.platform import Platform
from tests.local.parts import left_of

SECONDS = 50
"""What a test may take of its own."""


@pytest.fixture(scope="session")
def collector():
    collector = Collector()
    yield collector
    collector.close()


@pytest.fixture(scope="session")
def platform(tmp_path_factory, collector):
    # Only what a test asks for, however quickly.
    traces = {"traces": collector.address, "traces_share": 0, "traces_a_second": 1000}
    state = tmp_path_factory.mktemp("platform") / "state"
    platform = Platform(state, games=(GAME,), replicas=2, **traces)
    try:
        yield platform.start()
    finally:
        parts = platform.parts()
        assert platform.stop() == 0, "\n".join(platform.said)
        assert not {name: left_of(pid) for name, pid in parts.items() if left_of(pid)}


@pytest.fixture
def play(platform):
    """Runs a test's own coroutine, in bounded time."""

    def play(coroutine):
        async def bounded():
            async with asyncio.timeout(SECONDS):
                return await coroutine

        return asyncio.run(bounded())

    return play


@pytest.fixture(autouse=True)
def told_if_it_fails(request):
    """What the platform said during a test is shown if the test fails; who wants none gets none."""
    if "platform" not in request.fixturenames:
        yield
        return
    platform = request.getfixturevalue("platform")
    before = len(platform.said)
    yield
    print("\n".join(platform.said[before:]))  # noqa: T201
