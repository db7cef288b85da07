"""Combat (RULES 6): naming what is invaded from where, one invasion after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import UNDERGROUND, Board
from services.risk.cards.power import READY, aims
from services.risk.play.counts import BACK, pairs
from services.risk.play.invasion import HOLD, LAST, NO_LIMIT, Invasion
from services.risk.play.orders import OFFERS, give, is_order, may_change
from services.risk.play.roads import invasions, mountain_sources, mountain_targets
from services.risk.play.windows import cards_of, may_hold, play, tell_target
from services.risk.tables import STEM, bits, named

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

    # Whether it is asked depends on what lies open alone (RULES 9.3): not on whether it holds The
    # Way Is Under the Mountains. Meanwhile it may change its standing orders unseen.
    def choose(self, g: G) -> None:
        b = g.board
        b.boons = 0
        found = invasions(b, b.turn)
        if found or (
            may_hold(b, b.turn, THE_WAY & ~b.open_cards()) and mountain_sources(b, b.turn)
        ):
            b.stands_seen &= ~(1 << b.turn)
            may_change(b, b.turn)
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
        b, (how, source, target, few, *cards) = g.board, self.got
        invasion = Invasion(seat=b.turn, named=source, source=source, target=target)
        invasion.limit, invasion.most = LAST if how == ASSAULTS else NO_LIMIT, LAST * few
        invasion.cards = tuple(cards)
        if how == DIGS:
            b.boons, invasion.most = UNDERGROUND, 0
            cards = [bits(b.hands[b.turn] & THE_WAY)[0], *cards]
        if cards:  # they are announced with the pair, and bind (RULINGS 6)
            invasion.bound = 1
            tell_target(g, source, target)
            for card in cards:
                play(g, b.turn, card)
        g.call(invasion)


@dataclass(slots=True)
class ChooseInvasion(Question[Board]):
    """The active player names source and target of an invasion, or ends combat.

    He may say first which cards he plays with it, and give standing orders: nobody else learns what
    he says until he has named an invasion, and of orders not then.
    """

    seat: int = 0
    few: int = 1  # so few can be invaded, as all can work out, that assaults are offered too
    ready: tuple[int, ...] = ()  # cards to be played with the invasion, known to him alone
    prompt: ClassVar[str] = "combat.invade"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        found, actions = self._for_ready(b, invasions(b, seat)), [END_COMBAT]
        for verb in VERBS[: 1 + self.few]:
            for source, lands in found:
                actions += pairs(verb, source, lands)
        below = self._for_ready(b, _ways(b, seat), below=True) if b.hands[seat] & THE_WAY else []
        for source, lands in below:
            actions += pairs("below", source, lands)
        if b.hands[seat] & READY:
            actions += self._cards(b, found, below)
        return [*actions, RELEASE if b.stands >> seat & 1 else HOLD, *OFFERS[b.orders[seat]]]

    def _for_ready(
        self, b: Board, found: Sequence[tuple[int, int]], *, below: bool = False
    ) -> Sequence[tuple[int, int]]:
        """Of these invasions, those for which every card that is ready may be played."""
        for card in self.ready:
            found = [(source, aims(b, card, source, to, below=below)) for source, to in found]
        return [(source, lands) for source, lands in found if lands] if self.ready else found

    def _cards(
        self, b: Board, found: Sequence[tuple[int, int]], below: Sequence[tuple[int, int]]
    ) -> list[Action]:
        """Cards that can be made ready, each of another name; or the last one is taken back."""
        used = [STEM[card] for card in self.ready]
        cards = [card for card in cards_of(b, self.seat, READY) if STEM[card] not in used]
        offers = [
            Action("ready", (card,))
            for card in cards
            if any(aims(b, card, *ends) for ends in found)
            or any(aims(b, card, *ends, below=True) for ends in below)
        ]
        return [*offers, BACK] if self.ready else offers

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action in (HOLD, RELEASE):
            g.board.stands ^= 1 << seat
        elif is_order(action):
            give(g.board, seat, action)
        elif action == BACK:
            self.ready = self.ready[:-1]
        elif action.verb == "ready":
            self.ready += action.nouns
        elif action.nouns:
            g.done(VERBS.index(action.verb), *action.nouns, self.few, *self.ready)
        else:
            g.done()


def _ways(b: Board, seat: int) -> list[tuple[int, int]]:
    """What may be invaded below the mountains: each source, with its targets."""
    return [(land, mountain_targets(b, seat, land)) for land in mountain_sources(b, seat)]
