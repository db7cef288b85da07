"""What `about` says of the Confrontation's characters and cards, from the charts in a view.

Design. A name is taken as people type it: with or without accents, articles and capitals, or as the
texts of answers have it. Each word may be cut short. What is not in this game is explained as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from bree.cli.boards.names import plain

View = Mapping[str, Any]
Entry = Mapping[str, Any]
Told = tuple[str, str]

_SIDES = ("good", "dark")
_TITLES = {"good": "Good", "dark": "Dark"}
_NEAR = 4  # names that may have been meant
_SHORT = 3  # words that are like too many others


def about(view: View, words: str) -> list[Told]:
    """The chart entries that these words name; with no words the charts, the viewer's own first."""
    entries = [(side, entry) for side in _SIDES for entry in view["charts"][side]]
    named = plain(words)
    if not named or named in ("good", "dark", "all", "charts"):
        return list(_whole(view, named if named in _SIDES else ""))
    return named_in(view, words) or [_nothing(entries, words)]


def named_in(view: View, words: str) -> list[Told]:
    """The chart entries that these words name, if any."""
    entries = [(side, entry) for side in _SIDES for entry in view["charts"][side]]
    return [_told(view, side, entry) for side, entry in _found(entries, plain(words))]


def _whole(view: View, only: str) -> Iterator[Told]:
    """All that plays and needs words; numbers need none."""
    own = view["side"] or "good"
    for side in [only] if only else sorted(_SIDES, key=lambda side: side != own):
        yield f"The chart of {_TITLES[side]}.", ""
        for entry in view["charts"][side]:
            if entry["in_game"] and not entry["title"].isdecimal():
                yield _told(view, side, entry)


def _found(entries: Sequence[tuple[str, Entry]], named: str) -> list[tuple[str, Entry]]:
    """Those that are called exactly so, if one of them plays; or else all that may be meant."""
    exact = [(side, entry) for side, entry in entries if named in _names(entry)]
    if not any(entry["in_game"] for _, entry in exact):
        words = named.split()
        exact = [one for one in entries if all(_says(one, word) for word in words)]
    return sorted(exact, key=lambda one: not one[1]["in_game"])


def _names(entry: Entry) -> set[str]:
    """All that an entry is called."""
    title = entry["title"].removesuffix(" (variant)")
    return {plain(entry["title"]), plain(title), plain(entry["name"])}


def _says(one: tuple[str, Entry], word: str) -> bool:
    """Whether a word begins one of an entry's own."""
    side, entry = one
    kinds = {"card": f"{side}s card strength", "special": f"{side}s special card"}
    said = f"{' '.join(_names(entry))} {kinds.get(entry['kind'], '')}"
    return any(own.startswith(word) for own in said.split())


def _told(view: View, side: str, entry: Entry) -> Told:
    title = entry["title"]
    if entry["kind"] == "character":
        title += f", strength {entry['strength']}"
    else:
        title = f"{_TITLES[side]}'s {_KINDS[entry['kind']]} {title}"
    return title + _state(view, side, entry), " ".join([entry["text"], *entry["exceptions"]])


_KINDS = {"card": "card", "special": "special card"}


def _state(view: View, side: str, entry: Entry) -> str:
    if not entry["in_game"]:
        return " (not in this game)"
    if entry["name"] in view["fallen"][side]:
        return " (fallen)"
    is_special = entry["kind"] == "special" and not view["setup"]
    gone = is_special and entry["name"] not in view["specials"][side]
    return " (used, or not chosen)" if gone else ""


def _nothing(entries: Sequence[tuple[str, Entry]], words: str) -> Told:
    """That nobody is called so, and who is called nearly so."""
    titles = {name: entry["title"] for _, entry in entries for name in _names(entry)}
    for _, entry in entries:
        for word in plain(entry["title"]).split():
            if len(word) > _SHORT:
                titles.setdefault(word, entry["title"])
    near = get_close_matches(plain(words), titles, n=_NEAR, cutoff=0.6)
    found = list(dict.fromkeys(titles[name] for name in near if not titles[name].isdecimal()))
    hint = f"Perhaps {' or '.join(found)}?" if found else "Say about alone for all that there is."
    return f"No character or card is called {words!r}.", hint
