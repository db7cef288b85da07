"""A collector that takes spans and forgets them: what they cost is measured, not what they say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc

SERVICE = "opentelemetry.proto.collector.trace.v1.TraceService"


class Collector:
    """One that runs in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._process = process
        self.address = f"http://127.0.0.1:{int(process.stdout.readline())}"
        self.taken = 0  # bytes, once it has ended

    def end(self) -> None:
        """Let it go, and note how much it has taken."""
        said, _ = self._process.communicate()
        self.taken = int(said)


@contextmanager
def collector() -> Iterator[Collector]:
    """One that has taken something by its end, or nothing was measured."""
    command = [sys.executable, "-m", "bench.collector"]
    with subprocess.Popen(  # noqa: S603  # this project's own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        one = Collector(process)
        try:
            yield one
        finally:
            one.end()
    if not one.taken:
        raise SystemExit("no span has come to the collector")


def main() -> None:
    """Take spans until the input is closed; then say how many bytes that were."""
    sizes: list[int] = []

    def export(request: bytes, context: Any) -> bytes:
        sizes.append(len(request))
        return b""

    server = grpc.server(ThreadPoolExecutor(1))
    handler: Any = grpc.unary_unary_rpc_method_handler(export)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {"Export": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    sys.stdin.read()
    server.stop(None)
    sys.stdout.write(f"{sum(sizes)}\n")


if __name__ == "__main__":
    main()
