"""What a cluster may have instead: each option alone, and all that go together."""

from __future__ import annotations

import re

import pytest

from services import GAMES
from tests.deploy.checkers import KUBERNETES, ROOT, disobeys, document, run
from tests.deploy.network import Network
from tests.deploy.objects import COMPONENT, WORKLOADS, by_name, containers, overlaid, pod

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

OPTIONS = sorted(path.name for path in (KUBERNETES / "options").iterdir())
ALONE = [option for option in OPTIONS if option != "brokers-keda"]  # which is of two others
LARGE = ("backup", "store-replicas", "ledger-cnpg", "ingress", "keda")
LARGEST = ("backup", "store-cluster", "ledger-cnpg", "brokers", "keda", "brokers-keda")
TRIED = [*((one,) for one in ALONE), LARGE, LARGEST]
ASK_LEDGER = {"gateway", "engine", "upgrade", "backup"}


@pytest.fixture(scope="module")
def overlay(tmp_path_factory):
    """The text of an overlay with these options; made once."""
    made = {}

    def overlay(*options):
        if options not in made:
            made[options] = overlaid(tmp_path_factory.mktemp("overlay"), *options)
        return made[options]

    return overlay


def component(one):
    return (one["spec"].get("jobTemplate") or one)["spec"]["template"]["metadata"]["labels"][
        COMPONENT
    ]


def workloads(text):
    return [one for (kind, _), one in by_name(text).items() if kind in WORKLOADS]


def variables(one):
    """What a workload's own containers are told, each by its name."""
    return [{e["name"]: e for e in c.get("env", ())} for c in containers(one)]


def test_the_options_are_these():
    """An option that is not tried here is not one."""
    assert {*LARGE, *LARGEST, "ledger-elsewhere"} == set(OPTIONS)


@pytest.mark.parametrize("options", TRIED, ids="+".join)
def test_every_object_is_valid(overlay, tmp_path, options):
    """Against the schemas of Kubernetes; of those that operators define, against theirs."""
    path = tmp_path / "all.yaml"
    path.write_text(overlay(*options), encoding="utf-8")
    said = run("kubernetes-validate", "--strict", path)
    objects = by_name(overlay(*options))

    assert "passed for resource" in said
    for (kind, _), one in objects.items():
        if kind == "Cluster":
            assert [] == disobeys("postgresql.cnpg.io_clusters.yaml", one)
        if kind == "ScaledObject":
            assert [] == disobeys("keda.sh_scaledobjects.yaml", one)


def test_an_object_that_its_operator_does_not_know_is_found(overlay):
    """The check can fail: by a field that there is not, and by one of another type."""
    one = by_name(overlay("ledger-cnpg"))["Cluster", "ledger"]
    one["spec"]["instancez"] = 3
    one["spec"]["instances"] = "three"
    said = " ".join(disobeys("postgresql.cnpg.io_clusters.yaml", one))

    assert "instancez" in said
    assert "'three' is not of type 'integer'" in said


@pytest.mark.parametrize("options", TRIED, ids="+".join)
def test_pods_can_do_no_more_than_they_must(overlay, options):
    """Whatever option there is: what the strictest standard demands, and a root that is closed."""
    for one in workloads(overlay(*options)):
        name = one["metadata"]["name"]
        assert pod(one)["securityContext"]["runAsNonRoot"], name
        assert pod(one)["automountServiceAccountToken"] is False, name
        assert pod(one)["enableServiceLinks"] is False, name
        for container in containers(one):
            own = container["securityContext"]
            assert {"drop": ["ALL"]} == own["capabilities"], name
            assert own["readOnlyRootFilesystem"] is True, name
            assert own["allowPrivilegeEscalation"] is False, name
            assert {"cpu", "memory"} <= set(container["resources"]["requests"]), name
            assert "memory" in container["resources"]["limits"], name


@pytest.mark.parametrize("options", [(), *TRIED], ids="+".join)
def test_what_a_variable_is_made_of_stands_before_it(overlay, options):
    """Kubernetes puts nothing in for what comes later, and what is not there stays as it is."""
    for one in workloads(overlay(*options)):
        for container in containers(one):
            before = set()
            for entry in container.get("env", ()):
                wants = set(re.findall(r"\$\((\w+)\)", entry.get("value") or ""))
                assert wants <= before, (one["metadata"]["name"], entry)
                before.add(entry["name"])


@pytest.mark.parametrize("options", [(), *TRIED], ids="+".join)
def test_all_who_need_the_ledger_are_told_the_same(overlay, options):
    """Whoever serves, waits for it, upgrades it or backs it up; nobody else knows where it is."""
    told = {}
    for one in workloads(overlay(*options)):
        for entries in variables(one):
            if "BREE_LEDGER_URL" in entries:
                entry = entries["BREE_LEDGER_URL"]
                told.setdefault(component(one), []).append(entry)
                needs = {"LEDGER_PASSWORD"} if "LEDGER_PASSWORD" in str(entry) else set()
                assert needs == {"LEDGER_PASSWORD"} & set(entries), one["metadata"]["name"]

    assert ASK_LEDGER - {"backup"} <= set(told) <= ASK_LEDGER
    assert ("backup" in options) == ("backup" in told)
    assert 1 == len({str(sorted(e.items())) for entries in told.values() for e in entries})
    assert 2 * len(GAMES) == len(told["engine"])  # what waits, and the engine


