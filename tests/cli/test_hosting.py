"""The commands for hosts, and what people expect of any command."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys

import pytest

from bree import __version__
from bree.cli import manual
from tests.cli.terminal import BREE, ROOT
from tests.local.parts import places
from tests.redis_server import redis_server

PACKAGE = re.compile(r"^(ok|!!)\s+(\w+)\s+(.*)$", re.MULTILINE)


@pytest.fixture
def doctor(bree, tmp_path, monkeypatch):
    """What the doctor finds, by what was looked at, and the exit code."""
    given = places(tmp_path / "state")

    def doctor(**settings):
        for name, value in {**given, **settings}.items():
            monkeypatch.setenv(f"BREE_{name.upper()}", str(value))
        monkeypatch.setenv("COLUMNS", "400")
        outcome = bree("doctor")
        found = {what: (mark == "ok", how.strip()) for mark, what, how in
                 PACKAGE.findall(outcome.out)}  # fmt: skip
        return outcome.code, found

    doctor.places = given
    return doctor


def test_the_version_is_told(bree):
    """It is that of the package."""
    assert (0, f"bree {__version__}\n", "") == bree("--version")


def test_the_shell_completes_commands():
    """What `--install-completion` puts into a shell asks like this."""
    asks = {"_BREE_COMPLETE": "complete_bash", "COMP_WORDS": "bree ma", "COMP_CWORD": "1"}
    done = subprocess.run(
        BREE, cwd=ROOT, env={**os.environ, **asks}, capture_output=True, text=True, check=False
    )

    assert ["matches"] == done.stdout.split()


def test_the_manual_page_is_up_to_date():
    """It follows from the help of the commands; `make derived` writes it."""
    assert manual.page() == (ROOT / "docs/man/bree.1").read_text("utf-8")


def test_roff_is_content_with_the_manual_page():
    """No line of help is taken for a request of roff's."""
    requests = {line.split()[0] for line in manual.page().splitlines() if line[:1] in {".", "'"}}

    assert {".TH", ".SH", ".SS", ".TP", ".B", ".I"} >= requests


def test_a_machine_that_has_everything_is_well(doctor):
    """Each thing that a platform needs was looked at, and the exit code says that all is well."""
    code, found = doctor()

    assert 0 == code
    assert all(is_well for is_well, _ in found.values())
    looked = ["bree", "python", "packages", "messages", "games", "redis", "postgres",
              "state", "platform", "ports"]  # fmt: skip
    assert looked == list(found)
    assert found["platform"][1] == "does not run; start it with: bree run"


def test_a_port_that_somebody_has_is_told_with_what_moves_it(doctor):
    """The part that wants it, and the setting."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, found = doctor(gateway_port=port)

    assert 1 == code
    assert (False, f"in use: {port} for gateway, moved by BREE_GATEWAY_PORT") == found["ports"]


def test_a_missing_redis_server_is_told_with_what_to_do(doctor):
    """One sentence."""
    code, found = doctor(redis_server="/nowhere/redis-server")

    assert 1 == code
    assert "install redis-server" in found["redis"][1]


def test_a_missing_postgres_is_told_with_what_to_do(doctor, tmp_path):
    """A folder without its programs is none."""
    code, found = doctor(postgres_server=tmp_path)

    assert 1 == code
    assert f"{tmp_path} is no folder of PostgreSQL's programs" in found["postgres"][1]
    assert "install PostgreSQL 15" in found["postgres"][1]


def test_servers_of_ones_own_are_asked(doctor, database):
    """Then none of this machine's is looked for, and their ports are not wanted."""
    code, found = doctor(
        ledger_url=database, postgres_server="/nowhere", store_url="redis://127.0.0.1:1/0"
    )

    assert 1 == code
    assert (True, "the one of BREE_LEDGER_URL answers") == found["postgres"]
    assert not found["redis"][0]
    assert found["redis"][1].startswith("the one of BREE_STORE_URL does not answer")
    assert str(doctor.places["redis_port"]) not in found["ports"][1]


def test_brokers_of_ones_own_are_asked_each(doctor):
    """By name, without the password; one that is there does not hide one that is away."""
    with redis_server("--appendonly", "no") as there:
        urls = (there.url, "redis://:hush@127.0.0.1:1/0", "redis+sentinel://127.0.0.1:1/bree")
        code, found = doctor(broker_url=" ".join(urls), workers=3)
        alone, answered = doctor(broker_url=there.url)

    how = "the one of BREE_BROKER_URL at bree@127.0.0.1:1/0 does not answer, or does not let us in"
    at = f"127.0.0.1:{there.port}/0"
    assert 1 == code
    assert (False, how) == found["broker"]  # the last of them
    assert (0, True) == (alone, answered["broker"][0])
    assert f"the one of BREE_BROKER_URL at {at} answers" == answered["broker"][1]


def test_a_folder_that_cannot_be_written_is_told(doctor, tmp_path):
    """With the setting that names another."""
    (tmp_path / "file").touch(mode=0o777)  # what may be run may be taken for a folder
    code, found = doctor(state=tmp_path / "file")

    assert 1 == code
    assert (False, f"{tmp_path / 'file'} cannot be written; set BREE_STATE to another") == (
        found["state"]
    )


def test_a_platform_of_which_no_part_answers_is_not_well(doctor, tmp_path):
    """Something holds the folder, and nothing can be reached."""
    (tmp_path / "state/logs").mkdir(parents=True)
    hold = "import fcntl, os, sys, time; file = open(sys.argv[1], 'w'); file.write('77\\n'); "
    hold += "file.flush(); fcntl.flock(file, fcntl.LOCK_EX); print('held', flush=True); "
    hold += "time.sleep(60)"
    held = subprocess.Popen(
        [sys.executable, "-c", hold, tmp_path / "state/lock"], stdout=subprocess.PIPE
    )
    try:
        held.stdout.readline()
        code, found = doctor()
    finally:
        held.kill()
        held.wait()
        held.stdout.close()

    assert 1 == code
    assert "ports" not in found
    assert re.match(r"runs as process 77, but redis, .*, sweeper-1 did not", found["platform"][1])


def test_looking_changes_nothing(doctor, tmp_path):
    """No folder is made, and no secret."""
    doctor()

    assert not (tmp_path / "state").exists()


def test_a_platform_may_serve_some_games_only(doctor):
    """Then their engines alone want ports."""
    first = doctor.places["engine_port"]
    _, found = doctor(games="risk, duel")

    assert re.match(rf"\d+-{first + 1}, ", found["ports"][1])


def test_a_game_that_there_is_not_is_one_sentence(bree, monkeypatch, capsys):
    """With those that there are."""
    monkeypatch.setenv("BREE_GAMES", "")
    with pytest.raises(SystemExit) as caught:
        bree("run", "chess")
    said = capsys.readouterr().err

    assert 2 == caught.value.code
    assert said.startswith("BREE_GAMES: Value error, there is no game chess; there are ")
    assert 1 == said.count("\n")


def test_an_unknown_setting_is_one_sentence_and_runs_nothing(bree, monkeypatch, tmp_path):
    """As with every part of the platform."""
    monkeypatch.setenv("BREE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BREE_REPLICAS", "99")
    with pytest.raises(SystemExit) as caught:
        bree("run")

    assert 2 == caught.value.code
    assert not (tmp_path / "state").exists()
