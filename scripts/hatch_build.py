"""What hatchling does besides packing: it generates the messages that a wheel contains."""

from __future__ import annotations

import runpy
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CLONE = Path(__file__).resolve().parent.parent
"""Also when it is the small wheel for clients that is built."""


class Messages(BuildHookInterface[Any]):
    """Generates bree/*/v1: for a wheel in a place of its own, for a clone in it."""

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

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """When it is packed."""
        if hasattr(self, "made"):
            shutil.rmtree(self.made)
