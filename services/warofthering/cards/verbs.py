"""What event cards do, in verbs that many of them share. Each makes an `Effect`.

Order of reading: combining, politics, cards and tiles, the Fellowship, recruiting, characters,
armies, hits.

Design. An effect is `may` (can it do anything now?) and `run`. A verb that asks something leaves
the answer for the next effect, which reads `play.got`; what must be known longer goes into
`play.memory`. Verbs only call the chapters in `play/`: a rule is never written here twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from services.core.frames import Game
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.cards.event import always, is_own, own_nations
from services.warofthering.play import hunt, politics
from services.warofthering.play.armies import can_march
from services.warofthering.play.asking import Roll, choose, choose_word
from services.warofthering.play.attack import Attack, attacking, can_attack, targets
from services.warofthering.play.characters import (
    ANY_NUMBER,
    OWN_LEVEL,
    MoveCompanions,
    MoveMinions,
    flyers,
    movers,
)
from services.warofthering.play.event_effects import Effect, EventPlay, Needs, Run
from services.warofthering.play.forces import ANY_ARMY
from services.warofthering.play.hands import Draw
from services.warofthering.play.hunt import Reveal, Tile
from services.warofthering.play.journey import ANYWHERE, Journeys, can_journey
from services.warofthering.play.marches import Marches
from services.warofthering.play.muster import Levy, Troops, area_for
from services.warofthering.play.separation import Separate, leavers
from services.warofthering.play.volley import Strike
from services.warofthering.tables import (
    ELITE,
    FREE,
    GARRISON_OF,
    LARGEST_CORRUPTION,
    LEADER,
    NAZGUL,
    POOL,
    REGULAR,
    RESERVE,
    SET_ASIDE,
    SIDE_OF_NATION,
    TILE_OF_CARD,
    WAITING,
)

G = Game[Board]
Regions = Callable[[Board, int], Iterable[int]]
"""The regions that a seat may choose from."""


# Combining.


def when(needs: Needs, effect: Effect) -> Effect:
    """The effect, if something holds at that moment."""

    def run(play: EventPlay, g: G) -> None:
        if needs(g.board, play.seat):
            effect.run(play, g)

    return Effect(lambda b, seat: needs(b, seat) and effect.may(b, seat), run)


def do(run: Run, may: Needs = always) -> Effect:
    """What a card does that no verb says: a function, and when it can do anything."""
    return Effect(may, run)


def choose_region(regions: Regions, what: str) -> Effect:
    """The seat chooses a region; the next effect gets it, or nothing if there was none."""

    def run(play: EventPlay, g: G) -> None:
        choose(g, play.seat, "region", regions(g.board, play.seat), what)

    return Effect(lambda b, seat: bool(tuple(regions(b, seat))), run)


def choose_answer(words: Callable[[Board, int], list[str]], what: str) -> Effect:
    """The seat chooses a word of `asking.ANSWERS`; the next effect gets its number."""

    def run(play: EventPlay, g: G) -> None:
        choose_word(g, play.seat, words(g.board, play.seat), what)

    return Effect(lambda b, seat: bool(words(b, seat)), run)


def roll(dice: int, what: str) -> Effect:
    """Dice are rolled; the next effect gets the pips."""
    return Effect(always, lambda play, g: g.call(Roll(dice=dice, what=what)))


# Politics.


def advance(*nations: int, steps: int = 1) -> Effect:
    """These nations advance on the Political Track."""

    def run(play: EventPlay, g: G) -> None:
        for nation in own_nations(g.board, play.seat, nations):
            politics.advance(g, nation, politics.CARD, steps)

    return Effect(lambda b, seat: any(map(b.can_advance, own_nations(b, seat, nations))), run)


def rouse(*nations: int) -> Effect:
    """These nations become active."""

    def run(play: EventPlay, g: G) -> None:
        for nation in own_nations(g.board, play.seat, nations):
            politics.rouse(g, nation, politics.CARD)

    return Effect(lambda b, seat: not all(map(b.is_active, own_nations(b, seat, nations))), run)


def call_to_war(nation: int) -> Effect:
    """The nation becomes active and is At War at once."""

    def run(play: EventPlay, g: G) -> None:
        politics.rouse(g, nation, politics.CARD)
        politics.to_war(g, nation, politics.CARD)

    return when(
        lambda b, seat: is_own(b, seat, nation),
        Effect(lambda b, seat: not b.is_at_war(nation), run),
    )


# Cards and tiles.


def draw(deck: int, cards: int = 1) -> Effect:
    """The player draws from a deck of his side."""

    def may(b: Board, seat: int) -> bool:
        return b.deck_size(b.settings.sides[seat], deck) > 0

    return Effect(may, lambda p, g: g.call(Draw(seat=p.seat, deck=deck, cards=cards)))


def special_tile() -> Effect:
    """The card's own tile is in play: in the pool if the Fellowship is in Mordor, else waiting."""

    def run(play: EventPlay, g: G) -> None:
        to = POOL if g.board.in_mordor else WAITING
        g.board.move_tile(TILE_OF_CARD[play.card], SET_ASIDE, to)

    return Effect(always, run)


