"""What deploy/ speaks of already and the parts do not have yet. Empty, it goes."""

from __future__ import annotations

SETTINGS = {"BREE_LEDGER_CONNECTIONS", "BREE_STORE_REPLICAS"}

METRICS = {
    "bree_ledger_usable": set(),
    "bree_ledger_connections": set(),
    "bree_ledger_errors_total": {"code"},
    "bree_ledger_seconds_bucket": {"what"},
    "bree_outbox_age_seconds": set(),
    "bree_outbox_waiting": set(),
}
