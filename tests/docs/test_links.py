"""Every link from one of the project's pages to another leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("services/*/*.md")])
LINK = re.compile(r"\]\((?![a-z]+:)([^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page):
    """A link is relative to the page that it stands on."""
    links = LINK.findall(page.read_text(encoding="utf-8"))

    assert [] == [link for link in links if not (page.parent / link).exists()]


def test_pages_are_found():
    """A search that finds nothing would find no broken link."""
    assert {"README.md", "architecture.md", "record.md"} <= {page.name for page in PAGES}


def slugs(text):
    """The anchors of a page's headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_headings(page):
    """What stands behind a `#` is a heading of that page."""
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?![a-z]+:)([^)#]*\.md|)#([^)]+)\)", text)
    links += re.findall(r"^\[[^\]]+\]: (?![a-z]+:)(\S*?)#(\S+)$", text, re.MULTILINE)
    wrong = [
        f"{file}#{anchor}"
        for file, anchor in links
        if anchor not in slugs((page.parent / file if file else page).read_text("utf-8"))
    ]

    assert [] == wrong
