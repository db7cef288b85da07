"""The site has every page, and all that the contracts declare; its links lead somewhere."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
LINKS = runpy.run_path(str(ROOT / "scripts/site_links.py"))
REFERENCE = {
    f"reference/{package}.md": text
    for package, text in runpy.run_path(str(ROOT / "scripts/proto_pages.py"))["pages"](
        ROOT / "protos"
    ).items()
}
MODULES = {"reference/bree.client.md", "reference/services.core.md"}
NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
LISTED = re.findall(r"^ +- (?:.+: )?(\S+\.md)$", NAV, re.MULTILINE)
DECLARED = re.compile(
    r"^\s*(?:message|enum|service|rpc) (\w+)|^\s*(?:\S+ )+(\w+) = \d+;", re.MULTILINE
)


def test_the_navigation_lists_every_page_once():
    """Those of docs/, those from elsewhere, and the reference; and none that there is not."""
    assert sorted([*PAGES, *LINKS["MOVED"].values(), *REFERENCE, *MODULES]) == sorted(LISTED)


def test_the_readme_leads_to_every_page():
    """By itself, or by the list of decisions."""
    link = re.compile(r"\]\((?![a-z]+:)([^)#]+)")
    decisions = DOCS / "decisions"
    told = {(ROOT / to).resolve() for to in link.findall((ROOT / "README.md").read_text("utf-8"))}
    told |= {
        (decisions / to).resolve()
        for to in link.findall((decisions / "README.md").read_text("utf-8"))
    }

    assert [] == sorted(page for page in PAGES if DOCS / page not in told)


@pytest.mark.parametrize("file", sorted((ROOT / "protos").rglob("*.proto")), ids=lambda f: f.name)
def test_all_that_a_contract_declares_is_on_its_page(file):
    """Each message, field, value and method by its name, and each comment."""
    text = file.read_text(encoding="utf-8")
    page = REFERENCE[f"reference/{re.search(r'^package (.+);', text, re.MULTILINE)[1]}.md"]
    names = {name for pair in DECLARED.findall(re.sub(r"//.*", "", text)) for name in pair if name}
    comments = re.findall(r"^ *// ?(.*)$", text, re.MULTILINE)
    lines = {line.strip() for line in page.splitlines()}

    assert names
    assert [] == sorted(name for name in names if not re.search(rf"\b{name}\b", page))
    assert [] == [comment for comment in comments if comment.strip() not in lines]


def test_the_types_of_the_reference_lead_to_what_is_declared():
    """On the same page or another."""
    wrong = []
    for uri, text in REFERENCE.items():
        for page, anchor in re.findall(r"\]\(([\w.]+\.md)#([\w.]+)\)", text):
            if f"{{ #{anchor} }}" not in REFERENCE[f"reference/{page}"]:
                wrong.append((uri, page, anchor))

    assert [] == wrong


@pytest.mark.parametrize(
    ("uri", "said", "led"),
    [
        ("index.md", "[t](docs/terminal.md#x)", "[t](terminal.md#x)"),
        ("index.md", "![p](docs/pictures/game.svg)", "![p](pictures/game.svg)"),
        ("index.md", "[d](docs/decisions/README.md)", "[d](decisions/README.md)"),
        ("rules/duel.md", "[r]: ../../services/duel/RULINGS.md#r", "[r]: ../rulings/duel.md#r"),
        ("gateway.md", "[g](../clients/go)", "[g](clients/go.md)"),
        ("gateway.md", "[p](../bree/client)", "[p](clients/python.md)"),
        ("index.md", "[d](docs/decisions)", "[d](decisions/README.md)"),
        ("contract.md", "[e](../protos/bree/engine/v1)", "[e](reference/bree.engine.v1.md)"),
        ("clients/go.md", "[r](../../docs/record.md)", "[r](../record.md)"),
        ("store.md", "[s](../services/host/store.py)", "s"),
        ("store.md", "[n](nowhere.md)", "[n](nowhere.md)"),
        ("store.md", "[w](https://example.org/a.md)", "[w](https://example.org/a.md)"),
        ("store.md", "[h](#here)", "[h](#here)"),
    ],
)  # fmt: skip
def test_links_lead_to_pages_of_the_site(monkeypatch, uri, said, led):
    """What is on the site is linked there; of what is not, the words stay."""
    monkeypatch.delenv("BREE_REPOSITORY", raising=False)

    assert led == LINKS["led"](said, uri)


def test_files_that_are_not_on_the_site_are_those_of_the_repository(monkeypatch):
    """Where its address is known."""
    monkeypatch.setenv("BREE_REPOSITORY", "https://example.org/bree/")
    there = "[s](https://example.org/bree/blob/HEAD/services/host/store.py)"

    assert there == LINKS["led"]("[s](../services/host/store.py)", "store.md")
