"""What several processes of tests share out, and where they keep their files."""

from __future__ import annotations

import os
from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests.memory import ROOM, serves
from tests.sharing import LONG, PIECE, ROOT, order, units

PLATFORM = ("tests/e2e/test_bots.py::test_a[x@y]", "tests/e2e/test_traces.py::test_b")
LARGE = tuple(f"tests/cases/test_cases.py::test_c[{n}]" for n in range(2 * PIECE))
SMALL = ("tests/test_sharing.py::test_d", "tests/test_sharing.py::test_e")


def test_a_group_and_a_file_stay_together():
    """What they set up is set up once."""
    found = units(PLATFORM + SMALL)

    assert ["platform"] * 2 == [found[test] for test in PLATFORM]
    assert 1 == len({found[test] for test in SMALL})


def test_a_large_file_is_shared_out():
    """In pieces of tests that follow each other."""
    found = [unit for test, unit in units(LARGE).items() if test in LARGE]

    assert 2 == len(set(found))
    assert 1 == sum(one != other for one, other in pairwise(found))


def test_what_takes_long_begins_first():
    """And each that is named to be so is there."""
    tests = [f"{path.relative_to(ROOT)}::test" for path in (ROOT / "tests").rglob("test_*.py")]
    there = set(units(tests).values())

    assert ["platform", "tests/cli/test_a.py 0"] == sorted(
        ("tests/cli/test_a.py 0", "platform"), key=order
    )
    assert [] == [name for name in LONG if not any(unit.startswith(name) for unit in there)]


@pytest.mark.parametrize(
    ("free", "flags", "does"),
    [(ROOM, 0, True), (ROOM - 4096, 0, False), (ROOM, os.ST_NOEXEC, False)],
)
def test_memory_serves_if_there_is_enough_and_programs_run(
    monkeypatch, tmp_path, free, flags, does
):
    """Containers often have little of it."""
    told = SimpleNamespace(f_bavail=free // 4096, f_frsize=4096, f_flag=flags)
    monkeypatch.setattr(os, "statvfs", lambda _: told)

    assert does == serves(tmp_path)
    assert not serves(tmp_path / "nowhere")
