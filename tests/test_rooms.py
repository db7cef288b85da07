"""Who may import whom. Every import of every file is compared with the table below.

The first room whose pattern fits a file is that file's room. What it may import of this project is
a list of prefixes, in which `{game}` is the file's own game: so no game can import another.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = {
    "bench", "bree", "gateway", "scripts", "services", "tests", "workers",
}  # fmt: skip
UNSEEN = {"v1", "node_modules", "venv"}  # generated from the protos, or fetched

MACHINES = {
    "asyncio", "concurrent", "datetime", "getpass", "glob", "http", "io", "locale", "logging",
    "multiprocessing", "os", "pathlib", "platform", "queue", "random", "secrets", "selectors",
    "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading",
    "time", "urllib", "uuid", "warnings", "zoneinfo",
}  # fmt: skip
"""What the rules know nothing of, though it is in the standard library."""


class Outside(Enum):
    """What a room may import that is not this project's."""

    PURE = "the standard library without machines"
    STANDARD = "the standard library"
    ANYTHING = "anything"


class Room(NamedTuple):
    """Some files, and what they may import."""

    files: str
    may: tuple[str, ...]
    outside: Outside


CONTRACTS = tuple(f"bree.{folder.name}.v1" for folder in sorted((ROOT / "protos/bree").iterdir()))
CORE = "services.core"
MANIFESTS = "services.manifests"
REGISTRY = ("services.rules_of", "services.GAMES")
GAME = r"services/(?P<game>\w+)/"
FACTS = (
    CORE,
    *(f"services.{{game}}.{part}" for part in ("tables", "characters", "settings", "worlds")),
)
PLAY = (*FACTS, *(f"services.{{game}}.{part}" for part in ("board", "play")))  # knows no cards
CHAPTERS = (*PLAY, "services.{game}.cards")
GLASSES = (
    *CHAPTERS,
    *(f"services.{{game}}.{part}" for part in ("view", "charts", "guess", "words", "audit")),
)
BOARD = (
    *(f"{CORE}.{part}" for part in ("canonical", "errors", "contract", "saving")),
    *FACTS[1:],
    "services.{game}.board",
)  # the stack and actions stay unknown

