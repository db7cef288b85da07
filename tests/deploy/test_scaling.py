"""How many workers there are: as many as turns need, and not more because one turn is old."""

from __future__ import annotations

import pytest

from tests.deploy.checkers import DEPLOY, document, documents
from tests.deploy.scaling import Autoscaler, Workers

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

SECONDS = 2  # that a bot thinks
AGE = {"type": "Value", "value": "5"}


@pytest.fixture(scope="module")
def objects():
    text = (DEPLOY / "kubernetes/workers.yaml").read_text(encoding="utf-8")
    return {one["kind"]: one for one in documents(text)}


@pytest.fixture(scope="module")
def spec(objects):
    return objects["HorizontalPodAutoscaler"]["spec"]


@pytest.fixture
def workers(objects, spec):
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    (processes,) = [e for e in container["env"] if e["name"] == "BREE_WORKER_PROCESSES"]
    return Workers(spec, int(processes["value"]), SECONDS)


def needed(workers, coming):
    """The workers that are kept busy by this number of turns a second."""
    return -(-coming * SECONDS // workers.processes)


def test_the_metric_is_the_number_of_open_turns(spec):
    """Over half a minute, in all games, and shared among the workers; nothing of it is an age."""
    (metric,) = spec["metrics"]
    (rule,) = document(DEPLOY / "kubernetes/metrics-adapter.yaml")["rules"]["external"]
    (made,) = [
        one["expr"]
        for group in document(DEPLOY / "prometheus/recording.yaml")["groups"]
        for one in group["rules"]
        if one["record"] == rule["seriesQuery"]
    ]

    assert made == 'sum(max by (game) (avg_over_time(bree_due{kind="bot_turn"}[30s])))'
    assert metric["external"]["target"]["type"] == "AverageValue"


def test_one_turn_that_is_never_played_asks_for_nobody(workers):
    """However old it becomes: it is one turn."""
    workers.failing = 1
    workers.live(3600, coming=1)

    assert {workers.autoscaler.least} == set(workers.replicas)


def test_by_age_one_turn_would_ask_for_all(spec):
    """What is avoided: the ratio of an age to its target grows without end."""
    (metric,) = spec["metrics"]
    by_age = {"external": {**metric["external"], "target": AGE}}
    autoscaler = Autoscaler({**spec, "metrics": [by_age]})
    for now in range(0, 900, 15):
        autoscaler.look(now, now)

    assert autoscaler.replicas == spec["maxReplicas"]


@pytest.mark.parametrize("coming", [4, 7, 12, 18])
def test_a_backlog_gets_the_workers_it_needs(workers, coming):
    """Turns that come faster than they are played: in the end none waits long, nor do workers."""
    workers.live(600, coming=1)
    workers.live(1800, coming=coming)
    workers.late = 0
    workers.live(1800, coming=coming)
    used = sum(workers.replicas[-1800:]) / 1800
    enough = needed(workers, coming)

    assert enough <= used + 0.5
    assert used <= 1.3 * enough + 1
    assert max(workers.replicas[-1800:]) <= 2 * enough
    assert workers.late <= 15


def test_a_burst_is_no_reason_to_grow(workers):
    """What two workers have played within seconds needs no third one."""
    workers.live(300, coming=1)
    workers.live(300, coming=1, at_once=10)

    assert {workers.autoscaler.least} == set(workers.replicas)
    assert not workers.waiting


def test_a_great_backlog_is_played_and_the_workers_go(workers):
    """They come while it lasts, and are few again when it is over."""
    workers.live(300, coming=1)
    workers.live(600, coming=1, at_once=1500)
    assert max(workers.replicas) > workers.autoscaler.least
    assert not workers.waiting
    workers.live(1800, coming=1)

    assert workers.replicas[-1] == workers.autoscaler.least
