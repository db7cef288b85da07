"""The servers are told what they understand: their own programs read the arguments."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.toolchains import missing
from tests.deploy.checkers import DEPLOY, KUBERNETES, documents

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers


def postgres():
    """PostgreSQL's own program, wherever Debian or a path has it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    program = shutil.which("postgres") or (str(found[-1]) if found else "")
    if not program:
        missing("there is no PostgreSQL here")
    return program


def told(path, name):
    """The arguments of a container of a StatefulSet, or of a service of compose."""
    (one, *_) = documents(path.read_text(encoding="utf-8"))
    if "services" in one:
        return one["services"][name]["command"]
    (container,) = one["spec"]["template"]["spec"]["containers"]
    return container["args"]


@pytest.mark.parametrize("path", [KUBERNETES / "ledger.yaml", DEPLOY / "compose/compose.yaml"])
def test_postgresql_knows_each_setting_and_has_its_value(tmp_path, path):
    """Which it is asked for as it would be started, without a database."""
    program, *arguments = told(path, "ledger")
    (tmp_path / "postgresql.conf").touch()
    for argument in arguments:
        name, _, value = argument.removeprefix("--").partition("=")
        done = subprocess.run(
            [postgres(), "-C", name, "-D", tmp_path, *arguments],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        said, unit = done.stdout.strip(), re.sub(r"\d", "", value)
        assert (0, True) == (done.returncode, bool(said)), done.stderr
        assert said == value or unit in {"MB", "GB", "s"}, argument

    assert "postgres" == program
    assert {"--fsync=on", "--synchronous_commit=on"} <= set(arguments)
