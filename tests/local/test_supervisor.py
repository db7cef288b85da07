"""The supervisor: it starts, restarts, gives up with a reason, and leaves no process behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from bree.local import supervisor as supervising
from bree.local.settings import CannotStart, Trouble
from bree.local.state import State, birth, end_group, running
from bree.local.supervisor import Supervisor
from tests.local.parts import (
    DEAF,
    FAILS,
    FORKS,
    HEALTHY,
    STUBBORN,
    STUCK,
    free_ports,
    left_of,
    part,
)


async def until(true, seconds=20):
    """Wait for something to become so."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  # of other processes
            await asyncio.sleep(0.02)


def pid_of(supervisor, name):
    return running(supervisor.state.root).get(name)


async def started(supervisor):
    supervisor.prepare()
    await supervisor.start()
    return supervisor


def test_what_has_started_is_healthy_and_a_stop_leaves_nothing(supervise):
    """After the start every part answers; after the stop none of its processes is left."""
    supervisor = supervise(part("one"), part("two", FORKS, kind="sweeper"))

    async def run():
        await started(supervisor)
        pids = dict(running(supervisor.state.root))
        for kept in supervisor.parts:
            with socket.create_connection(("127.0.0.1", kept.metrics)):
                pass
        await supervisor.stop()
        return pids

    pids = asyncio.run(run())

    assert {"one", "two"} == set(pids)
    assert not any(left_of(pid) for pid in pids.values())
    assert not running(supervisor.state.root)


def test_a_part_that_is_killed_is_started_again(supervise, said):
    """It is a new process, its forks are gone, and what happened is told."""
    supervisor = supervise(part("one", FORKS))

    async def run():
        await started(supervisor)
        first = pid_of(supervisor, "one")
        os.kill(first, signal.SIGKILL)
        await until(lambda: pid_of(supervisor, "one") not in (None, first))
        await until(lambda: any("is back" in line for line in said))
        left = left_of(first)
        await supervisor.stop()
        return left

    assert not asyncio.run(run())
    assert any(line.startswith("one was killed by signal 9; it is started again") for line in said)


def test_a_part_that_keeps_ending_is_started_ever_less_often(supervise, said, tmp_path):
    """The pauses between the starts grow."""
    broken = tmp_path / "broken"
    program = f"import os, sys\nif os.path.exists({str(broken)!r}): sys.exit(3)\n{HEALTHY}"
    supervisor = supervise(part("one", program))

    async def run():
        await started(supervisor)
        broken.touch()
        os.kill(pid_of(supervisor, "one"), signal.SIGKILL)
        await until(lambda: len(said) >= 4)
        broken.unlink()
        await until(lambda: any("is back" in line for line in said))
        await supervisor.stop()

    asyncio.run(run())
    ends = [line for line in said if "started again" in line]

    assert [line.split()[-2] for line in ends[:4]] == ["0.1", "0.2", "0.4", "0.8"]
    assert all("ended with code 3" in line for line in ends[1:4])


def test_a_part_that_cannot_start_is_told_with_its_own_words(supervise):
    """The start fails at once, names the part and repeats what it said last."""
    supervisor = supervise(part("one"), part("two", FAILS))
    began = time.monotonic()

    async def run():
        try:
            with pytest.raises(Trouble) as trouble:
                await started(supervisor)
            return str(trouble.value)
        finally:
            await supervisor.stop()

    sentence = asyncio.run(run())

    assert "two ended with code 1 (the configuration is broken); see" in sentence
    assert time.monotonic() - began < 10
    assert not running(supervisor.state.root)


@pytest.mark.parametrize("program", [DEAF, STUCK])
def test_a_part_that_never_becomes_healthy_is_told(supervise, program):
    """The start does not wait for ever, and what runs is stopped. Figures alone are no health."""
    supervisor = supervise(part("one"), part("deaf", program), start_seconds=1.5)

    async def run():
        try:
            with pytest.raises(Trouble, match=r"deaf did not become healthy in 1\.5 s"):
                await started(supervisor)
        finally:
            await supervisor.stop()

    asyncio.run(run())

    assert not running(supervisor.state.root)


