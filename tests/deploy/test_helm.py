"""The chart: valid whatever it is told, and by default what deploy/kubernetes is."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from services import GAMES
from tests.deploy.checkers import DEPLOY, checker, disobeys, document, documents, run
from tests.deploy.network import Network
from tests.deploy.objects import COMPONENT, by_name, containers, meant, overlaid

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

CHART = DEPLOY / "helm/bree"
SAME = {
    "": {},
    "store-replicas": {"store": {"kind": "sentinel"}},
    "store-cluster": {"store": {"kind": "cluster"}},
    "brokers": {"broker": {"count": 2}},
    "brokers keda brokers-keda": {"broker": {"count": 2}, "autoscaling": {"kind": "keda"}},
    "ledger-cnpg": {"ledger": {"kind": "cnpg"}},
    "ledger-elsewhere": {"ledger": {"kind": "external"}},
    "ingress": {"ingress": {"enabled": True}},
    "backup": {"backup": {"enabled": True}},
    "keda": {"autoscaling": {"kind": "keda"}},
    "backup store-replicas ledger-cnpg ingress keda": {
        "backup": {"enabled": True},
        "store": {"kind": "sentinel"},
        "ledger": {"kind": "cnpg"},
        "ingress": {"enabled": True},
        "autoscaling": {"kind": "keda"},
    },
    "backup store-cluster brokers": {
        "backup": {"enabled": True},
        "store": {"kind": "cluster"},
        "broker": {"count": 2},
    },
}
"""Options of deploy/kubernetes, and the values that say the same."""


@pytest.fixture
def rendered(tmp_path):
    """The chart with some values, as Helm's own engine renders it."""

    def rendered(**values):
        path = tmp_path / "values.json"
        path.write_text(json.dumps(values), encoding="utf-8")
        return run("chart", CHART, path)

    return rendered


@pytest.mark.parametrize("options", SAME, ids=lambda options: options or "default")
def test_the_chart_and_the_plain_files_say_the_same(rendered, tmp_path, options):
    """Object by object, with each option, so that neither is left behind."""
    chart = meant(rendered(**SAME[options]))
    plain = meant(overlaid(tmp_path / "overlay", *options.split()))

    assert set(plain) == set(chart)
    for key in sorted(plain):
        assert plain[key] == chart[key], key


@pytest.mark.parametrize("options", SAME, ids=lambda options: options or "default")
def test_every_object_is_valid(rendered, tmp_path, options):
    """Against the schemas that the plain files are checked by."""
    path = tmp_path / "all.yaml"
    path.write_text(rendered(**SAME[options]), encoding="utf-8")

    assert "passed for resource" in run("kubernetes-validate", "--strict", path)
    for (kind, _), one in by_name(path.read_text("utf-8")).items():
        if kind == "Cluster":
            assert [] == disobeys("postgresql.cnpg.io_clusters.yaml", one)
        if kind == "ScaledObject":
            assert [] == disobeys("keda.sh_scaledobjects.yaml", one)


def test_the_games_are_those_that_there_are():
    """Derived from their manifests; the templates name none."""
    templates = "".join(path.read_text("utf-8") for path in (CHART / "templates").iterdir())

    assert set(GAMES) == set(document(CHART / "values.yaml")["games"])
    assert [] == [game for game in GAMES if game in templates]


def test_a_game_more_and_a_game_less_are_everywhere(rendered):
    """Its engines, and their addresses for all who call them."""
    first, second = sorted(GAMES)[:2]
    objects = by_name(rendered(games={first: None, second: {"replicas": 3, "image": "mine"}}))
    engines = objects["ConfigMap", "bree"]["data"]["BREE_ENGINES"]
    three = objects["StatefulSet", f"{second}-engine"]

    assert ("StatefulSet", f"{first}-engine") not in objects
    assert f"{first}=" not in engines
    assert 3 == three["spec"]["replicas"]
    assert three["spec"]["template"]["spec"]["containers"][0]["image"].startswith("mine:")
    assert f"{second}-engine-2.{second}-engine:7100" in engines


def test_pods_follow_their_settings(rendered):
    """What reads the settings at its start is started again when they change."""

    def marks(**values):
        return {
            name: one["spec"]["template"]["metadata"]["annotations"]["checksum/config"]
            for (kind, name), one in by_name(rendered(**values)).items()
            if kind == "Deployment" and "envFrom" in json.dumps(one)
        }

    before, after = marks(), marks(games={min(GAMES): None})

    assert {"gateway", "worker", "sweeper"} == set(before)
    assert all(before[name] != after[name] for name in before)


