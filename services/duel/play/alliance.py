"""Race alliances (RULES 9): pairs, three different races, the Grey Havens.

Order of reading: when alliances are made, how one is made, what is asked on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.duel.board import IN_BAG, KEPT, ON_TOP, RACE_COUNT, REVEALED, Board
from services.duel.play.armies import PASS
from services.duel.play.ending import check_support
from services.duel.play.resolving import refuse, resolve, token_source
from services.duel.tables import EAGLE, IS_IMMEDIATE, RACES, SIDES, TOKEN_RACE, TOKENS, TOKENS_OF

G = Game[Board]

PAIR = 2
"""Symbols of one race that make an alliance, and tokens of it that are revealed then."""
TRIO = 3
"""Different races that make an alliance."""

DRAW = tuple(Action("draw", (token,)) for token in range(len(TOKENS)))
KEEP = tuple(Action("keep", (token,)) for token in range(len(TOKENS)))
CALL = tuple(Action("call", (race,)) for race in range(RACE_COUNT))


def ally(g: G, race: int) -> None:
    """What a new symbol of a race brings: a pair, or three races for the first time."""
    b = g.board
    if b.races[b.turn * RACE_COUNT + race] == PAIR:
        seek(g, (race,), PAIR)
        return
    different = b.different_races(b.turn)
    if b.trio[b.turn] or len(different) < TRIO:
        return
    if b.settings.may_wait:
        g.call(ChooseTrio())
    else:  # with exactly these three, at this moment (ruling R-09)
        ally_with_three(g, tuple(different))


def ally_with_three(g: G, races: tuple[int, ...]) -> None:
    """Make the alliance of three races; no side makes it twice."""
    g.board.trio[g.board.turn] = 1
    seek(g, races, 1)


def seek(g: G, races: tuple[int, ...], each: int) -> None:
    """Make an alliance; with whom is plain to everyone before a token is seen."""
    names = [RACES[race] for race in races]
    g.emit("alliance_sought", {"side": SIDES[g.board.turn], "races": names}, None)
    g.call(Alliance(races=races, each=each))


@dataclass(slots=True)
class Alliance(Procedure):
    """The top tokens of some stacks are revealed, one is kept, the others go back on top."""

    races: tuple[int, ...] = ()
    each: int = 1

    script: ClassVar[tuple[str, ...]] = ("reveal", "offer", "keep")

    def reveal(self, g: G) -> None:
        b = g.board
        for race in self.races:
            for token in b.race_tokens(race, ON_TOP):
                b.tokens[token] = REVEALED
            if len(b.race_tokens(race, REVEALED)) < self.each and b.race_tokens(race, IN_BAG):
                self.go_to("reveal")
                g.call(DrawToken(race=race))
                return

    def offer(self, g: G) -> None:
        names = [TOKENS[token] for token in revealed(g.board)]
        if not names:  # the alliance is used up all the same (ruling R-11)
            g.done()
            return
        g.emit("tokens_revealed", {"side": SIDES[g.board.turn], "tokens": names}, None)
        g.call(KeepToken())

    def keep(self, g: G) -> None:
        b = g.board
        (kept,) = self.got
        for token in revealed(b):
            b.tokens[token] = ON_TOP  # both have seen it (ruling R-08)
        b.tokens[kept] = KEPT + b.turn
        g.emit("token_kept", {"side": SIDES[b.turn], "token": TOKENS[kept]}, None)
        if kept == EAGLE:
            check_support(g)
        elif IS_IMMEDIATE[kept]:
            resolve(g, token_source(kept))


def revealed(b: Board) -> list[int]:
    """The tokens of which one must be kept."""
    return [token for token in range(len(TOKENS)) if b.tokens[token] == REVEALED]


@dataclass(slots=True)
class DrawToken(Question[Board]):
    """Chance says which token is the next of a stack."""

    race: int = 0

    prompt: ClassVar[str] = "alliance.draw"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        tokens = g.board.tokens
        return [DRAW[token] for token in TOKENS_OF[self.race] if tokens[token] == IN_BAG]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (token,) = action.nouns
        assert TOKEN_RACE[token] == self.race
        g.board.tokens[token] = REVEALED
        g.done()


@dataclass(slots=True)
class KeepToken(Question[Board]):
    """One of the revealed tokens must be kept (D7)."""

    prompt: ClassVar[str] = "alliance.keep"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [KEEP[token] for token in revealed(g.board)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


@dataclass(slots=True)
class ChooseRace(Question[Board]):
    """The Grey Havens call any race with tokens left (D8)."""

    each: int = 1

    prompt: ClassVar[str] = "alliance.race"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,) if any(token < KEPT for token in g.board.tokens) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        tokens = g.board.tokens
        found = [
            CALL[race]
            for race in range(len(RACES))
            if any(tokens[token] < KEPT for token in TOKENS_OF[race])
        ]
        return [PASS, *found] if g.board.settings.refusable else found

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if action.nouns:
            seek(g, action.nouns, self.each)
        else:
            refuse(g, "alliance_from_one_race")


@dataclass(slots=True)
class ChooseTrio(Question[Board]):
    """Where the alliance of three races may wait: made now, with which three, or later (D15)."""

    prompt: ClassVar[str] = "alliance.three"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        races = g.board.different_races(seat)
        return [PASS, *(Action("unite", three) for three in combinations(races, TRIO))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done()
        if action.nouns:
            ally_with_three(g, action.nouns)
