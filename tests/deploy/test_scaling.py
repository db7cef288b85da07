"""How many workers there are: as many as turns need, whatever comes, and no more."""

from __future__ import annotations

import json
import math
import re

import pytest

from services.host.settings import HostSettings
from tests.deploy.checkers import DEPLOY, KUBERNETES, document, documents, run
from tests.deploy.scaling import DOWN, Autoscaler, Rule, Seen, Workers
from workers.settings import WorkerSettings

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

THINKS = (1, 2, 8)
"""Seconds that bots think, of which the rule is told nothing."""

MOST = 1.5
"""Replicas over those that are needed."""

AGE = {"type": "Value", "value": "5"}
PROMETHEUS = DEPLOY / "prometheus"


@pytest.fixture(scope="module")
def objects():
    text = (KUBERNETES / "workers.yaml").read_text(encoding="utf-8")
    return {one["kind"]: one for one in documents(text)}


@pytest.fixture(scope="module")
def spec(objects):
    return objects["HorizontalPodAutoscaler"]["spec"]


@pytest.fixture(scope="module")
def recorded():
    """The rules that are recorded, by name."""
    rules = document(PROMETHEUS / "recording.yaml")["groups"]
    return {one["record"]: one["expr"] for group in rules for one in group["rules"]}


@pytest.fixture(scope="module")
def rule(recorded):
    """The numbers that stand in the files."""
    wanted, done = recorded["bree:bot_processes_wanted"], recorded["bree:bot_turns_done:rate2m"]
    (minutes,) = set(re.findall(r"\[(\d+)m\]", wanted + done))
    (grown,) = re.findall(r"delta\(bree:bot_turns_open\[\w+\]\) / (\d+)", wanted)
    (gone,) = re.findall(r"busy\) / (\d+)", wanted)
    (longest,) = re.findall(r"processes\) / (\d+)", done)
    read = document(PROMETHEUS / "kubernetes.yaml")["global"]
    steps = [read[f"{step}_interval"] for step in ("scrape", "evaluation")]
    late = HostSettings.model_fields["census_seconds"].default + sum(
        int(step.removesuffix("s")) for step in steps
    )

    assert int(grown) == 60 * int(minutes)
    assert int(longest) == WorkerSettings.model_fields["task_seconds"].default
    return Rule(60 * int(minutes), int(gone), int(longest), int(late))


@pytest.fixture(params=THINKS, ids=lambda seconds: f"{seconds}s")
def workers(request, objects, spec, rule):
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    (processes,) = [e for e in container["env"] if e["name"] == "BREE_WORKER_PROCESSES"]
    return Workers(spec, rule, int(processes["value"]), request.param)


def rate(workers, needed):
    """The turns a second that keep this number of workers busy."""
    return needed * workers.processes / workers.seconds


def test_the_metric_is_what_the_rule_makes(spec, recorded):
    """Served under another name, and shared among the workers; nothing of it is an age."""
    (metric,) = spec["metrics"]
    (served,) = document(KUBERNETES / "metrics-adapter.yaml")["rules"]["external"]

    assert "bree:bot_processes_wanted" == served["seriesQuery"]
    assert served["name"]["as"] == metric["external"]["metric"]["name"]
    assert "AverageValue" == metric["external"]["target"]["type"]
    assert not any("age" in one for name, one in recorded.items() if "bot_" in name)
    assert DOWN == spec["behavior"]["scaleDown"]["stabilizationWindowSeconds"]


def test_a_worker_is_meant_to_be_busy_for_most_of_the_time(objects, spec):
    """Its share is less than its processes, or a backlog would never be less."""
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    (processes,) = [e for e in container["env"] if e["name"] == "BREE_WORKER_PROCESSES"]
    share = float(spec["metrics"][0]["external"]["target"]["averageValue"])

    assert 0.75 <= share / int(processes["value"]) <= 0.95


TOLD = {
    "nothing waits, and what comes is done": (2, 0, 0.5, 24),
    "a backlog that is as it was": (600, 0, 2, 8),
    "a backlog that grows": (30, 5, 2, 8),
    "a backlog that is played": (900, -3, 4, 8),
    "turns that are never played": (3, 0, 0, 8),
}
"""Turns open at first, and more after each ten seconds; turns done in a second; processes."""

STEPS = 60


