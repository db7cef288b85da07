"""The pages of metrics and of configuration say what the code says."""

from __future__ import annotations

import re

import pytest
from pydantic import SecretStr
from pydantic_core import PydanticUndefined

from bree.local.settings import ROOT as LOCAL_ROOT
from bree.local.settings import LocalSettings
from bree.process.settings import ProcessSettings
from gateway.settings import GatewaySettings
from services.host.settings import HostSettings
from tests.clients.toolchains import CLIENTS
from tests.deploy.checkers import DEPLOY, ROOT
from tests.deploy.queries import collectors
from workers.settings import WorkerSettings

PAGES = ROOT / "docs"

SETTINGS = {
    "Every process": ProcessSettings,
    "Engines": HostSettings,
    "Gateway": GatewaySettings,
    "Workers and sweepers": WorkerSettings,
    "The local run": LocalSettings,
}
CODE = ("bree/process", "services", "gateway", "workers", "bree/local", "bree/cli")
OTHERS = {"PROMETHEUS_MULTIPROC_DIR"}
"""Variables that are read from the environment without a settings class."""


def table(page, section=None):
    """The cells of each row of the table in a section, without the heads."""
    text = (PAGES / page).read_text(encoding="utf-8")
    if section is not None:
        (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def settled(page_section):
    """The variables of a section and the defaults it gives."""
    return {
        cells[0].strip("`"): cells[1].strip("`")
        for cells in table("configuration.md", page_section)
        if cells[0].strip("`") not in OTHERS
    }


def spelt(default):
    """A default as a person would set it."""
    if default is PydanticUndefined:
        return "required"
    if isinstance(default, SecretStr):
        return "kept" if default.get_secret_value() else ""
    if isinstance(default, tuple):
        return ",".join(default)
    if isinstance(default, float) and default.is_integer():
        return str(int(default))
    return str(default).removeprefix(f"{LOCAL_ROOT}/")


def said(kind):
    """The variables of a settings class that are not as every process has them."""
    common = ProcessSettings.model_fields
    return {
        f"BREE_{name.upper()}": spelt(field.default)
        for name, field in kind.model_fields.items()
        if kind is ProcessSettings
        or name not in common
        or repr(common[name].default) != repr(field.default)
    }


@pytest.mark.parametrize("section", SETTINGS)
def test_every_setting_is_on_its_page_with_its_default(section):
    """And no other one is there."""
    assert said(SETTINGS[section]) == settled(section)


@pytest.mark.parametrize("section", [*SETTINGS, "Bots in Go and TypeScript"])
def test_every_setting_has_a_meaning(section):
    """A sentence."""
    assert [] == [row[0] for row in table("configuration.md", section) if not row[-1].endswith(".")]


def test_what_is_read_without_a_settings_class_is_on_the_page():
    """Every variable that the code asks the environment for."""
    asked = set()
    for folder in CODE:
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            asked |= set(re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", text))
            asked |= set(re.findall(r"envvar=\"(\w+)\"", text))
    page = (PAGES / "configuration.md").read_text(encoding="utf-8")

    assert {"PROMETHEUS_MULTIPROC_DIR"} <= asked
    assert [] == [name for name in sorted(asked) if f"`{name}`" not in page]


def test_the_flags_of_bots_are_on_the_page():
    """As the bots themselves have them."""
    go = (CLIENTS / "go/breebot.go").read_text(encoding="utf-8")
    ts = (CLIENTS / "ts/breebot.ts").read_text(encoding="utf-8")
    flags = set(re.findall(r"setting\(\"(\w+)\"", go)) | {"seed"}
    (names,) = re.findall(r"const names = \[(.*?)\]", ts)
    found = {f"BREE_{flag.upper()}" for flag in flags}

    assert flags == set(re.findall(r"\"(\w+)\"", names))
    assert found == set(settled("Bots in Go and TypeScript"))
    assert settled("Bots in Go and TypeScript")["BREE_GATEWAY"] in go
    assert settled("Bots in Go and TypeScript")["BREE_GATEWAY"] in ts


@pytest.mark.parametrize(
    "path",
    [
        "compose/bree.env.example", "compose/compose.yaml", "kubernetes/engine/engine.yaml",
        "kubernetes/gateway.yaml", "kubernetes/workers.yaml", "kubernetes/sweepers.yaml",
        "kubernetes/kustomization.yaml", "kubernetes/upgrade.yaml",
        "kubernetes/options/store-replicas/engine.yaml", "kubernetes/options/ingress/gateway.yaml",
        "kubernetes/options/store-cluster/engine.yaml", "kubernetes/options/brokers/sweeper.yaml",
        "kubernetes/options/store-cluster/gateway.yaml", "kubernetes/options/brokers/workers.yaml",
        "helm/bree/templates/_parts.tpl", "helm/bree/values.yaml", "images/engine.Dockerfile",
        "images/gateway.Dockerfile", "images/worker.Dockerfile",
    ],
)  # fmt: skip
def test_what_deploy_sets_is_a_setting(path):
    """A variable that nobody reads is a mistake; what is only for this run of containers is not."""
    own = set(
        re.findall(r"^(BREE_\w+)=", (DEPLOY / "compose/bree.env.example").read_text(), re.MULTILINE)
    )
    known = set().union(*(settled(section) for section in SETTINGS)) | own
    text = (DEPLOY / path).read_text(encoding="utf-8")

    assert [] == sorted(set(re.findall(r"\bBREE_\w+", text)) - known)
    assert re.search(r"\bBREE_\w+", text)


# Metrics.


def exported():
    """Every metric as it is served, by name: its type and labels."""
    kinds = {"counter": "_total", "histogram": "", "gauge": ""}
    return {
        f"{one._name}{kinds[one._type]}": (one._type, tuple(one._labelnames))
        for one in collectors().values()
    }


def test_every_metric_is_on_its_page():
    """With its type and its labels, and no other one is there."""
    page = {
        name.strip("`"): (kind, tuple(re.findall(r"`(\w+)`", labels)))
        for name, kind, labels, *_ in table("metrics.md")
    }

    assert exported() == page


def test_who_serves_a_metric_is_who_counts_it():
    """A part whose code names a metric is one of those that serve it."""
    folders = {"engines": "services/host", "gateway": "gateway", "workers": "workers"}
    text = {
        part: "".join(path.read_text() for path in (ROOT / folder).glob("*.py"))
        for part, folder in folders.items()
    }
    sweeping = ("sweeper", "outlet")
    text["sweepers"] = "".join((ROOT / f"workers/{name}.py").read_text() for name in sweeping)
    of_servers = "".join(
        path.read_text()
        for folder in ("bree/ledger", "bree/redis")
        for path in (ROOT / folder).glob("*.py")
    )
    text = {
        part: source + of_servers * (part in ("engines", "gateway"))
        for part, source in text.items()
    }
    served = {cells[0].strip("`"): cells[-1] for cells in table("metrics.md")}
    for name, metric in collectors().items():
        if f"metrics.{name}." in _of_servers():
            continue
        (row,) = [
            who for page, who in served.items() if page.removesuffix("_total") == metric._name
        ]
        counting = {part for part, source in text.items() if f"metrics.{name}." in source}
        if "sweepers" in counting:
            counting.discard("workers")
        assert counting, name
        assert counting == set(row.split(", ")), name


def _of_servers():
    """Metrics of what engines and gateways share, by whatever part it is."""
    shared = ("guarded", "outcomes", "epoch", "store_monitor")
    return "".join(
        (ROOT / f"bree/process/{name}.py").read_text(encoding="utf-8") for name in shared
    )
