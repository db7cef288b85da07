"""Every variable that begins with BREE_: what is set and is none of them is a slip of the pen.

`docs/configuration.md` says what each of them means.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

PREFIX = "BREE_"

OF_PROCESSES = """
ADDRESS_HEADER AGAINST AUTHORITY BEAT_SECONDS BOT_LEVELS BOT_TOKEN BROKER_URL CACHE_BYTES
CALLS_A_SECOND CALLS_BURST CALL_SECONDS CENSUS_SECONDS CHECK_SECONDS DRAIN_SECONDS ENGINES
ENGINE_PORT FATE_KEY GATEWAY GATEWAY_PORT HEALTH_SECONDS KEPT_MATCHES LARGEST_MESSAGE LISTEN
LISTEN_BACKLOG LOGIN LOG_FORMAT LOG_LEVEL LOOKS_A_SECOND LOOKS_BURST MATCH METRICS_ADDRESS
METRICS_PORT MOST_MATCHES MOST_OPEN MOST_STREAMS MOST_WATCHERS NEW NEW_ACCOUNTS_A_MINUTE
NEW_ACCOUNTS_BURST OPTIONS PATIENCE_SECONDS PLATFORM_TOKEN QUEUES REDIS_PORT REDIS_SERVER
REPLICAS RESCAN_SECONDS SEAT SEED START_SECONDS STATE STOP_SECONDS STORE_SECONDS STORE_URL
SWEEPERS SWEEP_BACKLOG SWEEP_LEASE_MS SWEEP_OVERDUE_MS SWEEP_SECONDS TASK_GRACE_SECONDS
TASK_SECONDS TLS_AUTHORITY TLS_CERTIFICATE TLS_KEY TOKEN WATCH_BACKLOG WORKERS WORKER_PROCESSES
"""

OF_OTHERS = """
ADDRESS BROKER_PASSWORD FUZZ_SECONDS FUZZ_SEED GRAFANA_PASSWORD NEED_TOOLCHAINS PORT
STORE_PASSWORD TIMES_SAMPLE
"""

VARIABLES = frozenset(PREFIX + name for name in OF_PROCESSES.split())
BESIDES = frozenset(PREFIX + name for name in OF_OTHERS.split())
"""What the files of deployments and the tests read, and no process."""


def slips(names: Iterable[str]) -> list[str]:
    """A sentence for each variable that there is not, with the one that may be meant."""
    told = []
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in VARIABLES | BESIDES:
            meant = difflib.get_close_matches(name, sorted(VARIABLES), n=1, cutoff=0.8)
            guess = f"; is {meant[0]} meant?" if meant else ""
            told.append(f"{name}: there is no such variable{guess}")
    return told
