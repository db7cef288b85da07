"""Records of the toy game, and whether a text is one."""

from __future__ import annotations

from functools import cache

from services.core.errors import Refused
from services.core.reading import parse_record
from services.core.replaying import replay
from tests.conform.walks import Walk, variants
from tests.games.skirmish.rules import RULES

SEEDS = range(3)


@cache
def walk(seed: int = 0, variant: int = 0) -> Walk:
    return Walk(variants("skirmish")[variant], seed)


WHOLE = walk().record()
TEXT = WHOLE.text()
LINES = TEXT.split("\n")
FIRST_ENTRY = LINES.index("") + 1
LENGTH = len(WHOLE.entries)


def verifies(text: str) -> bool:
    """Whether a text is a record that replays; any error but a refusal is a failure."""
    try:
        replay(parse_record(text), RULES)
    except Refused:
        return False
    return True
