"""The reference charts of both sides: every character and card, with each printed exception.

Design. Charts are for everyone at any time, so they hold all there is, and say of each entry
whether it plays. They follow from the options and from the rosters that a viewer knows, and are
made once for each of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from services.confrontation.tables import (
    CARD_KEYS,
    CHARACTER_KEYS,
    CHARACTERS,
    PRINTED,
    SIDES,
    SPECIAL_SETS,
    SPECIALS,
    TILES,
)
from services.core.contract import Options

CHARACTER, CARD, SPECIAL = "character", "card", "special"

Entry = Mapping[str, Any]
Chosen = tuple[tuple[str, str], ...]
Roster = tuple[str, ...] | None

_NAMESAKES = {name for name, n in Counter(c.name for c in CHARACTERS).items() if n > 1}


def charts(options: Options, rosters: Sequence[Sequence[str] | None]) -> Mapping[str, list[Entry]]:
    """The chart of each side, for a viewer who knows these rosters; `None` is one he does not."""
    chosen = tuple(options.items())
    return {
        side: _chart(number, chosen, None if names is None else tuple(names))
        for number, (side, names) in enumerate(zip(SIDES, rosters, strict=True))
    }


@lru_cache(maxsize=200)
def _chart(side: int, chosen: Chosen, roster: Roster) -> list[Entry]:
    return [_entry(key, kind, chosen, plays) for key, kind, plays in _listed(side, chosen, roster)]


def _listed(side: int, chosen: Chosen, roster: Roster) -> Iterator[tuple[str, str, bool]]:
    """What a side's chart lists: characters, combat cards, special cards; those that play first."""
    drafted = [CHARACTER_KEYS[face] for pair in TILES[side] for face in pair]
    playing = roster or drafted  # who may, before it is known who does
    others = [c.key for c in CHARACTERS if c.side == side and c.key not in playing]
    yield from ((key, CHARACTER, key in playing) for key in [*playing, *others])
    yield from ((key, CARD, True) for key in CARD_KEYS[side])
    cards = SPECIAL_SETS.get(dict(chosen)["special_cards"], ((), ()))[side]
    half = len(SPECIALS) // 2
    own = range(half) if side == 0 else range(half, len(SPECIALS))
    yield from ((SPECIALS[card], SPECIAL, card in cards) for card in own)


@lru_cache(maxsize=2000)
def _entry(key: str, kind: str, chosen: Chosen, plays: bool) -> Entry:
    printed = PRINTED[key]
    strength = printed["strength"] if kind == CHARACTER else printed.get("value")
    return {
        "name": key,
        "title": _title(printed, kind),
        "kind": kind,
        "strength": strength,
        "text": printed["description"],
        "exceptions": [*printed.get("notes", ()), *_by_options(printed, dict(chosen))],
        "in_game": plays,
    }


def _title(printed: Mapping[str, Any], kind: str) -> str:
    """The name, told apart where both faces of a tile have the same."""
    name: str = printed["name"]
    is_other = kind == CHARACTER and printed["set"] == "variant" and name in _NAMESAKES
    return f"{name} (variant)" if is_other else name


def _by_options(printed: Mapping[str, Any], options: Options) -> Iterator[str]:
    """What holds by what the players agreed on."""
    for note in printed.get("option_notes", ()):
        if options[note["option"]] == note["value"]:
            yield note["note"]
