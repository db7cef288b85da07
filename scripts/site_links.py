"""Which page of the site a file of the repository is, and where links lead there.

Design. On GitHub a page links to any file of the repository. So links stay as they are on the
pages and are led elsewhere here: to the page that the file has on the site; else to the repository,
whose address is in `BREE_REPOSITORY`; and without an address only the words remain. A link to what
there is not is left alone, for MkDocs to complain of.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
DEFINED = re.compile(r"^(\[[^\]]+\]): (?![a-z]+:|#)([^#\s]+)(#\S*)?$", re.MULTILINE)
FOLDERS = {"docs/decisions": "decisions/README.md", "bree/client": "clients/python.md"}
"""Folders that have a page of the site for themselves."""


def moved() -> dict[str, str]:
    """Pages outside docs/: where each is in the repository, and where on the site."""
    found = {page.name: page.name.lower() for page in ROOT.glob("*.md")}
    found["README.md"] = "index.md"
    for page in (*ROOT.glob("clients/*/README.md"), *ROOT.glob("bree/client/README.md")):
        kind = "python" if page.parent.name == "client" else page.parent.name
        found[page.relative_to(ROOT).as_posix()] = f"clients/{kind}.md"
    for page in ROOT.glob("services/*/RULINGS.md"):
        found[page.relative_to(ROOT).as_posix()] = f"rulings/{page.parent.name}.md"
    return found


MOVED = moved()
CAME_FROM = {uri: path for path, uri in MOVED.items()}


def led(markdown: str, uri: str) -> str:
    """A page of the site with its links as they are there."""
    path = CAME_FROM.get(uri, f"docs/{uri}")

    def linked(link: re.Match[str]) -> str:
        there = _target(link[3], path, uri)
        return f"{link[1]}[{link[2]}]({there}{link[4] or ''})" if there else link[2]

    def defined(link: re.Match[str]) -> str:
        return f"{link[1]}: {_target(link[2], path, uri) or link[2]}{link[3] or ''}"

    return DEFINED.sub(defined, LINK.sub(linked, markdown))


def _target(target: str, path: str, uri: str) -> str:
    """Where a link leads; empty if only its words can stay."""
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if there := FOLDERS.get(wanted) or _on_site(wanted):
        return posixpath.relpath(there, posixpath.dirname(uri) or ".")
    if not (ROOT / wanted).exists():
        return target
    repository = os.environ.get("BREE_REPOSITORY", "").rstrip("/")
    return repository and f"{repository}/blob/HEAD/{wanted}"


def _on_site(path: str) -> str:
    """Where something of the repository is on the site; empty if it is not there."""
    for page in (path, f"{path}/README.md"):
        if page in MOVED:
            return MOVED[page]
    if match := re.match(r"protos/bree/(\w+)/v1(?:/\w+\.proto)?$", path):
        return f"reference/bree.{match[1]}.v1.md"
    if path.startswith("docs/") and (ROOT / path).is_file():
        return path.removeprefix("docs/")
    return ""
