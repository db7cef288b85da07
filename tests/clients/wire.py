"""A wire that can be cut, as when a machine goes down, and held up, as when a process hangs."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time


class Wire:
    """Carries bytes from its own port to another one, until it is cut."""

    def __init__(self, target: int):
        self.target = target
        self.open: list[socket.socket] = []
        self.port = 0
        self._flows = threading.Event()
        self._flows.set()
        self._listen()

    @property
    def address(self):
        return f"localhost:{self.port}"

    def cut(self, seconds):
        """Reset every connection, and refuse new ones for a while."""
        self.close()
        time.sleep(seconds)
        self._listen()

    def hold(self):
        """Carry nothing more, without a word; what is sent is kept."""
        self._flows.clear()

    def release(self):
        """Carry on, with what was kept first."""
        self._flows.set()

    def cut_soon(self, seconds=0.5):
        """Cut it, from within a call."""
        threading.Thread(target=self.cut, args=(seconds,)).start()

    def close(self):
        self.release()
        # A listening socket that another thread accepts on ends only when it is shut down.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for end in self.open:
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RD)
            end.close()
        self.open.clear()

    def _listen(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen()
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def _accept(self, listener):
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    near.close()
                    continue
                self.open += [near, far]
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self._flows.wait()
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
