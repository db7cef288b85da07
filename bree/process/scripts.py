"""What a command to Redis is called in traces: its own name, or that of the script it runs.

Nothing else of a command is told: its keys and its arguments hold what nobody else may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from bree.process import traces

_names: dict[str, str] = {}


def name(digest: str, script: str) -> None:
    """A script with this digest has this name."""
    _names[digest] = script


def span(command: Sequence[Any], number: int = 1) -> traces.Span | nullcontext[None]:
    """As `traces.span`, of a number of commands like this one."""
    if not traces.is_sampled():
        return traces.NO_SPAN
    called = spelt(command)
    return traces.span(f"store {called}" if number == 1 else f"store {number} {called}")


def spelt(command: Sequence[Any]) -> str:
    """A command, without what it is given."""
    word = str(command[0]).upper()
    if word == "EVALSHA":
        return _names.get(str(command[1]), word)
    return word if word.isalpha() and len(word) < 20 else "?"
