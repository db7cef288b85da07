"""`bree play`: from the command line to a game at this terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bree.cli.files import RecordFile, fresh_path, read_record
from bree.cli.match import Match, begin, chance, drawn, resume, seating, seating_of
from bree.cli.session import Session
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from services import GAMES, rules_of
from services.core.contract import Rules

_LONGEST_SEED = 64


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for; `None` where it says nothing."""

    game: str | None
    seat: str | None
    bot: str | None
    options: Sequence[str]
    preset: str | None
    seed: str | None
    record: Path | None
    resume: Path | None
    hotseat: bool
    explain: bool = False


def play(talk: Talk, wanted: Wanted) -> int:
    """Play one game to its end, or until the person leaves."""
    match, file = _resumed(wanted) if wanted.resume else _new(wanted)
    Session(match, file, talk, explain=wanted.explain).run()
    return 0


def _new(wanted: Wanted) -> tuple[Match, RecordFile]:
    if wanted.game is None:
        raise Trouble(f"say which game to play, {' or '.join(GAMES)}, or the name of a match")
    rules = rules_of(wanted.game)
    seed = _seed(wanted.seed)
    options = drawn(rules, _chosen(rules, wanted), chance(seed, "options"))
    pick, seats = chance(seed, "seat"), rules.seats(options)
    players = seating(seats, wanted.seat, wanted.bot, pick, hotseat=wanted.hotseat)
    match = begin(rules, options, players, seed)
    path = wanted.record or fresh_path(rules.name, datetime.now().astimezone().date())
    return match, RecordFile(path, fresh=True)


def _resumed(wanted: Wanted) -> tuple[Match, RecordFile]:
    assert wanted.resume is not None
    if wanted.options or wanted.preset or wanted.seed:
        raise Trouble("--resume goes on with the game's own options and chance: leave these away")
    record, rules = read_record(wanted.resume)
    if wanted.game not in (None, record.game):
        raise Trouble(f"{wanted.resume} is a game of {record.game}, not of {wanted.game}")
    if wanted.seat or wanted.bot or wanted.hotseat:
        pick = chance(None, "seat")
        players = seating(record.seats, wanted.seat, wanted.bot, pick, hotseat=wanted.hotseat)
    else:
        players = seating_of(record)
    match = resume(record, rules, players)
    if wanted.record:
        return match, RecordFile(wanted.record, fresh=True)
    return match, RecordFile(wanted.resume, fresh=False)


def _chosen(rules: Rules[Any], wanted: Wanted) -> dict[str, str]:
    """The preset's options, then those that were given one by one."""
    chosen: dict[str, str] = {}
    if wanted.preset is not None:
        if wanted.preset not in rules.presets:
            known = " or ".join(rules.presets)
            raise Trouble(f"--preset takes {known}, not {wanted.preset!r}")
        chosen.update(rules.presets[wanted.preset])
    chosen.update(named(option) for option in wanted.options)
    return chosen


def named(option: str) -> tuple[str, str]:
    """The name and the value of an option as it is typed."""
    name, equals, value = option.partition("=")
    if not equals:
        raise Trouble(f"--option takes name=value, not {option!r}")
    return name, value


def _seed(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError as e:
        raise Trouble(f"--seed takes hexadecimal digits, two a byte, not {text!r}") from e
    if not 1 <= len(seed) <= _LONGEST_SEED:
        raise Trouble(f"--seed takes 1 to {_LONGEST_SEED} bytes")
    return seed