def hunt_tile(exceptions: int) -> Effect:
    """A Hunt tile is drawn and resolved like a successful Hunt, with these exceptions of `hunt`."""
    return Effect(always, lambda play, g: g.call(Tile(exceptions=exceptions)))


# The Fellowship.


def heal(amount: int, if_guide: Mapping[int, int] | None = None) -> Effect:
    """Corruption is healed, more or less with some Guides."""

    def run(play: EventPlay, g: G) -> None:
        hunt.corrupt(g, -(if_guide or {}).get(g.board.guide, amount))

    return Effect(lambda b, seat: b.corruption > 0, run)


def corrupt(amount: Callable[[Board], int]) -> Effect:
    """Corruption is added; the game may be over, so nothing may follow in the same step."""
    return Effect(
        lambda b, seat: b.corruption < LARGEST_CORRUPTION,
        lambda play, g: hunt.corrupt(g, amount(g.board)),
    )


def reveal() -> Effect:
    """The Fellowship is revealed, if it is hidden."""
    return Effect(lambda b, seat: b.hidden, lambda play, g: g.call(Reveal()))


def separate(*, bonus: int = 0, level: int = OWN_LEVEL, into_siege: bool = False) -> Effect:
    """One Companion or one group leaves the Fellowship."""

    def run(play: EventPlay, g: G) -> None:
        if leavers(g.board, play.seat):
            leaving = Separate(seat=play.seat, bonus=bonus, level=level)
            leaving.into_siege = int(into_siege)
            g.call(leaving)

    return Effect(lambda b, seat: bool(leavers(b, seat)), run)


# Recruiting.


def levy(nation: int, region: int, troops: Troops) -> Effect:
    """Figures of a nation appear in a region, as many as there are."""

    def run(play: EventPlay, g: G) -> None:
        g.call(Levy(seat=play.seat, nation=nation, region=region, troops=tuple(troops)))

    return when(
        lambda b, seat: is_own(b, seat, nation),
        Effect(lambda b, seat: can_levy(b, nation, region, troops), run),
    )


def levy_there(nation: int, troops: Troops) -> Effect:
    """Figures of a nation appear in the region that the effect before let the seat choose."""

    def run(play: EventPlay, g: G) -> None:
        if play.got:
            (region,) = play.got
            g.call(Levy(seat=play.seat, nation=nation, region=region, troops=tuple(troops)))

    return Effect(lambda b, seat: False, run)


_ANY_UNIT = Troops(any_kind=1)


def can_levy(b: Board, nation: int, region: int, troops: Troops = _ANY_UNIT) -> bool:
    """Whether a card can put any of these figures of a nation into a region."""
    wanted = (
        (REGULAR + nation, troops.regulars or troops.any_kind),
        (ELITE + nation, troops.elites or troops.any_kind),
        (NAZGUL, troops.nazgul),
    )
    there = any(number and b.count(RESERVE, figure) for figure, number in wanted)
    return (there or _can_lead(b, nation, region, troops)) and (
        area_for(b, region, SIDE_OF_NATION[nation]) is not None
    )


