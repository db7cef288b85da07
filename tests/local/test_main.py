"""What `bree run` says when it cannot start: one sentence, and an exit code."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bree.local.state import State
from tests.local.parts import free_range

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def run(tmp_path):
    """Runs it to its end; its exit code and what it said, line by line."""
    first = free_range(20)
    ports = {"GATEWAY": first, "REDIS": first + 1, "ENGINE": first + 2, "METRICS": first + 10}
    ports |= {"POSTGRES": first + 8, "HTTP": first + 9}

    def run(**more):
        ours = {f"BREE_{name}_PORT": str(port) for name, port in ports.items()}
        ours["BREE_STATE"] = str(tmp_path / "state")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BREE_")}
        done = subprocess.run(
            [sys.executable, "-m", "bree", "run"],
            cwd=ROOT,
            env={**kept, **ours, **more},
            capture_output=True,
            text=True,
            check=False,
            timeout=50,
        )
        return done.returncode, (done.stdout + done.stderr).splitlines()

    run.ports = ports
    return run


def test_a_port_in_use_is_one_sentence(run):
    """It says which port, what for, and how to choose another."""
    port = run.ports["GATEWAY"]
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        code, said = run()

    assert code == 2
    (sentence,) = said
    assert sentence.startswith(f"bree: port {port}, for gateway, is in use; ")
    assert "set BREE_GATEWAY_PORT" in sentence


def test_a_second_run_on_the_same_state_is_one_sentence(run, tmp_path):
    """It says which process is the first."""
    state = State(tmp_path / "state")
    code, said = run()
    state.close()

    assert code == 2
    assert said == [f"bree: already running on {tmp_path / 'state'}, as process {os.getpid()}"]


def test_a_broken_configuration_is_one_sentence_a_mistake(run):
    """It says which variables are wrong."""
    code, said = run(BREE_REPLICAS="many", BREE_GATEWAY_PORT="80")

    assert code == 2
    assert sorted(line.partition(":")[0] for line in said) == [
        "BREE_GATEWAY_PORT",
        "BREE_REPLICAS",
    ]


def test_a_missing_tool_is_one_sentence(run):
    """It says what to install."""
    code, said = run(BREE_REDIS_SERVER="/nowhere/redis-server")

    assert code == 2
    (sentence,) = said
    assert sentence.startswith("bree: BREE_REDIS_SERVER: /nowhere/redis-server is no redis-server")


def test_a_missing_postgres_is_one_sentence(run):
    """It says what to install."""
    code, said = run(BREE_POSTGRES_SERVER="/nowhere/bin")

    assert code == 2
    (sentence,) = said
    assert sentence.startswith("bree: BREE_POSTGRES_SERVER: /nowhere/bin is no folder of Postgre")


def test_the_port_of_postgres_is_told_if_it_is_taken(run):
    """As any other part's."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", run.ports["POSTGRES"]))
        other.listen()
        code, said = run()

    assert code == 2
    assert "for postgres, is in use; stop what uses it, or set BREE_POSTGRES_PORT" in said[0]


def test_data_of_another_postgres_are_one_sentence(run, tmp_path):
    """And stay as they are."""
    data = tmp_path / "state" / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("12\n")
    code, said = run()

    assert code == 2
    (sentence,) = said
    assert sentence.startswith(f"bree: PostgreSQL 12 has kept the ledger in {data}, and ")
    assert ["PG_VERSION"] == [path.name for path in data.iterdir()]


def test_a_state_directory_that_cannot_be_is_one_sentence(run, tmp_path):
    """It says which."""
    (tmp_path / "file").touch()
    code, said = run(BREE_STATE=str(tmp_path / "file"))

    assert code == 2
    assert said == [f"bree: {tmp_path / 'file'} cannot be written: File exists"]


def test_replicas_are_waited_for_only_where_there_are_some(run):
    """Else nothing would ever be acknowledged, and nobody would know why."""
    code, said = run(BREE_STORE_REPLICAS="1")

    assert 2 == code
    (sentence,) = said
    assert sentence.startswith("BREE_STORE_REPLICAS: ")
    assert "the store of a local run has no replicas" in sentence


def test_a_part_that_refuses_its_settings_is_told(run):
    """The part's own sentence is repeated, what has started is stopped, and it is a failure."""
    code, said = run(BREE_SWEEP_LEASE_MS="3")

    assert code == 1
    assert any("er-1 ended with code 2 (BREE_SWEEP_LEASE_MS: " in line for line in said)
    assert said[-1] == "bree: stopped"
