"""What is left of somebody who was deleted, compared with all that had been given out of him."""

from __future__ import annotations

import asyncio
import json
import re
from functools import partial

import pytest
import redis

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import personal_pb2 as personal
from bree.ledger import exporting, people
from bree.ledger.packing import unpack
from bree.ledger.upgrade import connected
from bree.process.statuses import Denied
from gateway import accounts
from gateway.outbox import Outbox
from tests.gateway.stores import joined
from tests.gateway.test_personal import archive_all, delete, exported, see_off, week_is_over
from tests.gateway.test_ratings import settled as rated
from tests.gateway.test_ratings import settlement as to_be_rated
from tests.gateway.test_sessions import begun
from tests.gateway.town import reason

__all__ = ["week_is_over"]

NAME, GUEST = "Meriadoc_B", "hobbit-of-buckland"
pytestmark = pytest.mark.parametrize("town", [{"live_seconds": 0}], indirect=True)

FILL = (
    "UPDATE bree.accounts SET first_name = '{guest}', terms = '' WHERE id = '{id}'",
    "INSERT INTO bree.names (name, account) VALUES ('{guest}', '{id}')",
    """INSERT INTO bree.tokens VALUES
    ('{id}', 'tok12345', 'my pony counter', 'play', 'hash1', 1, 2)""",
    "INSERT INTO bree.recovery_codes VALUES ('{id}', 'hash2', 3)",
    """INSERT INTO bree.passkeys VALUES
    ('cred', '{id}', '\\x00', 0, 'my silver key', 'usb', 4, 5)""",
    """INSERT INTO bree.identities VALUES
    ('https://id.test', 'subject-4711', '{id}', 'merry@brandy.hall', 6, 7)""",
    "INSERT INTO bree.addresses VALUES ('merry@buckland.test', '{id}', 8)",
    """INSERT INTO bree.reports (at_ms, by_account, about, match, kind, text) VALUES
    (9, '{id}', '{other}', '', 'other', 'he smokes Longbottom leaf')""",
    """INSERT INTO bree.reports (at_ms, by_account, about, match, kind, text, verdict) VALUES
    (9, '{other}', '{id}', '', 'other', 'Meriadoc_B stole mushrooms', 'so Meriadoc_B did')""",
    """INSERT INTO bree.notices (at_ms, until_ms, account, kind, text) VALUES
    (10, 9999999999999, '{id}', 'news', 'You were heard, Meriadoc_B')""",
    """UPDATE bree.matches SET doc = replace(doc, '"teams":[]', '"teams":[["warm",["red"]]]')""",
    """INSERT INTO bree.notes SELECT m.id, 'warm', 1, '{id}', 'Meriadoc_B', 'red',
    'the ferry is near', 12, 'request-1' FROM bree.matches m JOIN bree.seats s ON s.match = m.id
    WHERE s.account = '{id}'""",
)
"""What other parts keep of him."""


@pytest.fixture
def store_of(fresh_redis, ledger_url):
    return joined(fresh_redis, ledger_url)


async def run(url, *commands, **words):
    sql = await connected(url)
    for command in commands:
        text = command
        for word, value in words.items():
            text = text.replace(f"{{{word}}}", value)
        await sql.execute(text)
    await sql.close()


async def somebody(town, url):
    """Meriadoc, of whom everything is kept that may be, and Sam; and one with whom he comes in."""
    merry, sam = await town.account(NAME), await town.account("Sam_1")
    account = (await merry.ask(pb.GetAccountRequest())).account.id
    other = (await sam.ask(pb.GetAccountRequest())).account.id
    for players in ((merry, sam), (sam, merry), (merry, sam)):
        await played(town, *players)
    closed = await town.open_match(merry)
    await merry.ask(pb.JoinMatchRequest(match=closed))
    await merry.ask(pb.LeaveMatchRequest(match=closed))
    pippin = await town.account()
    opened = [await town.open_match(merry, length=1) for _ in range(2)]  # he sits in neither
    for match in opened:
        for guest in (sam, pippin):
            await guest.ask(pb.JoinMatchRequest(match=match))
        await merry.ask(pb.StartMatchRequest(match=match))
    between, ended = opened
    await settle(town, ended, sam, pippin)
    page, _ = await begun(town, token=merry.token, device="a phone at Crickhollow")
    await archive_all(town, merry, sam)
    await run(
        url,
        "UPDATE bree.ratings SET player = '{guest}' WHERE player = '{name}'",
        "UPDATE bree.rating_history SET player = '{guest}' WHERE player = '{name}'",
        *FILL,
        id=account,
        other=other,
        guest=GUEST,
        name=NAME,
    )
    await town.store.deliver_copy(account)
    await asyncio.sleep(2 * accounts.BELIEVED_SECONDS)
    return page, sam, between


async def played(town, *players):
    """A match that is over and counted in the ratings, with a record that names them."""
    await settle(town, await town.running_match(*players, length=1), *players)


