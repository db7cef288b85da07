"""Copies of this project: the files that git keeps or would keep, as they are now, and no other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTED = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def clone_into(folder: Path) -> Path:
    """Copy the project into a folder that is empty; that folder."""
    listed = subprocess.run(LISTED, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder
