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
