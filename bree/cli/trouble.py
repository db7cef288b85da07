"""What the person at the terminal can mend or wait for: said in one sentence on stderr."""

from __future__ import annotations

USAGE = 2
AWAY = 3


class Trouble(Exception):
    """A file, a path, an option or a wish that does not do."""

    code = USAGE


class Away(Trouble):
    """A platform that does not answer: the same may succeed later."""

    code = AWAY
