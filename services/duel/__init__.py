"""The Lord of the Rings: Duel for Middle-earth."""

from services.duel.rules import RULES

__all__ = ["RULES"]
