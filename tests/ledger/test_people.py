"""All that is kept of one person, given out and taken away."""

from __future__ import annotations

import json
import time

from bree.ledger import exporting, people
from bree.ledger.packing import pack, unpack
from bree.ledger.upgrade import connected

RECORD = """bree record 2
seat good 00 aa
seat dark 01 bb
player good 0a Rosie
player dark 0b Sam
1 good move rohan
"""
OLD = "bree record 1\nseat good 00 Rosie\n"


async def filled(url):
    sql = await connected(url)
    for number, (name, first) in enumerate([("Rosie", "badger-1"), ("Sam", "")]):
        await sql.execute(
            "INSERT INTO bree.accounts (id, name, first_name, guest, created_ms, token_hash)"
            " VALUES ($1, $2, $3, false, 1, 'hash')",
            *(f"id{number}", name, first),
        )
        for each in filter(None, (name, first)):
            values = (each.lower(), f"id{number}")
            await sql.execute("INSERT INTO bree.names VALUES ($1, $2)", *values)
        await sql.execute(
            "INSERT INTO bree.names VALUES ($1, $2, 99)", *(f"older-{number}", f"id{number}")
        )
        for row in (
            "sessions VALUES ($1, 's', 'h', 1, 2, 'a phone')",
            "tokens VALUES ($1, 't', 'my program', 'play', 'h', 1, 2)",
            "recovery_codes VALUES ($1, 'hash-c', 7)",
            "login_codes VALUES ($1, 'hash-l', 8)",
        ):
            await sql.execute(f"INSERT INTO bree.{row}", f"id{number}")
        await sql.execute(
            "INSERT INTO bree.passkeys (id, account, public_key, sign_count, name, transports,"
            " created_ms, used_ms) VALUES ($1, $1, 'the key', 7, $2, 'usb', 1, 2)",
            *(f"id{number}", f"{name}'s ring"),
        )
        await sql.execute(
            "INSERT INTO bree.identities VALUES ('https://i', $1, $1, $2, 1, 2)",
            *(f"id{number}", f"{name} C"),
        )
        await sql.execute(
            "INSERT INTO bree.addresses VALUES ($2, $1, 1)",
            *(f"id{number}", f"{name.lower()}@shire.example"),
        )
        rating = ("duel", first or name)
        await sql.execute("INSERT INTO bree.ratings VALUES ($1, $2, 3, 2, 25, 8, 1)", *rating)
        await sql.execute(
            "INSERT INTO bree.rating_history VALUES ($1, $2, 'm1', 5, 3, 1, 1, 1, 2, 2, 2)", *rating
        )
    await match(sql, "m1", RECORD)
    await match(sql, "m0", OLD)
    return sql


async def match(sql, name, record):
    seats = [
        {"name": "good", "account": "id0", "label": "Rosie"},
        {"name": "dark", "account": "id1", "label": "Sam"},
    ]
    doc = {"id": name, "seats": seats, "creator": "id0", "creator_name": "Rosie"}
    await sql.execute(
        "INSERT INTO bree.matches VALUES ($1, 'duel', 'over', 1, 2, $2, 'counted')",
        *(name, json.dumps(doc, separators=(",", ":"))),
    )
    for seat in seats:
        values = (seat["account"], name)
        await sql.execute("INSERT INTO bree.seats VALUES ($1, $2, 1, 'duel', 'over')", *values)
    values = (name, pack(record.encode()), pack(b"kept"))
    await sql.execute("INSERT INTO bree.records VALUES ($1, $2, $3, 'h', 1)", *values)
    await sql.execute(
        "INSERT INTO bree.notes VALUES ($1, 't', 1, 'id0', 'Rosie', 'good', 'my dice', 3, 'r')",
        name,
    )


async def everything(sql):
    """Every row of every table, as text, without what is packed."""
    tables = await sql.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'bree'")
    found = {}
    for (table,) in tables:
        found[table] = [dict(row) for row in await sql.fetch(f"TABLE bree.{table}")]
    for row in found["records"]:
        row["record"] = unpack(row["record"]).decode()
    return found


async def test_somebody_is_found_by_each_name(ledger_url):
    """In capitals or not; also by one that he no longer bears, as long as it leads to him."""
    connection = await filled(ledger_url)
    names = ("rosie", "OLDER-0", "Badger-1", "nobody")
    found = [await people.person(connection, name) for name in names]
    await connection.close()

    assert ["id0", "id0", "id0", None] == [one and one.id for one in found]
    assert "badger-1" == found[0].player


async def test_all_of_it_is_given_out(ledger_url):
    """And nothing of anybody else, and no hash."""
    connection = await filled(ledger_url)
    who = await people.person(connection, "Rosie")
    given = await exporting.everything(connection.fetch, who)
    over = [each async for each in exporting.over(connection.fetch, who.id, 10)]
    played = {name: (await exporting.match(connection.fetch, name))[1] for name in over}
    await connection.close()

    parts = ("sessions", "ratings", "rating_history", "notes")
    ways = ("passkeys", "identities", "addresses")
    assert [1, 1, 1, 2, 1, 1, 1] == [len(given[part]) for part in (*parts, *ways)]
    assert ["Rosie's ring", "Rosie C", "rosie@shire.example"] == [
        given[part][0][field]
        for part, field in zip(ways, ("name", "label", "address"), strict=True)
    ]
    assert [
        {"name": "badger-1", "until_ms": 0},
        {"name": "older-0", "until_ms": 99},
        {"name": "rosie", "until_ms": 0},
    ] == given["names"]
    assert [{"name": "my program", "scope": "play", "created_ms": 1, "used_ms": 2}] == given[
        "tokens"
    ]
    assert [{"created_ms": 7}] == given["recovery_codes"]
    assert "the key" not in str(given)
    assert {"m0": OLD, "m1": RECORD} == played
    assert "hash" not in str(given)
    assert "Sam" not in str(given)


