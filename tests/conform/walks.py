"""Random legal games, kept move by move so that every check can look at every position."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from services.core.contract import Options, Rules
from services.core.decisions import CHANCE, Action, Event, Pick, Seat
from services.core.errors import Invalid
from services.core.fair import DrawLog, Fate
from services.core.frames import Game
from services.core.record import Fairness, Record, record_of
from services.core.table import Table
from tests.games import rules_of

ENDLESS = 400
"""Decisions after which a walk of a game without a bound is cut."""
LARGE = 2000
"""Bytes of a saved beginning. Games above it are looked at less densely, and walked less far where
only one option is another: whole games of theirs are audited in `tests/games`."""


LONG = 400
"""Of games with more decisions only some are looked at, so that every game costs about as much."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A game under one choice of options."""

    rules: Rules[Any] = field(hash=False, compare=False)
    game: str
    name: str
    options: tuple[tuple[str, str], ...]
    is_preset: bool

    def __str__(self) -> str:
        return f"{self.game}-{self.name}"


@dataclass(eq=False)
class Moment:
    """One position of a walk, and the decision that was made in it."""

    walk: Walk
    number: int
    game: Game[Any]
    numbers: tuple[int, ...]  # of each seat's question
    seat: Seat = CHANCE
    action: Action | None = None  # none where the walk ends
    events: Sequence[Event] = ()
    undoable: bool = False

    @property
    def rules(self) -> Rules[Any]:
        return self.walk.rules

    @cached_property
    def waiting(self) -> tuple[Seat, ...]:
        return self.rules.waiting(self.game)

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that are waited for, chance left out."""
        return tuple(seat for seat in self.waiting if seat != CHANCE)

    @cached_property
    def saved(self) -> bytes:
        return self.rules.dump(self.game)

    def offered(self, seat: Seat) -> list[Action]:
        return list(self.rules.ask(self.game, seat).actions)

    def pick(self, label: str) -> Pick:
        """Draws that depend on the walk, the moment and the label alone."""
        return fate(f"{self.walk} {self.number} {label}").pick


class Walk:
    """One random game; it stops where the rules fail, and keeps what was raised."""

    def __init__(
        self,
        variant: Variant,
        seed: int | str,
        rules: Rules[Any] | None = None,
        *,
        most: int | None = None,  # decisions after which an endless game is cut
    ) -> None:
        self.variant, self.seed = variant, seed
        self.rules = rules or variant.rules
        self.options: Options = self.rules.agree(dict(variant.options))
        self.seats = range(len(self.rules.seats(self.options)))
        self.bound = self.rules.bound(self.options)
        self.most = (most or farthest(variant)) if self.bound is None else self.bound
        self.fairness = fairness(str(self), len(self.seats))
        self.table: Table[Any] = Table(self.rules, self.options)
        self.moments: list[Moment] = []
        self.failure: Exception | None = None
        try:
            self._play()
        except Exception as e:  # noqa: BLE001  # the check that a game plays to its end raises it
            self.failure = e

    def __str__(self) -> str:
        return f"{self.variant} seed {self.seed}"

    @property
    def is_long(self) -> bool:
        """Whether only some of its moments are looked at."""
        return len(self.moments) > LONG

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Everyone who may look: a spectator, and every seat."""
        return (None, *self.seats)

    @cached_property
    def everything_offered(self) -> dict[Action, None]:
        """Every action that was offered to a seat in this walk, in order."""
        return {a: None for m in self.moments for seat in m.asked for a in m.offered(seat)}

    def record(self) -> Record:
        """The walk as a record, as far as it got."""
        return record_of(self.table, self.fairness)

    def _play(self) -> None:
        table, policy = self.table, fate(f"{self} policy").pick
        chance = self.fairness.fate().pick
        # It is cut where a seat must decide: a table with a seed deals what follows.
        while not table.is_over and (table.revision <= self.most or self._is_dealt()):
            log = DrawLog(chance)
            seat, action = chosen(self.rules, table.game, policy, log.pick)
            game, numbers = table.game.copy(), self._numbers()
            moment = Moment(self, table.revision, game, numbers, seat, action)
            self.moments.append(moment)
            events = table.act(seat, action, draws=tuple(log.draws))
            undoable = seat != CHANCE and table.can_undo(seat)
            moment.events, moment.undoable = events, undoable
        last = Moment(self, table.revision, table.game.copy(), self._numbers())
        self.moments.append(last)

    def _is_dealt(self) -> bool:
        return self.bound is None and self.table.waiting() == (CHANCE,)

    def _numbers(self) -> tuple[int, ...]:
        return tuple(self.table.number(seat) for seat in self.seats)


def farthest(variant: Variant) -> int:
    """Decisions after which a walk of an endless game is cut."""
    return ENDLESS // 4 if is_large(variant.game) and not variant.is_preset else ENDLESS


@cache
def is_large(game: str) -> bool:
    """Whether the positions of a game are so large that only some are looked at."""
    rules = rules_of(game)
    return len(rules.dump(rules.setup(rules.agree({})))) > LARGE


def fate(label: str) -> Fate:
    """Draws that depend on nothing but the label."""
    return Fate(hashlib.sha256(label.encode()).digest())


def fairness(label: str, seats: int) -> Fairness:
    """A secret and nonces that depend on nothing but the label."""
    secret = hashlib.sha256(f"{label} secret".encode()).digest()
    nonces = (hashlib.sha256(f"{label} {seat}".encode()).digest()[:8] for seat in range(seats))
    return Fairness.of(secret, tuple(nonces))


def chosen(rules: Rules[Any], game: Game[Any], policy: Pick, chance: Pick) -> tuple[Seat, Action]:
    """Somebody who is waited for, and any of the actions that are offered."""
    waiting = rules.waiting(game)
    if waiting == (CHANCE,):
        return CHANCE, rules.deal(game, chance)
    seat = waiting[policy(len(waiting))]
    actions = rules.ask(game, seat).actions
    return seat, actions[policy(len(actions))]


@lru_cache(maxsize=64)
def walk(variant: Variant, seed: int | str) -> Walk:
    """The walk of this seed; the same one to whoever asks."""
    return Walk(variant, seed)


# Which options are played.


def variants(name: str) -> list[Variant]:
    """Every preset, and every option's values one at a time; each choice of options once."""
    rules = rules_of(name)
    found: dict[tuple[tuple[str, str], ...], Variant] = {}
    for label, choice in {**rules.presets, "default": {}}.items():
        options = tuple(rules.agree(choice).items())
        found.setdefault(options, Variant(rules, name, label, options, is_preset=True))
    for option, value in _values(rules):
        for preset, choice in {"": {}, **rules.presets}.items():
            label = f"{preset}+{option}={value}".removeprefix("+")
            try:
                options = tuple(rules.agree({**choice, option: value}).items())
            except Invalid:  # these do not go together; perhaps with the next preset
                continue
            found.setdefault(options, Variant(rules, name, label, options, is_preset=False))
            break
    return list(found.values())


def _values(rules: Rules[Any]) -> Iterator[tuple[str, str]]:
    for option in rules.options:
        ends = option.span or ()
        for value in dict.fromkeys((*option.values, *map(str, ends))):
            if value != option.default:
                yield option.name, value


def save(record: Record, folder: Path, name: str) -> Path:
    """Keep a record where a person can open it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.record".replace(" ", "-").replace("=", "-")
    path.write_text(record.text())
    return path