@pytest.mark.parametrize("options", [(), *TRIED], ids="+".join)
def test_engines_and_gateways_wait_for_the_migration(overlay, options):
    """By the images of the same version, which is in the name of the Job."""
    objects = by_name(overlay(*options))
    (upgrade,) = [one for (_, name), one in objects.items() if name.startswith("ledger-upgrade")]
    (runs,) = containers(upgrade)
    version = runs["image"].partition(":")[2]

    assert ["ledger", "upgrade"] == runs["args"]
    assert f"ledger-upgrade-{version.replace('.', '-')}" == upgrade["metadata"]["name"]
    for one in workloads(overlay(*options)):
        waits = [c for c in pod(one).get("initContainers", ()) if c["command"] == ["await-ledger"]]
        assert (component(one) in {"engine", "gateway"}) == bool(waits), component(one)
        assert all(runs["image"] == wait["image"] for wait in waits)
        assert {version} >= {
            c["image"].partition(":")[2] for c in containers(one) if "bree-" in c["image"]
        }


def test_a_store_of_three_has_two_to_spare(overlay):
    """On machines of their own; each command is on disk, and on one other at least."""
    objects = by_name(overlay("store-replicas"))
    script = (KUBERNETES / "options/store-replicas/start-store").read_text("utf-8")
    for name in ("store", "sentinel"):
        one = objects["StatefulSet", name]
        (rule,) = pod(one)["affinity"]["podAntiAffinity"][
            "requiredDuringSchedulingIgnoredDuringExecution"
        ]
        assert 3 == one["spec"]["replicas"]
        assert "kubernetes.io/hostname" == rule["topologyKey"]
        assert {COMPONENT: name} == rule["labelSelector"]["matchLabels"]
        assert 1 == objects["PodDisruptionBudget", name]["spec"]["maxUnavailable"]
        assert objects["Service", name]["spec"]["publishNotReadyAddresses"]
        assert one["spec"]["volumeClaimTemplates"]
    assert "--appendonly yes --appendfsync always" in script
    assert "--min-replicas-to-write 1" in script
    assert "--maxmemory-policy noeviction" in script


def test_who_writes_to_a_store_of_three_waits_for_a_second_machine(overlay):
    """And asks the Sentinels where the primary is."""
    for one in workloads(overlay("backup", "store-replicas")):
        for entries in variables(one):
            if "BREE_STORE_URL" in entries:
                url = entries["BREE_STORE_URL"]["value"]
                names = re.findall(r"sentinel-(\d)\.sentinel:26379", url)
                assert url.startswith("redis+sentinel://:$(STORE_PASSWORD)@"), url
                assert ["0", "1", "2"] == names
        if component(one) in {"engine", "gateway"}:
            assert "1" == variables(one)[-1]["BREE_STORE_REPLICAS"]["value"]


def test_the_operators_ledger_takes_the_place_of_ours(overlay):
    """There are not two; and its secret has the URL."""
    objects = by_name(overlay("ledger-cnpg"))
    cluster = objects["Cluster", "ledger"]["spec"]
    entry = variables(objects["Deployment", "gateway"])[-1]["BREE_LEDGER_URL"]

    assert ("StatefulSet", "ledger") not in objects
    assert ("Service", "ledger") not in objects
    assert {"name": "ledger-app", "key": "uri"} == entry["valueFrom"]["secretKeyRef"]
    assert "value" not in entry
    assert 3 == cluster["instances"]
    assert {"method": "any", "number": 1, "dataDurability": "required"} == cluster["postgresql"][
        "synchronous"
    ]
    assert {COMPONENT: "ledger"} == cluster["inheritedMetadata"]["labels"]  # for the policies


def test_streams_come_through_the_ingress(overlay):
    """Nothing of an answer is kept back, and no silence of minutes ends one; TLS is asked for."""
    objects = by_name(overlay("ingress"))
    ports = {p["name"]: p for p in objects["Service", "gateway"]["spec"]["ports"]}
    found = {}
    for name in ("door", "programs"):
        one = objects["Ingress", name]
        told = {k.partition("/")[2]: v for k, v in one["metadata"]["annotations"].items()}
        (rule,) = one["spec"]["rules"]
        (tls,) = one["spec"]["tls"]
        (path,) = rule["http"]["paths"]
        found[name] = path["backend"]["service"]["port"]["name"]
        assert [rule["host"]] == tls["hosts"]
        assert tls["secretName"]
        assert "true" == told["ssl-redirect"]
        assert min(int(told[f"proxy-{way}-timeout"]) for way in ("read", "send")) >= 3600
        if name == "door":
            assert "off" == told["proxy-buffering"] == told["proxy-request-buffering"]
        else:
            assert "GRPC" == told["backend-protocol"]

    assert {"door": "http", "programs": "grpc"} == found
    assert set(found.values()) <= set(ports)
    header = variables(objects["Deployment", "gateway"])[-1]["BREE_ADDRESS_HEADER"]
    assert "x-forwarded-for" == header["value"]


def test_keda_and_our_own_autoscaler_have_the_same_numbers(overlay):
    """So what the simulation shows of one is so of the other; and there is one of them."""
    ours = by_name(overlay())["HorizontalPodAutoscaler", "worker"]["spec"]
    objects = by_name(overlay("keda"))
    keda = objects["ScaledObject", "worker"]["spec"]
    (metric,), (trigger,) = ours["metrics"], keda["triggers"]
    (rule,) = document(KUBERNETES / "metrics-adapter.yaml")["rules"]["external"]

    assert ("HorizontalPodAutoscaler", "worker") not in objects
    assert ours["behavior"] == keda["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]
    assert ours["minReplicas"] == keda["minReplicaCount"]
    assert ours["maxReplicas"] == keda["maxReplicaCount"]
    assert metric["external"]["target"]["type"] == trigger["metricType"]
    assert metric["external"]["target"]["averageValue"] == trigger["metadata"]["threshold"]
    assert f"max({rule['seriesQuery']})" == trigger["metadata"]["query"]
    assert keda["pollingInterval"] <= 15


def test_backups_do_not_pile_up_and_take_nothing_of_each_other(overlay):
    """One at a time, each bounded; old ones go after a new one is there."""
    one = by_name(overlay("backup"))["CronJob", "backup"]["spec"]
    (container,) = one["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    first, then = container["command"][-1].split(" && ")
    (mount,) = [m for m in container["volumeMounts"] if m["name"] == "backups"]

    assert "Forbid" == one["concurrencyPolicy"]
    assert one["jobTemplate"]["spec"]["activeDeadlineSeconds"] < 24 * 3600
    assert f"python -m bree backup --to {mount['mountPath']}" == first
    assert re.fullmatch(
        rf"find {mount['mountPath']} -maxdepth 1 -type f -mtime \+\d+ -delete", then
    )


PARTS = ("gateway", "engine", "worker", "sweeper", "store", "broker", "ledger", "upgrade")
BUS = 16379
PORTS = (7000, 7100, 6379, 26379, 5432, BUS)
BASE = {
    ("gateway", "ledger", 5432), ("engine", "ledger", 5432), ("upgrade", "ledger", 5432),
}  # fmt: skip
MORE = {
    "store-replicas": {
        *((one, "sentinel", 26379) for one in ("gateway", "engine", "store")),
        ("sentinel", "store", 6379), ("store", "store", 6379), ("sentinel", "sentinel", 26379),
    },
    "store-cluster": {
        ("store", "store", 6379), ("store", "store", BUS), ("cluster", "store", 6379),
    },
    "brokers": {
        *((one, "broker-2", 6379) for one in ("engine", "worker-2", "sweeper")),
        ("worker-2", "engine", 7100), ("worker-2", "gateway", 7000),
    },
    "backup": {("backup", "store", 6379), ("backup", "ledger", 5432)},
}  # fmt: skip
NEW = {
    "store-replicas": ("sentinel",), "store-cluster": ("cluster",),
    "brokers": ("broker-2", "worker-2"), "backup": ("backup",),
}  # fmt: skip
"""The parts that an option adds."""


@pytest.mark.parametrize("option", MORE)
def test_an_option_opens_the_ways_that_it_needs_and_no_others(overlay, option):
    """Every pair and every port is tried, with the option and without it."""
    parts = (*PARTS, *NEW[option])
    pods = {name: {COMPONENT: name} for name in parts}

    def ways(*options):
        network = Network.of(overlay(*options))
        return {
            (a, b, port) for a in parts for b in parts for port in PORTS
            if network.lets_through(pods[a], pods[b], port)
        }  # fmt: skip

    before = {(a, b, p) for a, b, p in ways() if {a, b} <= set(PARTS)}

    assert before >= BASE
    assert ways(option) == before | MORE[option]


def test_the_page_has_the_sizes_that_the_files_ask_for(overlay):
    """Of each part, in every column."""
    found = {}
    for one in workloads(overlay("store-replicas")):
        spec = pod(one)["containers"][0]["resources"]
        claims = one["spec"].get("volumeClaimTemplates", ())
        disk = claims[0]["spec"]["resources"]["requests"]["storage"] if claims else "–"
        asked = spec["requests"]
        sizes = (asked["cpu"], asked["memory"], spec["limits"]["memory"], disk)
        assert sizes == found.setdefault(component(one), sizes)
    del found["upgrade"]
    page = (ROOT / "docs/deploy.md").read_text("utf-8").partition("### Sizes")[2]
    rows = re.findall(r"^\| (\w+) \|((?: `?[\w–]+`? \|){4})$", page, re.MULTILINE)

    assert found == {part: tuple(re.findall(r"[\w–]+", cells)) for part, cells in rows}