@pytest.mark.parametrize("told", TOLD)
def test_the_simulation_has_the_rule_that_prometheus_has(tmp_path, rule, told):
    """The same is seen by both, and both want the same."""
    first, more, done, processes = TOLD[told]
    seen = [
        Seen(n := first + more * step // 10, min(n, processes), done)
        for step in range(10 * STEPS - rule.window, 10 * STEPS + 1)
    ]
    expected = rule.wanted(seen, processes)
    difference = f"abs(bree:bot_processes_wanted - {expected})"
    series = {
        'bree_due{kind="bot_turn", game="a", instance="1"}': f"{first}{more:+d}x{STEPS}",
        'bree_due{kind="bot_turn", game="a", instance="2"}': f"0x{STEPS}",
        'bree_worker_processes{instance="3"}': f"{processes}x{STEPS}",
        'bree_done_after_seconds_count{kind="bot_turn", game="a"}': f"0+{10 * done}x{STEPS}",
    }
    test = {
        "rule_files": [str(PROMETHEUS / "recording.yaml")],
        "evaluation_interval": "10s",
        "tests": [{
            "interval": "10s",
            "input_series": [{"series": one, "values": v} for one, v in series.items()],
            "promql_expr_test": [{
                "expr": f"{difference} < bool {0.02 * expected + 0.01}",
                "eval_time": f"{10 * STEPS}s",
                "exp_samples": [{"labels": "{}", "value": 1}],
            }],
        }],
    }  # fmt: skip
    path = tmp_path / "test.json"
    path.write_text(json.dumps(test), encoding="utf-8")

    assert "SUCCESS" in run("promtool", "test", "rules", path)


def test_one_turn_that_is_never_played_asks_for_nobody(workers):
    """However old it becomes: it is one turn."""
    workers.failing = 1
    workers.live(3600, coming=rate(workers, 0.5))

    assert {workers.autoscaler.least} == set(workers.replicas)


def test_by_age_one_turn_would_ask_for_all(spec):
    """What is avoided: the ratio of an age to its target grows without end."""
    (metric,) = spec["metrics"]
    by_age = {"external": {**metric["external"], "target": AGE}}
    autoscaler = Autoscaler({**spec, "metrics": [by_age]})
    for now in range(0, 900, 15):
        autoscaler.look(now, now)

    assert autoscaler.replicas == spec["maxReplicas"]


@pytest.mark.parametrize("needed", [4, 7, 12, 15])
def test_a_load_that_rises_at_once_gets_the_workers_it_needs(workers, needed):
    """Soon nothing waits; there are never half as many again; then all is still."""
    workers.live(600, coming=rate(workers, 0.5))
    workers.live(900, coming=rate(workers, needed))
    workers.late = 0
    workers.live(3600, coming=rate(workers, needed))

    assert workers.late <= 15
    assert workers.excess(since=600) <= MOST
    assert 0 == workers.changes(since=-2700)
    assert needed <= workers.replicas[-1] <= math.ceil(1.25 * needed)


def test_a_load_that_comes_and_goes_is_followed(workers):
    """As days do, in two hours: a worker comes or goes a few times, and never back and forth."""
    workers.live(7200, coming=lambda now: rate(workers, 8 - 7 * math.cos(now / 7200 * math.tau)))
    rising, falling = workers.replicas[:3600], workers.replicas[4200:]

    assert workers.excess(since=0) <= MOST
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)


def test_a_burst_is_no_reason_to_grow(workers):
    """What two workers have played within seconds needs no third one."""
    workers.live(300, coming=rate(workers, 0.5))
    workers.live(300, coming=rate(workers, 0.5), at_once=8)

    assert {workers.autoscaler.least} == set(workers.replicas)
    assert not workers.waiting


@pytest.mark.parametrize("minutes", [10, 60])
def test_a_great_backlog_is_played_and_the_workers_go(workers, minutes):
    """So many minutes of work for two workers: it is gone in ten, and they are few again."""
    work = round(rate(workers, 2) * 60 * minutes)
    workers.live(300, coming=rate(workers, 0.5))
    workers.live(600, coming=rate(workers, 0.5), at_once=work)
    most = max(workers.replicas)
    assert not workers.waiting
    assert workers.autoscaler.least < most
    assert workers.excess(since=300) <= MOST
    workers.live(3600, coming=rate(workers, 0.5))

    assert workers.replicas[-1] == workers.autoscaler.least


def test_by_the_turns_that_are_open_there_would_be_far_more(spec, rule):
    """The simulation can fail: those who are only starting would be asked for again."""

    class ByOpenTurns(Workers):
        def _look(self, done):
            super()._look(done)
            self.metrics[-1] = sum(one.open for one in [*self.seen][-30:]) / 30 * 1.8 / 3

    workers = ByOpenTurns({**spec, "maxReplicas": 60}, rule, 2, 2)
    workers.live(600, coming=1)
    workers.live(1800, coming=7)

    assert workers.excess(since=600) > MOST
