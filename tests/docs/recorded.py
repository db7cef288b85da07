"""Short records of all games, and what a tamperer could make of each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from services import GAMES
from services.core.fair import Draw, Fate
from services.core.reading import parse_record
from services.core.record import Fairness, Player, Record, record_of
from services.core.table import Entry, Table
from tests.conform.walks import fairness, fate
from tests.games import rules_of

PLAYED = tuple(GAMES)
"""The games of the platform."""
NAMES = ("Rosie", "Éowyn, or Dernhelm", "bot:greedy", "小 Sam")
DRAWS = 2
"""Entries that a record has at least, so that there is something to change."""

RECORD, COMMITMENT, NONCE, HEAD = "record", "commitment", "nonce", "head"
PROMISES = frozenset({COMMITMENT, NONCE, HEAD})
ALONE = frozenset({RECORD})


def recorded(game: str, label: str = "", least: int = 20) -> Record:
    """A random game with named players, a note and draws, in which seats give up in the end."""
    for number in itertools.count():
        table, fair = _played(game, f"{game} {label}{number}", least)
        if sum(len(entry.draws) for entry in table.entries) >= DRAWS:
            break
    while not table.is_over:
        table.resign(table.waiting()[-1])
    return record_of(table, fair, NAMES[: len(table.seats)])


def _played(game: str, label: str, least: int) -> tuple[Table[Any], Fairness]:
    rules = rules_of(game)
    options = rules.agree(next(iter(rules.presets.values())))
    fair = fairness(label, len(rules.seats(options)))
    table, policy = Table(rules, options, fair.fate()), fate(label).pick
    draws = 0
    while not table.is_over and (table.revision < least or draws < DRAWS):
        if table.revision >= least // 2 and not any(entry.is_note for entry in table.entries):
            table.note(table.seats[0], "hint asked for")
        seat = table.waiting()[policy(len(table.waiting()))]
        actions = table.ask(seat).actions
        table.act(seat, actions[policy(len(actions))])
        draws = sum(len(entry.draws) for entry in table.entries)
    return table, fair


def reconsidered(game: str, least: int = 40) -> Record:
    """A random game in which seats take back, ask for consent, get it, and are refused."""
    rules = rules_of(game)
    options = rules.agree(next(iter(rules.presets.values())))
    fair = fairness(f"{game} reconsidered", len(rules.seats(options)))
    table, policy = Table(rules, options, fair.fate()), fate(f"{game} reconsidered").pick
    games: dict[int, Any] = {}
    done: set[str] = set()
    while not table.is_over and (table.revision < least or len(done) < len(_THOUGHTS)):
        seat = table.waiting()[policy(len(table.waiting()))]
        games[table.revision] = table.game.copy()
        actions = table.ask(seat).actions
        table.act(seat, actions[policy(len(actions))])
        if not table.is_over:
            done.add(_reconsider(table, seat, games, policy(2 * len(_THOUGHTS))))
    while not table.is_over:
        table.resign(table.waiting()[-1])
    return record_of(table, fair, NAMES[: len(table.seats)])


def drawn() -> Record:
    """The toy game, which knows a draw by agreement, and ends with one."""
    rules = rules_of("skirmish")
    fair = fairness("a draw", 2)
    table = Table(rules, rules.agree({}), fair.fate())
    table.note("gondor", "offer draw")
    table.note("mordor", f"accept {table.revision}")
    table.draw()
    return record_of(table, fair)


_THOUGHTS = ("left", "agreed", "declined", "withdrawn")


def _reconsider(table: Table[Any], seat: int, games: dict[int, Any], which: int) -> str:
    """Perhaps a seat thinks better of what it has just done; what came of that."""
    me, other = table.seats[seat], table.seats[seat - 1]
    if which not in (1, 2, 3):
        if table.can_undo(seat):
            table.undo(seat)
        return _THOUGHTS[0]
    table.note(me, "offer takeback")
    number = table.revision
    if which == 1:
        table.note(other, f"accept {number}")
        revision = table.course.last_of(seat)
        assert revision is not None
        table.keep(revision, games[revision])
        table.take_back(seat)
    elif which == 2:
        table.note(other, f"decline {number}")
    else:
        table.note(me, f"withdraw {number}")
    return _THOUGHTS[which]


def misremembered(record: Record) -> Iterator[Tampering]:
    """A record in which somebody takes back what he may not; each with its head made anew."""
    entries, seats = record.entries, record.seats
    at = next(i for i, entry in enumerate(entries) if entry.what.startswith("takeback "))
    seat, revision = entries[at].what.split(" ")[1:]
    other = seats[seats.index(seat) - 1]
    answer = entries[at - 1]
    changed = {
        "a consent left out": (*entries[: at - 1], *entries[at:]),
        "a consent refused": _placed(record, at - 1, answer.what.replace("accept", "decline")),
        "a consent of one's own": _placed(record, at - 1, answer.what, seat),
        "a consent to another offer": _placed(record, at - 1, "accept 1"),
        "taken back further": _placed(record, at, f"takeback {seat} {int(revision) - 1}"),
        "taken back less": _placed(record, at, f"takeback {seat} {int(revision) + 1}"),
        "taken back for another seat": _placed(record, at, f"takeback {other} {revision}"),
        "taken back by nobody": _placed(record, at, f"takeback nobody {revision}"),
        "taken back to nowhere": _placed(record, at, f"takeback {seat}"),
        "an offer of another kind": _placed(record, at - 2, "offer abort"),
        "a draw instead": _placed(record, at, "draw"),
    }
    for what, others in changed.items():
        text = replace(record, entries=others, claimed_head="").text()
        yield Tampering(what, text)


def _placed(record: Record, number: int, what: str, who: str = "") -> tuple[Entry, ...]:
    entry = record.entries[number]
    return _with(record, number, entry._replace(what=what, who=who or entry.who)).entries


@dataclass(frozen=True, slots=True)
class Kept:
    """What was promised and told while a match was played."""

    commitment: str
    nonces: dict[str, str]
    heads: dict[int, str]

    @classmethod
    def of(cls, record: Record) -> Kept:
        """The commitment, the first seat's nonce, and two heads: one from halfway, and the last."""
        heads, last = list(record.heads()), len(record.entries)
        return cls(
            record.fairness.commitment,
            {record.seats[0]: record.fairness.nonces[0].hex()},
            {last // 2: heads[last // 2], last: heads[-1]},
        )

    def flags(self, *wanted: str) -> list[str]:
        """How the verifiers are told of what was kept."""
        said = ["--commitment", self.commitment] if COMMITMENT in wanted else []
        for seat, nonce in self.nonces.items() if NONCE in wanted else ():
            said += ["--nonce", f"{seat}={nonce}"]
        for revision, head in self.heads.items() if HEAD in wanted else ():
            said += ["--head", f"{revision}={head}"]
        return said


@dataclass(frozen=True, slots=True)
class Tampering:
    """What was changed, the record after it, and what finds it: the record alone, or a promise."""

    what: str
    text: str
    found_by: frozenset[str] = ALONE


def tamperings(record: Record) -> Iterator[Tampering]:
    """The record changed in one place, with the head that it had, and with the head made anew."""
    for what, changed, found_by in _changes(record):
        stale = replace(changed, claimed_head=record.head()).text()
        yield Tampering(what, stale)
        anew = replace(changed, claimed_head="").text()
        if anew != stale:  # names are no part of it
            yield Tampering(f"{what}, head anew", anew, found_by)
    yield from _forgeries(record)


def _changes(record: Record) -> Iterator[tuple[str, Record, frozenset[str]]]:
    """Changes that a head shows, and what finds them once the tamperer has made that anew too."""
    head, fair, entries = frozenset({HEAD}), record.fairness, record.entries
    drawn = next(i for i, entry in enumerate(entries) if any(d.choices > 1 for d in entry.draws))
    yield (
        "a draw",
        _with(record, drawn, entries[drawn]._replace(draws=_others(entries[drawn]))),
        ALONE,
    )
    yield "a nonce", replace(record, fairness=_with_nonce(record)), ALONE
    yield "the secret", replace(record, fairness=replace(fair, secret=bytes(32))), ALONE
    promise = replace(fair, commitment=Fairness.of(bytes(32), ()).commitment)
    yield "the commitment", replace(record, fairness=promise), ALONE
    at = _decision(record)
    again = entries[at]._replace(what="do otherwise")
    yield "a decision", _with(record, at, again), head
    yield "a digest", _with(record, at, entries[at]._replace(digest="00000000")), head
    note = next(i for i, entry in enumerate(entries) if entry.is_note)
    yield "a note made a decision", _with(record, note, entries[note]._replace(is_note=False)), head
    yield "an entry left out", replace(record, entries=(*entries[:at], *entries[at + 1 :])), head
    yield "an entry added", replace(record, entries=(*entries[:at], again, *entries[at:])), head
    swapped = (*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :])
    yield "two entries swapped", replace(record, entries=swapped), head
    assert record.scores is not None
    yield "the outcome", replace(record, scores=tuple(n + 1 for n in record.scores)), head
    yield "an aborted match", replace(record, scores=None, aborted=True), head
    yield "the last entry cut off", replace(record, entries=entries[:-1], scores=None), head
    sitting = record.sitting
    player = Player.of("Lobelia", sitting[0].salt)
    yield "a player and the mark", replace(record, sitting=(player, *sitting[1:])), head
    named = replace(sitting[0], name="Lobelia")
    yield "a player's name", replace(record, sitting=(named, *sitting[1:])), ALONE
    option = next(iter(record.options))
    yield "an option", replace(record, options={**record.options, option: "other"}), head
    yield "the edition", replace(record, edition=record.edition + 1), head


