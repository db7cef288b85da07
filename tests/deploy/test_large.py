"""What a large platform has: a store that is a cluster, and several brokers."""

from __future__ import annotations

import json
import re

import pytest

from bree.redis.address import Nodes
from tests.deploy.checkers import DEPLOY, document
from tests.deploy.objects import COMPONENT, WORKLOADS, by_name, containers, overlaid, pod

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

SECONDED = {"broker", "worker", "worker-pods"}


@pytest.fixture(scope="module")
def clustered(tmp_path_factory):
    """The objects of a platform whose store is a cluster."""
    return by_name(overlaid(tmp_path_factory.mktemp("cluster"), "backup", "store-cluster"))


@pytest.fixture(scope="module")
def brokers(tmp_path_factory):
    """The objects of one with two brokers."""
    return by_name(overlaid(tmp_path_factory.mktemp("brokers"), "brokers"))


def told(one):
    """What the last container of a workload is told, by name."""
    return {entry["name"]: entry.get("value") for entry in containers(one)[-1]["env"]}


def test_a_store_of_nine_stands_on_nine_machines(clustered):
    """Each with a volume and a name that does not wait for its pod, one away at a time."""
    store = clustered["StatefulSet", "store"]
    (rule,) = pod(store)["affinity"]["podAntiAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]
    (zones,) = pod(store)["topologySpreadConstraints"]
    (container,) = containers(store)
    (claim,) = store["spec"]["volumeClaimTemplates"]

    assert (9, "Parallel") == (store["spec"]["replicas"], store["spec"]["podManagementPolicy"])
    assert "kubernetes.io/hostname" == rule["topologyKey"]
    assert "topology.kubernetes.io/zone" == zones["topologyKey"]
    for selector in (rule["labelSelector"], zones["labelSelector"]):
        assert {COMPONENT: "store"} == selector["matchLabels"]
    assert 1 == clustered["PodDisruptionBudget", "store"]["spec"]["maxUnavailable"]
    assert clustered["Service", "store"]["spec"]["publishNotReadyAddresses"]
    assert "None" == clustered["Service", "store"]["spec"]["clusterIP"]
    assert "data" == claim["metadata"]["name"]
    assert {6379, 16379} == {port["containerPort"] for port in container["ports"]}
    assert ["/scripts/is-in-step"] == container["readinessProbe"]["exec"]["command"]
    assert "PONG" in str(container["livenessProbe"])  # one that is behind is not started again


def test_what_is_behind_the_promise_is_in_the_file_that_is_mounted(clustered):
    """As hosts are given it, whole; and the arguments beside it take nothing of it back."""
    (scripts,) = [one["data"] for (kind, name), one in clustered.items()
                  if kind == "ConfigMap" and name.startswith("store-scripts")]  # fmt: skip
    given = (DEPLOY / "redis/cluster.conf").read_text("utf-8")
    settings = {line.split()[0] for line in given.splitlines() if line and line[0] != "#"}
    said = set(re.findall(r"--([\w-]+) ", scripts["start-node"].partition("exec redis")[2]))

    assert given == scripts["cluster.conf"]
    assert {"port"} == said & settings
    assert {"requirepass", "masterauth", "cluster-announce-hostname", "maxmemory"} <= said
    assert "--cluster-preferred-endpoint-type hostname" in scripts["start-node"]


def test_the_job_knows_every_server_of_the_store(clustered):
    """By the names that their pods have."""
    job = clustered["Job", "store-cluster"]
    store = clustered["StatefulSet", "store"]["spec"]
    names = [f"store-{n}.{store['serviceName']}" for n in range(store["replicas"])]

    assert " ".join(names) == told(job)["STORE_NODES"]
    assert 3 * int(told(job)["STORE_MASTERS"]) == len(names)
    assert job["spec"]["ttlSecondsAfterFinished"] <= 600  # a Job cannot be changed, only made again
    assert ["/scripts/make-cluster"] == containers(job)[0]["command"]


def test_who_asks_a_cluster_is_told_so_and_waits_for_a_second_machine(clustered):
    """Engines, gateways and backups; a broker is no cluster."""
    asks = set()
    for (kind, _), one in clustered.items():
        if kind in WORKLOADS and "BREE_STORE_URL" in told(one):
            spec = one["spec"].get("jobTemplate", one)["spec"]
            part = spec["template"]["metadata"]["labels"][COMPONENT]
            asks.add(part)
            nodes = Nodes.of(told(one)["BREE_STORE_URL"].replace("$(STORE_PASSWORD)", "a"))
            assert [f"store-{n}.store" for n in range(6)] == [node.host for node in nodes.seeds]
            assert (part != "backup") == (told(one).get("BREE_STORE_REPLICAS") == "1"), part
        if kind in WORKLOADS and "BREE_BROKER_URL" in told(one):
            assert told(one)["BREE_BROKER_URL"].startswith("redis://")
    assert {"engine", "gateway", "backup"} == asks


def test_the_second_broker_is_as_the_first(brokers):
    """With workers, their scaling, services and budgets that differ in their names alone."""
    for (kind, name), one in brokers.items():
        if name in SECONDED and kind != "NetworkPolicy":
            second = brokers[kind, re.sub(r"^(broker|worker)", r"\1-2", name)]
            text = json.dumps(second).replace("broker-2", "broker").replace("worker-2", "worker")
            assert one == json.loads(text), (kind, name)
    found = {kind for kind, name in brokers if name == "worker-2"}

    assert {"Deployment", "HorizontalPodAutoscaler", "PodDisruptionBudget"} <= found
    assert {"Deployment", "Service", "PodDisruptionBudget"} <= {
        kind for kind, name in brokers if name == "broker-2"
    }


def test_selectors_tell_the_two_apart(brokers):
    """A service or a budget of one is none of the other."""
    labels = {
        name: one["spec"]["template"]["metadata"]["labels"]
        for (kind, name), one in brokers.items() if kind == "Deployment"
    }  # fmt: skip
    for (kind, name), one in brokers.items():
        if kind in {"Service", "PodDisruptionBudget"} and re.match("broker|worker", name):
            selector = one["spec"]["selector"]
            wanted = selector.get("matchLabels", selector).items()
            chosen = [who for who, have in labels.items() if wanted <= have.items()]
            assert [name.removesuffix("-pods")] == chosen, (kind, name)


def test_a_worker_is_told_its_broker_and_who_sends_is_told_all(brokers):
    """In the same words everywhere, by the reading of the setting itself."""
    urls = {}
    for (kind, name), one in brokers.items():
        if kind in WORKLOADS and "BREE_BROKER_URL" in told(one):
            read = told(one)["BREE_BROKER_URL"].split(" ")
            urls[name] = [re.search(r"@([\w-]+):6379/0$", url)[1] for url in read]
    workers = {name: urls.pop(name) for name in ("worker", "worker-2")}

    assert {"worker": ["broker"], "worker-2": ["broker-2"]} == workers
    assert {("broker", "broker-2")} == set(map(tuple, urls.values()))
    assert "sweeper" in urls
    assert len(urls) > 1


def test_each_pool_of_workers_has_its_share_of_what_is_wanted(brokers, tmp_path):
    """Half of the metric for each, by one autoscaler and by the other."""
    first = by_name(overlaid(tmp_path / "one"))["HorizontalPodAutoscaler", "worker"]["spec"]
    share = first["metrics"][0]["external"]["target"]["averageValue"]
    keda = by_name(overlaid(tmp_path / "keda", "brokers", "keda", "brokers-keda"))
    for name in ("worker", "worker-2"):
        ours = brokers["HorizontalPodAutoscaler", name]["spec"]
        theirs = keda["ScaledObject", name]["spec"]
        target = ours["metrics"][0]["external"]["target"]["averageValue"]
        assert 2 * float(share) == float(target)
        assert target == theirs["triggers"][0]["metadata"]["threshold"]
        assert name == theirs["scaleTargetRef"]["name"] == ours["scaleTargetRef"]["name"]
    assert "HorizontalPodAutoscaler" not in {kind for kind, _ in keda}


def test_figures_of_both_pools_are_read():
    """By one job, so that alerts and rules count them together."""
    jobs = document(DEPLOY / "prometheus/kubernetes.yaml")["scrape_configs"]
    (worker,) = [job for job in jobs if job["job_name"] == "worker"]
    names = [name for found in worker["dns_sd_configs"] for name in found["names"]]

    assert ["worker-pods.bree.svc", "worker-2-pods.bree.svc"] == names
