"""What must be true of a platform that was moved."""

from __future__ import annotations

import asyncpg

from bree.ledger.link import Ledger
from gateway.documents import State, text_of
from gateway.ledger_store import LedgerStore
from gateway.results_filling import ResultsFilling
from gateway.settings import GatewaySettings
from services import GAMES


async def rows(url, query):
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def check_people(platform, url):
    """Everybody is in the ledger as he was, and in the store no more."""
    accounts = await rows(
        url, "SELECT id, name, first_name, guest, created_ms, token_hash FROM bree.accounts"
    )
    sessions = await rows(
        url, "SELECT account, id, token_hash, created_ms, used_ms, device FROM bree.sessions"
    )
    rated = await rows(
        url, "SELECT game, player, version, matches, mu, sigma, ordinal FROM bree.ratings"
    )
    wanted = {
        (
            *(who, kept["name"], kept.get("first", "")),
            *(kept["guest"] == "1", int(kept["created"]), kept["token"]),
        )
        for who, kept in platform.accounts.items()
    }
    said = {
        (game, player, f"{version} {matches} {mu!r} {sigma!r} {ordinal!r}")
        for game, player, version, matches, mu, sigma, ordinal in rated
    }
    kept = {(who, one, f"{token} {at} {used} {of}") for who, one, token, at, used, of in sessions}
    codes = await rows(url, "SELECT account, code, until_ms FROM bree.login_codes")

    assert wanted == set(accounts)
    assert platform.names == dict(await rows(url, "SELECT name, account FROM bree.names"))
    assert {(*key, row) for key, row in platform.sessions.items()} == kept
    assert {(*key, row) for key, row in platform.ratings.items()} == said
    assert {
        (who, kept["code"].split()[0], 9_999_999_999_999)
        for who, kept in platform.accounts.items()
        if kept.get("code", "").endswith(" 9999999999999")
    } == set(codes)
    for kind in ("{n:*}", "{c:*}", "{a:*}", "{a:*}:sessions", "{r:*}:*"):
        left = [key for key in platform.redis.keys(f"bree:g:{kind}") if ":settled:" not in key]
        assert [] == left, kind


async def check_matches(platform, url, stays=()):
    """What is over and settled is in the ledger, what is not is where it was, none is in both."""
    docs = dict(await rows(url, "SELECT id, doc FROM bree.matches"))
    marks = dict(await rows(url, "SELECT id, settled FROM bree.matches"))
    gone = {
        match.id
        for match in platform.matches.values()
        if (match.state is State.CLOSED or match.id in platform.settled) and match.id not in stays
    }
    left = {key[10:-1] for key in platform.redis.keys("bree:g:{m:*}")}

    assert gone == docs.keys()
    assert platform.matches.keys() - gone == left
    for match in gone:
        known = platform.matches[match]
        assert platform.settled.get(match, "") == marks[match]
        if known.settled or known.state is State.CLOSED:
            assert text_of(known) == docs[match]
        assert not platform.redis.keys(f"*{match}*")
    notes = await rows(url, "SELECT match, team, number, text, request_id FROM bree.notes")
    assert {(match, "all", 1, "žádný", f"n-{match}") for match in gone} == set(notes)
    seats = set(await rows(url, "SELECT account, match, state FROM bree.seats"))
    assert {
        (who, match, str(State.CLOSED if known.state is State.CLOSED else State.OVER))
        for match in gone
        for known in [platform.matches[match]]
        for who in {seat.account for seat in known.seats if seat.account} | set(known.left)
    } == seats
    for key in platform.redis.keys("bree:g:*"):
        if platform.redis.type(key) == "zset" and ":notes:" not in key:
            assert not gone & set(platform.redis.zrange(key, 0, -1)), key
        if key.endswith(":asked"):
            kept = platform.redis.hgetall(key)
            assert not gone & {text.partition(" ")[0] for text in kept.values()}
            assert all(kept.get(f" {text.split()[0]}") for r, text in kept.items() if r[0] != " ")


def everything_in(platform):
    """All keys of the store."""
    return platform.redis.keys("*")


def keys(platform, match):
    """All keys that name a match."""
    return platform.redis.keys(f"*{match}*")


WRONG = """
SELECT r.match, r.seat, r.account, r.player, r.rated, r.length, k.revision, a.first_name, a.name
FROM bree.results r LEFT JOIN bree.records k ON k.match = r.match
  JOIN bree.matches m ON m.id = r.match LEFT JOIN bree.accounts a ON a.id = r.account
WHERE r.length <> coalesce(k.revision, 0) OR r.ended_ms <> m.ended_ms OR r.game <> m.game
  OR r.rated <> (m.settled = 'counted') OR (r.account = '') <> (r.player LIKE 'bot:%')
  OR (r.account <> '' AND r.player <> coalesce(nullif(a.first_name, ''), a.name))
"""


async def check_results(platform, url, store_url):
    """Finished matches that were moved get results, as if they had been settled today."""
    engines = ";".join(f"{game}=127.0.0.1:1" for game in GAMES)
    settings = GatewaySettings(platform_token="x" * 16, engines=engines, _env_file=None)
    store = LedgerStore(store_url, Ledger(url))
    try:
        assert len(platform.settled) == await ResultsFilling(settings, store).fill(pause=0)
        wrong = await rows(url, WRONG)
        assert not wrong, wrong[:9]
        sat = [seat for match in platform.settled for seat in platform.matches[match].seats]
        seats = sum(not seat.is_free for seat in sat)
        assert [(seats,)] == await rows(url, "SELECT count(*) FROM bree.results")
        came = await rows(url, "SELECT result, count(*) FROM bree.results GROUP BY result")
        assert {"won", "aborted"} == {result for result, _ in came}  # all are of one team there
        assert 0 == await ResultsFilling(settings, store).fill(pause=0)
    finally:
        await store.close()
