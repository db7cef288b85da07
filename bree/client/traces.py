"""The ids that a client gives its calls, for the logs of all parts to repeat."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable

import grpc

from bree.client.patience import Refused, refusal

log = logging.getLogger("bree.client")

PARENT = "traceparent"

Parent = Callable[[], str]
"""Gives a W3C traceparent for the next call; one with the flag `01` asks to keep its spans."""


def fresh() -> str:
    """A trace of its own, of which nobody has asked to keep anything."""
    trace, span = random.getrandbits(128) or 1, random.getrandbits(64) or 1
    return f"00-{trace:032x}-{span:016x}-00"


def told(token: str, parent: str) -> tuple[tuple[str, str], ...]:
    """What a call says of who makes it, and which one it is."""
    who = (("authorization", f"Bearer {token}"),) if token else ()
    return (*who, (PARENT, parent)) if parent else who


def failed(error: grpc.RpcError, request: object, parent: str) -> Refused:
    """What a failed call says; the log has it under the id that all parts know the call by."""
    refused, call = refusal(error), type(request).__name__.removesuffix("Request")
    refused.trace = parent.split("-")[1] if parent.count("-") == 3 else ""
    log.debug("%s failed: %s %s trace=%s", call, refused.code.name, refused.reason, refused.trace)
    return refused
