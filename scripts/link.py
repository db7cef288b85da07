"""Puts the project's commands into the virtual environment that runs this script.

An installer would need a build for this, and would know the sources under a second name.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A shell reads the second line and hands over to Python, to which it is a string. A `#!` line
# could not name an environment whose path is long or has a space in it.
LAUNCHER = """\
#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import sys

sys.path.insert(0, {root!r})

from {module} import {function}

sys.exit({function}())
"""


def main() -> None:
    """Write a launcher for every command that pyproject.toml names."""
    if sys.prefix == sys.base_prefix:
        sys.exit("link.py: run me with the Python of a virtual environment")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name, target in project["scripts"].items():
        module, _, function = target.partition(":")
        launcher = Path(sys.prefix, "bin", name)
        text = LAUNCHER.format(
            python=sys.executable, root=str(ROOT), module=module, function=function
        )
        launcher.write_text(text, encoding="utf-8")
        launcher.chmod(0o755)


if __name__ == "__main__":
    main()
