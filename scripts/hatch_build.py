"""What hatchling does besides packing: it generates the messages that a wheel contains."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Messages(BuildHookInterface[Any]):
    """Generates bree/*/v1: for a wheel in a place of its own, for a clone in it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before a wheel is packed, or a clone is installed as it is."""
        if self.target_name != "wheel":
            return
        sys.path.insert(0, str(Path(self.root, "scripts")))
        from protos import generate  # noqa: PLC0415  # found where this script is found

        protos = Path(self.root, "protos")
        if version == "editable":
            generate(protos, Path(self.root))
            return
        self.made = tempfile.mkdtemp(prefix="bree-")
        for folder in generate(protos, Path(self.made)):
            build_data["force_include"][str(folder)] = str(folder.relative_to(self.made))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """When it is packed."""
        if hasattr(self, "made"):
            shutil.rmtree(self.made)
