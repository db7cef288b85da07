"""`bree run`: the whole platform until it is told to stop."""

from __future__ import annotations

import asyncio
import signal

from bree.local import redis_server
from bree.local.check import check
from bree.local.parts import parts_of
from bree.local.screen import Screen
from bree.local.settings import CannotStart, LocalSettings, Trouble, of_this_run
from bree.local.state import State, known_runs
from bree.local.supervisor import Supervisor
from bree.process import accept
from bree.process.brokers import brokers_of

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(*, only_check: bool) -> int:
    """Run the platform; its exit code."""
    settings, screen = of_this_run(), Screen()
    try:
        _check_broker(settings)
        state = State(settings.state)
        try:
            return asyncio.run(_run(settings, state, screen, only_check=only_check))
        finally:
            state.close()
    except Trouble as trouble:
        screen.say(str(trouble))
        return trouble.code
    except KeyboardInterrupt:
        return 130


def _check_broker(settings: LocalSettings) -> None:
    """Refuse a cluster where tasks are to be sent to, before anything is started."""
    try:
        brokers_of(settings.broker_url, settings.store_url)
    except ValueError as error:
        raise CannotStart(f"BREE_BROKER_URL: {error}") from None


def accept_store() -> int:
    """Say for the host that what the store has lost is lost; the exit code."""
    settings, screen = of_this_run(), Screen()
    try:
        url = redis_server.url_of_this_run(settings)
    except Trouble as trouble:
        screen.say(str(trouble))
        return trouble.code
    return accept.main(known_runs(settings.state), url)


async def _run(settings: LocalSettings, state: State, screen: Screen, *, only_check: bool) -> int:
    """Start, serve or check, and stop."""
    supervisor = Supervisor(parts_of(settings, state), state, settings, screen.say)
    supervisor.prepare()
    told = _told_to_stop(supervisor)
    screen.say(f"starting {len(supervisor.parts)} processes")
    work = asyncio.create_task(_work(supervisor, screen, only_check=only_check))
    code = 0
    try:
        await asyncio.wait({work, told}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
    except Trouble as trouble:
        screen.say(str(trouble))
        code = trouble.code
    finally:
        work.cancel()
        screen.say("stopping")
        await supervisor.stop()
        screen.say("stopped")
    return code


async def _work(supervisor: Supervisor, screen: Screen, *, only_check: bool) -> None:
    await supervisor.start()
    screen.show(list(supervisor.parts), supervisor.settings)
    if only_check:
        screen.say(await check(supervisor.settings))
        return
    done, _ = await asyncio.wait(supervisor.ends(), return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


def _told_to_stop(supervisor: Supervisor) -> asyncio.Task[bool]:
    """Done when a signal says so; a second signal does not wait for anyone to finish."""
    loop, told = asyncio.get_running_loop(), asyncio.Event()

    def stop() -> None:
        if told.is_set():
            supervisor.kill()
        told.set()

    for sign in STOPS:
        loop.add_signal_handler(sign, stop)
    return asyncio.create_task(told.wait())
