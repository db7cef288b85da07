"""`bree record show` and `bree verify`: a record as words, and whether it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from bree.cli.files import read_record
from bree.cli.talk import Talk
from bree.cli.tape import PlayedEntry, Tape
from services.core.contract import Rules
from services.core.errors import Refused
from services.core.record import Record
from services.core.table import CHANCE_NAME, HOST_NAME

UNSEEN = "(unseen)"


def show(talk: Talk, path: Path) -> int:
    """Print the header, every decision and the result; 1 if the record cannot have happened."""
    record, rules = read_record(path)
    _show_header(talk, record, rules)
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    failure = ""
    try:
        tape = Tape(record, rules)
        while not tape.is_at_end:
            step = tape.play_next()
            grid.add_row(str(step.number), step.entry.who, told(step, None, opened=is_over(record)))
        tape.check_ending()
    except Refused as e:
        failure = f"From here on the record does not hold: {e}"
    talk.show(grid)
    talk.say(failure or f"\n{ending(record)}", "bold red" if failure else "bold")
    return 1 if failure else 0


def verify(talk: Talk, path: Path) -> int:
    """Replay a record and say whether all in it holds: 0 if so, 1 if not."""
    record, rules = read_record(path)
    with talk.busy("Replaying it."):
        code = check(talk, str(path), record, rules)
    if not code:
        talk.say("Nothing else was compared: what was promised and told while it was played")
        talk.say("is known to whoever kept it, and to bree verify MATCH.")
    return code


def check(talk: Talk, name: str, record: Record, rules: Rules[Any]) -> int:
    """Replay a record that is known by a name, and say whether all in it holds."""
    try:
        tape = Tape(record, rules)
        while not tape.is_at_end:
            tape.play_next()
        tape.check_ending()
    except Refused as e:
        talk.say(f"{name} does NOT hold: {e}", "bold red")
        return 1
    talk.say(f"{name} holds.", "bold green")
    _show_checks(talk, record, rules)
    return 0


def ending(record: Record) -> str:
    """How a record ends, as a sentence."""
    if record.aborted:
        return f"Broken off after {len(record.entries)} decisions."
    if record.scores is None:
        return f"Not finished: it stands open after {len(record.entries)} decisions."
    scores = ", ".join(f"{s} {n}" for s, n in zip(record.seats, record.scores, strict=True))
    return f"Finished after {len(record.entries)} decisions. Result: {scores}."


def _show_checks(talk: Talk, record: Record, rules: Rules[Any]) -> None:
    entries = [entry for entry in record.entries if not entry.is_note]
    answers = [entry for entry in entries if entry.who == CHANCE_NAME]
    draws = sum(len(entry.draws) for entry in answers) if record.form > 1 else len(answers)
    outside = sum(entry.who == HOST_NAME for entry in entries)
    talk.say(f"{rules.title}, edition {record.edition}.")
    talk.say("Compared with the record itself:", "bold")
    talk.say("  Its secret is the one of its commitment.")
    talk.say(f"  {draws} draws of chance follow from its secret and its nonces.")
    if record.form > 1:
        talk.say(
            f"  Its head is that of its header, its {len(record.entries)} entries and its end."
        )
        talk.say(f"  {_marks(record)}")
    else:
        talk.say("  It is of form 1: it has no head that would bind what is in it.")
    talk.say("Compared with the rules:", "bold")
    decided = len(entries) - len(answers) - outside
    talk.say(f"  {decided} decisions were legal where they were made.")
    if record.form > 1:
        talk.say(f"  {len(record.entries)} digests agree with the positions.")
    else:
        talk.say("  Its digests are of an older kind, and were not compared.")
    talk.say(f"  {ending(record)}")


def _marks(record: Record) -> str:
    """Whose names the record is bound to, as a sentence."""
    seated = list(zip(record.seats, record.sitting, strict=bool(record.sitting)))
    named = [seat for seat, player in seated if player.name]
    bare = [seat for seat, player in seated if player.mark and not player.name]
    if not named and not bare:
        return "It is bound to nobody's name."
    known = f"The names at {', '.join(named)} are those of its marks" if named else ""
    gone = f"of {', '.join(bare)} the mark is left, and no name" if bare else ""
    said = "; ".join(filter(None, (known, gone)))
    return f"{said[0].upper()}{said[1:]}."


def _show_header(talk: Talk, record: Record, rules: Rules[Any]) -> None:
    talk.say(f"{rules.title}, edition {record.edition}", "bold")
    players = record.players or ("",) * len(record.seats)
    for seat, player in zip(record.seats, players, strict=True):
        talk.say(f"  {seat}: {player or 'unnamed'}")
    usual = {option.name: option.default for option in rules.options}
    chosen = {name: value for name, value in record.options.items() if value != usual.get(name)}
    for name, value in chosen.items():
        talk.say(f"  {name} = {value}")
    talk.say("  every other option as usual" if chosen else "  every option as usual", "dim")
    talk.say(f"  commitment {record.fairness.commitment}", "dim")
    if not is_over(record):
        talk.say("The game is not over: what is still secret is left out.", "yellow")
    talk.say()


def is_over(record: Record) -> bool:
    """Whether nothing in a record is secret any more."""
    return record.scores is not None or record.aborted


def told(step: PlayedEntry, seat: str | None, *, opened: bool) -> Text:
    """A decision as a viewer may know it: its own, the host's, or any if all lies open."""
    if opened or step.entry.who in {seat, HOST_NAME}:
        return Text.assemble(step.sentence, "  ", (step.entry.what, "dim"))
    return Text(UNSEEN, "dim")
