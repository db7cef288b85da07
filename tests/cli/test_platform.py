"""A new user's first hour on a platform that is started as anyone starts it, workers and all."""

from __future__ import annotations

import random
import re

import pytest

from services.core.reading import parse_record
from tests.cli.conftest import until
from tests.e2e.platform import Platform

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def platform(tmp_path, bree):
    platform = Platform(tmp_path / "state", worker_processes=1)
    try:
        yield platform.start()
    finally:
        assert 0 == platform.stop(), "\n".join(platform.said)


def test_a_hosted_bot_is_played_watched_verified_and_ranked(bree, platform, terminal):
    """From the login to the ranks, with a gateway that is killed on the way."""
    metrics = f"127.0.0.1:{platform.settings['metrics_port']}+"
    assert 0 == bree("login", "--at", platform.gateway, "--name", "Rosie").code
    assert "greedy" in bree("bots").out
    match = bree("new", "confrontation", "--against", "greedy").out.splitlines()[0]
    watching, top = (
        terminal("watch", match),
        terminal("top", "--every", "0.2", "--metrics", metrics),
    )
    at = terminal("play", match)
    at.until("good> ")
    top.until(match)
    platform.kill("gateway")
    told, numbers = "", random.Random(3)
    while not told.endswith("END"):
        at.type(f"{numbers.randint(1, 9)}\n")
        told = ESCAPES.sub("", at.until("good> |END"))

    assert re.search(r"^(You win|You lose|It is a draw)\.", told, re.MULTILINE)
    assert "wins" in watching.until("END") or "draw" in watching.screen
    assert (0, 0) == (at.process.returncode, watching.process.returncode)
    top.until(r"[1-9]\d*\.\d ms")
    assert "Traceback" not in top.interrupt_until("END")
    verified = bree("verify", match)
    assert (0, "") == (verified.code, verified.err)
    assert "The commitment is the one that was noted here" in verified.out
    record = parse_record(bree("record", match, "-o", "-").out)
    assert ("Rosie", "bot:greedy") == record.players
    until(lambda: "Rosie" in bree("ranks").out)
    assert re.search(r"greedy +-?\d+\.\d +1", bree("bots").out)
    [result] = [line.split("\t") for line in bree("results").out.splitlines()]
    assert [match, "confrontation", "good"] == [result[0], *result[2:4]]
    assert ["bot greedy", "free", "manual", str(len(record.entries))] == result[5:]
    [rating] = [line for line in bree("profile").out.splitlines() if line.startswith("rating")]
    *_, matches, live, slow, free = rating.split("\t")
    assert ("1", "–", "–", rating.split("\t")[2]) == (matches, live, slow, free)
    assert match in bree("search", "confrontation", "--options", "manual").out