async def test_nothing_names_somebody_who_is_gone(ledger_url):
    """Nowhere but in records of the first form, which are named; others stay as they were."""
    connection = await filled(ledger_url)
    before = await everything(connection)
    who = await people.person(connection, "Rosie")
    async with connection.transaction():
        deleted = await people.delete(connection, who, "a test")
    after = await everything(connection)
    gone = await people.person(connection, "Rosie"), await people.person(connection, "badger-1")
    sam = await people.person(connection, "Sam")
    await connection.close()
    kept = {row["name"]: row["until_ms"] for row in after.pop("names") if row["account"] == "id0"}
    text = str({**after, "records": [row for row in after["records"] if row["match"] != "m0"]})

    assert (2, ["m0"]) == (deleted.matches, deleted.named)
    assert (None, None) == gone
    assert "id1" == sam.id
    for word in ("Rosie", "rosie", "badger-1", "older-0", "my dice", "a phone' 's'"):
        assert word not in text, word
    for table in ("sessions", "tokens", "recovery_codes", "login_codes"):
        assert {"id1"} == {row["account"] for row in after[table]}, table
    [record] = [row["record"] for row in after["records"] if row["match"] == "m1"]
    assert RECORD.replace("player good 0a Rosie\n", "") == record
    assert [row for row in before["ratings"] if row["player"] == "Sam"] == [
        row for row in after["ratings"] if row["player"] == "Sam"
    ]
    assert {deleted.pseudonym, "Sam"} == {row["player"] for row in after["rating_history"]}
    assert 99 == kept.pop("older-0"), "it is free already"
    assert {"rosie", "badger-1"} == kept.keys(), "nobody else gets them"
    days = [(until / 1000 - time.time()) / 86_400 for until in kept.values()]
    assert all(89 < left < 91 for left in days)
    assert {"account"} == {row["kind"] for row in after["outbox"]}
    [account] = [row for row in after["accounts"] if row["id"] == "id0"]
    assert ("", 3, 0) == (account["token_hash"], account["version"], account["leaving_ms"])
    assert "delete account" in {row["what"] for row in after["audit"]}


async def test_ratings_under_a_name_that_is_somebody_elses_by_now_stay(ledger_url):
    """Whoever goes takes what is kept of him alone, whatever he was called last."""
    connection = await filled(ledger_url)
    await connection.execute(
        "INSERT INTO bree.accounts (id, name, first_name, guest, created_ms, token_hash)"
        " VALUES ('id9', 'BADGER-1', '=id9', false, 1, 'hash')"
    )
    await connection.execute("UPDATE bree.names SET account = 'id9' WHERE name = 'badger-1'")
    await connection.execute("INSERT INTO bree.ratings VALUES ('duel', '=id9', 3, 2, 25, 8, 1)")
    before = await everything(connection)
    who = await people.person(connection, "badger-1")
    assert "id9" == who.id
    deleted = await people.delete(connection, who, "a test")
    after = await everything(connection)
    await connection.close()

    players = {row["player"] for row in before["ratings"]}
    assert players - {"=id9"} | {deleted.pseudonym} == {row["player"] for row in after["ratings"]}
    assert before["rating_history"] == after["rating_history"]


async def test_what_breaks_off_takes_nothing_away(ledger_url):
    """It is one transaction."""
    connection = await filled(ledger_url)
    before = await everything(connection)
    who = await people.person(connection, "Rosie")
    begun = connection.transaction()
    await begun.start()
    await people.delete(connection, who, "a test")
    await begun.rollback()
    after = await everything(connection)
    await connection.close()

    assert before == after


def test_only_the_lines_of_his_seats_go():
    """A name is never taken for the beginning of another seat."""
    record = "player good 0a Rosie\nplayer goody 0b Sam\n1 good player good\n"

    assert record == people.without_players(record, [])
    assert record == people.without_players(record, ["goo"])
    assert "player goody 0b Sam\n1 good player good\n" == people.without_players(record, ["good"])


async def test_each_step_may_be_repeated(ledger_url, monkeypatch):
    """By whoever does not know that it was done; nothing is noted twice, and no word is another."""
    monkeypatch.setattr(people, "PAGE", 1)
    connection = await filled(ledger_url)
    first, again = [await people.begin(connection, "id0") for _ in range(2)]
    place = people.LATEST
    while place:
        steps = [await people.strike(connection, "id0", first, place) for _ in range(2)]
        assert steps[0].after == steps[1].after
        place = steps[0].after
    made = [await people.strike_made(connection, "id0", first, last) for last in ("", "m0", "m1")]
    for _ in range(2):
        await people.finish(connection, "id0", "a test")
    after = await everything(connection)
    await connection.close()

    assert first == again
    assert ["m0", "m1", ""] == made
    assert 1 == len([row for row in after["audit"] if row["why"] == first])
    assert {first, "Sam"} == {row["player"] for row in after["ratings"]}