def _can_lead(b: Board, nation: int, region: int, troops: Troops) -> bool:
    """Whether a card can put a Leader beside units that are there."""
    return bool(
        troops.leaders and b.count(RESERVE, LEADER + nation) and b.has_army_in(region, FREE)
    )


# Characters.


def move_companions(
    *, groups: int = ANY_NUMBER, bonus: int = 0, level: int = OWN_LEVEL, into_siege: bool = False
) -> Effect:
    """Companions on the map move, as with a Character die."""

    def run(play: EventPlay, g: G) -> None:
        going = MoveCompanions(seat=play.seat, groups=groups, bonus=bonus, level=level)
        going.into_siege, going.optional = int(into_siege), 1
        g.call(going)

    return Effect(lambda b, seat: bool(movers(b, seat)), run)


def fly() -> Effect:
    """Any or all Nazgûl fly; the next effect gets who flew, as `characters.Flown` has it."""

    def run(play: EventPlay, g: G) -> None:
        g.call(MoveMinions(seat=play.seat, walks=0, optional=1))

    return Effect(lambda b, seat: bool(flyers(b, seat)), run)


# Armies.


def march(most: int, need: int = ANY_ARMY, *, optional: bool = False) -> Effect:
    """Up to `most` armies move one region each."""

    def run(play: EventPlay, g: G) -> None:
        if can_march(g.board, play.seat, need):
            moves = Marches(seat=play.seat, most=most, need=need, optional=int(optional))
            g.call(moves)

    return Effect(lambda b, seat: can_march(b, seat, need), run)


def journey(most: int, steps: int, *, need: int = ANY_ARMY, ends: int = ANYWHERE) -> Effect:
    """Up to `most` armies go up to `steps` regions each."""

    def run(play: EventPlay, g: G) -> None:
        g.call(Journeys(seat=play.seat, most=most, distance=steps, need=need, ends=ends))

    return Effect(lambda b, seat: can_journey(b, seat, steps, need, ends), run)


def attack(need: int = ANY_ARMY) -> Effect:
    """An army attacks under the normal rules. Cards with more to say call `Attack` themselves."""
    return Effect(
        lambda b, seat: can_attack(b, seat, need),
        lambda play, g: g.call(Attack(seat=play.seat, need=need)),
    )


def storm(regions: Regions, need: int = ANY_ARMY) -> Effect:
    """One of the armies besieging these regions attacks the Stronghold, for three rounds.

    In the first of them the enemy uses a Combat card only if a Companion takes part.
    """

    def able(b: Board, seat: int) -> tuple[int, ...]:
        return tuple(
            region
            for region in regions(b, seat)
            if GARRISON_OF[region] in targets(b, seat, region)
            and attacking(b, seat, region, need) != NO_FORCE
        )

    def run(play: EventPlay, g: G) -> None:
        if fields := able(g.board, play.seat):
            aims = tuple(GARRISON_OF[region] for region in fields)
            assault = Attack(seat=play.seat, need=need, sources=fields, aims=aims)
            assault.rounds, assault.no_early_card = 3, 1
            g.call(assault)

    return Effect(lambda b, seat: bool(able(b, seat)), run)


# Hits.


def strike(
    area: Callable[[Board], int | None],
    *,
    dice: int,
    target: int = 5,
    is_attack: bool = False,
    kills_all: bool = False,
) -> Effect:
    """Dice are rolled against the army in an area, if there is one."""

    def run(play: EventPlay, g: G) -> None:
        where = area(g.board)
        if where is not None:
            side = 1 - g.board.settings.sides[play.seat]
            hits = Strike(area=where, side=side, dice=dice, target=target)
            hits.is_attack, hits.kills_all = int(is_attack), int(kills_all)
            g.call(hits)

    return Effect(lambda b, seat: area(b) is not None, run)