def test_images_levels_and_settings_are_as_they_are_told(rendered):
    """Of all parts at once."""
    told = rendered(
        images={"registry": "registry.example.org/bree/", "tag": "0.2.0-rc.1"},
        levels="novice,greedy",
        gateway={"env": {"BREE_TRUSTED_HOPS": "2"}},
        autoscaling={"kind": "none", "minimum": 4},
    )
    objects = by_name(told)
    engine = objects["StatefulSet", f"{min(GAMES)}-engine"]["spec"]["template"]["spec"]
    variables = {e["name"]: e.get("value") for e in engine["containers"][0]["env"]}
    gateway = objects["Deployment", "gateway"]["spec"]["template"]["spec"]["containers"][0]

    assert "novice,greedy" == variables["BREE_BOT_LEVELS"]
    assert "registry.example.org/bree/bree-engine:0.2.0-rc.1" == engine["containers"][0]["image"]
    assert {"name": "BREE_TRUSTED_HOPS", "value": "2"} in gateway["env"]
    assert ("Job", "ledger-upgrade-0-2-0-rc-1") in objects
    assert 4 == objects["Deployment", "worker"]["spec"]["replicas"]
    assert not {"HorizontalPodAutoscaler", "ScaledObject"} & {kind for kind, _ in objects}


def test_servers_elsewhere_are_not_started(rendered):
    """Their URLs come from a secret, and who asks them may go out."""
    store = {"kind": "external", "url": {"name": "mine", "key": "redis"}, "replicas": 1}
    objects = by_name(rendered(store=store, ledger={"kind": "external"}))
    gateway = objects["Deployment", "gateway"]["spec"]["template"]["spec"]["containers"][0]
    variables = {entry["name"]: entry for entry in gateway["env"]}

    assert not {("StatefulSet", "store"), ("StatefulSet", "ledger")} & set(objects)
    assert {"name": "mine", "key": "redis"} == variables["BREE_STORE_URL"]["valueFrom"][
        "secretKeyRef"
    ]
    assert "1" == variables["BREE_STORE_REPLICAS"]["value"]
    assert not {"STORE_PASSWORD", "LEDGER_PASSWORD"} & set(variables)
    assert {("NetworkPolicy", "store-elsewhere"), ("NetworkPolicy", "ledger-elsewhere")} <= set(
        objects
    )


def test_a_larger_cluster_is_said_everywhere(rendered):
    """So many servers, and the Job that makes them one knows each by its name."""
    objects = by_name(rendered(store={"kind": "cluster", "nodes": 12, "masters": 4}))
    (container,) = containers(objects["Job", "store-cluster"])
    told = {entry["name"]: entry.get("value") for entry in container["env"]}

    assert 12 == objects["StatefulSet", "store"]["spec"]["replicas"]
    assert " ".join(f"store-{n}.store" for n in range(12)) == told["STORE_NODES"]
    assert "4" == told["STORE_MASTERS"]


def test_three_brokers_are_three_times_the_same(rendered):
    """Each with workers of its own who reach it alone, and a third of what is wanted."""
    text = rendered(broker={"count": 3})
    objects, network = by_name(text), Network.of(text)
    scaling = [objects["HorizontalPodAutoscaler", f"worker{nth}"] for nth in ("", "-2", "-3")]
    reached = {
        (worker, broker)
        for worker in ("", "-2", "-3")
        for broker in ("", "-2", "-3")
        if network.lets_through(
            {COMPONENT: f"worker{worker}"}, {COMPONENT: f"broker{broker}"}, 6379
        )
    }
    targets = {one["spec"]["metrics"][0]["external"]["target"]["averageValue"] for one in scaling}
    (sweeper,) = containers(objects["Deployment", "sweeper"])
    (urls,) = [e["value"] for e in sweeper["env"] if e["name"] == "BREE_BROKER_URL"]

    assert {(nth, nth) for nth in ("", "-2", "-3")} == reached
    assert {"5.4"} == targets
    assert ["broker", "broker-2", "broker-3"] == re.findall(r"@([\w-]+):6379", urls)


WRONG = {
    "store": {"store": {"kind": "ring"}},
    "twice as many": {"store": {"kind": "cluster", "nodes": 9, "masters": 5}},
    "nodes": {"store": {"kind": "cluster", "nodes": 5}},
    "count": {"broker": {"count": 0}},
    "legder": {"legder": {"kind": "own"}},
    "replicas": {"games": {"duel": {"replicas": 0}}},
    "TRUSTED_HOPS": {"gateway": {"env": {"TRUSTED_HOPS": "2"}}},
    "registry": {"images": {"registry": "registry.example.org"}},
    "games": {"games": dict.fromkeys(GAMES)},
}
"""Values that are refused, by a word that the refusal has."""


@pytest.mark.parametrize("wrong", WRONG)
def test_values_that_cannot_be_right_are_refused(tmp_path, wrong):
    """With what is wrong, and nothing is rendered."""
    path = tmp_path / "values.json"
    path.write_text(json.dumps(WRONG[wrong]), encoding="utf-8")
    done = subprocess.run(
        [checker("chart"), CHART, path], capture_output=True, text=True, check=False
    )

    assert 1 == done.returncode
    assert "" == done.stdout
    assert wrong in done.stderr


def test_what_a_chart_must_say_it_says():
    """Its version is the platform's, and the notes name the command that a new store takes."""
    (chart,) = documents((CHART / "Chart.yaml").read_text("utf-8"))

    assert chart["version"] == chart["appVersion"]
    assert "bree.process.accept" in (CHART / "templates/NOTES.txt").read_text("utf-8")
