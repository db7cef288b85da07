"""The compose run, as Compose's own loader understands it."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from bree.process.replicas import engines_of
from bree.process.settings import ProcessSettings
from services.manifests import manifests
from tests.clients.toolchains import need
from tests.deploy.checkers import DEPLOY, ROOT, checker, document, run
from workers.settings import WorkerSettings

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

COMPOSE = DEPLOY / "compose"
ENGINES = {f"{game.name}-{n + 1}" for game in manifests().values() for n in range(game.replicas)}
OURS = {*ENGINES, "gateway", "worker", "sweeper"}
SERVERS = {"ledger", "store", "broker"}
KEPT = {"BREE_FATE_KEY", "BREE_STORE_URL"}
"""What workers are not told: the key of all secrets, and how to write to the store."""


@pytest.fixture(scope="module")
def env_file(tmp_path_factory):
    """Secrets as `make-env` makes them."""
    need("openssl")
    path = tmp_path_factory.mktemp("compose") / "bree.env"
    subprocess.run([COMPOSE / "make-env", path], check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def project(env_file):
    """Everything that `docker compose up` would start."""
    return json.loads(run("compose", env_file, COMPOSE / "compose.yaml"))


@pytest.fixture(scope="module")
def services(project):
    return project["services"]


def seconds(text):
    """A duration such as 1m30s."""
    found = re.fullmatch(r"(?:(\d+)m)?(?:(\d+)s)?", text)
    return 60 * int(found[1] or 0) + int(found[2] or 0)


def test_everything_is_there(services):
    """The processes, their servers, what upgrades the ledger, and what looks at them."""
    assert {*OURS, *SERVERS, "upgrade", "prometheus", "grafana"} == set(services)


def test_only_the_gateway_is_published(services, project):
    """Everything else is in a network that leads nowhere."""
    assert ["gateway"] == [name for name, service in services.items() if service.get("ports")]
    outside = {name for name, network in project["networks"].items() if not network.get("internal")}
    assert ["gateway"] == [n for n, service in services.items() if outside & {*service["networks"]}]


def test_views_are_for_this_machine_only(env_file):
    """The second file publishes Grafana and Prometheus, to nobody else."""
    files = (COMPOSE / "compose.yaml", COMPOSE / "views.yaml")
    services = json.loads(run("compose", env_file, *files))["services"]
    published = {
        name: port.get("host_ip")
        for name, service in services.items()
        for port in service.get("ports", [])
    }

    assert {"gateway": "0.0.0.0", "grafana": "127.0.0.1", "prometheus": "127.0.0.1"} == published  # noqa: S104


def test_traces_go_to_one_place_from_all_who_have_any(env_file, services):
    """Which shows them on this machine only; the rest of each part stays as it was."""
    files = (COMPOSE / "compose.yaml", COMPOSE / "traces.yaml")
    traced = json.loads(run("compose", env_file, *files))["services"]
    collector = traced.pop("traces")
    (port,) = collector["ports"]
    told = {n for n, one in traced.items() if "BREE_TRACES" in one.get("environment", {})}

    assert ("127.0.0.1", 16686) == (port["host_ip"], port["target"])
    assert OURS - {"sweeper"} == told
    assert {"http://traces:4317"} == {
        traced[name]["environment"].pop("BREE_TRACES") for name in told
    }
    assert services == traced
    test_nothing_can_do_more_than_it_must({"traces": collector})


def test_nothing_can_do_more_than_it_must(services):
    """No rights, no writing but where it is meant, no end to trying again."""
    for name, service in services.items():
        said = (name, service)
        assert ["ALL"] == service["cap_drop"], said
        assert service["read_only"], said
        assert ["no-new-privileges:true"] == service["security_opt"], said
        until = "on-failure:20" if name == "upgrade" else "unless-stopped"
        assert until == service["restart"], said
        assert service["pids_limit"] > 0, said


def test_the_health_of_everything_is_asked_for(services):
    """By the file, or by the image; but of what does one thing and ends."""
    asked = {name for name, service in services.items() if service.get("healthcheck")}
    built = {name for name, service in services.items() if service.get("build")}

    assert {*built, *asked} == set(services)
    assert {*OURS, "upgrade"} == built


def test_nobody_serves_before_the_migration_is_made(services):
    """Engines and the gateway wait until it has ended well, and it for the ledger."""
    waits = {
        name: {on: how["condition"] for on, how in (service.get("depends_on") or {}).items()}
        for name, service in services.items()
    }

    assert ["ledger", "upgrade"] == services["upgrade"]["command"]
    assert {"ledger": "service_healthy"} == waits["upgrade"]
    assert {*ENGINES, "gateway"} == {name for name, on in waits.items() if "upgrade" in on}
    assert {"service_completed_successfully"} == {
        on["upgrade"] for on in waits.values() if "upgrade" in on
    }


def test_a_backup_is_made_when_it_is_asked_for(services):
    """By a service that nothing else starts, with the ledger and the store that the others have."""
    written = document(COMPOSE / "compose.yaml")["services"]
    backup, gateway = written["backup"], written["gateway"]

    assert "backup" not in services
    assert ["backup", "--to", "/backups"] == backup["command"]
    assert ["/backups"] == [volume.rpartition(":")[2] for volume in backup["volumes"]]
    assert {"BREE_STORE_URL", "BREE_LEDGER_URL"} == set(backup["environment"])
    for name in ("BREE_STORE_URL", "BREE_LEDGER_URL"):
        assert gateway["environment"][name] == backup["environment"][name]


def test_the_ledger_writes_before_it_answers(services):
    """On a volume that stays, by TCP with a password, and only what it serves can be reached."""
    ledger = services["ledger"]

    assert {"--synchronous_commit=on", "--fsync=on", "--full_page_writes=on"} <= {
        *ledger["command"]
    }
    assert "--data-checksums" in ledger["environment"]["POSTGRES_INITDB_ARGS"]
    assert "--auth-host=scram-sha-256" in ledger["environment"]["POSTGRES_INITDB_ARGS"]
    (volume,) = [v for v in ledger["volumes"] if v["type"] == "volume"]
    assert ledger["environment"]["PGDATA"].startswith(f"{volume['target']}/")
    assert "--host=127.0.0.1" in ledger["healthcheck"]["test"]


def test_processes_may_finish_what_they_do(services):
    """Whoever drains is given longer to stop than that takes."""
    drain = ProcessSettings.model_fields["drain_seconds"].default
    for name in (*ENGINES, "gateway", "sweeper"):
        told = services[name].get("environment", {}).get("BREE_DRAIN_SECONDS", drain)
        assert float(told) < seconds(services[name]["stop_grace_period"]), name


def test_the_store_writes_before_it_answers(services):
    """And forgets nothing to make room."""
    said = " ".join(services["store"]["command"])
    room = int(re.search(r"--maxmemory (\d+)mb", said)[1]) << 20
    assert room <= 0.8 * int(services["store"]["mem_limit"])

    assert "--appendonly yes" in said
    assert "--appendfsync always" in said
    assert "--maxmemory-policy noeviction" in said
    assert [("volume", "/data")] == [(v["type"], v["target"]) for v in services["store"]["volumes"]]


def test_every_engine_has_its_place_in_the_list(services):
    """The gateway and the workers know all replicas by the names and ports they have."""
    listed = {services[name]["environment"]["BREE_ENGINES"] for name in OURS - ENGINES}
    assert 1 == len(listed)
    (text,) = listed
    expected = {
        (address, game) for game, addresses in engines_of(text).items() for address in addresses
    }

    assert expected == {
        (f"{name}:7100", *service["command"])
        for name, service in services.items()
        if service["image"] == "bree-engine"
    }


def test_secrets_go_where_they_are_needed(services):
    """The fate key is for engines; the store is for engines and the gateway."""
    told = {name: set(service.get("environment", {})) for name, service in services.items()}

    assert {n for n, t in told.items() if "BREE_FATE_KEY" in t} == ENGINES
    assert {n for n, t in told.items() if "BREE_LEDGER_URL" in t} == {
        *ENGINES, "gateway", "upgrade",
    }  # fmt: skip
    assert not KEPT & (told["worker"] | told["sweeper"])
    assert all("BREE_PLATFORM_TOKEN" in told[name] for name in OURS)


def test_a_worker_may_finish_its_turn(services):
    """It is given longer to stop than a turn may take."""
    fields = WorkerSettings.model_fields
    longest = fields["task_seconds"].default + fields["task_grace_seconds"].default

    assert longest < seconds(services["worker"]["stop_grace_period"])


def test_images_are_named_without_where_they_come_from(services):
    """Whoever runs it says where its images are."""
    assert not [s["image"] for s in services.values() if re.search(r"[.:].*/", s["image"])]


def test_a_missing_secret_is_said():
    """The example alone starts nothing."""
    done = subprocess.run(
        [checker("compose"), COMPOSE / "bree.env.example", COMPOSE / "compose.yaml"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert 1 == done.returncode
    assert "BREE_FATE_KEY is missing a value: run ./make-env" in done.stderr


def test_secrets_are_fresh_private_and_never_written_over(env_file):
    """Every secret of the example gets a value of its own."""
    lines = dict(
        line.split("=") for line in env_file.read_text().splitlines() if line.startswith("BREE_")
    )
    empty = re.findall(r"^(BREE_\w+)=$", (COMPOSE / "bree.env.example").read_text(), re.MULTILINE)
    values = [lines[name] for name in empty]

    assert 6 == len(empty) == len(set(values))
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in values)
    assert 0o600 == os.stat(env_file).st_mode & 0o777  # noqa: PTH116
    again = subprocess.run(
        [COMPOSE / "make-env", env_file], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (1, True) == (again.returncode, "is there already" in again.stderr)
    assert lines["BREE_FATE_KEY"] in env_file.read_text()