async def settle(town, match, *players):
    """Have it be so."""
    town.count(match)
    request = rated(match, await to_be_rated(town, match))
    request.outcome.CopyFrom(town.world.matches[match].standing().outcome)
    lines = [
        f"player {seat} 0{n} {who.name}"
        for n, (seat, who) in enumerate(zip(("red", "blue"), players, strict=True))
    ]
    request.record = "\n".join(["bree record 2", "seat red 00 aa", *lines, "1 red count 2", ""])
    request.kept, request.head = b"kept", town.world.matches[match].standing().head
    request.revision = town.world.matches[match].standing().revision
    await town.worker().ask(request)
    await town.worker().ask(pb.ArchiveMatchRequest(match=match))


async def everything(url):
    """Every row of every table as text, what is packed unpacked."""
    sql = await connected(url)
    tables = await sql.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'bree'")
    found = {}
    for (table,) in tables:
        rows = [dict(row) for row in await sql.fetch(f"TABLE bree.{table}")]
        for row in rows:
            for column in ("record", "kept"):
                if column in row:
                    row[column] = unpack(row[column]).decode()
        found[table] = [json.dumps(row, default=str, sort_keys=True) for row in rows]
    await sql.close()
    return found


def all_of_redis(server):
    """Every key with all that is under it."""
    said = []
    with redis.Redis(port=server.port, decode_responses=True) as client:
        for key in client.scan_iter(count=1000):
            look = {
                "string": client.get,
                "hash": client.hgetall,
                "zset": lambda key: client.zrange(key, 0, -1),
                "set": client.smembers,
                "list": lambda key: client.lrange(key, 0, -1),
            }[client.type(key)]
            said.append(f"{key} {look(key)}")
    return said


def words_of(files):
    """What in his file is his alone, and would tell who he was."""
    account = json.loads(files["account.json"])
    said = {account["account"]["name"], account["account"]["first_name"]}
    said |= {name["name"] for name in account["names"]}
    said |= {session["device"] for session in account["sessions"] if session["device"]}
    said |= {token["name"] for token in account["tokens"]}
    said |= {key["name"] for key in account["passkeys"]}
    said |= {one[part] for one in account["identities"] for part in ("subject", "label")}
    said |= {one["address"] for one in account["addresses"]}
    for name, text in files.items():
        if name.startswith(("reports-", "notices-")):
            said |= {json.loads(line)["text"] for line in text.splitlines()}
        if name.startswith("matches/"):
            said |= {note["text"] for note in json.loads(text)["notes"]}
    return {word.lower() for word in said}


def gone_in(rows):
    """By which words somebody who is gone is called there."""
    return {word for row in rows for word in re.findall(r"gone-[0-9a-f]{10}", row)}


def where(words, said):
    """Where one of these words stands."""
    return [(word, row) for row in said for word in words if word in row.lower()]


@pytest.mark.usefixtures("week_is_over")
async def test_nothing_that_was_given_out_of_him_names_him_anywhere(town, ledger_url, fresh_redis):
    """In no table, no record and no key; but his names are kept from others, and lead nowhere."""
    merry, sam, between = await somebody(town, ledger_url)
    before = await everything(ledger_url)
    files = await exported(merry)
    words = words_of(files)
    await delete(merry)
    assert 1 == await see_off(town)
    await Outbox(town.store, town.process.gateway.matches).deliver()
    after = await everything(ledger_url)

    for word in (NAME, GUEST, "a phone at Crickhollow", "my pony counter", "my silver key",
                 "merry@buckland.test", "merry@brandy.hall", "subject-4711",
                 "he smokes Longbottom leaf", "the ferry is near"):  # fmt: skip
        assert word.lower() in words, word
    ratings = [json.loads(line) for line in files["ratings-00001.jsonl"].splitlines()]
    assert 3 == len(ratings)
    names = after.pop("names")
    assert [] == where(words, [row for rows in after.values() for row in rows])
    assert [] == where(words, all_of_redis(fresh_redis))
    kept = [json.loads(row) for row in names]
    assert {NAME.lower(), GUEST} == {row["name"] for row in kept if row["until_ms"]}
    for name in (NAME, GUEST):
        asked = pb.GetProfileRequest(account=name)
        assert "INVALID_REQUEST" == await reason(sam.ask(asked)), "it leads to nobody"
    for table in ("ratings", "rating_history"):
        of_sam = [row for row in before[table] if "Sam_1" in row]
        assert of_sam == [row for row in after[table] if "Sam_1" in row]
    for table in ("matches", "records", "seats", "results", "rating_history", "ratings", "notes"):
        assert len(before[table]) == len(after[table]), "what was played stays played"
    shown = (await sam.ask(pb.GetMatchRequest(match=between))).match
    assert shown.creator.startswith("gone-")
    assert any("delete account" in row for row in after["audit"])


STEPS = ("begin", "strike", "strike_made", "finish")


