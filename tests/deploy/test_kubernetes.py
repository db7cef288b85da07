"""The manifests for Kubernetes, as kustomize makes them: valid, closed, and of one mind."""

from __future__ import annotations

import re

import pytest

from bree.process.replicas import engines_of
from services import GAMES
from services.host.settings import HostSettings
from tests.deploy.checkers import DEPLOY, document, documents, run
from tests.deploy.network import Network
from workers.settings import WorkerSettings

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

KUBERNETES = DEPLOY / "kubernetes"
ENGINES = {f"{game}-engine" for game in GAMES}
PARTS = {*ENGINES, "gateway", "worker", "sweeper"}
SERVERS = {"store", "broker", "ledger"}
COMPONENT = "app.kubernetes.io/component"
LEDGER_CONNECTIONS, FEW = 16, 10
"""The default of BREE_LEDGER_CONNECTIONS; and those of upgrades, backups and whoever looks."""


@pytest.fixture(scope="module")
def manifest():
    """The text that would be applied."""
    return run("kustomize", "build", KUBERNETES)


@pytest.fixture(scope="module")
def objects(manifest):
    """What it says, by kind and name."""
    return {(one["kind"], one["metadata"]["name"]): one for one in documents(manifest)}


@pytest.fixture(scope="module")
def workloads(objects):
    """What runs pods, by name."""
    return {
        name: one["spec"]
        for (kind, name), one in objects.items()
        if kind in {"Deployment", "StatefulSet"}
    }


def pod(workload):
    return workload["template"]["spec"]


def container(workload):
    (only,) = pod(workload)["containers"]
    return only


def variables(workload):
    return {entry["name"]: entry for entry in container(workload).get("env", [])}


def test_every_object_is_valid(manifest, tmp_path):
    """Against the schemas of Kubernetes, where a field that is unknown is an error."""
    path = tmp_path / "all.yaml"
    path.write_text(manifest, encoding="utf-8")

    assert "passed for resource" in run("kubernetes-validate", "--strict", path)


def test_everything_is_there(workloads):
    """The parts, and their servers."""
    assert PARTS | SERVERS == set(workloads)


def test_everything_is_in_one_namespace(objects):
    """And that namespace demands what pods here keep to."""
    namespace = objects.pop(("Namespace", "bree"))
    assert "restricted" == namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]
    assert {"bree"} == {one["metadata"]["namespace"] for one in objects.values()}
    objects["Namespace", "bree"] = namespace


def test_pods_can_do_no_more_than_they_must(workloads):
    """What the strictest standard for pods demands, and a root that cannot be written."""
    for name, workload in workloads.items():
        whole, own = pod(workload)["securityContext"], container(workload)["securityContext"]
        assert whole["runAsNonRoot"], name
        assert whole["runAsUser"] > 0, name
        assert {"type": "RuntimeDefault"} == whole["seccompProfile"], name
        assert {"drop": ["ALL"]} == own["capabilities"], name
        assert own["allowPrivilegeEscalation"] is False, name
        assert own["readOnlyRootFilesystem"] is True, name
        assert pod(workload)["automountServiceAccountToken"] is False, name


def test_services_make_no_settings(workloads):
    """Kubernetes would set BREE_…_PORT for a service whose name began so."""
    assert [False] * len(workloads) == [pod(w)["enableServiceLinks"] for w in workloads.values()]


