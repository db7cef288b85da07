"""What the local run tells the person who started it."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from bree.local.parts import Part
from bree.local.settings import HOST, LocalSettings

PLAY = (
    ("bree login --name YOU", "become somebody here"),
    ("bree new confrontation --against novice --play", "a match against a hosted bot"),
    ("bree top", "the platform at work"),
    ("bree play confrontation", "a game in this terminal, without the platform"),
    ("python -m bree.client.example_bot", "a bot for a seat: GATEWAY MATCH SEAT"),
)


def typed(command: str) -> str:
    """A command as it has to be typed here: with its path, unless a shell finds ours."""
    name, _, rest = command.partition(" ")
    ours = Path(sys.executable).parent
    found = shutil.which(name)
    if found and (Path(found).parent == ours or Path(found).resolve() == ours / name):
        return command
    here = ours.relative_to(Path.cwd()) if ours.is_relative_to(Path.cwd()) else ours
    return f"{here / name} {rest}"


def alone() -> None:
    """Let nothing be said besides what stands on the screen: a command says it in its own words."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


class Screen:
    """Where everything is, once; and what happens, line by line. A terminal is not needed."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, soft_wrap=True)
        self.began = time.monotonic()

    def say(self, sentence: str) -> None:
        """Tell what happened."""
        self.console.print(f"bree: {sentence}", markup=False)

    @staticmethod
    def _commands(settings: LocalSettings) -> Iterator[tuple[str, str]]:
        """What to do here. The first ports are where everyone looks; others must be told."""
        default = LocalSettings.model_fields
        for command, meaning in PLAY:
            told = command
            if "login" in command and settings.gateway_port != default["gateway_port"].default:
                told += f" --at {HOST}:{settings.gateway_port}"
            if "top" in command and settings.metrics_port != default["metrics_port"].default:
                told += f" --metrics {HOST}:{settings.metrics_port}+"
            yield told, meaning

    def show(self, parts: list[Part], settings: LocalSettings) -> None:
        """Tell where everything is."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in ("part", "address", "metrics"):
            table.add_column(heading, no_wrap=True)
        for part in parts:
            address = f"{HOST}:{part.port}" if part.port else ""
            metrics = f"http://{HOST}:{part.metrics}/metrics" if part.metrics else ""
            table.add_row(part.name, address, metrics)
            if part.http:
                table.add_row("  its page", settings.page, "")
        seconds = time.monotonic() - self.began
        logs = settings.state.absolute() / "logs"
        out = self.console.print
        out(f"\n[bold]Bree is running[/] on [bold]{settings.page}[/]; ready in {seconds:.1f} s.")
        out("Open that address in a browser to play.\n")
        programs = f"{HOST}:{settings.gateway_port}"
        out(f"Programs and the commands below find it on {programs}, by gRPC.\n", markup=False)
        out(table)
        out(f"\nlogs   {logs}/*.log", markup=False)
        out(f"state  {settings.state.absolute()}, kept between runs\n", markup=False)
        for command, meaning in self._commands(settings):
            out(f"  {typed(command):<58} {meaning}", markup=False)
        out("\nCtrl-C stops everything.", markup=False)
