"""One game at this terminal: the table, what its chance is made of, and who plays each seat."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any, NamedTuple

from bree.cli.tape import Tape
from bree.cli.trouble import Trouble
from services.core.contract import Options, Rules
from services.core.decisions import CHANCE, Action, Event, Pick, Seat
from services.core.errors import Refused
from services.core.fair import SECRET_BYTES, Fate
from services.core.record import Fairness, Record, record_of
from services.core.table import CHANCE_NAME, Table
from workers.bots import BOTS, bot_of
from workers.bots.contract import Bot, Thought

PERSON = "person"
BOT = "bot "
BY_CHANCE = "random"
"""A seat, or a value of an option, that is left to chance."""
_NONCE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays: the seats of the machine and the bot of each; all others are people's."""

    bots: Mapping[Seat, str]

    def players(self, seats: tuple[str, ...]) -> tuple[str, ...]:
        """By seat, as a record names them."""
        return tuple(
            BOT + self.bots[seat] if seat in self.bots else PERSON for seat in range(len(seats))
        )


class Past(NamedTuple):
    """A decision of a game that goes on from its record."""

    revision: int  # after it
    who: str
    sentence: str
    events: Sequence[Event]


@dataclass(slots=True)
class Match:
    """A table with people and bots at it."""

    table: Table[Any]
    fairness: Fairness
    seating: Seating
    chance: Pick  # the bots' own: nothing of it is in the record
    past: Sequence[Past] = ()
    bots: dict[Seat, Bot] = field(default_factory=dict)  # what each has thought so far saves time

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that are not the machine's."""
        return tuple(n for n in range(len(self.table.seats)) if n not in self.seating.bots)

    def record(self) -> Record:
        """The game as it stands."""
        return record_of(self.table, self.fairness, self.seating.players(self.table.seats))

    def hint(self, seat: Seat) -> Action:
        """What the greedy bot would do for a seat; the same when asked again."""
        place = hashlib.sha256(f"bree hint {self.table.revision}".encode()).digest()
        bot = bot_of("greedy", self.table.rules.name)
        return self._thought(seat, bot, Fate(place).pick).action

    def think(self, seat: Seat) -> Thought:
        """What the bot of this seat answers to its question, and why."""
        if seat not in self.bots:
            self.bots[seat] = bot_of(self.seating.bots[seat], self.table.rules.name)
        return self._thought(seat, self.bots[seat], self.chance)

    def _thought(self, seat: Seat, bot: Bot, pick: Pick) -> Thought:
        """What a bot thinks, from nothing but what its seat may know."""
        rules = self.table.rules
        return bot.think(rules, rules.guess(self.table.game, seat, pick), seat, pick)


def begin(rules: Rules[Any], options: Options, seating: Seating, seed: bytes | None) -> Match:
    """A new game, from fresh chance; or from chance that follows from `seed`, for tests."""
    seats = rules.seats(options)
    if seed is None:
        secret, bots = token_bytes(SECRET_BYTES), token_bytes(SECRET_BYTES)
        nonces = tuple(token_bytes(_NONCE_BYTES) for _ in seats)
    else:
        secret, bots = _derived(seed, "secret"), _derived(seed, "bots")
        nonces = tuple(_derived(seed, seat)[:_NONCE_BYTES] for seat in seats)
    fairness = Fairness.of(secret, nonces)
    table = Table(rules, options, fairness.fate())
    return Match(table, fairness, seating, Fate(bots).pick, [_opening(table)])


def resume(record: Record, rules: Rules[Any], seating: Seating) -> Match:
    """A game that was left, as it stood; `Trouble` if it is over or cannot have been so."""
    if record.scores is not None or record.aborted:
        raise Trouble("that game is over; `bree record replay` shows it again")
    try:
        tape = Tape(record, rules)
        past = [_opening(tape.table)]
        while not tape.is_at_end:
            step = tape.play_next()
            undone = step.entry.taken_back()
            if undone:
                past.remove(next(one for one in reversed(past) if one.who == undone))
            else:
                past.append(Past(step.number, step.entry.who, step.sentence, step.events))
        tape.check_ending()
    except Refused as e:
        raise Trouble(f"that game cannot be resumed: {e}") from e
    table = tape.table
    table.fate = fate = tape.replay.fate
    if table.waiting() == (CHANCE,):  # the record was cut short before chance had answered
        events = table.act(CHANCE, rules.deal(table.game, fate.pick))
        past.append(Past(table.revision, CHANCE_NAME, "", events))
    bots = Fate(token_bytes(SECRET_BYTES))
    return Match(table, record.fairness, seating, bots.pick, past)


def _opening(table: Table[Any]) -> Past:
    return Past(0, CHANCE_NAME, "", table.opening)


def seating(
    seats: tuple[str, ...], seat: str | None, bot: str | None, pick: Pick, *, hotseat: bool
) -> Seating:
    """Who plays a new game, as the command line says; `pick` draws a seat left to chance."""
    if hotseat and (seat or bot):
        raise Trouble("--hotseat has no machine: leave --seat and --bot away")
    if hotseat:
        return Seating({})
    if seat == BY_CHANCE:
        seat = seats[pick(len(seats))]
    if seat is not None and seat not in seats:
        raise Trouble(f"--seat takes {' or '.join([*seats, BY_CHANCE])}, not {seat!r}")
    mine = seats.index(seat) if seat else 0
    name = _known_bot(bot or "greedy")
    return Seating({n: name for n in range(len(seats)) if n != mine})


def drawn(rules: Rules[Any], chosen: Mapping[str, str], pick: Pick) -> Options:
    """What was agreed on, with those options drawn that were left to chance."""
    known = {option.name: option for option in rules.options}
    options = dict(chosen)
    for name, value in chosen.items():
        option = known.get(name)
        if value == BY_CHANCE and option is not None and not option.allows(BY_CHANCE):
            values = option.every_value()
            options[name] = values[pick(len(values))]
    return rules.agree(options)


def chance(seed: bytes | None, purpose: str) -> Pick:
    """Chance for what is settled before the game; it follows from `seed`, for tests."""
    return Fate(token_bytes(SECRET_BYTES) if seed is None else _derived(seed, purpose)).pick


def seating_of(record: Record) -> Seating:
    """Who has played a record so far."""
    if not record.players:
        raise Trouble("the record does not say who plays: give --seat or --hotseat")
    players = enumerate(record.players)
    return Seating({n: _known_bot(who[len(BOT) :]) for n, who in players if who.startswith(BOT)})


def _known_bot(name: str) -> str:
    if name not in BOTS:
        raise Trouble(f"--bot takes {' or '.join(BOTS)}, not {name!r}")
    return name


def _derived(seed: bytes, purpose: str) -> bytes:
    return hashlib.sha256(b"bree test " + purpose.encode() + b"\n" + seed).digest()