def test_every_pod_is_probed_and_measured(workloads):
    """Servers of gRPC by gRPC; and each container says what it needs, and may not exceed."""
    for name, workload in workloads.items():
        one = container(workload)
        assert {"readinessProbe", "livenessProbe"} <= set(one), name
        assert {"cpu", "memory"} <= set(one["resources"]["requests"]), name
        assert "memory" in one["resources"]["limits"], name
    for name in (*ENGINES, "gateway"):
        one = container(workloads[name])
        ports = {port["name"]: port["containerPort"] for port in one["ports"]}
        probes = [one[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")]
        assert [ports["grpc"]] * 3 == [probe["grpc"]["port"] for probe in probes], name


def test_a_worker_that_is_stuck_is_started_again(workloads):
    """The probe asks the page that says so; and what it wrote before does not fill the memory."""
    one = container(workloads["worker"])
    probe = one["livenessProbe"]
    (mount,) = one["volumeMounts"]

    assert probe["httpGet"] == {"path": "/healthy", "port": "metrics"}
    assert probe["periodSeconds"] * probe["failureThreshold"] <= 60
    assert variables(workloads["worker"])["PROMETHEUS_MULTIPROC_DIR"]["value"].startswith(
        mount["mountPath"] + "/"
    )


def test_an_engine_has_room_for_its_cache(workloads):
    """A container that outgrows its limit is killed."""
    limit = container(workloads["confrontation-engine"])["resources"]["limits"]["memory"]

    assert (
        int(limit.removesuffix("Mi")) << 20 > 2 * HostSettings.model_fields["cache_bytes"].default
    )


def test_every_engine_has_its_place_in_the_list(objects, workloads):
    """BREE_ENGINES has each replica of each game by the name that its pod has."""
    (settings,) = [one["data"] for (kind, _), one in objects.items() if kind == "ConfigMap"]
    engines = {
        n: w for n, w in workloads.items() if container(w)["image"].startswith("bree-engine")
    }
    expected = {
        container(workload)["args"][0]: tuple(
            f"{name}-{n}.{workload['serviceName']}:7100" for n in range(workload["replicas"])
        )
        for name, workload in engines.items()
    }

    assert expected == engines_of(settings["BREE_ENGINES"])
    assert ("Service", settings["BREE_GATEWAY"].partition(":")[0]) in objects


def test_selectors_select(objects, workloads):
    """Services, budgets and policies each concern pods that there are."""
    labels = [workload["template"]["metadata"]["labels"] for workload in workloads.values()]
    for (kind, name), one in objects.items():
        selector = one.get("spec", {}).get("selector" if kind != "NetworkPolicy" else "podSelector")
        if kind in {"Service", "PodDisruptionBudget"}:
            wanted = selector.get("matchLabels", selector)
            assert 1 == sum(wanted.items() <= have.items() for have in labels), (kind, name)


def test_services_reach_ports_that_there_are(objects, workloads):
    """Each port of a service is one of its pods'."""
    for (kind, name), one in objects.items():
        if kind != "Service":
            continue
        (workload,) = [
            w
            for w in workloads.values()
            if one["spec"]["selector"].items() <= w["template"]["metadata"]["labels"].items()
        ]
        ports = {port["containerPort"] for port in container(workload)["ports"]}
        assert {port["port"] for port in one["spec"]["ports"]} <= ports, name


def test_parts_survive_the_draining_of_nodes(objects):
    """One at a time; where there is one, its node may be drained."""
    budgets = {name: one["spec"] for (kind, name), one in objects.items()
               if kind == "PodDisruptionBudget"}  # fmt: skip

    assert PARTS | SERVERS == set(budgets)
    assert {1} == {budget["maxUnavailable"] for budget in budgets.values()}


def test_workers_grow_with_what_waits(objects, workloads):
    """The scaling looks at the metric that the rule makes and the adapter serves."""
    scaling = objects["HorizontalPodAutoscaler", "worker"]["spec"]
    (metric,) = scaling["metrics"]
    (rule,) = document(KUBERNETES / "metrics-adapter.yaml")["rules"]["external"]
    recorded = {
        one["record"]
        for group in document(DEPLOY / "prometheus/recording.yaml")["groups"]
        for one in group["rules"]
    }

    assert rule["name"]["as"] == metric["external"]["metric"]["name"]
    assert rule["seriesQuery"] in recorded
    assert "worker" == scaling["scaleTargetRef"]["name"]
    assert "replicas" not in workloads["worker"]
    assert 2 <= scaling["minReplicas"] < scaling["maxReplicas"]


def test_processes_may_finish_what_they_do(workloads):
    """They are given longer to stop than what they do may take."""
    fields = WorkerSettings.model_fields
    turn = fields["task_seconds"].default + fields["task_grace_seconds"].default
    drain = fields["drain_seconds"].default
    sleep = container(workloads["gateway"])["lifecycle"]["preStop"]["sleep"]["seconds"]

    assert turn < pod(workloads["worker"])["terminationGracePeriodSeconds"]
    assert drain + sleep < pod(workloads["gateway"])["terminationGracePeriodSeconds"]
    for name in (*ENGINES, "sweeper"):
        assert drain < pod(workloads[name])["terminationGracePeriodSeconds"], name
    told = [v for w in workloads.values() for v in variables(w) if "DRAIN" in v or "TASK_" in v]
    assert [] == told, "what is said here of how long it takes is of the defaults"


def test_the_store_writes_before_it_answers(workloads):
    """On a volume that stays."""
    said = " ".join(container(workloads["store"])["command"])
    room = int(re.search(r"--maxmemory (\d+)gb", said)[1])
    limit = container(workloads["store"])["resources"]["limits"]["memory"]
    assert room <= 0.8 * int(limit.removesuffix("Gi"))

    assert "--appendonly yes" in said
    assert "--appendfsync always" in said
    assert "--maxmemory-policy noeviction" in said
    (claim,) = workloads["store"]["volumeClaimTemplates"]
    assert [{"name": claim["metadata"]["name"], "mountPath": "/data"}] == container(
        workloads["store"]
    )["volumeMounts"]


def test_the_ledger_writes_before_it_answers(workloads):
    """On a volume that stays, with a password that is asked for from everywhere."""
    one = container(workloads["ledger"])
    told = {name: entry.get("value") for name, entry in variables(workloads["ledger"]).items()}
    (data,) = [m for m in one["volumeMounts"] if m["name"] == "data"]
    (claim,) = workloads["ledger"]["volumeClaimTemplates"]

    assert {"--synchronous_commit=on", "--fsync=on", "--full_page_writes=on"} <= set(one["args"])
    assert {"--data-checksums", "--auth-host=scram-sha-256"} == {
        *told["POSTGRES_INITDB_ARGS"].split()
    }
    assert told["PGDATA"].startswith(f"{data['mountPath']}/")
    assert "data" == claim["metadata"]["name"]
    assert all("--host=127.0.0.1" in one[f"{probe}Probe"]["exec"]["command"]
               for probe in ("startup", "readiness", "liveness"))  # fmt: skip


def test_the_ledger_has_a_place_for_everyone_who_asks_it(workloads):
    """A pool for each process that serves, one gateway more while they are replaced, and a few."""
    one = container(workloads["ledger"])
    told = dict(arg.removeprefix("--").split("=") for arg in one["args"] if "=" in arg)
    limit = one["resources"]["limits"]["memory"]
    serving = 1 + sum(workloads[name]["replicas"] for name in (*ENGINES, "gateway"))

    assert serving * LEDGER_CONNECTIONS + FEW < int(told["max_connections"])
    assert int(told["shared_buffers"].removesuffix("MB")) <= 1024 * int(limit[:-2]) / 2


def test_secrets_go_where_they_are_needed(workloads):
    """The fate key is for engines, the store for engines and the gateway."""
    wanted = {
        name: {
            e["valueFrom"]["secretKeyRef"]["key"] for e in variables(w).values() if "valueFrom" in e
        }
        for name, w in workloads.items()
    }
    template = document(KUBERNETES / "secret.example.yaml")

    assert set(template["stringData"]) == set().union(*wanted.values())
    assert {n for n, keys in wanted.items() if "fate-key" in keys} == ENGINES
    assert {*ENGINES, "gateway", "store"} == {
        name for name, keys in wanted.items() if "store-password" in keys
    }
    assert {*ENGINES, "gateway", "ledger"} == {
        name for name, keys in wanted.items() if "ledger-password" in keys
    }
    assert not any(template["stringData"].values())


def test_the_secret_is_not_applied(objects):
    """An example that was applied would be a secret that everyone knows."""
    assert "Secret" not in {kind for kind, _ in objects}


def test_images_are_named_without_where_they_come_from(workloads):
    """An overlay says where."""
    assert not [i for w in workloads.values() if re.search(r"[.:].*/", i := container(w)["image"])]


# The network.

NEEDED = {
    ("anywhere", "gateway", 7000), ("anywhere", "gateway", 7080),
    ("gateway", "engine", 7100), ("worker", "engine", 7100), ("sweeper", "engine", 7100),
    ("worker", "gateway", 7000), ("sweeper", "gateway", 7000),
    ("engine", "store", 6379), ("gateway", "store", 6379),
    ("engine", "broker", 6379), ("worker", "broker", 6379), ("sweeper", "broker", 6379),
    ("engine", "ledger", 5432), ("gateway", "ledger", 5432), ("upgrade", "ledger", 5432),
}  # fmt: skip
COMPONENTS = ("gateway", "engine", "worker", "sweeper", "store", "broker", "ledger", "upgrade")


def test_the_network_lets_through_what_parts_need_and_nothing_else(objects):
    """Every pair and every port is tried."""
    network = Network(
        [one["spec"] for (kind, _), one in objects.items() if kind == "NetworkPolicy"]
    )
    pods = {name: {COMPONENT: name} for name in COMPONENTS}
    open_ways = {
        (source, target, port)
        for source in (*COMPONENTS, "anywhere")
        for target in COMPONENTS
        for port in (7000, 7080, 7100, 6379, 5432, 9100)
        if source != target and network.lets_through(pods.get(source), pods[target], port)
    }

    # Whoever may reach the gateway from anywhere may do so from inside, if he may go out.
    assert NEEDED == open_ways


def test_figures_are_read_from_namespaces_that_are_labelled(objects):
    """And from nowhere else."""
    policy = objects["NetworkPolicy", "everyone"]["spec"]
    (rule,) = policy["ingress"]

    assert [{"namespaceSelector": {"matchLabels": {"bree/reads-metrics": "yes"}}}] == rule["from"]
    assert [{"port": 9100}] == rule["ports"]
