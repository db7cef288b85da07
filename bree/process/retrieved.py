"""Errors of tasks for which perhaps nobody waits any more."""

from __future__ import annotations

import asyncio
from typing import Any


def retrieve_error(task: asyncio.Task[Any]) -> None:
    """Look at how a task has ended, which all who waited for it may not have lived to do."""
    if not task.cancelled():
        task.exception()
