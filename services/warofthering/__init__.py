"""War of the Ring."""

from services.warofthering.rules import RULES

__all__ = ["RULES"]
