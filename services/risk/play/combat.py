"""Combat (RULES 6): naming what is invaded from where, one invasion after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import ClassVar, NamedTuple

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import UNDERGROUND, Board
from services.risk.play.counts import MOST_OFFERED, pairs
from services.risk.play.invasion import HOLD, LAST, NO_LIMIT, SURELY_NO_LIMIT, Invasion
from services.risk.play.orders import ORDERS_OFFERED, give, is_order, may_change
from services.risk.play.playable import READY, aims
from services.risk.play.roads import Front, invasions, mountain_invasions
from services.risk.play.windows import cards_of, may_hold, play, tell_target
from services.risk.tables import bits, named

G = Game[Board]
Offer = tuple[str, Sequence[Front]]
"""A verb, and what it may be said of."""

THE_WAY = named("the_way_is_under_the_mountains")
END_COMBAT, RELEASE = Action("end_combat"), Action("release")
VERBS = ("invade", "assault", "below")
INVADES, ASSAULTS, DIGS = range(len(VERBS))
"""How a target is invaded: battle by battle, to the last battalion, or below the mountains."""
MOST_ASSAULTS = 45
"""Where more could be invaded, assaults are not offered beside invasions (RULINGS 18)."""


class Named(NamedTuple):
    """An invasion as it is named; the cards that are played with it follow."""

    how: int
    source: int
    target: int
    few: int  # assaults were offered, as all know


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
            may_hold(b, b.turn, THE_WAY & ~b.open_cards()) and mountain_invasions(b, b.turn)
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
        played = list(cards)
        if how == DIGS:
            b.boons, few = UNDERGROUND, 0
            played.insert(0, bits(b.hands[b.turn] & THE_WAY)[0])
        invasion = Invasion(seat=b.turn, named=source, source=source, target=target)
        invasion.limit = LAST if how == ASSAULTS else NO_LIMIT
        invasion.most = LAST if few else SURELY_NO_LIMIT
        invasion.cards = tuple(cards)
        if played:  # they are announced with the pair, and bind (RULINGS 6)
            invasion.bound = 1
            tell_target(g, source, target)
            for card in played:
                play(g, b.turn, card)
        g.call(invasion)


@dataclass(slots=True)
class ChooseInvasion(Question[Board]):
    """The active player names an invasion and the cards that he plays with it, or ends combat.

    Or he gives standing orders, unseen. A card is named with the invasion and not before: a step of
    its own could be taken only by who holds one, and others would count it.
    """

    seat: int = 0
    few: int = 1  # assaults are offered too, for few can be invaded: all can work it out
    prompt: ClassVar[str] = "combat.invade"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        found, actions = invasions(b, seat), [END_COMBAT]
        orders = (RELEASE if b.stands >> seat & 1 else HOLD, *ORDERS_OFFERED[b.orders[seat]])
        below = mountain_invasions(b, seat) if b.hands[seat] & THE_WAY else []
        offers = (("invade", found), ("assault", found if self.few else []), ("below", below))
        for verb, fronts in offers:
            for source, targets in fronts:
                actions += pairs(verb, source, targets)
        if b.hands[seat] & READY:
            room = MOST_OFFERED - len(actions) - len(orders)
            actions += islice(_with_cards(b, seat, offers), max(room, 0))
        return [*actions, *orders]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action in (HOLD, RELEASE):
            g.board.stands ^= 1 << seat
        elif is_order(action):
            give(g.board, seat, action)
        elif action.nouns:
            source, target, *cards = action.nouns
            how = VERBS.index(action.verb)
            g.done(*Named(how, source, target, self.few), *cards)
        else:
            g.done()


def _with_cards(b: Board, seat: Seat, offers: Sequence[Offer]) -> Iterator[Action]:
    """Invasions with cards of different names: few before many, and assaults after all others."""
    cards = cards_of(b, seat, READY)
    sets = [some for size in range(len(cards)) for some in combinations(cards, size + 1)]
    for verb, fronts in sorted(offers, key=lambda offer: offer[0] == "assault"):
        for some in sets:
            for source, targets in fronts:
                fit = targets
                for card in some:
                    fit = aims(b, card, source, fit, below=verb == "below")
                for target in bits(fit):
                    yield Action(verb, (source, target, *some))
