"""The toy game: a folder as those in services/, which a test puts beside them."""

from .rules import RULES  # by whatever name the folder is imported

__all__ = ["RULES"]
