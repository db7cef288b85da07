"""The Hunt for the Ring (RULES 14): the roll, and the chain that a tile sets off.

Order of reading: the roll (H0 to H3), the tile (H4 to H7), what the Free Peoples do about it (H8
to H10), being revealed (13.3, H11, H12).

Design. A tile is a frame of its own, `Tile`, because cards and Strongholds draw one without a roll.
What is unusual about it is a set of `WAYS`. Nothing in the chain is secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import Board
from services.warofthering.cards import kept
from services.warofthering.play import politics
from services.warofthering.play.asking import ANSWER, ANSWERS, Given, Roll, choose, choose_word, say
from services.warofthering.play.characters import place
from services.warofthering.play.control import tidy
from services.warofthering.play.ending import ended_by_ring
from services.warofthering.play.forces import elite_leaders
from services.warofthering.play.hands import discard_unseen
from services.warofthering.play.separation import (
    ChooseGuide,
    fellowship_seat,
    leave_company,
    lose_companion,
    separation_regions,
)
from services.warofthering.tables import (
    ADJACENT,
    CARDS_IN,
    CHARACTER_DECK,
    COMPANY,
    DIE_VALUE,
    DISTANCE,
    DRAWN,
    EYE_TILES,
    EYE_VALUE,
    FELLOWSHIP_TILES,
    FIGURES,
    FREE,
    GOLLUM,
    HOBBITS,
    LEVEL,
    MORIA,
    NAZGUL,
    NO_FIGURE,
    NO_TILE,
    POOL,
    REGION_COUNT,
    REGIONS,
    RETURNING,
    SETTLEMENT,
    SHADOW,
    STANDARD_TILES,
    STRONGHOLD,
    TILE_COUNT,
    TILE_REVEALS,
    TILE_STOPS,
    TILE_VALUE,
    TILES,
    WITCH_KING,
)

G = Game[Board]

# What is unusual about a tile, as bits.
NO_EYE, NO_FELLOWSHIP_TILE, NO_REDUCTION, FORCED_CASUALTY = 1, 2, 4, 8
NO_REVEAL, ON_TRACK, FOLLOW_UP = 16, 32, 64


def hunter(b: Board) -> int:
    """The seat that decides for the Hunt: the leader of the Shadow (19.2)."""
    return b.leading[SHADOW]


# The roll.


@dataclass(slots=True)
class Hunt(Procedure):
    """A roll for the Hunt after a move of the Fellowship, and the tile if it succeeds."""

    bonus: int = 0  # beside the Free dice in the Hunt Box
    successes: int = 0
    failed: int = 0

    script: ClassVar[tuple[str, ...]] = (
        "ask_crebain",
        "roll",
        "count",
        "choose_rerolls",
        "reroll",
        "count_rerolls",
        "draw",
    )

    def ask_crebain(self, g: G) -> None:
        b = g.board
        if not b.hunt_shadow:
            g.done()
        elif b.is_on_table(kept.CREBAIN):
            choose_word(g, hunter(b), ("keep", "use"), "crebain")

    def roll(self, g: G) -> None:
        b = g.board
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.CREBAIN)
            self.bonus += 1
        g.call(Roll(dice=min(b.hunt_shadow, 5), what="hunt"))

    def count(self, g: G) -> None:
        self.successes = self._hits(g.board, self.got)
        self.failed = len(self.got) - self.successes

    def choose_rerolls(self, g: G) -> None:
        most = min(rerolls(g.board), self.failed)
        if most:
            choose(g, hunter(g.board), "number", range(most, -1, -1), "hunt_rerolls")

    def reroll(self, g: G) -> None:
        if self.got and self.got[0]:
            g.call(Roll(dice=self.got[0], what="hunt_reroll"))

    def count_rerolls(self, g: G) -> None:
        self.successes += self._hits(g.board, self.got)

    def draw(self, g: G) -> None:
        say(g, "hunt_rolled", successes=self.successes)
        if self.successes:
            g.call(Tile(eye=self.successes))

    def _hits(self, b: Board, pips: tuple[int, ...]) -> int:
        bonus = b.hunt_free + self.bonus
        return sum(1 for n in pips if n > 1 and n + bonus >= 6)


def rerolls(b: Board) -> int:
    """How many failed dice may be rolled again, for what is where the figure is (H3)."""
    region = b.region
    areas = b.army_areas(region)
    number = int(SETTLEMENT[region] == STRONGHOLD and b.is_controlled_by(region, SHADOW))
    number += any(b.units_at(area, SHADOW) for area in areas)
    number += any(b.count(area, NAZGUL) or b.count(area, WITCH_KING) for area in areas)
    if "elite_hunt_rerolls" not in b.charter.published:
        number += sum(b.count(area, elite) for area in areas for elite in elite_leaders(b))
    return number


# The tile.


@dataclass(slots=True)
class Tile(Procedure):
    """One Hunt tile and all that it does."""

    eye: int = 0  # the damage of an Eye
    ways: int = 0
    tile: int = NO_TILE
    first: int = NO_TILE  # put back after the second one
    damage: int = 0
    used_card: int = 0  # one card from the table a tile (S11)
    had_casualty: int = 0
    reveals: int = 0
    left: int = NO_FIGURE  # the Hobbit who separates when all is done
    left_progress: int = 0  # his range is that of the moment when he left
    tried: int = 0  # Gollum has been asked

    script: ClassVar[tuple[str, ...]] = (
        "ask_staff",
        "answer_staff",
        "draw",
        "take_tile",
        "answer_coat",
        "again",
        "apply",
        "set_damage",
        "forced_casualty",
        "answer_forced",
        "after_forced",
        "respond",
        "answer",
        "after_casualty",
        "corrupt",
        "reveal",
        "let_hobbit_go",
        "place_hobbit",
        "end",
    )

    def ask_staff(self, g: G) -> None:
        if g.board.is_on_table(kept.WIZARDS_STAFF):
            choose_word(g, fellowship_seat(g.board), ("keep", "use"), "wizards_staff")

    def answer_staff(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.WIZARDS_STAFF)
            if self.ways & ON_TRACK:
                step_on_track(g)
            self.go_to("end")

    def draw(self, g: G) -> None:
        g.call(DrawTile())

    def take_tile(self, g: G) -> None:
        (self.tile,) = self.got
        if g.board.is_on_table(kept.MITHRIL_COAT) and not self.used_card:
            choose_word(g, fellowship_seat(g.board), ("keep", "use"), "mithril_coat")

    def answer_coat(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.MITHRIL_COAT)
            self.used_card, self.first = 1, self.tile
            g.call(DrawTile(held=(self.tile,)))

    def again(self, g: G) -> None:
        if self.got:
            (self.tile,) = self.got
            g.board.move_tile(self.first, DRAWN, POOL)

    def apply(self, g: G) -> None:
        if self._is_void():
            say(g, "tile_without_effect", tile=TILES[self.tile])
            self.go_to("end")
            return
        if self.ways & ON_TRACK and not TILE_STOPS[self.tile]:
            step_on_track(g)  # before the damage (S12)
        if TILE_VALUE[self.tile] == DIE_VALUE:
            g.call(Roll(dice=1, what="tile"))

    def set_damage(self, g: G) -> None:
        value = TILE_VALUE[self.tile]
        self.damage = self.eye if value == EYE_VALUE else self.got[0] if self.got else value
        self.reveals = int(TILE_REVEALS[self.tile] and not self._reveal_is_ignored(g.board))
        if self.damage < 0:
            _corrupt(g, self.damage)
            self.damage = 0

    # Card modes: a casualty that must be taken, or damage that nothing lowers.

    def forced_casualty(self, g: G) -> None:
        if self.ways & FORCED_CASUALTY and self.damage and g.board.company():
            g.call(RandomCompanion())

    def answer_forced(self, g: G) -> None:
        if self.got:
            self._lose(g, self.got[0])

    def after_forced(self, g: G) -> None:
        tidy(g)
        if self.ways & NO_REDUCTION:
            self.go_to("corrupt")

    def respond(self, g: G) -> None:
        words = self._responses(g.board) if self.damage > 0 else []
        if words:
            choose_word(g, fellowship_seat(g.board), ("corruption", *words), "hunt_response")

    def answer(self, g: G) -> None:
        word = ANSWERS[self.got[0]] if self.got else "corruption"
        if word == "guide":
            g.call(Given(value=(g.board.guide,)))
        elif word == "random":
            g.call(RandomCompanion())
        elif word == "separate":
            self._use_guide(g)
        elif word == "reveal":
            self.tried, self.reveals = 1, 1
            self.damage -= 1
        elif word == "table":
            self._use_table(g)
        if word not in ("guide", "random"):
            self.go_to("corrupt" if word == "corruption" else "respond")

    def after_casualty(self, g: G) -> None:
        self._lose(g, self.got[0])
        tidy(g)
        self.go_to("respond")

    def corrupt(self, g: G) -> None:
        _corrupt(g, self.damage)

    def reveal(self, g: G) -> None:
        if self.reveals and not self.ways & FOLLOW_UP:
            g.call(Reveal())

    def let_hobbit_go(self, g: G) -> None:
        if self.left != NO_FIGURE:
            regions = separation_regions(g.board, [self.left], self.left_progress)
            choose(g, fellowship_seat(g.board), "region", regions, "separate_to")

    def place_hobbit(self, g: G) -> None:
        if self.got:
            say(g, "separated", companion=FIGURES[self.left])
            place(g, self.left, self.got[0])
        tidy(g)

    def end(self, g: G) -> None:
        if not self.ways & FOLLOW_UP:
            ended_by_ring(g)

    # Inside.

    def _is_void(self) -> bool:
        eye = self.ways & NO_EYE and self.tile in EYE_TILES
        return bool(eye or (self.ways & NO_FELLOWSHIP_TILE and self.tile in FELLOWSHIP_TILES))

    def _reveal_is_ignored(self, b: Board) -> bool:
        if self.ways & NO_REVEAL:
            return True
        abilities = "published_abilities" not in b.charter.literal
        numbered = self.tile in STANDARD_TILES and self.tile not in EYE_TILES
        if b.guide == GOLLUM and abilities and numbered:
            return True
        if b.in_mordor or not b.is_refuge(b.region):
            return False
        literal = "reveal_ignored" in b.charter.literal
        standing = not b.progress and "reveal_ignored" not in b.charter.published
        return literal or standing  # D18

    def _responses(self, b: Board) -> list[str]:
        words = []
        if b.company() and not self.had_casualty:
            words += ["guide", "random"]
        if b.guide in HOBBITS:
            words.append("separate")
        if b.guide == GOLLUM and not self.tried and not self.reveals and b.hidden:
            words.append("reveal")
        if not self.used_card and reducers(b):
            words.append("table")
        return words

    def _use_table(self, g: G) -> None:
        self.used_card = 1
        self.damage -= 1
        politics.discard_from_table(g, reducers(g.board)[0])

    def _use_guide(self, g: G) -> None:
        """A Hobbit leaves and lowers the damage by one; he goes when all else is done (H9)."""
        b = g.board
        self.damage -= 1
        if b.in_mordor:
            leave_company(g, b.guide, None)
        else:
            self.left, self.left_progress = b.guide, b.progress
            b.move(b.guide, COMPANY, RETURNING)
        g.call(ChooseGuide())

    def _lose(self, g: G, who: int) -> None:
        self.had_casualty = 1
        self.damage = max(self.damage - LEVEL[who], 0)
        lose_companion(g, who)
        g.call(Aftermath())


def _corrupt(g: G, amount: int) -> None:
    before = g.board.corruption
    g.board.corrupt(amount)
    if g.board.corruption != before:
        say(g, "corruption_changed", corruption=g.board.corruption)


def reducers(b: Board) -> list[int]:
    """The cards on the table that lower the damage of a tile."""
    return [card for card in (kept.AXE_AND_BOW, kept.HORN_OF_GONDOR) if b.is_on_table(card)]


def corrupt(g: G, amount: int) -> None:
    """Corruption by a card: added or healed, and the game may be over."""
    _corrupt(g, amount)
    ended_by_ring(g)


def step_on_track(g: G) -> None:
    """One step further on the Mordor Track."""
    g.board.mordor += 1
    say(g, "mordor_step", step=g.board.mordor)


@dataclass(slots=True)
class Aftermath(Procedure):
    """After a casualty: a new Guide, and Worn with Sorrow and Toil."""

    script: ClassVar[tuple[str, ...]] = ("choose_guide", "ask_sorrow", "strip", "strip_table")

    def choose_guide(self, g: G) -> None:
        g.call(ChooseGuide())

    def ask_sorrow(self, g: G) -> None:
        b = g.board
        if not b.is_on_table(kept.WORN_WITH_SORROW):
            g.done()
            return
        words = ["no"]
        words += ["hand"] * any(b.hand(seat, CHARACTER_DECK) for seat in b.charter.teams[FREE])
        words += ["table"] * bool(character_cards_on_table(b))
        choose_word(g, hunter(b), words, "worn_with_sorrow")

    def strip(self, g: G) -> None:
        word = ANSWERS[self.got[0]]
        if word == "hand":
            g.call(RandomDiscard(deck=CHARACTER_DECK))
        elif word == "table":
            cards = character_cards_on_table(g.board)
            choose(g, hunter(g.board), "card", cards, "worn_with_sorrow")

    def strip_table(self, g: G) -> None:
        for card in self.got:
            politics.discard_from_table(g, card)


def character_cards_on_table(b: Board) -> list[int]:
    """The Character cards that the Free Peoples have on the table."""
    return [card for card in b.table_cards(FREE) if card in CARDS_IN[FREE][CHARACTER_DECK]]


@dataclass(slots=True)
class RandomDiscard(Question[Board]):
    """Chance discards one card of a deck from the hands of the Free Peoples; hands back nothing."""

    prompt: ClassVar[str] = "chance.discard"

    deck: int = CHARACTER_DECK

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,) if self._cards(g.board) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("discard", (card,)) for card in self._cards(g.board)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (card,) = action.nouns
        seats = range(len(g.board.charter.seats))
        holder = next(s for s in seats if card in g.board.hand(s))
        discard_unseen(g, holder, card)
        g.done()

    def _cards(self, b: Board) -> list[int]:
        return [card for seat in b.charter.teams[FREE] for card in b.hand(seat, self.deck)]


@dataclass(slots=True)
class DrawTile(Question[Board]):
    """Chance draws a tile from the Hunt Pool, refilled when it is empty; hands back its kind.

    `held` are those drawn for the same purpose, which do not go back when it is refilled (S27).
    """

    prompt: ClassVar[str] = "chance.tile"

    held: tuple[int, ...] = ()

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("tile", (tile,)) for tile, n in self._pool(g.board) if n]

    def deal(self, g: G, pick: Pick) -> Action:
        bag = [tile for tile, n in self._pool(g.board) for _ in range(n)]
        return Action("tile", (bag[pick(len(bag))],))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        if not b.tile_total(POOL):
            for tile, number in self._pool(b):
                b.move_tile(tile, DRAWN, POOL, number)
        (tile,) = action.nouns
        b.move_tile(tile, POOL, DRAWN)
        say(g, "tile_drawn", tile=TILES[tile])
        g.done(tile)

    def _pool(self, b: Board) -> list[tuple[int, int]]:
        if b.tile_total(POOL):
            return [(tile, b.tiles_in(POOL, tile)) for tile in range(TILE_COUNT)]
        held = self.held
        return [(tile, b.tiles_in(DRAWN, tile) - held.count(tile)) for tile in STANDARD_TILES]


@dataclass(slots=True)
class RandomCompanion(Question[Board]):
    """Chance picks a Companion of the Fellowship; hands him back."""

    prompt: ClassVar[str] = "chance.companion"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,) if g.board.company() else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("companion", (who,)) for who in g.board.company()]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        say(g, "companion_picked", companion=FIGURES[action.nouns[0]])
        g.done(*action.nouns)


# Being revealed.


@dataclass(slots=True)
class Reveal(Procedure):
    """The Fellowship is revealed, and its figure goes where it has really been (13.3)."""

    tiles: int = 0  # for Strongholds of the Shadow on the way
    through_moria: int = 0

    script: ClassVar[tuple[str, ...]] = (
        "flip",
        "go",
        "answer_balrog",
        "stronghold_tile",
        "end",
    )

    def flip(self, g: G) -> None:
        b = g.board
        if not b.hidden:
            g.done()
            return
        b.hidden = False
        say(g, "fellowship_revealed")
        if not b.in_mordor:
            choose(g, fellowship_seat(b), "region", reveal_regions(b), "reveal_to")

    def go(self, g: G) -> None:
        b = g.board
        tidy(g)
        if not self.got:
            g.done()
            return
        (region,) = self.got
        route = shortest_route(b, b.region, region, b.progress)
        self.tiles, self.through_moria = len(shadow_strongholds(b, route)), int(MORIA in route)
        b.region, b.progress = region, 0
        say(g, "fellowship_found", region=REGIONS[region])
        if self.through_moria and b.is_on_table(kept.BALROG):
            choose_word(g, hunter(b), ("keep", "use"), "balrog")

    def answer_balrog(self, g: G) -> None:
        if self.got == (ANSWER["use"],):
            politics.discard_from_table(g, kept.BALROG)
            g.call(Tile(ways=NO_EYE | FOLLOW_UP))

    def stronghold_tile(self, g: G) -> None:
        if self.tiles:
            self.tiles -= 1
            self.go_to("stronghold_tile")
            g.call(Tile(ways=FOLLOW_UP))

    def end(self, g: G) -> None:
        tidy(g)
        ended_by_ring(g)


def reveal_regions(b: Board) -> list[int]:
    """Where a revealed Fellowship may be found (13.3, S10)."""
    found = [r for r in range(REGION_COUNT) if DISTANCE[b.region][r] <= b.progress]
    return [r for r in found if not b.is_refuge(r)] or [b.region]


def shadow_strongholds(b: Board, route: Sequence[int]) -> list[int]:
    """The Strongholds under Shadow control that a route touches, each once."""
    return [
        region
        for region in dict.fromkeys(route)
        if SETTLEMENT[region] == STRONGHOLD and b.is_controlled_by(region, SHADOW)
    ]


def shortest_route(
    b: Board, start: int, end: int, steps: int, *, hunted: bool = True
) -> tuple[int, ...]:
    """The best way of at most so many steps (S04).

    It touches as few Strongholds of the Shadow as can be if these hunt, and Moria only if it must.
    """
    weight = [1000 * (r == MORIA) for r in range(REGION_COUNT)]
    if hunted:
        for region in shadow_strongholds(b, range(REGION_COUNT)):
            weight[region] += 10000
    best: dict[int, tuple[int, tuple[int, ...]]] = {start: (weight[start], (start,))}
    result = best.get(end)
    for _ in range(steps):
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for region, (cost, way) in best.items():
            for near in ADJACENT[region]:
                longer = (cost + weight[near] + 1, (*way, near))
                if DISTANCE[near][end] < steps and (near not in further or longer < further[near]):
                    further[near] = longer
        best = further
        if end in best and (result is None or best[end] < result):
            result = best[end]
    assert result is not None
    return result[1]
