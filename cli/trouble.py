"""What the person at the terminal can mend: said in one sentence on stderr, exit code 2."""

from __future__ import annotations


class Trouble(Exception):
    """A file, a path or an option that does not do."""
