"""Every match is run through the rules at hand, and whatever would go differently is named."""

from __future__ import annotations

import asyncio
import json

import pytest

from bree.ledger.packing import pack
from bree.local import rehearsal as command
from bree.rehearsal import judging, sources
from bree.rehearsal.judging import NEVER, Case, judge, judged
from bree.rehearsal.rehearsing import MOST_TOLD, OfGame, rehearse
from bree.rehearsal.sources import Wanted
from services import rules_of
from services.host.kept import packed
from tests.backup.platform import GAME, begin, ended, play
from tests.host.engines import KEY, in_loop
from tests.host.test_kept import ended as over

KEYS = [bytes.fromhex(KEY)]


class Changed:
    """The rules of a game, of which something is another."""

    def __init__(self, rules, **other):
        self._rules, self._other = rules, other

    def __getattr__(self, name):
        return self._other.get(name) or getattr(self._rules, name)


async def finished(game=GAME, luck=1):
    """A match that is over, as the ledger has it."""
    stored, text = await over(rules_of(game), luck)
    return Case(game, "x-match", record=pack(text.encode()), kept=pack(packed(stored, text)))


def with_rules(monkeypatch, **other):
    monkeypatch.setattr(judging, "rules_of", lambda game: Changed(rules_of(game), **other))


@pytest.mark.parametrize("game", ["confrontation", "duel", "risk", "warofthering"])
@in_loop
async def test_a_match_goes_by_the_same_rules_as_it_went(game):
    verdict = await judge(await finished(game))

    assert (game, NEVER, "", rules_of(game).edition) == (
        *(verdict.game, verdict.at),
        *(verdict.unread, verdict.edition),
    )


@in_loop
async def test_another_edition_alone_is_no_difference(monkeypatch):
    """It is what is asked: whether the edition that is to come would still replay it."""
    case = await finished()
    with_rules(monkeypatch, edition=99)

    assert not (await judge(case)).differs


@in_loop
async def test_a_rule_that_forbids_what_was_done_is_found_where_it_was_done(monkeypatch):
    """At the first entry with it, whoever made it."""
    case, rules = await finished(), rules_of(GAME)
    _, stored = judging._opened(case)
    spelt = [line.split("\t")[1] for line in stored.lines]
    first = next(n for n, what in enumerate(spelt) if what.startswith("move "))

    def allows(game, seat, action):
        return not rules.spell(action).startswith("move ") and rules.allows(game, seat, action)

    with_rules(monkeypatch, allows=allows)
    verdict = await judge(case)

    assert first + 1 == verdict.at
    assert f"entry {first + 1}: " in verdict.why


@in_loop
async def test_another_score_is_found_at_the_end(monkeypatch):
    """Nothing else of it is another: it is the history that has another head."""
    case = await finished()
    with_rules(monkeypatch, scores=lambda game: (7, 7))
    verdict = await judge(case)

    assert len(judging._opened(case)[1].lines) == verdict.at
    assert "head" in verdict.why


@in_loop
async def test_rules_that_do_not_know_an_option_cannot_begin_the_match(monkeypatch):
    def setup(options):
        raise KeyError("an option of then")

    case = await finished()
    with_rules(monkeypatch, setup=setup)

    assert (0, True) == ((verdict := await judge(case)).at, "an option of then" in verdict.why)


@in_loop
async def test_what_cannot_be_read_is_counted_apart():
    """A strange game, a record that is none, another fate key."""
    good = await finished()
    _, stored = judging._opened(good)
    for case, why in (
        (good._replace(game="chess"), "does not know the game"),
        (good._replace(kept=pack(b"nothing")), "cannot be read"),
        (good._replace(record=pack(b"nothing")), "cannot be read"),
        (Case(GAME, "x-match", b"", stored), "another fate key"),
    ):
        verdict = await judge(case)
        assert (False, True) == (verdict.differs, why in verdict.unread), verdict


def test_those_that_differ_first_of_all_are_named():
    """However many there are."""
    of = OfGame()
    for at in range(3 * MOST_TOLD, 0, -1):
        of.add(judging.Verdict(GAME, f"m-{at}", at % 2 == 0, at=at))
    of.add(judging.Verdict(GAME, "m-well", is_live=True))
    of.add(judging.Verdict(GAME, "m-odd", is_live=True, unread="why"))

    assert list(range(1, MOST_TOLD + 1)) == [one.at for one in of.first]
    assert (31, 30, 60, 1) == (of.running, of.finished, of.differ, of.unread.total())


