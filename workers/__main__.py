"""`python -m workers`: a worker with its processes."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bree.process.settings import read
from workers.settings import WorkerSettings

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"


@contextmanager
def metrics_directory() -> Iterator[Path]:
    """An empty directory where the processes of this worker put their figures together."""
    given = os.environ.get(MULTIPROCESS)
    directory = Path(given or tempfile.mkdtemp(prefix="bree-metrics-"))
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    os.environ[MULTIPROCESS] = str(directory)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def main() -> int:
    """Run a worker; its exit code."""
    settings = read(WorkerSettings)
    with metrics_directory():
        # Metrics look at the environment when they are made, which is when they are imported.
        from workers import app  # noqa: PLC0415

        return app.run(settings)


if __name__ == "__main__":
    sys.exit(main())
