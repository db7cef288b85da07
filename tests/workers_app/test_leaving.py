"""A settled match leaves the store, through crashes and repetitions, and no other does."""

from __future__ import annotations

import threading

import pytest
from prometheus_client import REGISTRY

from tests.workers_app.fakes import away
from tests.workers_app.test_scoring import finish
from workers import scoring
from workers.leaving import leave
from workers.scoring import score

GAME = "confrontation"


@pytest.fixture
def settled(clients, engine, gateway):
    """A match that is over and settled."""
    finish(engine, "c-1")
    assert score(clients, GAME, "c-1") == "rated"
    return "c-1"


def counted(result):
    """How often matches were to leave with this result."""
    labels = {"game": GAME, "result": result}
    return REGISTRY.get_sample_value("bree_leavings_total", labels) or 0


def test_a_match_is_settled_with_all_that_the_ledger_keeps(gateway, settled, engine):
    """The record that was verified, and beside it what its engine gave."""
    kept = gateway.records[settled]

    assert kept.record.startswith("bree record 2\ngame confrontation\n")
    assert (b"kept", "ab" * 32, 7) == (kept.kept, kept.head, kept.revision)


def test_a_record_that_is_too_long_for_a_message_is_named_by_its_head(
    clients, engine, gateway, monkeypatch
):
    """The gateway has it from the engine then."""
    monkeypatch.setattr(scoring, "LARGEST", 100)
    finish(engine, "c-1")
    score(clients, GAME, "c-1")
    kept = gateway.records["c-1"]

    assert ("", b"", "ab" * 32, 7) == (kept.record, kept.kept, kept.head, kept.revision)


def test_a_settled_match_leaves(clients, engine, gateway, settled):
    """First what the gateway has of it, then what its engine has: the same that was archived."""
    before = counted("left")

    assert leave(clients, GAME, settled) == "left"
    assert [settled] == gateway.archived == engine.forgotten
    names = [name for name, _ in engine.calls]
    assert names.index("SettleMatch") < names.index("ForgetMatch")
    assert before + 1 == counted("left")


def test_what_the_ledger_does_not_have_stays(clients, engine, gateway, settled):
    """The engine is not even asked."""
    gateway.records.clear()

    assert leave(clients, GAME, settled) == "failed"
    assert [] == engine.forgotten
    assert not engine.count("ForgetMatch")


def test_a_match_with_another_history_than_the_ledger_has_stays(clients, engine, settled):
    """A store that was set back may have one."""
    engine.kept.head = "cd" * 32

    assert leave(clients, GAME, settled) == "failed"
    assert [] == engine.forgotten


@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("part", ["gateway", "engine"])
def test_a_crash_anywhere_leads_to_a_repetition(clients, engine, gateway, settled, where, part):
    """Whether the call or its answer was lost: it is due still, and done in the end."""
    method = {"gateway": "ArchiveMatch", "engine": "ForgetMatch"}[part]
    mishaps = getattr({"gateway": gateway, "engine": engine}[part], where)
    mishaps[method] = [away()] * 50

    assert leave(clients, GAME, settled) == "unavailable"
    mishaps[method].clear()
    assert leave(clients, GAME, settled) == "left"
    assert {settled} == set(gateway.archived) == set(engine.forgotten)


def test_two_workers_do_what_one_does(clients, engine, gateway, settled):
    """A task that was sent twice, at the same time."""
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(leave(clients, GAME, settled)))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ["left"] * 6 == results
    assert {settled} == set(engine.forgotten)


def test_a_ledger_that_is_away_keeps_the_match_due(clients, engine, gateway, settled):
    """Nothing is forgotten, and it is not called a failure."""
    before = counted("unavailable")
    gateway.before["ArchiveMatch"] = [away()] * 50

    assert leave(clients, GAME, settled) == "unavailable"
    assert not engine.forgotten
    assert before + 1 == counted("unavailable")


def test_an_entry_of_old_for_a_match_that_nobody_knows_does_no_harm(clients, engine, gateway):
    """It was due in a store that has come back from before."""
    gateway.before["ArchiveMatch"] = [away("UNKNOWN_MATCH")]

    assert leave(clients, GAME, "c-9") == "failed"
    assert not engine.forgotten