@pytest.mark.usefixtures("week_is_over")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("is_done", [False, True])
async def test_whichever_step_is_the_last_the_next_turn_does_the_rest(
    town, ledger_url, fresh_redis, monkeypatch, step, is_done
):
    """A gateway that dies before or after it; he is called the same everywhere."""
    monkeypatch.setattr(people, "PAGE", 1)
    merry, _, _ = await somebody(town, ledger_url)
    words = words_of(await exported(merry))
    await delete(merry)
    work = getattr(people, step)

    async def dies(*given, **more):
        if is_done:
            await work(*given, **more)
        raise Denied("UNAVAILABLE", "gone", part="ledger")

    with monkeypatch.context() as broken:
        broken.setattr(people, step, dies)
        assert 0 == await see_off(town)
    assert 1 == await see_off(town)
    assert 0 == await see_off(town)
    await Outbox(town.store, town.process.gateway.matches).deliver()
    after = await everything(ledger_url)
    after.pop("names")

    assert [] == where(words, [row for rows in after.values() for row in rows])
    assert [] == where(words, all_of_redis(fresh_redis))
    called = {json.loads(row)["player"] for row in after["ratings"]}
    [pseudonym] = [player for player in called if player.startswith("gone-")]
    words = {word for table, rows in after.items() if table != "audit" for word in gone_in(rows)}
    assert {pseudonym} == words
    assert 1 == len([row for row in after["audit"] if pseudonym in row])


@pytest.mark.usefixtures("week_is_over")
@pytest.mark.parametrize("step", ["drop_lists", "erase", "_relabel"])
async def test_a_gateway_that_dies_between_steps_is_no_matter(
    town, ledger_url, fresh_redis, monkeypatch, step
):
    """Nor one that cannot tell what it has done."""
    merry, _, _ = await somebody(town, ledger_url)
    words = words_of(await exported(merry))
    await delete(merry)
    farewells = town.process.gateway.farewells
    part = farewells if step == "_relabel" else town.store

    async def dies(*_):
        raise Denied("UNAVAILABLE", "gone", part="store")

    with monkeypatch.context() as broken:
        broken.setattr(part, step, dies)
        try:
            assert 0 == await see_off(town)
        except Denied:
            assert "_relabel" == step
    assert 1 == await see_off(town)
    await Outbox(town.store, town.process.gateway.matches).deliver()
    after = await everything(ledger_url)
    after.pop("names")

    assert [] == where(words, [row for rows in after.values() for row in rows])
    assert [] == where(words, all_of_redis(fresh_redis))


async def test_what_ended_while_it_was_given_out_is_in_it_once(town, ledger_url, monkeypatch):
    """And the ratings are those to which their history leads."""
    merry, sam = await town.account(NAME), await town.account("Sam_1")
    await played(town, merry, sam)
    found = town.store.kept_of

    async def kept_of(account):
        kept = await found(account)
        await played(town, merry, sam)
        return kept

    monkeypatch.setattr(town.store, "kept_of", kept_of)
    files = await exported(merry)
    account = json.loads(files["account.json"])
    history = [json.loads(line) for line in files["ratings-00001.jsonl"].splitlines()]

    assert [1] == [rating["version"] for rating in account["ratings"]]
    assert [1] == [change["version"] for change in history]
    assert account["ratings"][0]["mu"] == history[-1]["mu"]
    records = [name for name in files if name.startswith("records/")]
    assert len(records) == len(set(records)) >= 1


async def test_many_matches_are_read_a_page_at_a_time(town, ledger_url, monkeypatch):
    """As they come, and each once."""
    monkeypatch.setattr(exporting, "PAGE", 2)
    merry, sam = await town.account(NAME), await town.account("Sam_1")
    for _ in range(5):
        await played(town, merry, sam)
    files = await exported(merry)

    assert 5 == len([name for name in files if name.startswith("records/")])
    history = [
        json.loads(line)
        for name, text in files.items()
        if name.startswith("ratings-")
        for line in text.splitlines()
    ]
    assert [1, 2, 3, 4, 5] == [change["version"] for change in history]
    assert {"ratings-00001.jsonl", "ratings-00002.jsonl", "ratings-00003.jsonl"} <= files.keys()


@pytest.mark.usefixtures("week_is_over")
async def test_it_is_begun_for_nobody_who_stays(town, ledger_url):
    """What was listed as due is looked at again, with the account locked."""
    merry = await town.account(NAME)
    account = (await merry.ask(pb.GetAccountRequest())).account.id
    await merry.ask(personal.DeleteAccountRequest())
    begin = partial(town.store.begin_erasing, account)
    [entry] = await town.store.leaving(None, 9)
    assert "" == await begin(int(entry.score) - 1)
    await run(ledger_url, "UPDATE bree.accounts SET leaving_ms = 0")

    assert "" == await begin(int(entry.score) + 1)
    assert (await town.store.account_named(NAME)).name == NAME
