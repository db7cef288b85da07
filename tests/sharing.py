"""Who runs what when several processes test: whole files, those that take long first.

A file is handed out as one: what it sets up for itself is set up once, and nobody waits to be told
of the next test. A group (`pytest.mark.xdist_group`) is handed out as one, too, over several files.
Files of very many tests, which set up nothing, are handed out in pieces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling

LONG = (
    "platform", "local", "backup", "wheels", "fifth game", "tests/importing", "tests/gateway/door",
    "tests/clients", "tests/deploy", "tests/chaos", "hurt cluster", "cluster", "tests/redis",
    "tests/e2e", "tests/local", "tests/gateway/test_bad_input", "tests/backup", "tests/ledger",
    "tests/process", "tests/conform", "tests/golden", "tests/host", "tests/gateway",
)  # fmt: skip
"""Groups, folders and files that begin first: whatever takes long must not be what is left."""

ROOT = Path(__file__).resolve().parent.parent
GROUP = re.compile(r'pytest\.mark\.xdist_group\("([^"]+)"\)')

PIECE = 50
"""The tests of a piece."""


class Sharing(LoadGroupScheduling):
    """Hands out groups, files and pieces of files."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # the number of tests says little
        self._units: dict[str, str] = {}
        self._is_ordered = False

    def schedule(self) -> None:
        """Hand out what there is to begin with."""
        if self.collection is None and self.collection_is_completed:
            self._units = units(next(iter(self.registered_collections.values())))
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._units[nodeid]

    def _assign_work_unit(self, node: Any) -> None:
        if not self._is_ordered:
            for unit in sorted(self.workqueue, key=order):
                self.workqueue.move_to_end(unit)
            self._is_ordered = True
        super()._assign_work_unit(node)


def order(unit: str) -> int:
    """Where a unit stands among those that take long; all others come after them."""
    found = (place for place, name in enumerate(LONG) if unit.startswith(name))
    return next(found, len(LONG))


def units(nodeids: Iterable[str]) -> dict[str, str]:
    """What each test is handed out with: its file's group, or a piece of its file."""
    seen: Counter[str] = Counter()
    found = {}
    for nodeid in nodeids:
        file = nodeid.partition("::")[0]
        found[nodeid] = group(file) or f"{file} {seen[file] // PIECE}"
        seen[file] += 1
    return found


@cache
def group(file: str) -> str:
    """What a file says of its group; xdist does not hear of it from every version of pytest."""
    said = GROUP.search((ROOT / file).read_text("utf-8"))
    return said[1] if said else ""
