"""Modules that are imported when they are needed: games played offline shall not wait for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bree.cli.trouble import Trouble


def imported(name: str) -> Any:
    """A module of ours that brings gRPC and generated code; `Trouble` if there is none."""
    try:
        return import_module(name)
    except ModuleNotFoundError as e:
        if not str(e.name).startswith("bree"):
            raise
        raise Trouble("platforms need code that is not generated yet; run: make protos") from e
