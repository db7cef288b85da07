"""The Lord of the Rings: The Confrontation."""

from services.confrontation.rules import RULES

__all__ = ["RULES"]
