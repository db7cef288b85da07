"""Parts that are easily had: programs of a few lines that are healthy, or are not."""

from __future__ import annotations

import random
import socket
import sys
import time
from pathlib import Path

from bree.local.health import is_free
from bree.local.parts import Part

HEALTHY = """
import http.server, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answer).serve_forever()
"""
"""Answers what is asked of it."""

STUCK = HEALTHY.replace("(200)", "(503 if self.path == '/healthy' else 200)")
"""Tells its figures, and that it is not well."""

FORKS = "import os, time\nif not os.fork():\n    time.sleep(600)\n" + HEALTHY
"""Has a child that outlives it, unless that is ended with it."""

STUBBORN = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + HEALTHY
"""Does not end when it is asked to."""

DEAF = "import time\ntime.sleep(600)"
"""Runs and is never healthy."""

FAILS = "import sys\nsys.exit('the configuration is broken')"
"""Ends at once, and says why."""


def free_ports(count):
    """Ports that nobody has just now."""
    sockets = [socket.socket() for _ in range(count)]
    for opened in sockets:
        opened.bind(("127.0.0.1", 0))
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


def free_range(count):
    """The first of `count` ports in a row that nobody has just now."""
    while True:
        first = random.randrange(20_000, 32_000 - count)
        if all(is_free(port) for port in range(first, first + count)):
            return first


def places(state):
    """The settings that put a platform where no other is."""
    first = free_range(60)
    return {
        "gateway_port": first, "redis_port": first + 1, "engine_port": first + 2,
        "postgres_port": first + 18, "http_port": first + 19, "metrics_port": first + 20,
        "state": state,
    }  # fmt: skip


def part(name, program=HEALTHY, kind="worker", port=None):
    """A part that is asked for its metrics to see whether it is well."""
    metrics = port or free_ports(1)[0]
    return Part(name, kind, (sys.executable, "-c", program, str(metrics)), metrics=metrics)


def left_of(group):
    """The processes of a group that are still there; a moment after, as a signal takes one."""
    for _ in range(40):
        left = [
            int(stat.parent.name)
            for stat in Path("/proc").glob("[0-9]*/stat")
            if _is_of(stat, group)
        ]
        if not left:
            break
        time.sleep(0.05)
    return left


def _is_of(stat, group):
    try:
        state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return state != "Z" and int(its_group) == group
