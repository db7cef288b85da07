"""What can be played, as the engines tell it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.bounds import LONGEST_CLOCK_MS
from gateway import fields
from gateway.engines import Engines
from gateway.refusals import invalid, unknown_game

BY_CHANCE = "random"
"""The value that stands for any other of an option, where the option has no such value itself."""


class Catalog:
    """Games, and the levels of their hosted bots."""

    def __init__(self, engines: Engines) -> None:
        self.engines = engines

    async def games(self, _: pb.ListGamesRequest) -> pb.ListGamesResponse:
        return pb.ListGamesResponse(games=self.engines.descriptions())

    def game(self, name: str) -> str:
        """A game of the platform, whether or not its engines are in reach."""
        if fields.word("game", name) not in self.engines.replicas:
            raise unknown_game(name)
        return name

    def level(self, field: str, game: str, level: str) -> str:
        """A level of the hosted bots of a game."""
        levels = self.engines.description(game).bot_levels
        if level not in levels:
            raise invalid(field, f"{game} has bots of the levels: {', '.join(levels) or 'none'}")
        return level

    def drawn(self, game: str, chosen: Iterable[types.OptionChoice]) -> list[types.OptionChoice]:
        """The options of a match, those that were left to chance drawn."""
        options = list(chosen)
        if not any(option.value == BY_CHANCE for option in options):
            return options
        specs = {spec.name: spec for spec in self.engines.description(game).options}
        return [_drawn(option, specs.get(option.name)) for option in options]

    def clock(self, game: str, clock: engine.Clock) -> None:
        """Refuse a clock that no match could begin with."""
        for field, ms in (("clock.bank_ms", clock.bank_ms), ("clock.move_ms", clock.move_ms)):
            if not 0 <= ms <= LONGEST_CLOCK_MS:
                raise invalid(field, f"{field} is 0 to {LONGEST_CLOCK_MS}")
        if not clock.bank_ms and not clock.move_ms:
            raise invalid("clock", "a clock without any time is over before it starts")
        if clock.bot_level:
            self.level("clock.bot_level", game, clock.bot_level)


def _drawn(option: types.OptionChoice, spec: types.OptionSpec | None) -> types.OptionChoice:
    if option.value != BY_CHANCE or spec is None or BY_CHANCE in spec.values:
        return option  # what there is not, the engine refuses
    numbers = range(spec.span.first, spec.span.last + 1) if spec.HasField("span") else range(0)
    value = secrets.choice([*spec.values, *map(str, numbers)])
    return types.OptionChoice(name=option.name, value=value)
