"""Generates messages, services and their types from protos/: the folders bree/*/v1.

`python scripts/protos.py` puts them beside the sources, where git ignores them; a build of a wheel
asks for them elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def generate(protos: Path, target: Path) -> list[Path]:
    """Write `bree/*/v1` anew under `target`; the folders that were written."""
    files = sorted(str(path.relative_to(protos)) for path in protos.rglob("*.proto"))
    with tempfile.TemporaryDirectory(prefix=".bree-", dir=target) as fresh:
        plugins = ("python_out=", "grpc_python_out=", "mypy_out=quiet:", "mypy_grpc_out=quiet:")
        subprocess.run(  # noqa: S603  # names of our own files are all that is added
            [
                *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={protos}"),
                *(f"--{plugin}{fresh}" for plugin in plugins),
                *files,
            ],
            env={**os.environ, "PATH": _path()},
            check=True,
        )
        return [_moved(made, target) for made in sorted(Path(fresh).glob("bree/*/v1"))]


def _path() -> str:
    """Where the plugins are that write types: beside the Python that runs this."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def _moved(made: Path, target: Path) -> Path:
    place = target / "bree" / made.parent.name / made.name
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    (made / "__init__.py").touch()
    return Path(shutil.move(made, place))


if __name__ == "__main__":
    found = generate(ROOT / "protos", ROOT)
    print(f"bree: generated {len(found)} packages from protos/")
