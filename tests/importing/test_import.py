"""A platform of before is moved to a ledger: all of it, verified, through any number of kills."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

import asyncpg
import pytest

from bree.importing import command
from bree.importing.moving import moved, moved_at_first
from bree.importing.old_store import OldStore
from bree.ledger.link import Ledger
from bree.ledger.packing import pack
from bree.ledger.upgrade import upgraded
from gateway.documents import text_of
from services import rules_of
from services.host.archived_store import ArchivedStore
from services.host.kept import packed
from services.host.ledger_archive import LedgerArchive
from services.host.store import RedisStore
from tests.host.archives import creation, everything
from tests.host.engines import in_loop, replica
from tests.importing.checks import (
    check_matches,
    check_people,
    check_results,
    everything_in,
    keys,
    rows,
)
from tests.importing.old_platform import RUN, OldPlatform
from tests.redis_server import redis_server

KEYS = [bytes(32)]


@pytest.fixture
def old_redis():
    with redis_server("--appendfsync", "no") as server:
        yield server


async def answers(url, ledger_url, platform, chosen):
    """All that some matches answer."""
    found = {}
    for match in chosen:
        game = platform.matches[match].game
        live, ledger = RedisStore(url, game), Ledger(ledger_url)
        store = ArchivedStore(live, LedgerArchive(ledger, game))
        async with replica(store, rules_of(game), platform.time, ledger_url=ledger_url) as engine:
            create = creation(rules_of("confrontation"), match, {})
            try:
                found[match] = await everything(engine, match, create, every=50)
            except Exception as error:  # noqa: BLE001  # a match of form 1 cannot be gone on with
                found[match] = repr(getattr(error, "reason", error))
            record = await engine.record(match=match)
            found[match, "text"] = record.text
        await live.close()
        await ledger.close()
    return found


async def once(url, store):
    """What is moved of a store at first when the ledger has met one."""
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE bree.platform SET store = $1", RUN)
    await connection.close()
    return await moved_at_first(store, url, KEYS)


def test_a_platform_with_hundreds_of_matches_is_moved(old_redis, newest):
    """People, ratings to the last digit, matches of all ages; and they answer as before."""

    @in_loop
    async def test():
        with newest.fresh() as url:
            await upgraded(url)
            platform = OldPlatform(old_redis.url)
            await platform.fill(people=40, matches=300)
            chosen = [m for m in platform.settled if m[-1] in "1357"][:8] + platform.olds[:3]
            before = await answers(old_redis.url, url, platform, chosen)
            report = await moved(old_redis.url, url, KEYS)
            await check_people(platform, url)
            await check_matches(platform, url)
            after = await answers(old_redis.url, url, platform, chosen)

            assert before == after
            assert not report.left
            assert len(platform.settled) == report.moved["finished matches"] > 100
            assert len(platform.accounts) == report.moved["accounts"]
            assert re.match(r"moved 40 accounts, \d+ names, .* stay$", report.text())
            assert any("bree record 1" in after[match, "text"] for match in platform.olds[:3])
            notes = await rows(url, "SELECT who, why FROM bree.audit")
            assert ("bree ledger import", report.text()) in notes
            assert (await moved_at_first(old_redis.url, url, KEYS)).moved.total() == 0
            assert await once(url, old_redis.url) is None
            again = await moved(old_redis.url, url, KEYS)
            assert not again.left
            assert not again.moved.total()
            await check_results(platform, url, old_redis.url)

    test()


class Killed(BaseException):
    """The import ends here, whatever it was about."""


def test_an_import_that_is_killed_anywhere_goes_on_where_it_was(old_redis, newest, monkeypatch):
    """Before and after every write, of either side; what is moved in the end is what is moved."""

    @in_loop
    async def test():
        with newest.fresh() as url:
            await upgraded(url)
            platform = OldPlatform(old_redis.url, luck=2)
            await platform.fill(people=12, matches=60)
            monkeypatch.setattr("bree.importing.old_store.BATCH", 7)
            monkeypatch.setattr("bree.importing.people.BATCH", 5)
            killer = Killer(monkeypatch)
            kills = 0
            for at in [*range(1, 40), *range(40, 400, 3)]:
                killer.left = at
                try:
                    await moved(old_redis.url, url, KEYS)
                except Killed:
                    kills += 1
                else:
                    break
            killer.left = 10**9
            report = await moved(old_redis.url, url, KEYS)
            await check_people(platform, url)
            await check_matches(platform, url)

            assert not report.left
            assert kills > 15

    test()


class Killer:
    """Kills whoever writes, before or after he has."""

    def __init__(self, monkeypatch):
        self.left = 0
        for kind, name in ((OldStore, "many"), (Ledger, "write"), (RedisStore, "forget")):
            monkeypatch.setattr(kind, name, self._mortal(getattr(kind, name)))

    def _mortal(self, write):
        async def mortal(*arguments, **more):
            self._step()
            done = await write(*arguments, **more)
            self._step()
            return done

        return mortal

    def _step(self):
        self.left -= 1
        if self.left == 0:
            raise Killed


def test_the_command_is_killed_and_run_again(old_redis, newest):
    """A process that is ended by force, in the middle of its matches; then it says what it did."""

    @in_loop
    async def test():
        with newest.fresh() as url:
            await upgraded(url)
            platform = OldPlatform(old_redis.url, luck=3)
            await platform.fill(people=5, matches=120)
            environment = {**os.environ, "BREE_STORE_URL": old_redis.url, "BREE_LEDGER_URL": url}
            environment["BREE_FATE_KEY"] = "00" * 32
            program = [sys.executable, "-m", "bree.importing.command"]
            for few in (1, 20):
                process = await asyncio.to_thread(subprocess.Popen, program, env=environment)
                while process.poll() is None:
                    if (await rows(url, "SELECT count(*) FROM bree.accounts"))[0][0] >= few % 5:
                        process.send_signal(signal.SIGKILL)
                        break
                    await asyncio.sleep(0.01)
                process.wait()
            done = await asyncio.to_thread(
                subprocess.run,
                program,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            await check_people(platform, url)
            await check_matches(platform, url)

            assert (0, "") == (done.returncode, done.stderr)
            assert done.stdout.startswith("moved ")
            assert done.stdout.count("\n") == 1

    test()


# What is not moved.


def test_a_record_that_does_not_verify_is_reported_and_left_as_it_is(old_redis, newest):
    """With its match, and why; and all others are moved."""

    @in_loop
    async def test():
        with newest.fresh() as url:
            await upgraded(url)
            platform = OldPlatform(old_redis.url, luck=4)
            await platform.fill(people=6, matches=60)
            broken = [m for m in platform.settled if m not in platform.olds][:4]
            await platform.tamper(broken[0])
            platform.redis.delete(*await platform._keys(broken[1]))
            other = platform.matches[broken[2]].outcome
            platform.change_outcome(broken[2])
            await platform.unchain(broken[3])
            everywhere = {
                key: platform.redis.dump(key) for m in broken for key in keys(platform, m)
            }
            report = await moved(old_redis.url, url, KEYS)
            await check_matches(platform, url, stays=broken)

            assert {f"match {match}" for match in broken} == report.left.keys()
            whys = [report.left[f"match {match}"] for match in broken]
            assert "does not verify: entry 2" in whys[0]
            assert "no such match" in whys[1]
            assert "ends otherwise" in whys[2]
            assert "does not verify: something was changed" in whys[3]
            assert other is not None
            assert everywhere == {key: platform.redis.dump(key) for key in everywhere}
            assert report.text().endswith("4 could not be moved and stay where they are")

    test()


def test_what_the_ledger_has_otherwise_is_left(old_redis, newest):
    """A name that somebody has there, another account, another rating, another match."""

    @in_loop
    async def test():
        with newest.fresh() as url:
            await upgraded(url)
            platform = OldPlatform(old_redis.url, luck=5)
            await platform.fill(people=6, matches=24)
            match = next(iter(platform.settled))
            connection = await asyncpg.connect(url)
            await connection.execute(
                "INSERT INTO bree.accounts VALUES ('acc00001', 'Another', '', true, 1, 'x', 1),"
                " ('somebody', 'Žofie_2', '', true, 1, 'x', 1)"
            )
            await connection.execute("INSERT INTO bree.names VALUES ('žofie_2', 'somebody')")
            await connection.execute(
                "INSERT INTO bree.ratings VALUES ('duel', 'bot:greedy', 1, 2, 3, 4, 5)"
            )
            await connection.execute(
                "INSERT INTO bree.matches VALUES ($1, 'duel', 'over', 1, 2, '{}', 'counted')", match
            )
            other = next(m for m in platform.settled if platform.matches[m].settled and m != match)
            known = platform.matches[other]
            await connection.execute(
                "INSERT INTO bree.matches VALUES ($1, $2, 'over', 1, 2, $3, $4)",
                *(other, known.game, text_of(known), known.settled),
            )
            store = RedisStore(old_redis.url, known.game)
            stored = await store.load(other)
            await store.close()
            wrong = stored._replace(lines=[*stored.lines[:-1], stored.lines[0]])
            await connection.execute(
                "INSERT INTO bree.records VALUES ($1, $2, $3, $4, $5)",
                *(other, pack(b"x"), pack(packed(wrong, "x")), stored.head, stored.revision),
            )
            await connection.close()
            before = {key: platform.redis.dump(key) for key in keys(platform, match)}
            report = await moved(old_redis.url, url, KEYS)

            assert {
                "account Žofie_1", "account Žofie_2", "name žofie_2",
                "rating of bot:greedy in duel", f"match {match}", f"match {other}",
            } == report.left.keys()  # fmt: skip
            assert {"the ledger has it otherwise"} == set(report.left.values())
            assert before == {key: platform.redis.dump(key) for key in keys(platform, match)}

    test()


def test_another_fate_key_moves_no_record(old_redis, newest):
    """The secrets would be wrong; nothing that was played is touched."""

    @in_loop
    async def test():
        with newest.fresh() as url:
            await upgraded(url)
            platform = OldPlatform(old_redis.url, luck=6)
            await platform.fill(people=5, matches=12)
            report = await moved(old_redis.url, url, [b"\x01" * 32])

            assert {f"match {match}" for match in platform.settled} == report.left.keys()
            assert {"it began with another fate key"} == set(report.left.values())

    test()


def test_nothing_is_touched_where_it_must_not_be(old_redis, newest, monkeypatch):
    """A platform that runs, another platform's ledger, one without tables: a sentence each."""

    @in_loop
    async def test():
        with newest.fresh() as url:
            platform = OldPlatform(old_redis.url, luck=7)
            await platform.fill(people=5, matches=12)
            before = {key: platform.redis.dump(key) for key in everything_in(platform)}

            def run(**more):
                """What the command says, in this process: to start one takes longer than this."""
                given = {"BREE_STORE_URL": old_redis.url, "BREE_LEDGER_URL": url}
                given |= {"BREE_FATE_KEY": "00" * 32, **more}
                out, err = io.StringIO(), io.StringIO()
                with monkeypatch.context() as patch:
                    for name, value in given.items():
                        patch.setenv(name, value)
                    with redirect_stdout(out), redirect_stderr(err):
                        code = command.main()
                return code, out.getvalue(), err.getvalue()

            async def is_refused(code, said, **more):
                exited, out, err = await asyncio.to_thread(run, **more)
                assert (code, "") == (exited, out)
                assert said in err
                assert err.count("\n") == 1
                assert before == {key: platform.redis.dump(key) for key in everything_in(platform)}

            await is_refused(3, "the ledger is empty")
            await upgraded(url)
            await is_refused(2, "BREE_LEDGER_URL: this is not", BREE_LEDGER_URL="")
            await is_refused(2, "BREE_FATE_KEY: the key", BREE_FATE_KEY="xyz")
            away = "redis://127.0.0.1:1/0"
            await is_refused(3, "BREE_STORE_URL: the store cannot be asked", BREE_STORE_URL=away)
            listening = platform.redis.pubsub()
            listening.subscribe("bree:duel:moves")
            listening.get_message(timeout=5)
            await is_refused(2, "the platform still runs, 1 of its parts listen")
            listening.close()
            connection = await asyncpg.connect(url)
            await connection.execute("UPDATE bree.platform SET store = 'fedcba'")
            await is_refused(2, "this ledger belongs to another store")
            await connection.execute("UPDATE bree.platform SET store = $1", RUN)
            await connection.close()
            code, _, _ = await asyncio.to_thread(run)

            assert 0 == code
            assert await rows(url, "SELECT 1 FROM bree.matches")

    test()
