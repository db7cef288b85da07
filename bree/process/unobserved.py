"""Imports Redis's client without OpenTelemetry, which it would import wherever that is installed.

It would count its own commands with it, if it was told to, and here it never is. To import the SDK
takes longer than to import the client, and only traces need it, where they are switched on.
"""

from __future__ import annotations

import sys

_HIDDEN = "opentelemetry"

_is_hidden = _HIDDEN not in sys.modules  # else it is too late
if _is_hidden:
    sys.modules[_HIDDEN] = None  # type: ignore[assignment]  # so that importing it fails
try:
    import redis
    import redis.asyncio
finally:
    if _is_hidden:
        del sys.modules[_HIDDEN]

__all__ = ["redis"]
