"""A local run with brokers of one's own: each has a worker, and all others know all of them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from bree.local.parts import parts_of, servers_of
from bree.local.settings import LocalSettings

STORE, ONE, TWO = "redis://s:1/0", "redis://a:1/0", "redis+sentinel://b:1,c:1/bree"
OWN = {"store_url": STORE, "ledger_url": "postgresql://a@b/c"}


def told(state, **settings):
    """The brokers that each part is told of."""
    parts = parts_of(LocalSettings(state=state.root, games="duel", **OWN, **settings), state)
    return {part.name: part.environment["BREE_BROKER_URL"] for part in parts}


def test_each_worker_serves_one_broker_in_turn(state):
    """Engines and sweepers are told of all."""
    both = f"{ONE} {TWO}"
    found = told(state, broker_url=both, workers=3)
    workers = [found.pop(f"worker-{number}") for number in (1, 2, 3)]

    assert [ONE, TWO, ONE] == workers
    assert {"duel-1", "gateway", "sweeper-1"} == found.keys()
    assert {both} == set(found.values())


@pytest.mark.parametrize(("broker", "at"), [("", STORE), (ONE, ONE)])
def test_with_one_broker_all_are_told_the_same(state, broker, at):
    """It is the store, if there is no other."""
    assert {at} == set(told(state, broker_url=broker, workers=2).values())


def test_a_broker_without_a_worker_is_refused():
    """Whoever's turns were there would wait for ever."""
    with pytest.raises(ValidationError, match="each of 2 brokers needs a worker: raise BREE_WOR"):
        LocalSettings(broker_url=f"{ONE} {TWO}", workers=1)
    with pytest.raises(ValidationError, match="a broker is named as"):
        LocalSettings(broker_url="amqp://rabbit")
    with pytest.raises(ValidationError, match="the broker is no cluster"):
        LocalSettings(broker_url="redis+cluster://c:1", **OWN)


def test_only_a_run_needs_a_broker_besides_a_cluster(state):
    """All other commands of the host send no tasks."""
    settings = LocalSettings(state=state.root, **OWN | {"store_url": "redis+cluster://c:1"})

    assert [] == servers_of(settings, state)
    with pytest.raises(ValueError, match="the broker is no cluster"):
        parts_of(settings, state)