def _with(record: Record, number: int, entry: Entry) -> Record:
    entries = record.entries
    return replace(record, entries=(*entries[:number], entry, *entries[number + 1 :]))


def _others(entry: Entry) -> tuple[Draw, ...]:
    return tuple(Draw(drawn % choices + 1, choices) for drawn, choices in entry.draws)


def _with_nonce(record: Record) -> Fairness:
    """Another nonce of the first seat, with which something else would have been drawn."""
    fair = record.fairness
    others = (replace(fair, nonces=(bytes([n]), *fair.nonces[1:])) for n in range(256))
    return next(other for other in others if _redrawn(record, other) != record.entries)


def _with_secret(record: Record) -> Fairness:
    """Another secret, committed to, with which something else would have been drawn."""
    others = (Fairness.of(bytes([n] * 32), record.fairness.nonces) for n in range(256))
    return next(other for other in others if _redrawn(record, other) != record.entries)


def _redrawn(record: Record, fair: Fairness) -> tuple[Entry, ...]:
    """The entries with what these secrets would have drawn in their places."""
    chance: Fate = fair.fate()
    return tuple(
        entry._replace(
            draws=tuple(Draw(chance.pick(d.choices) + 1, d.choices) for d in entry.draws)
        )
        for entry in record.entries
    )


