"""Sentences that count or list what is in the code, held to what is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def page(name):
    return (ROOT / name).read_text(encoding="utf-8")


def section(name, title):
    """What stands under a heading, up to the next one."""
    return re.search(rf"^## {title}$(.*?)(?=^## |\Z)", page(name), re.MULTILINE | re.DOTALL)[1]


def first_cells(text):
    """What stands in the first column of a table as code."""
    rows = re.findall(r"^\|(.*?)\|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def test_the_opponents_are_those_that_are_offered():
    """In the guide to bots, in the terminal's page and in the changelog: those of the setting."""
    [default] = re.findall(
        r"^\| `BREE_BOT_LEVELS` \| `(.*?)`", page("docs/configuration.md"), re.MULTILINE
    )
    levels = set(default.split(","))
    [terminal] = re.findall(r"^The bots are, [^.]*", page("docs/terminal.md"), re.MULTILINE)
    [news] = re.findall(
        r"^\* Hosted bots at (\w+) levels: (.*?);", page("CHANGELOG.md"), re.MULTILINE | re.DOTALL
    )

    assert levels == set(first_cells(section("docs/write-a-bot.md", r"2\. A platform")))
    assert levels == set(re.findall(r"`(\w+)`", terminal))
    assert (WORDS[len(levels)], levels) == (news[0], set(re.findall(r"`(\w+)`", news[1])))


def test_a_store_has_the_methods_that_are_told():
    """The contract lists them, and both pages count them."""
    [protocol] = [
        node
        for path in sorted((ROOT / "services/host").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name == "Store"
    ]
    methods = {
        node.name
        for node in protocol.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    contract = section("docs/contract.md", "Another store").partition("Two errors")[0]

    assert methods == set(first_cells(contract))
    assert f"{WORDS[len(methods)].capitalize()} methods are all" in contract
    assert f"a protocol of {WORDS[len(methods)]} methods" in page("docs/architecture.md")


def test_the_rules_core_has_the_modules_that_are_told():
    """The architecture says of each what it holds."""
    modules = {path.stem for path in (ROOT / "services/core").glob("[!_]*.py")}

    assert modules == set(first_cells(section("docs/architecture.md", r"2\. Rules")))


def test_an_engine_has_the_methods_that_are_told():
    """In the order of the contract."""
    declared = re.findall(r"^ +rpc (\w+)", page("protos/bree/engine/v1/engine.proto"), re.MULTILINE)
    [told] = re.findall(
        r"`EngineService`, served by .*?: (.*?)\.", page("docs/architecture.md"), re.DOTALL
    )

    assert declared == re.findall(r"`(\w+)`", told)


def test_each_decision_is_listed_by_its_title():
    """In the order of their numbers."""
    pages = sorted((ROOT / "docs/decisions").glob("0*.md"))
    titles = [(path.read_text("utf-8").partition("\n")[0][2:], path.name) for path in pages]
    listed = re.findall(r"^\* \[(.*)\]\((.*)\)$", page("docs/decisions/README.md"), re.MULTILINE)

    assert titles == listed


def test_the_tasks_that_are_told_are_those_that_are_sent():
    """By the engine, for whoever writes another worker."""
    told = set(re.findall(r"`(bree\.\w+)`", section("docs/contract.md", "What is due")))
    rooms = (ROOT / "services/host", ROOT / "bree/process")
    code = "".join(path.read_text("utf-8") for room in rooms for path in room.glob("*.py"))

    quoted = set(re.findall(r"\"(bree\.[a-z_]+)\"", code))

    assert told
    assert told == {name for name in quoted if not (ROOT / name.replace(".", "/")).is_dir()}


def test_the_chaos_has_the_kinds_and_promises_that_are_told():
    """Each kind of fault, and each promise that can be broken."""
    code = "".join(path.read_text("utf-8") for path in sorted((ROOT / "tests/chaos").glob("*.py")))
    kinds = set(re.findall(r"^    kind = \"(\w+)\"", code, re.MULTILINE))
    [promises] = re.findall(r"^class Promise\(.*?\):(.*?)^(?=\S)", code, re.MULTILINE | re.DOTALL)

    assert kinds == set(first_cells(section("docs/chaos.md", "The faults")))
    assert set(re.findall(r"^    ([A-Z]+) = ", promises, re.MULTILINE)) == set(
        first_cells(section("docs/chaos.md", "The promises"))
    )


def test_the_alerts_and_metrics_that_are_named_exist():
    """On every page, whoever looks for one finds it."""
    rules = "".join(path.read_text("utf-8") for path in (ROOT / "deploy/prometheus").glob("*.yaml"))
    counted = set(first_cells(page("docs/metrics.md")))
    pages = [path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md")]
    alerts = {name for text in pages for name in re.findall(r"\bBree[A-Z][A-Za-z]+", text)}
    metrics = {name for text in pages for name in re.findall(r"`(bree_[a-z_]+)`", text)}

    assert len(alerts) > 5
    assert [] == sorted(name for name in alerts if f"alert: {name}\n" not in rules)
    assert [] == sorted(metrics - counted)


def test_the_variables_that_are_named_exist():
    """Each is on the page of all settings, or is make's and the containers' own."""
    known = set(re.findall(r"^\| `(\w+)` \|", page("docs/configuration.md"), re.MULTILINE))
    known |= set(re.findall(r"^(\w+)=", page("deploy/compose/bree.env.example"), re.MULTILINE))
    known |= {"BREE_NEED_TOOLCHAINS", "BREE_BOT_TOKEN", "BREE_FUZZ_SECONDS", "BREE_REPOSITORY"}
    known |= {"BREE_NEED_BROWSER", "BREE_CHROMIUM", "BREE_WITHOUT_PAGE"}
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("clients/*/*.md")]
    named = {
        name for path in pages for name in re.findall(r"\bBREE_[A-Z_]+", path.read_text("utf-8"))
    }

    assert [] == sorted(named - known - {"BREE_"})
