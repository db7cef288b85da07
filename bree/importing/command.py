"""`bree ledger import`: the command, with the settings of the environment."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys

import structlog

from bree.importing.moving import moved
from bree.importing.report import Refused
from bree.ledger.settings import checked
from bree.process.statuses import Denied
from bree.redis.clients import FAILURES

DONE, LEFT, USAGE, AWAY = 0, 1, 2, 3
"""Exit codes: all was moved, some stays, a setting does not do, a server is away."""

KEY = re.compile(r"[0-9a-fA-F]{64}")


def main() -> int:
    """Move a platform to a ledger; the exit code."""
    silent = structlog.make_filtering_bound_logger(logging.CRITICAL)
    structlog.configure(wrapper_class=silent)  # what there is to say stands in the report
    store = os.environ.get("BREE_STORE_URL", "redis://127.0.0.1:6379/0")
    try:
        ledger = checked(os.environ.get("BREE_LEDGER_URL", ""))
    except ValueError as error:
        return _fail(f"BREE_LEDGER_URL: {error}", USAGE)
    given = os.environ.get("BREE_FATE_KEY", "").split(",")
    if not all(KEY.fullmatch(key) for key in given):
        return _fail("BREE_FATE_KEY: the key with which matches began is needed", USAGE)
    try:
        report = asyncio.run(moved(store, ledger, [bytes.fromhex(key) for key in given]))
    except Refused as refused:
        return _fail(str(refused), USAGE)
    except Denied as denied:
        return _fail(f"BREE_LEDGER_URL: {denied.message}", AWAY)
    except (*FAILURES, OSError) as error:
        return _fail(f"BREE_STORE_URL: the store cannot be asked: {error}", AWAY)
    for what, why in report.left.items():
        sys.stderr.write(f"{what}: {why}\n")
    sys.stdout.write(f"{report.text()}\n")
    return LEFT if report.left else DONE


def _fail(why: str, code: int) -> int:
    sys.stderr.write(f"{why}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