# On a platform.


async def platform(servers):
    """Three matches that run, and two that have left."""
    await begin(servers)
    async with servers.engine() as engine:
        for number, decisions in enumerate((0, 5, 12)):
            await play(engine, f"c-live-{number}", decisions)
    async with servers.sql() as sql:
        for luck in (1, 2):
            stored, text = await over(rules_of(GAME), luck)
            await ended(sql, f"c-over-{luck}", text)
            await sql.execute(
                "UPDATE bree.records SET kept = $2 WHERE match = $1",
                *(f"c-over-{luck}", pack(packed(stored, text))),
            )


def told(found):
    return {game: (of.running, of.finished, of.differ) for game, of in found.items()}


def rehearsed(servers, wanted, keys=KEYS):
    return asyncio.run(rehearse(servers.where, keys, wanted, lambda _: None))


def test_all_matches_of_a_platform_are_judged(servers):
    """With others' chance they cannot be followed; and a change in one entry is found there."""
    asyncio.run(platform(servers))
    before = asyncio.run(servers.everything())

    assert {GAME: (3, 2, 0)} == told(rehearsed(servers, Wanted()))
    assert {GAME: (1, 1, 0)} == told(rehearsed(servers, Wanted((GAME,), 1, "a")))
    assert {} == told(rehearsed(servers, Wanted(("duel",))))
    foreign = rehearsed(servers, Wanted(), [bytes(31) + b"\1"])[GAME]
    assert (0, 2, {"it began with another fate key": 3}) == (
        *(foreign.running, foreign.finished),
        dict(foreign.unread),
    )
    assert before == asyncio.run(servers.everything())

    async def forge():
        async with servers.store() as redis:
            [key] = [key async for key in redis.scan_iter("*m:c-live-2:log")]
            parts = (await redis.lindex(key, 3)).split("\t")
            await redis.lset(key, 3, "\t".join([*parts[:2], "00000000", *parts[3:]]))

    asyncio.run(forge())
    of = rehearsed(servers, Wanted())[GAME]
    assert [("c-live-2", 4, True)] == [(one.match, one.at, one.is_live) for one in of.first]


def test_the_same_seed_is_the_same_sample(servers):
    asyncio.run(platform(servers))

    async def names(seed):
        async with servers.where.live() as store, servers.where.sql() as sql:
            return [one.match async for one in cases(store, sql, Wanted(sample=1, seed=seed))]

    samples = {seed: asyncio.run(names(seed)) for seed in "abcdefgh"}
    assert all(samples[seed] == asyncio.run(names(seed)) for seed in "ab")
    assert {2} == {len(names) for names in samples.values()}
    assert 1 < len({tuple(names) for names in samples.values()})


async def cases(store, sql, wanted):
    seen = set()
    for source in (
        sources.running(store, KEYS, wanted, seen),
        sources.finished(sql, wanted, seen),
    ):
        async for one in source:
            yield one


def run_command(servers, monkeypatch, tmp_path, *games, key=KEY):
    for name, value in {
        "BREE_STORE_URL": servers.redis.url,
        "BREE_LEDGER_URL": servers.ledger,
        "BREE_FATE_KEY": key,
        "BREE_STATE": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    return command.replay(games, 0, "", as_json=True)


def test_the_command_says_it_for_programs(servers, monkeypatch, tmp_path, capsys):
    """Its exit code says whether any would differ; without the key it says what it needs."""
    asyncio.run(platform(servers))

    assert 0 == run_command(servers, monkeypatch, tmp_path)
    said = json.loads(capsys.readouterr().out)
    assert (3, 2, 0) == tuple(said[GAME][part] for part in ("running", "finished", "differ"))
    assert 2 == run_command(servers, monkeypatch, tmp_path, "chess")
    assert "there is no game chess" in capsys.readouterr().out
    assert 2 == run_command(servers, monkeypatch, tmp_path, key="")
    assert "BREE_FATE_KEY" in capsys.readouterr().out


def test_a_handful_is_judged_together():
    case = asyncio.run(finished())

    assert [False, False] == [verdict.differs for verdict in judged([case, case])]