ROOMS = (
    Room(r"services/__init__\.py", (CORE, MANIFESTS), Outside.PURE),
    Room(r"services/manifests\.py", (), Outside.PURE),
    Room(r"services/core/.*", (CORE,), Outside.PURE),
    Room(
        r"bree/process/accept\.py", ("bree.process", "bree.ledger", "bree.redis"), Outside.ANYTHING
    ),
    Room(r"bree/process/(brokers|turns)\.py", ("bree.process", "bree.redis"), Outside.ANYTHING),
    Room(r"bree/process/.*", ("bree.process", *CONTRACTS), Outside.ANYTHING),
    Room(r"bree/redis/.*", ("bree.redis", "bree.process"), Outside.ANYTHING),
    Room(
        r"bree/backup/.*",
        (
            *(
                "bree.__version__",
                "bree.backup",
                "bree.ledger",
                "bree.process",
                "bree.redis",
                "services.host",
            ),
            *(CORE, *REGISTRY),
        ),
        Outside.ANYTHING,
    ),
    Room(r"bree/ledger/.*", ("bree.ledger", "bree.process", *CONTRACTS), Outside.ANYTHING),
    Room(
        r"services/host/.*",
        (CORE, "services.host", "bree.ledger", "bree.process", "bree.redis", *CONTRACTS),
        Outside.ANYTHING,
    ),
    Room(GAME + r"(tables|characters|settings|worlds|atlas)\.py", FACTS, Outside.PURE),
    Room(GAME + r"board(\.py|/.*)", BOARD, Outside.PURE),
    Room(GAME + r"play/.*", PLAY, Outside.PURE),
    Room(GAME + r"cards/.*", CHAPTERS, Outside.PURE),
    Room(GAME + r"(view|charts|guess|words|audit)(\.py|/.*)", GLASSES, Outside.PURE),
    Room(GAME + r"rules\.py", (*GLASSES, MANIFESTS), Outside.PURE),
    Room(GAME + r"__init__\.py", ("services.{game}.rules",), Outside.PURE),
    Room(GAME + r"wire\.py", ("services.host.boards", "services.{game}.tables"), Outside.PURE),
    Room(GAME + r"__main__\.py", ("services.host", "services.{game}"), Outside.STANDARD),
    Room(
        r"gateway/.*",
        ("bree.__version__", "gateway", "bree.ledger", "bree.process", "bree.redis", *CONTRACTS),
        Outside.ANYTHING,
    ),
    Room(
        r"workers/bots/(evals|habits)/(?P<game>(?!__)\w+)(\.py|/.*)",
        (
            *(CORE, "workers.bots", "services.{game}.board"),
            *("services.{game}.characters", "services.{game}.tables", "services.{game}.cards"),
        ),
        Outside.STANDARD,
    ),
    Room(r"workers/bots/.*", (CORE, "services.rules_of", "workers.bots"), Outside.STANDARD),
    Room(
        r"workers/.*",
        ("workers", "bree.process", "bree.redis", CORE, *REGISTRY, *CONTRACTS),
        Outside.ANYTHING,
    ),
    Room(
        r"bree/local/.*",
        (
            "bree.__version__",
            "bree.backup",
            "services.host.fate_keys",
            "bree.local",
            "bree.importing",
            "bree.rehearsal",
            "bree.ledger",
            "bree.process",
            "bree.redis",
            "workers.levels",
            CORE,
            *REGISTRY,
            *CONTRACTS,
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"bree/rehearsal/.*",
        (
            *("bree.rehearsal", "bree.backup", "bree.ledger", "bree.redis", "services.host"),
            *(CORE, *REGISTRY),
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"bree/importing/.*",
        (
            *("bree.importing", "bree.ledger", "bree.process.statuses", "bree.redis"),
            "gateway.documents",
            *("services.host", CORE, *REGISTRY),
        ),
        Outside.ANYTHING,
    ),
    Room(r"bree/client/.*", ("bree.client", *CONTRACTS), Outside.ANYTHING),
    Room(r"bree/cli/hosting\.py", ("bree.cli", "bree.local"), Outside.ANYTHING),
    Room(
        r"bree/cli/boards/(?P<game>[a-z]+)(_\w+)?\.py",
        (
            *("bree.cli.boards", MANIFESTS),
            *(f"services.{{game}}.{part}" for part in ("tables", "atlas", "cards.texts")),
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"bree/cli/.*",
        (
            "bree.__version__",
            "bree.cli",
            "bree.client",
            "bree.process.variables",
            MANIFESTS,
            CORE,
            *REGISTRY,
            "services.host.boards",
            "workers.bots",
            *CONTRACTS,
        ),
        Outside.ANYTHING,
    ),
    Room(r"bench/ledger\.py", ("bench", "bree.ledger", "gateway"), Outside.ANYTHING),
    Room(
        r"bench/(store|durable|plan/(redis|pair)_costs)\.py",
        ("bench", "services.host.store", "bree.redis.client"),
        Outside.ANYTHING,
    ),
    Room(
        r"bench/.*",
        ("bench", CORE, *REGISTRY, MANIFESTS, "workers.bots", *CONTRACTS),
        Outside.ANYTHING,
    ),
    Room(r"bree/__init__\.py", (), Outside.PURE),
    Room(r"bree/__main__\.py", ("bree.cli.main",), Outside.STANDARD),
    Room(
        r"scripts/derived\.py",
        ("bree.cli.manual", "bree.__version__", MANIFESTS),
        Outside.STANDARD,
    ),
    Room(r"scripts/hatch_build\.py", (), Outside.ANYTHING),
    Room(
        r"scripts/record_pictures\.py",
        (CORE, *REGISTRY, "services.host.boards", "gateway.pictures"),
        Outside.ANYTHING,
    ),
    Room(r"scripts/(page_messages|picture|proto_pages|site_hooks)\.py", (), Outside.ANYTHING),
    Room(r"scripts/.*", (), Outside.STANDARD),
    Room(r"tests/core/.*", ("tests", CORE), Outside.ANYTHING),
    Room(
        r"tests/page/.*",
        (
            "tests",
            CORE,
            *REGISTRY,
            "services.host.agreements",
            "services.host.boards",
            "services.host.wire",
            "services.confrontation",  # whose truth is compared with what a browser was told
            "workers.bots",
            *CONTRACTS,
        ),
        Outside.ANYTHING,
    ),
    Room(r"tests/games/skirmish/__main__\.py", ("services.host", "tests"), Outside.STANDARD),
    Room(r"tests/games/(?P<game>\w+)/.*", ("tests", CORE, "services.{game}"), Outside.ANYTHING),
    Room(
        r"tests/cli/town\.py",
        ("gateway", "services.host", "services.confrontation"),
        Outside.ANYTHING,
    ),
    Room(
        r"tests/cli/.*",
        (
            "tests",
            "bree.__version__",
            "bree.cli",
            "bree.client",
            "bree.process",
            CORE,
            *REGISTRY,
            MANIFESTS,
            "services.host.boards",
            "workers.bots",
            *CONTRACTS,
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"tests/workers/.*",
        ("tests", "workers", CORE, *REGISTRY, "services.risk", "services.warofthering"),
        Outside.ANYTHING,
    ),
    Room(
        r"tests/bench/.*",
        ("tests", "bench", "workers.bots", CORE, *REGISTRY, MANIFESTS),
        Outside.ANYTHING,
    ),
    Room(r"tests/docs/test_positions\.py", ("tests", CORE, "services"), Outside.ANYTHING),
    Room(r"tests/docs/.*", ("tests", CORE, *REGISTRY, *CONTRACTS), Outside.ANYTHING),
    Room(r"tests/(e2e|chaos)/.*", tuple(OURS), Outside.ANYTHING),
    Room(r"tests/fuzz/(answering|test_failover|test_times)\.py", tuple(OURS), Outside.ANYTHING),
    Room(r"tests/fuzz/test_cluster_scripts\.py", ("tests", "bree.redis"), Outside.ANYTHING),
    Room(
        r"tests/importing/.*",
        (
            *("tests", "bree.importing", "bree.ledger", "gateway.documents", "services.host"),
            *(CORE, *REGISTRY, *CONTRACTS),
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"tests/backup/.*",
        (
            *("tests", "bree.backup", "bree.ledger", "bree.local", "bree.process", "bree.redis"),
            *("services.host", CORE, *REGISTRY, *CONTRACTS),
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"tests/rehearsal/.*",
        (
            *("bree.rehearsal", "bree.local", "bree.ledger", "services.host", "tests"),
            *(CORE, *REGISTRY),
        ),
        Outside.ANYTHING,
    ),
    Room(r"tests/process/.*", ("tests", "bree.process", *CONTRACTS), Outside.ANYTHING),
    Room(r"tests/redis/.*", ("tests", "bree.redis", "bree.process"), Outside.ANYTHING),
    Room(r"tests/ledgers\.py", ("tests", "bree.ledger", "bree.local"), Outside.ANYTHING),
    Room(r"tests/ledger/.*", ("tests", "bree.ledger", "bree.process"), Outside.ANYTHING),
    Room(
        r"tests/host/.*",
        (
            "tests",
            "services.host",
            "bree.ledger",
            "bree.process",
            "bree.redis",
            CORE,
            *REGISTRY,
            *CONTRACTS,
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"tests/gateway/.*",
        (
            "tests",
            "gateway",
            "bree.ledger",
            "bree.process",
            "bree.redis",
            "bree.client",
            *CONTRACTS,
        ),
        Outside.ANYTHING,
    ),
    Room(
        r"tests/workers_app/.*",
        ("tests", "workers", "bree.process", "bree.redis", CORE, *REGISTRY, *CONTRACTS),
        Outside.ANYTHING,
    ),
    Room(r"tests/package/.*", ("tests", *REGISTRY), Outside.ANYTHING),
    Room(r"tests/local/.*", ("tests", "bree.local", "bree.process", *CONTRACTS), Outside.ANYTHING),
    Room(r"tests/clients/.*", ("tests", "bree.client", *CONTRACTS), Outside.ANYTHING),
    Room(
        r"tests/deploy/.*",
        (
            "tests",
            "bree.process",
            "bree.redis",
            "services.host",
            "gateway",
            "workers",
            *REGISTRY,
            MANIFESTS,
            "bree.local",
            *CONTRACTS,
        ),
        Outside.ANYTHING,
    ),
    Room(r"tests/test_(agreement|garbage|path)\.py", tuple(OURS), Outside.ANYTHING),
    Room(r"tests/games/__init__\.py", ("tests", "services"), Outside.ANYTHING),
    Room(r"tests/(postgres|redis)_server\.py", ("tests", "bree.local"), Outside.ANYTHING),
    Room(r"tests/.*", ("tests", CORE, *REGISTRY, MANIFESTS), Outside.ANYTHING),
)


class Import(NamedTuple):
    """One name that a file imports, and where."""

    line: int
    name: str


def imports(path: str, source: str) -> Iterator[Import]:
    """Every import of a file, at whatever depth, by the full name of what is imported."""
    for node in ast.walk(ast.parse(source, path)):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(path, node)
            yield from (Import(node.lineno, f"{origin}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _is_import(node.func):
            constants = [a.value for a in node.args[:1] if isinstance(a, ast.Constant)]
            yield from (Import(node.lineno, str(name)) for name in constants)


def _origin(path: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = Path(path).parts[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])


def _is_import(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def trespasses(path: str, source: str) -> list[str]:
    """The imports of a file that its room does not allow, each as a sentence."""
    for room in ROOMS:
        found = re.fullmatch(room.files, path)
        if found:
            may = [prefix.format(**found.groupdict()) for prefix in room.may]
            return [
                f"{path}:{line} imports {name}; of ours it may import {may or 'nothing'}, "
                f"and of others {room.outside.value}"
                for line, name in imports(path, source)
                if not _is_allowed(name, may, room.outside)
            ]
    return [f"{path} is in no room: give it one in {Path(__file__).name}"]


def _is_allowed(name: str, may: list[str], outside: Outside) -> bool:
    top = name.partition(".")[0]
    if top in OURS:
        return any(f"{name}.".startswith(f"{prefix}.") for prefix in may)
    if outside is Outside.ANYTHING:
        return True
    pure = top not in MACHINES or outside is Outside.STANDARD
    return top in sys.stdlib_module_names and pure


def sources() -> Iterator[Path]:
    """Every Python file of the project that a person wrote."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).parts
        if not any(part in UNSEEN or part.startswith(".") for part in parts):
            yield path


def test_every_file_imports_only_what_its_room_may():
    """The table is true of the project as it is."""
    found = [
        sentence
        for path in sources()
        for sentence in trespasses(
            path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        )
    ]

    assert not found, "\n".join(found)


def test_the_files_of_the_project_are_found():
    """A search that finds nothing would allow everything."""
    found = {path.relative_to(ROOT).as_posix() for path in sources()}

    assert {"services/core/table.py", "tests/test_rooms.py", "scripts/protos.py"} <= found


ALLOWED = (
    ("services/__init__.py", "from services.core.errors import Invalid"),
    ("services/core/table.py", "from services.core import fair"),
    ("services/core/table.py", "import hashlib, json"),
    ("services/core/table.py", "from .fair import Fate"),
    ("services/host/server.py", "import grpc, os\nfrom bree.engine.v1 import types_pb2"),
    ("bench/store.py", "from bench.town import platform\nfrom services.host.store import Redis"),
    ("services/duel/tables.py", "from importlib.resources import files\nimport json"),
    ("services/duel/board.py", "from services.duel.tables import CARDS"),
    ("services/duel/play/turn.py", "from services.duel import board, play, tables"),
    ("services/duel/cards/blue.py", "from ..play.turn import Turn"),
    ("services/warofthering/play/events.py", "from services.warofthering.play import kept"),
    ("services/warofthering/cards/verbs.py", "from services.warofthering.play import hunt"),
    ("services/duel/view.py", "from services.duel.play.turn import Turn"),
    ("services/duel/rules.py", "from services.duel.guess import guess"),
    ("services/duel/__init__.py", "from services.duel.rules import RULES"),
    ("services/duel/wire.py", "from services.host.boards import Shape"),
    ("services/duel/__main__.py", "from services import host\nfrom services.duel import RULES"),
    ("gateway/app.py", "import grpc\nfrom bree.engine.v1 import errors_pb2"),
    ("workers/bots/evals/duel.py", "from services.duel.board import Board"),
    ("workers/bots/habits/duel/usual.py", "from services.duel.tables import CARDS"),
    ("workers/bots/mcts.py", "import time\nfrom services import rules_of"),
    ("workers/app.py", "import celery\nfrom workers.bots import bot_of"),
    ("bree/cli/main.py", "import typer\nfrom services import GAMES, rules_of"),
    ("bree/cli/boards/duel_facts.py", "from services.duel.tables import CARDS"),
    ("bench/__main__.py", "import chess\nfrom services import rules_of"),
    ("bree/__init__.py", "import json"),
    ("bree/__main__.py", "from bree.cli.main import main"),
    ("scripts/protos.py", "import sys, tomllib"),
    ("scripts/hatch_build.py", "import hatchling"),
    ("scripts/derived.py", "from services.manifests import Manifest"),
    ("scripts/record_pictures.py", "from gateway.pictures.artist import Artist"),
    ("services/manifests.py", "import tomllib"),
    ("bree/cli/hosting.py", "import typer\nimport_module('bree.local.run')"),
    ("scripts/site_hooks.py", "import mkdocs"),
    ("tests/core/test_table.py", "import random, pytest\nfrom services.core.table import Table"),
    ("tests/page/record.py", "services.host.wire"),
    ("tests/games/duel/test_turn.py", "from services.duel.play.turn import Turn"),
    ("tests/cli/test_play.py", "from bree.cli.main import main"),
    ("tests/cli/town.py", "from gateway.main import Process\nfrom services.host import main"),
    ("tests/workers/test_bots.py", "from workers.bots import bot_of"),
    ("tests/bench/test_bench.py", "import bench"),
    ("tests/docs/test_positions.py", "from services.duel import board"),
    ("tests/docs/test_protos.py", "from bree.engine.v1 import errors_pb2"),
    ("bree/process/server.py", "import grpc\nfrom bree.engine.v1 import errors_pb2"),
    (
        "bree/local/children.py",
        "from bree.process.settings import read\nfrom services import GAMES",
    ),
    ("bree/client/client.py", "from bree.gateway.v1 import gateway_pb2"),
    (
        "bree/importing/past.py",
        "from gateway.documents import Match\nfrom services.host.kept import packed",
    ),
    ("bree/backup/checking.py", "from services.host.matches import Matches"),
    ("bree/rehearsal/judging.py", "from services.host.following import follow"),
    ("tests/rehearsal/test_rehearsal.py", "from bree.rehearsal import judging"),
    ("tests/backup/test_backup.py", "from bree.backup import restoring"),
    ("tests/backup/test_stores.py", "from bree.local import archive\nimport redis.asyncio"),
    ("bree/redis/client.py", "import hiredis\nfrom bree.process import metrics"),
    ("bree/ledger/link.py", "import asyncpg\nfrom bree.process.statuses import Denied"),
    ("bree/process/accept.py", "from bree.ledger.upgrade import Refused"),
    ("bree/process/turns.py", "from bree.redis.primaries import client"),
    ("tests/ledger/test_link.py", "from bree.ledger.link import Ledger"),
    ("bench/ledger.py", "from gateway.ledger_store import LedgerStore"),
    ("tests/ledgers.py", "from bree.ledger.upgrade import upgrade"),
    ("tests/importing/test_import.py", "from bree.importing.moving import moved"),
    ("services/host/ledger_archive.py", "from bree.ledger.link import Ledger"),
    ("tests/process/test_server.py", "from bree.process.server import Server"),
    ("tests/redis/test_client.py", "from bree.redis.client import RedisClient"),
    ("tests/host/test_store.py", "from services.host.store import Store"),
    ("tests/gateway/test_play.py", "from gateway.play import Play"),
    ("tests/workers_app/test_scoring.py", "from workers.scoring import score"),
    (
        "tests/games/skirmish/__main__.py",
        "from services.host.main import serve\nfrom . import RULES",
    ),
    ("tests/package/test_wheels.py", "from tests.local.parts import places"),
    ("tests/local/test_stop.py", "from bree.local.children import Child"),
    ("tests/clients/test_go.py", "from bree.client import client"),
    ("tests/deploy/test_metrics.py", "from bree.process import metrics"),
    ("tests/e2e/test_all.py", "import gateway, services, workers, bree.cli"),
    ("tests/postgres_server.py", "from bree.local.postgres_program import find"),
    ("tests/test_agreement.py", "import gateway.engines, workers.calls, services.host"),
    ("tests/fuzz/test_times.py", "import bree.client.client, workers.bots, services.host"),
    ("tests/fuzz/test_cluster_scripts.py", "from bree.redis.address import Nodes"),
    ("tests/games/__init__.py", "import services"),
    ("tests/conform/test_games.py", "from services import rules_of"),
)

FORBIDDEN = (
    ("bree/cli/boards/duel_facts.py", "from services.risk.tables import LANDS"),
    ("bree/cli/boards/duel.py", "from services.duel.board import Board"),
    ("services/warofthering/play/events.py", "from services.warofthering.cards import event"),
    ("services/__init__.py", "from services.duel import RULES"),
    ("services/core/table.py", "import random"),
    ("services/core/table.py", "from time import monotonic"),
    ("services/core/table.py", "def f():\n    from datetime import date"),
    ("services/core/table.py", "import os.path"),
    ("services/core/table.py", "if TYPE_CHECKING:\n    import logging"),
    ("services/core/table.py", "import structlog"),
    ("services/core/table.py", "from services.duel import RULES"),
    ("services/core/table.py", "from ..duel import RULES"),
    ("services/core/table.py", "from services import rules_of"),
    ("services/core/table.py", "importlib.import_module('services.duel')"),
    ("services/core/table.py", "__import__('random')"),
    ("services/host/server.py", "from services.duel.rules import RULES"),
    ("services/core/table.py", "from bree.ledger.link import Ledger"),
    ("workers/leaving.py", "from bree.ledger.link import Ledger"),
    ("bree/backup/live.py", "from gateway.keys import account_key"),
    ("tests/backup/test_backup.py", "from gateway.store import RedisStore"),
    ("bree/importing/past.py", "from gateway.matches import Matches"),
    ("services/duel/tables.py", "from services.duel.board import Board"),
    ("services/duel/tables.py", "from services.duel.view import view"),
    ("services/duel/board.py", "from services.core.frames import Frame"),
    ("services/duel/board.py", "from services.core.decisions import Action"),
    ("services/duel/board.py", "from services.duel.play.turn import Turn"),
    ("services/duel/play/turn.py", "from services.duel.view import view"),
    ("services/duel/play/turn.py", "from services.risk.board import Board"),
    ("services/duel/play/turn.py", "from ...risk.board import Board"),
    ("services/duel/play/turn.py", "from services import risk"),
    ("services/duel/play/turn.py", "import services"),
    ("services/duel/play/turn.py", "from bree.duel.v1 import board_pb2"),
    ("services/duel/play/turn.py", "from services.duel import cards"),
    ("services/risk/play/turn.py", "from services.risk.cards.events import TurnOver"),
    ("services/duel/cards/blue.py", "import random"),
    ("services/duel/view.py", "from services.host import server"),
    ("services/duel/guess.py", "import numpy"),
    ("services/duel/rules.py", "from services.duel.wire import SHAPE"),
    ("services/duel/__init__.py", "from services.duel.play.turn import Turn"),
    ("services/duel/wire.py", "from services.duel.board import Board"),
    ("services/duel/__main__.py", "from services.risk import RULES"),
    ("services/duel/extra.py", "import json"),
    ("gateway/app.py", "from services.core.errors import Invalid"),
    ("gateway/app.py", "from workers.bots import bot_of"),
    ("bree/process/server.py", "from services.core.errors import Invalid"),
    ("bree/process/server.py", "from bree.redis.client import RedisClient"),
    ("bree/redis/client.py", "from services.host.store import RedisStore"),
    ("bree/client/client.py", "from services.core.fair import draw"),
    ("workers/bots/evals/duel.py", "from services.risk.board import Board"),
    ("workers/bots/evals/duel.py", "from services.duel.play.turn import Turn"),
    ("workers/bots/evals/__init__.py", "from services.duel.board import Board"),
    ("workers/bots/mcts.py", "from services.duel.board import Board"),
    ("workers/bots/mcts.py", "import numpy"),
    ("workers/bots/mcts.py", "from services.host import server"),
    ("workers/bot_turn.py", "from services.duel.play.turn import Turn"),
    ("bree/cli/main.py", "from services.duel.board import Board"),
    ("bree/cli/main.py", "from gateway.app import App"),
    ("bench/__main__.py", "from services.duel.board import Board"),
    ("scripts/protos.py", "from services.core import table"),
    ("scripts/protos.py", "import typer"),
    ("scripts/site_hooks.py", "from services.core import table"),
    ("tests/core/test_table.py", "from services.duel.board import Board"),
    ("tests/games/duel/test_turn.py", "from services.risk.board import Board"),
    ("tests/cli/test_play.py", "from workers.app import app"),
    ("tests/workers/test_bots.py", "from gateway.app import App"),
    ("tests/docs/test_protos.py", "from gateway.app import App"),
    ("tests/conform/test_games.py", "from services.duel.board import Board"),
    ("elsewhere/odd.py", "import json"),
)


@pytest.mark.parametrize(("path", "source"), ALLOWED)
def test_a_room_may_import_what_the_table_says(path, source):
    """What a room needs is allowed."""
    assert not trespasses(path, source)


@pytest.mark.parametrize(("path", "source"), FORBIDDEN)
def test_a_forbidden_import_is_found(path, source):
    """One import that its room may not make is one complaint, which names the file."""
    found = trespasses(path, source)

    assert 1 == len(found)
    assert found[0].startswith(path)


def test_every_room_is_tried():
    """Each row of the table has an example that reaches it, so no pattern shadows another."""
    reached = {
        next(room for room in ROOMS if re.fullmatch(room.files, path)) for path, _ in ALLOWED
    }

    assert set(ROOMS) == reached
