"""How the map is laid out on squared paper, for drawings in a terminal; rules do not read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

LAYOUT: Mapping[str, Any] = json.loads(
    (files("services.risk") / "data" / "atlas.json").read_text("utf-8")
)
"""Its parts: rows of letters, and whose each letter is."""
