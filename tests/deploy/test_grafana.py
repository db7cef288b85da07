"""The dashboard: every query is one that Prometheus can read and that finds something."""

from __future__ import annotations

import json
import re

import pytest

from tests.deploy.checkers import DEPLOY, document, run
from tests.deploy.queries import complaints, default_names, exported, grouped, selected
from tests.deploy.test_prometheus import recorded, rules

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

GRAFANA = DEPLOY / "grafana"
BOARD = json.loads((GRAFANA / "dashboards/bree.json").read_text(encoding="utf-8"))
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]


def names_of(query):
    """Every metric in a query, ours or of the process."""
    return {name for name, _ in selected(query)} | set(re.findall(r"\bprocess_\w+", query))


def test_every_query_asks_for_what_is_there():
    """Names and labels are those of bree/process/metrics.py, or of a rule."""
    known = exported() | recorded()
    found = {query: list(complaints(query, known)) for query in QUERIES}

    assert not {query: said for query, said in found.items() if said}
    assert set().union(*map(names_of, QUERIES)) <= {*known, *default_names()}
    assert all(names_of(query) for query in QUERIES)


def test_every_query_can_be_read(tmp_path):
    """By Prometheus's own tool, as rules that are made of them."""
    plain = [query.replace("$game", ".*") for query in QUERIES]
    made = [{"record": f"panel:{n}", "expr": query} for n, query in enumerate(plain)]
    path = tmp_path / "panels.yaml"
    path.write_text(json.dumps({"groups": [{"name": "panels", "rules": made}]}), encoding="utf-8")

    assert f"{len(QUERIES)} rules found" in run("promtool", "check", "rules", path)


def test_labels_in_legends_are_those_of_the_query():
    """A legend of a label that was summed away is empty."""
    for panel in PANELS:
        for target in panel["targets"]:
            shown = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            there = set(grouped(target["expr"]))
            for rule in rules("recording.yaml"):
                if rule["record"] in target["expr"]:
                    there |= {*grouped(rule["expr"]), *rule.get("labels", ())}
            assert shown <= there, (panel["title"], target["expr"])


def test_what_a_host_must_see_is_on_the_board():
    """Throughput, latency, queue age, bots, errors by reason, matches, objectives."""
    shown = set().union(*map(names_of, QUERIES))

    assert {
        "bree:decisions:rate1m", "bree_call_seconds_bucket", "bree:append_seconds:p99",
        "bree:due_age_seconds", "bree_bot_think_seconds_bucket", "bree_refusals_total",
        "bree_cached_matches", "bree_matches_created_total", "bree_matches_over_total",
        "bree_matches_frozen_total", "bree_bugs_total", "bree:objective_missed:ratio1h",
    } <= shown  # fmt: skip


def test_panels_do_not_overlap_and_explain_themselves():
    """Each has its own place, a title and a sentence."""
    taken = set()
    for panel in BOARD["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not taken & cells, panel["title"]
        assert at["x"] + at["w"] <= 24, panel["title"]
        taken |= cells
    assert all(panel["title"] and panel["description"].endswith(".") for panel in PANELS)
    assert len(BOARD["panels"]) == len({panel["id"] for panel in BOARD["panels"]})


def test_the_board_is_where_grafana_looks():
    """The compose run mounts it there, and its source is the one that is provided."""
    provider = document(GRAFANA / "provisioning/dashboards/bree.yaml")["providers"][0]
    (source,) = document(GRAFANA / "provisioning/datasources/prometheus.yaml")["datasources"]
    compose = (DEPLOY / "compose/compose.yaml").read_text(encoding="utf-8")

    assert f"../grafana/dashboards:{provider['options']['path']}:ro" in compose
    assert "http://prometheus:9090" == source["url"]
    assert {"${datasource}"} == {panel["datasource"]["uid"] for panel in PANELS}
