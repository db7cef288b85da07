"""What Prometheus is told: read by its own tool, and every alert tried."""

from __future__ import annotations

import json
import re

import pytest

from bree.process import metrics
from tests.deploy.checkers import DEPLOY, document, run
from tests.deploy.objects import overlaid
from tests.deploy.queries import ADDED, complaints, exported, grouped

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

PROMETHEUS = DEPLOY / "prometheus"
RULES = ("recording.yaml", "alerts.yaml")
TRIALS = ("alerts_test.yaml", "ledger_test.yaml", "objectives_test.yaml")
CONFIGURATIONS = ("prometheus.yaml", "kubernetes.yaml")


def rules(name):
    return [rule for group in document(PROMETHEUS / name)["groups"] for rule in group["rules"]]


def recorded():
    """What rules make, each with the labels that any of its rules gives it."""
    names = {}
    for rule in rules("recording.yaml"):
        labels = {*grouped(rule["expr"]), *rule.get("labels", ())} - {"le"}
        names[rule["record"]] = names.get(rule["record"], set()) | labels
    return names


@pytest.fixture(scope="module")
def known():
    """Every name that a rule may ask for, with its labels: exported, or recorded by a rule."""
    return exported() | recorded()


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_configuration_is_read_by_its_own_tool(name):
    """With the rules that it names."""
    assert "2 rule files found" in run("promtool", "check", "config", PROMETHEUS / name)


def test_the_rules_are_read_by_their_own_tool():
    """And it has nothing to say about them."""
    files = [PROMETHEUS / name for name in RULES]
    run("promtool", "check", "rules", "--lint=all", "--lint-fatal", *files)


@pytest.mark.parametrize("name", TRIALS)
def test_the_alerts_do_what_their_tests_say(name):
    """Each fires when it should and not when it should not."""
    assert "SUCCESS" in run("promtool", "test", "rules", name, cwd=PROMETHEUS)


def test_every_alert_is_tried_and_fires():
    """An alert that was never seen to fire may not be able to."""
    fired = {
        trial["alertname"]
        for name in TRIALS
        for test in document(PROMETHEUS / name)["tests"]
        for trial in test["alert_rule_test"]
        if trial["exp_alerts"]
    }

    assert {rule["alert"] for rule in rules("alerts.yaml")} == fired


def test_every_rule_asks_for_what_is_there(known):
    """Names and labels are those of bree/process/metrics.py."""
    found = {
        rule["expr"]: list(complaints(rule["expr"], known)) for n in RULES for rule in rules(n)
    }

    assert not {query: said for query, said in found.items() if said}


def test_every_objective_is_recorded_over_the_same_windows():
    """With a limit that its histogram has a bucket for, and with the others' labels."""
    found = {}
    for rule in rules("recording.yaml"):
        objective = rule.get("labels", {}).get("objective")
        if objective and rule["record"].startswith("bree:objective_missed:ratio"):
            (window,) = set(re.findall(r"\[(\w+)\]", rule["expr"]))
            (limit,) = re.findall(r'le="([\d.]+)"', rule["expr"])
            assert rule["record"].endswith(f"ratio{window}"), rule["record"]
            found.setdefault((objective, float(limit)), set()).add(window)

    assert {("answers", 0.25), ("bot_turns", 10), ("scores", 30)} == set(found)
    assert {frozenset({"5m", "30m", "1h", "2h", "6h", "1d", "3d"})} == set(
        map(frozenset, found.values())
    )
    assert 0.25 in metrics.CALL_SECONDS._kwargs["buckets"]
    assert {10, 30} <= set(metrics.DONE_AFTER_SECONDS._kwargs["buckets"])


def test_every_alert_says_how_bad_it_is_and_what_it_means():
    """`page` or `ticket`, a summary, and a description that is a sentence."""
    for rule in rules("alerts.yaml"):
        assert rule["labels"]["severity"] in {"page", "ticket"}, rule["alert"]
        assert rule["annotations"]["summary"], rule["alert"]
        assert rule["annotations"]["description"].endswith("."), rule["alert"]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_part_is_read(name):
    """Under the names that the alerts know."""
    jobs = {job["job_name"] for job in document(PROMETHEUS / name)["scrape_configs"]}
    alerts = json.dumps(rules("alerts.yaml"))

    assert {"engine", "gateway", "worker", "sweeper"} == jobs
    assert jobs == set(re.findall(r"absent_over_time\(up\{job=\\\"(\w+)\\\"\}", alerts))


def test_the_compose_run_has_what_is_read(tmp_path):
    """Every name is one of its services, and every service of ours is read."""
    env = tmp_path / "bree.env"
    example = (DEPLOY / "compose/bree.env.example").read_text(encoding="utf-8")
    env.write_text(re.sub(r"^(\w+)=$", r"\1=secret", example, flags=re.MULTILINE))
    services = json.loads(run("compose", env, DEPLOY / "compose/compose.yaml"))["services"]

    ours = {name for name, service in services.items() if service.get("build")}

    assert ours - {"upgrade"} == _names("prometheus")  # which does one thing and ends


def test_the_cluster_has_what_is_read(tmp_path):
    """Every name is one of its headless services, of a second broker's workers, too."""
    manifest = overlaid(tmp_path, "brokers")
    headless = set(re.findall(r"clusterIP: None(?:\n.*?)*?", manifest))

    assert headless
    assert all(
        f"name: {name.removesuffix('.bree.svc')}\n" in manifest for name in _names("kubernetes")
    )


def _names(name):
    return {
        target
        for job in document(PROMETHEUS / f"{name}.yaml")["scrape_configs"]
        for found in job["dns_sd_configs"]
        for target in found["names"]
    }


def test_a_query_that_asks_for_nothing_is_found(known):
    """The check of names and labels can fail."""
    assert ["there is no bree_nothing"] == list(complaints("rate(bree_nothing[5m])", known))
    assert ["bree_due has no colour"] == list(complaints('bree_due{colour="red", job="a"}', known))
    assert ["nothing here has le2"] == list(complaints("sum by (le2) (bree_due)", known))
    assert [] == list(complaints("sum by (game, le) (rate(bree_apply_seconds_bucket[5m]))", known))
    assert ADDED <= {"job", "instance", "le"}
