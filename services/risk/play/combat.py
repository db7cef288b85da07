"""Combat (RULES 6): naming what is invaded from where, one invasion after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import UNDERGROUND, Board
from services.risk.play.counts import pairs
from services.risk.play.invasion import HOLD, LAST, NO_LIMIT, Invasion
from services.risk.play.roads import invasions, mountain_sources, mountain_targets
from services.risk.play.windows import is_asked, play, tell_target
from services.risk.tables import bits, named

G = Game[Board]

THE_WAY = named("the_way_is_under_the_mountains")
END_COMBAT, RELEASE = Action("end_combat"), Action("release")
INVADES, ASSAULTS, DIGS = range(3)
"""What the choice of an invasion hands back first."""
VERBS = ("invade", "assault", "below")
MOST_ASSAULTS = 45
"""Where more could be invaded, assaults are not offered beside invasions (RULINGS 18)."""


@dataclass(slots=True)
class Combat(Procedure):
    """Any number of invasions."""

    script: ClassVar[tuple[str, ...]] = ("choose", "invade")

    # While a seat is asked for its invasions it may change its standing order unseen.
    def choose(self, g: G) -> None:
        b = g.board
        b.boons = 0
        found = invasions(b, b.turn)
        if found or (
            mountain_sources(b, b.turn) and is_asked(b, b.turn, THE_WAY & ~b.open_cards())
        ):
            b.stands_seen &= ~(1 << b.turn)
            few = sum([targets.bit_count() for _, targets in found]) <= MOST_ASSAULTS
            g.call(ChooseInvasion(seat=b.turn, few=int(few)))
        else:
            g.done()

    def invade(self, g: G) -> None:
        if not self.got:  # said aloud: others could not tell it from a change of standing orders
            g.emit("combat_ended", {"seat": g.board.name(g.board.turn)}, None)
            g.done()
            return
        self.go_to("choose")
        b, (how, source, target, few) = g.board, self.got
        invasion = Invasion(seat=b.turn, named=source, source=source, target=target)
        invasion.limit, invasion.most = LAST if how == ASSAULTS else NO_LIMIT, LAST * few
        if how == DIGS:  # the card is announced with the pair, and binds (RULINGS 6)
            b.boons, invasion.bound, invasion.most = UNDERGROUND, 1, 0
            play(g, b.turn, bits(b.hands[b.turn] & THE_WAY)[0])
            tell_target(g, source, target)
        g.call(invasion)


@dataclass(slots=True)
class ChooseInvasion(Question[Board]):
    """The active player names source and target of an invasion, or ends combat.

    He may also say how he defends when others invade him: nobody else learns what he says.
    """

    seat: int = 0
    few: int = 1  # so few can be invaded, as all can work out, that assaults are offered too
    prompt: ClassVar[str] = "combat.invade"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        found, actions = invasions(b, seat), [END_COMBAT]
        for verb in VERBS[: 1 + self.few]:
            for source, lands in found:
                actions += pairs(verb, source, lands)
        if b.hands[seat] & THE_WAY and not b.locked >> seat & 1:
            for source in mountain_sources(b, seat):
                actions += pairs("below", source, mountain_targets(b, seat, source))
        actions.append(RELEASE if b.stands >> seat & 1 else HOLD)
        return actions

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action in (HOLD, RELEASE):
            g.board.stands ^= 1 << seat
        elif action.nouns:
            g.done(VERBS.index(action.verb), *action.nouns, self.few)
        else:
            g.done()
