"""What hatchling does besides packing: it makes the messages and the page that a wheel contains.

Design. The page is made in the clone, by `scripts/page`, which does nothing where it is there and
newer than its sources: a wheel that is built after `make run` or `make test` needs no Node.
Where it must be made and there is no Node, a pinned wheel of that is asked for like any other tool.
Whoever wants no page says so with BREE_WITHOUT_PAGE=1; nobody gets such a wheel by accident.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CLONE = Path(__file__).resolve().parent.parent
"""Also when it is the small wheel for clients that is built."""


PAGE = CLONE / "gateway" / "page"
DRAWINGS = CLONE / "gateway" / "pictures" / "built"
BUILD_PAGE = CLONE / "scripts" / "page"


class Made(BuildHookInterface[Any]):
    """Makes bree/*/v1, for a wheel in a place of its own and for a clone in it; and the page."""

    def dependencies(self) -> list[str]:
        """What a wheel takes to be built, besides what pyproject.toml names."""
        if not self._wants_page() or _runs(BUILD_PAGE, "is-built") or _has_node():
            return []
        pinned = (CLONE / "requirements" / "page.txt").read_text("utf-8")
        return [line.split()[0] for line in pinned.splitlines() if "==" in line]

    def _wants_page(self) -> bool:
        """The small wheel for clients has none, and a clone makes its own when it is run."""
        is_platform = Path(self.root).resolve() == CLONE
        return is_platform and os.environ.get("BREE_WITHOUT_PAGE") != "1"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before a wheel is packed, or a clone is installed as it is."""
        if self.target_name != "wheel":
            return
        generate = runpy.run_path(str(CLONE / "scripts" / "protos.py"))["generate"]
        protos = CLONE / "protos"
        if version == "editable":
            generate(protos, CLONE)
            return
        self.made = tempfile.mkdtemp(prefix="bree-")
        for folder in generate(protos, Path(self.made)):
            build_data["force_include"][str(folder)] = str(folder.relative_to(self.made))
        if self._wants_page():
            self._make_page()
            for made in (PAGE, DRAWINGS):
                build_data["force_include"][str(made)] = str(made.relative_to(CLONE))

    def _make_page(self) -> None:
        if not _runs(BUILD_PAGE):
            sys.exit(
                "bree: the page cannot be built; see above, or set BREE_WITHOUT_PAGE=1 for a wheel"
                " with which nobody can play in a browser"
            )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """When it is packed."""
        if hasattr(self, "made"):
            shutil.rmtree(self.made)


def _runs(script: Path, *arguments: str) -> bool:
    """Whether a script of this clone does what it is for."""
    told = {**os.environ, "BREE_PYTHON": sys.executable}
    done = subprocess.run((str(script), *arguments), env=told, check=False)  # noqa: S603 (ours)
    return done.returncode == 0


def _has_node() -> bool:
    """Whether this machine has a Node that is new enough."""
    found = shutil.which("node") and shutil.which("npm")
    return bool(found) and _runs(CLONE / "scripts" / "node", "has-node")
