"""Every metric of the platform, in one place. `docs/metrics.md` is the table of them.

Design. Names are given here so that dashboards and alerts can be checked against them; a label has
few values, never a match or an account. Where Celery forks, PROMETHEUS_MULTIPROC_DIR is set by
whoever starts the worker, and `serve` then gathers all its processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    make_wsgi_app,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector

_FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

CALLS = Counter("bree_calls", "Calls answered", ["service", "method", "code"])
CALL_SECONDS = Histogram(
    "bree_call_seconds", "Time to answer a call", ["service", "method"], buckets=_FAST
)
REFUSALS = Counter("bree_refusals", "Calls refused, by reason", ["service", "reason"])
BUGS = Counter("bree_bugs", "Errors that should not happen", ["service"])
STREAMS = Gauge("bree_streams", "Server streams open", ["method"], multiprocess_mode="livesum")

DECISIONS = Counter("bree_decisions", "Decisions stored", ["game", "prompt"])
TAKEN_BACK = Counter("bree_taken_back", "Decisions taken back", ["game", "how"])
OFFERS = Counter("bree_offers", "Offers made and answered", ["game", "what"])
MATCHES_CREATED = Counter("bree_matches_created", "Matches begun", ["game"])
MATCHES_OVER = Counter("bree_matches_over", "Matches over", ["game", "ending"])
APPLY_SECONDS = Histogram("bree_apply_seconds", "Time of the rules", ["game"], buckets=_FAST)
APPEND_SECONDS = Histogram("bree_append_seconds", "Time of the store", ["game"], buckets=_FAST)
CACHED_MATCHES = Gauge("bree_cached_matches", "Matches in memory", ["game"])
CACHE_MISSES = Counter("bree_cache_misses", "Matches replayed from the store", ["game"])
RACES_LOST = Counter("bree_races_lost", "Appends that another replica beat", ["game"])
FROZEN = Counter("bree_matches_frozen", "Records that did not replay", ["game"])
HISTORIES_CHANGED = Counter(
    "bree_histories_changed", "Matches whose store had lost acknowledged moves", ["game"]
)
STORE_REFUSALS = Counter("bree_store_refusals", "Commands that the store refused", ["word"])
STORE_LOSSES = Counter(
    "bree_store_losses", "Times that the store was not what a process knew", ["kind"]
)
STORE_IN_DOUBT = Gauge("bree_store_in_doubt", "Whether nothing goes on because of that")
STORE_UNCONFIRMED = Counter(
    "bree_store_unconfirmed", "Times that too few replicas said that they have a change"
)
STORE_MEMORY_BYTES = Gauge("bree_store_memory_bytes", "Memory that the store uses")
STORE_MEMORY_LIMIT_BYTES = Gauge("bree_store_memory_limit_bytes", "Memory that it may use")
STORE_LOG_BYTES = Gauge("bree_store_log_bytes", "Bytes of the log that the store keeps on disk")
STORE_DISK_BYTES = Gauge("bree_store_disk_bytes", "Bytes of that disk, as far as we are told")
STORE_WRITE_FAILS = Gauge("bree_store_write_fails", "Whether the store's last write failed", ["of"])
LEDGER_SECONDS = Histogram(
    "bree_ledger_seconds", "Time of calls to the ledger", ["what"], buckets=_FAST
)
LEDGER_ERRORS = Counter("bree_ledger_errors", "Calls that the ledger refused or lost", ["code"])
LEDGER_USABLE = Gauge("bree_ledger_usable", "Whether the ledger is there and the right one")
LEDGER_CONNECTIONS = Gauge("bree_ledger_connections", "Connections to the ledger in use")
OUTBOX_WAITING = Gauge("bree_outbox_waiting", "What the ledger's outbox has yet to deliver")
OUTBOX_AGE_SECONDS = Gauge("bree_outbox_age_seconds", "Age of the oldest of it")
OUTBOX_DELIVERED = Counter(
    "bree_outbox_delivered", "Tries to deliver from the outbox", ["kind", "result"]
)
DUE = Gauge("bree_due", "Things that must happen next", ["game", "kind"])
DUE_AGE_SECONDS = Gauge("bree_due_age_seconds", "Age of the oldest of them", ["game", "kind"])
DONE_AFTER_SECONDS = Histogram(
    "bree_done_after_seconds",
    "Time from when something was due until it was done",
    ["game", "kind"],
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 3600),
)

BOT_TURNS = Counter("bree_bot_turns", "Turns of hosted bots", ["game", "level", "result"])
WORKER_PROCESSES = Gauge(
    "bree_worker_processes",
    "Turns that a worker plays at the same time",
    multiprocess_mode="max",
)
BOT_THINK_SECONDS = Histogram(
    "bree_bot_think_seconds",
    "Time a bot thought",
    ["game", "level"],
    buckets=(*_FAST, 30, 60),
)
SETTLEMENTS = Counter("bree_settlements", "Finished matches scored", ["game", "result"])
LEAVINGS = Counter("bree_leavings", "Settled matches taken out of the store", ["game", "result"])
MATCHES_DROPPED = Counter(
    "bree_matches_dropped", "Matches dropped from the ledger as too old", ["game", "state"]
)
WORKERS_STUCK = Counter("bree_workers_stuck", "Workers found to ask for no task any longer")
SWEPT = Counter("bree_swept", "Overdue things sent again", ["game", "kind"])


def serve(
    port: int, address: str = "127.0.0.1", is_well: Callable[[], bool] = lambda: True
) -> None:
    """Answer /metrics on a port, and /healthy with whether the process is well; 0 is nowhere."""
    if not port:
        return
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # registers itself
    server, _ = start_http_server(port, address, registry)
    figures = make_wsgi_app(registry)

    def answer(asked: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if asked["PATH_INFO"] != "/healthy":
            return figures(asked, start)  # type: ignore[no-any-return]
        well = is_well()
        start("200 OK" if well else "503 Service Unavailable", [("Content-Type", "text/plain")])
        return [b"well\n" if well else b"stuck\n"]

    server.set_app(answer)
