"""What a Redis refuses for a while, or to everyone: its word for it, and that in a sentence.

Design. Redis says why with the first word of its error. A script that is refused wraps that: before
version 7 the word comes after `ERR Error running script … @user_script`, with a minus before it.
Whatever is refused with one of these words was not carried out: a script is stopped at its first
write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "ASK": "the cluster of the store moves what it keeps",
    "BUSY": "the store is busy",
    "CLUSTERDOWN": "the cluster of the store is down",
    "LOADING": "the store is starting",
    "MASTERDOWN": "the store has lost its master",
    "MAXCLIENTS": "the store has too many callers",
    "MISCONF": "the store cannot write to its disk",
    "MOVED": "the cluster of the store moves what it keeps",
    "NOAUTH": "the store lets nobody in without a password",
    "NOPERM": "the store does not allow this to us",
    "NOREPLICAS": "the store has too few replicas",
    "OOM": "the store is full",
    "READONLY": "the store is a replica, which takes no changes",
    "TRYAGAIN": "the cluster of the store moves what it keeps",
    "WRONGPASS": "the store does not let us in",
}

_FIRST = re.compile(r"-?([A-Z]+)(?: |$)")
_WRAPPED = re.compile(r"(?:^| )-([A-Z]+) ")
_CROWDED = "max number of clients reached"


def word_of(said: str) -> str:
    """Why Redis refused what may be asked again; empty if the fault is in what was asked."""
    if _CROWDED in said:
        return "MAXCLIENTS"
    words = [*_FIRST.findall(said[:20])[:1]]
    if "user_script" in said:
        words += _WRAPPED.findall(said)
    return next((word for word in words if word in SENTENCES), "")
