"""Risk: The Lord of the Rings Trilogy Edition."""

from services.risk.rules import RULES

__all__ = ["RULES"]