def test_a_part_that_does_not_stop_is_killed(supervise, said):
    """A stop is bounded, whatever a part does about it."""
    supervisor = supervise(part("one", STUBBORN), stop_seconds=0.5)

    async def run():
        await started(supervisor)
        pid = pid_of(supervisor, "one")
        await supervisor.stop()
        return left_of(pid)

    assert not asyncio.run(run())
    assert "one does not stop; it is killed" in said


def test_a_stop_does_not_wait_for_a_pause_to_end(supervise, monkeypatch):
    """A part that is down just then stays down."""
    monkeypatch.setattr(supervising, "FIRST_PAUSE", 60.0)
    supervisor = supervise(part("one"))

    async def run():
        await started(supervisor)
        os.kill(pid_of(supervisor, "one"), signal.SIGKILL)
        await until(lambda: pid_of(supervisor, "one") is None)
        began = time.monotonic()
        await supervisor.stop()
        return time.monotonic() - began

    assert asyncio.run(run()) < 2


def test_kill_ends_everything_at_once(supervise):
    """Who presses Ctrl-C twice does not want to wait."""
    supervisor = supervise(part("one", STUBBORN), part("two", STUBBORN, kind="gateway"))

    async def run():
        await started(supervisor)
        supervisor.kill()
        began = time.monotonic()
        await supervisor.stop()
        return time.monotonic() - began

    assert asyncio.run(run()) < 2
    assert not running(supervisor.state.root)


def test_parts_stop_in_the_opposite_order(supervise, tmp_path):
    """What relies on others goes first."""
    order = tmp_path / "order"
    note = (
        "import signal, sys\n"
        f"def stop(*_):\n    open({str(order)!r}, 'a').write(NAME + ' '); sys.exit()\n"
        "signal.signal(signal.SIGTERM, stop)\n"
    )
    kinds = ("redis", "engine", "gateway", "worker", "sweeper")
    parts = [part(kind, f"NAME = {kind!r}\n{note}{HEALTHY}", kind) for kind in kinds]
    redis, *others = parts
    supervisor = supervise(*others)

    async def run():
        await started(supervisor)
        await supervisor.stop()

    asyncio.run(run())

    assert order.read_text().split() == ["sweeper", "worker", "gateway", "engine"]
    assert redis.kind == kinds[0]


def test_a_port_in_use_is_told_with_the_setting_that_moves_it(supervise):
    """Nothing is started, and nobody else's process is touched."""
    (port,) = free_ports(1)
    supervisor = supervise(part("one", port=port))
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()

        with pytest.raises(CannotStart, match=f"port {port}, for one, is in use.*BREE_METRICS"):
            supervisor.prepare()


def test_two_parts_cannot_have_one_port(supervise):
    """Settings that collide are told before anything starts."""
    (port,) = free_ports(1)
    supervisor = supervise(part("one", port=port), part("two", port=port))

    with pytest.raises(CannotStart, match=f"port {port} is one's already"):
        supervisor.prepare()


CUT_OFF = """
import asyncio, os, sys
from pathlib import Path
from bree.local.settings import LocalSettings
from bree.local.state import State
from bree.local.supervisor import Supervisor
from bree.local.supervisor import Supervisor
from tests.local.parts import FORKS, part

async def run():
    settings = LocalSettings(state=Path(sys.argv[1]))
    supervisor = Supervisor([part("one", FORKS)], State(settings.state), settings, print)
    await supervisor.start()
    os.kill(os.getpid(), 9)

asyncio.run(run())
"""


def test_what_a_run_left_behind_is_ended_by_the_next(settings):
    """A supervisor that was killed could not stop its parts; the next one does, and says so."""
    subprocess.run([sys.executable, "-c", CUT_OFF, str(settings.state)], check=False, timeout=30)
    (pid,) = running(settings.state).values()
    state, said = State(settings.state), []
    Supervisor([], state, settings, said.append).prepare()
    state.close()

    assert ["an earlier run was cut off; what it left is stopped: one"] == said
    assert not birth(pid)
    assert not left_of(pid)


def test_end_group_of_nobody_is_nothing():
    """A part may be gone before it is ended."""
    end_group(2**22 + 1, signal.SIGTERM)
