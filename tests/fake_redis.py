"""A server that answers whatever it is asked with one and the same error, as Redis spells it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def refusing_redis(error: str) -> Iterator[str]:
    """The URL of a server that says this to every command, until it is no longer needed."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_serve, args=(server, error), daemon=True).start()
        try:
            yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        finally:
            server.shutdown(socket.SHUT_RDWR)


def _serve(server: socket.socket, error: str) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        threading.Thread(target=_refuse, args=(connection, error), daemon=True).start()


def _refuse(connection: socket.socket, error: str) -> None:
    """Say it once for each command; one in a pipeline begins with a star."""
    with suppress(ConnectionError), connection:
        while data := connection.recv(1 << 16):
            commands = sum(line.startswith(b"*") for line in data.split(b"\r\n"))
            connection.sendall(f"-{error}\r\n".encode() * max(1, commands))