def _decision(record: Record) -> int:
    """A decision in the later half that another one follows, so that the two can be swapped."""
    entries = record.entries
    return next(
        i
        for i in range(len(entries) // 2, len(entries))
        if {entries[i].who, entries[i + 1].who} <= {*record.seats}
        and entries[i].text() != entries[i + 1].text()
    )


def _forgeries(record: Record) -> Iterator[Tampering]:
    """Whole matches in the place of this one."""
    fair = _with_secret(record)
    yield Tampering(
        "secret and commitment, head anew", replace(record, fairness=fair, claimed_head="").text()
    )
    redrawn = replace(record, fairness=fair, entries=_redrawn(record, fair), claimed_head="")
    yield Tampering("all chance made anew", redrawn.text(), PROMISES - {NONCE})
    other = recorded(record.game, "another match ")
    yield Tampering("a record of another match", other.text(), PROMISES)


def form_1(record: Record) -> str:
    """The record as files were before, without draws, notes and a head."""
    entries = tuple(entry._replace(draws=()) for entry in record.entries if not entry.is_note)
    return replace(record, entries=entries, form=1, claimed_head="").text()


def without_names(record: Record) -> str:
    """The record after all accounts were deleted: names and salts are gone, and it holds."""
    bare = tuple(Player(mark=player.mark) for player in record.sitting)
    text = replace(record, sitting=bare).text()
    assert parse_record(text).text() == text
    return text
