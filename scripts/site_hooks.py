"""What the site has besides docs/: pages from elsewhere, and the reference. MkDocs calls this."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import (  # type: ignore[import-not-found]  # of another environment
    File,
    Files,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LINKS = runpy.run_path(str(HERE / "site_links.py"))
PROTOS = runpy.run_path(str(HERE / "proto_pages.py"))

MODULES = {
    "bree.client": ("client", "patience", "hearing", "beats", "channel", "traces"),
    "services.core": (
        "contract", "decisions", "frames", "questions", "stacked", "table", "record", "fair",
        "errors",
    ),
}  # fmt: skip
"""What is told of these packages, in this order."""


def on_files(files: Files, config: Any) -> Files:
    """Add what is not in docs/."""
    for uri, text in (*_moved(), *_reference()):
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead the links of a page to where they go on the site."""
    uri: str = page.file.src_uri
    led: str = LINKS["led"](markdown, uri)
    return markdown if uri.startswith("reference/") else led


def _moved() -> Iterator[tuple[str, str]]:
    for path, uri in LINKS["MOVED"].items():
        yield uri, (ROOT / path).read_text(encoding="utf-8")


def _reference() -> Iterator[tuple[str, str]]:
    for package, text in PROTOS["pages"](ROOT / "protos").items():
        yield f"reference/{package}.md", text
    for package, modules in MODULES.items():
        told = [f"::: {package}.{module}" for module in modules]
        yield f"reference/{package}.md", "\n\n".join([f"# {package}", *told])
