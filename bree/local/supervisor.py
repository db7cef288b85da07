"""Starts the parts, keeps them running, and stops those first that rely on others.

Design. A part is a process in a session of its own, so that a Ctrl-C reaches the supervisor alone,
and what a part has forked can be ended with it. While the platform starts, a part that ends is a
fault that is told; afterwards it is started again, after a pause that grows if it keeps ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Sequence

from bree.local import ledger
from bree.local.health import check_ports, until_healthy
from bree.local.parts import SERVERS, STAGES, Part
from bree.local.settings import ROOT, LocalSettings, Trouble
from bree.local.state import State, end_group, stop_sign

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
STEADY = 10.0
"""Seconds after which a part that ends is not one that keeps ending."""

WAVES = (SERVERS, ("engine", "worker", "sweeper"), ("gateway",))
"""What starts together: all need the store, and players shall find the games with the gateway."""

Say = Callable[[str], None]


class Keeper:
    """Keeps one part running."""

    def __init__(self, part: Part, supervisor: Supervisor) -> None:
        self.part = part
        self.supervisor = supervisor
        self.process: asyncio.subprocess.Process | None = None
        self.stopping = asyncio.Event()
        self.task = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        pause = FIRST_PAUSE
        while not self.stopping.is_set():
            began = time.monotonic()
            code = await self._run()
            if self.stopping.is_set():
                return
            how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
            if not self.supervisor.is_up:
                raise Trouble(f"{self.part.name} {how}{self.supervisor.last_words(self.part)}")
            if time.monotonic() - began > STEADY:
                pause = FIRST_PAUSE
            self.supervisor.say(f"{self.part.name} {how}; it is started again in {pause:.1f} s")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run(self) -> int:
        state = self.supervisor.state
        with state.log(self.part.name).open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.part.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=ROOT,
                env=dict(self.part.environment) or None,
                start_new_session=True,
            )
        state.note(self.part.name, self.process.pid)
        back = asyncio.create_task(self._tell_when_back(time.monotonic()))
        try:
            return await self.process.wait()
        finally:
            back.cancel()
            end_group(self.process.pid, signal.SIGKILL)
            state.end_strays_of(self.part.name)
            state.note(self.part.name, None)

    async def _tell_when_back(self, since: float) -> None:
        if self.supervisor.is_up:
            await self.supervisor.until_healthy(self.part)
            self.supervisor.say(f"{self.part.name} is back after {time.monotonic() - since:.1f} s")

    async def stop(self, seconds: float) -> None:
        """Ask the part to end; make it, if it does not."""
        self.stopping.set()
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(stop_sign(self.part.name))
        _, late = await asyncio.wait([self.task], timeout=seconds)
        if late and self.process is not None:
            self.supervisor.say(f"{self.part.name} does not stop; it is killed")
            end_group(self.process.pid, signal.SIGKILL)
            await asyncio.wait([self.task])


class Supervisor:
    """All parts of one run."""

    def __init__(
        self, parts: Sequence[Part], state: State, settings: LocalSettings, say: Say
    ) -> None:
        self.parts = parts
        self.state = state
        self.settings = settings
        self.say = say
        self.keepers: list[Keeper] = []
        self.is_up = False

    def prepare(self) -> None:
        """Make room: end what an earlier run left behind, and see that the ports are free."""
        left = self.state.end_leftovers()
        if left:
            self.say(f"an earlier run was cut off; what it left is stopped: {', '.join(left)}")
        check_ports(self.parts)

    async def start(self) -> None:
        """Start everything and return when it is healthy; `Trouble` if it does not become so."""
        for kinds in WAVES:
            await self._start([part for part in self.parts if part.kind in kinds])
            if kinds == SERVERS:
                await ledger.make_ready(self.parts)
        self.is_up = True

    async def _start(self, parts: Sequence[Part]) -> None:
        self.keepers += [Keeper(part, self) for part in parts]
        healthy = {asyncio.create_task(self.until_healthy(part)): part for part in parts}
        deadline = time.monotonic() + self.settings.start_seconds
        try:
            while healthy:
                done, _ = await asyncio.wait(
                    {*healthy, *self.ends()},
                    timeout=max(0.0, deadline - time.monotonic()),
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if not done:
                    raise Trouble(self._unwell([*healthy.values()]))
                for task in done:
                    task.result()
                    healthy.pop(task, None)
        finally:
            for task in healthy:
                task.cancel()

    async def until_healthy(self, part: Part) -> None:
        """Wait for a part to be well."""
        await until_healthy(part, self.settings, self.state.passwords())

    def ends(self) -> set[asyncio.Task[None]]:
        """What is done when a part is no longer kept running, and raises why."""
        return {keeper.task for keeper in self.keepers}

    def _unwell(self, parts: Sequence[Part]) -> str:
        names = ", ".join(part.name for part in parts)
        seconds = self.settings.start_seconds
        return f"{names} did not become healthy in {seconds:g} s{self.last_words(parts[0])}"

    def last_words(self, part: Part) -> str:
        """The end of what a part said, and where to read more."""
        log = self.state.log(part.name)
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f" ({lines[-1][:300]}); see {log}" if lines else f"; see {log}"

    async def stop(self) -> None:
        """Stop everything, those first that rely on the others."""
        for kind in reversed(STAGES):
            keepers = [keeper for keeper in self.keepers if keeper.part.kind == kind]
            await asyncio.gather(*(keeper.stop(self.settings.stop_seconds) for keeper in keepers))
        for task in self.ends():
            if not task.cancelled():
                task.exception()  # was told when it happened

    def kill(self) -> None:
        """End everything at once. Nothing that was acknowledged is lost by it."""
        for keeper in self.keepers:
            keeper.stopping.set()
            if keeper.process is not None and keeper.process.returncode is None:
                end_group(keeper.process.pid, signal.SIGKILL)
