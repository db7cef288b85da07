"""A platform of images: each part in a root of its own, until two bots have played a match."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.deploy.building import Root
from tests.e2e.client import Client, Watcher
from tests.e2e.matches import of_bots, over
from tests.postgres_server import postgres_server
from tests.redis_server import free_port, redis_server

GAME, HOST = "confrontation", "127.0.0.1"
LEDGER = "house"
PATIENCE = 180.0
MATCH_SECONDS = 300.0


class House:
    """The parts, each with ports of its own on loopback."""

    def __init__(self, images: Mapping[str, Root], store: str, ledger: str, logs: Path) -> None:
        self.images = images
        self.logs = logs
        self.engine, self.grpc, self.http = free_port(), free_port(), free_port()
        self.told = {
            "BREE_STORE_URL": store,
            "BREE_BROKER_URL": store,
            "BREE_STORE_NEW": "yes",
            "BREE_LEDGER_URL": ledger,
            "BREE_PLATFORM_TOKEN": "of-a-house-of-images",
            "BREE_FATE_KEY": "0f" * 32,
            "BREE_ENGINES": f"{GAME}={HOST}:{self.engine}",
            "BREE_GATEWAY": f"{HOST}:{self.grpc}",
            "BREE_METRICS_ADDRESS": HOST,
            "BREE_LOG_LEVEL": "warning",
            "BREE_STORE_MEMORY": "",
        }

    def migrated(self) -> str:
        """Make the tables, as the image of the commands does; what went wrong, or nothing."""
        image = self.images["commands"]
        done = image.run(*image.stage.command("ledger", "upgrade"), **self.told)
        return f"ledger upgrade: {done.stderr.strip()[-600:]}" if done.returncode else ""

    def parts(self) -> Iterator[tuple[str, tuple[str, ...], dict[str, str], tuple[str, ...]]]:
        """Each image, what it is told to run, what else it is told, and how its health is asked."""
        worker, sweeper = free_port(), free_port()
        serves = f"{HOST}:{self.engine}"
        yield "engine", (GAME,), {"BREE_LISTEN": serves}, ("serving", serves)
        serves = f"{HOST}:{self.grpc}"
        door = {"BREE_LISTEN": serves, "BREE_HTTP_LISTEN": f"{HOST}:{self.http}"}
        yield "gateway", (), door, ("serving", serves)
        figures = {"BREE_METRICS_PORT": str(worker), "PROMETHEUS_MULTIPROC_DIR": "/tmp/metrics"}  # noqa: S108
        yield "worker", ("workers",), figures, ("metrics", str(worker))
        more = {"BREE_METRICS_PORT": str(sweeper)}
        yield "worker", ("workers.sweeper",), more, ("metrics", str(sweeper))

    @contextlib.contextmanager
    def lived_in(self) -> Iterator[list[tuple[Root, tuple[str, ...], Path]]]:
        """The parts while they run; each with the question after its health, and its log."""
        started: list[subprocess.Popen[bytes]] = []
        asked = []
        try:
            for number, (name, arguments, more, health) in enumerate(self.parts()):
                image, log = self.images[name], self.logs / f"{number}-{name}.log"
                environment = {**image.environment, "BREE_METRICS_PORT": "0", **self.told, **more}
                with log.open("wb") as file:
                    command = image.starts(*arguments)
                    started.append(
                        subprocess.Popen(command, env=environment, stdout=file, stderr=file)
                    )
                asked.append((image, health, log))
            yield asked
        finally:
            for process in started:  # and with it all that it has started
                process.send_signal(signal.SIGKILL)
                process.wait()


async def a_match_is_played(images: Mapping[str, Root]) -> str:
    """What went wrong while two bots played on a platform of these images, or nothing."""
    with (
        redis_server() as store,
        postgres_server() as ledger,
        tempfile.TemporaryDirectory() as folder,
    ):
        ledger.say(f"CREATE DATABASE {LEDGER}")
        house = House(images, store.url, ledger.url(LEDGER), Path(folder))
        if told := house.migrated():
            return told
        with house.lived_in() as parts:
            for image, health, log in parts:
                if told := await _is_well(image, health, log):
                    return told
            try:
                async with asyncio.timeout(MATCH_SECONDS):
                    return await _played(house)
            except TimeoutError:
                said = "\n".join(_end(log) for *_, log in parts)
                return f"the match was not over in {MATCH_SECONDS:.0f} s:\n{said}"


async def _is_well(image: Root, health: tuple[str, ...], log: Path) -> str:
    """Ask as the image itself says, until its process is well."""
    program = image.stage.health()[0]
    loop = asyncio.get_running_loop()
    until, asked = loop.time() + PATIENCE, (program, *health)
    while (await asyncio.to_thread(image.run, *asked)).returncode:
        if loop.time() > until:
            return f"{log.stem} did not become well: {_end(log)}"
        await asyncio.sleep(0.5)
    return ""


async def _played(house: House) -> str:
    async with Client(f"{HOST}:{house.grpc}") as person:
        match = await of_bots(person, "greedy", "uniform", game=GAME)
        await Watcher(person, match).watch()
        await over(person, match)
        await person.rated(match)
    for form in ("svg", "png"):
        address = f"http://{HOST}:{house.http}/m/{match}/picture.{form}"
        try:
            with await asyncio.to_thread(urllib.request.urlopen, address, None, 120) as answer:
                if answer.status != 200:
                    return f"{form}: {answer.status}"
        except urllib.error.HTTPError as error:
            return f"a picture as {form} is answered with {error.code}: {error.read()[:300]!r}"
    page = f"http://{HOST}:{house.http}/"
    with await asyncio.to_thread(urllib.request.urlopen, page, None, 60) as answer:
        return "" if b"<html" in answer.read() else "there is no page"


def _end(log: Path) -> str:
    return log.read_text("utf-8", errors="replace")[-1200:]
