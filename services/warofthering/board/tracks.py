"""The second part of the board: politics, the Fellowship, the Hunt, dice, the end.

Order of reading: the Political Track, the Fellowship, the Hunt Pool, the Action dice, actions.
"""

from __future__ import annotations

from services.warofthering.board.figures import Figures
from services.warofthering.settings import Settings
from services.warofthering.tables import (
    ASIDE,
    AT_WAR,
    BONUS_DIE,
    COMPANIONS,
    COMPANY,
    CRACK_OF_DOOM,
    DICE_BASE,
    DICE_MOST,
    EYE,
    FACES,
    FALLEN,
    FREE,
    GANDALF_THE_GREY,
    GOLLUM,
    HOBBITS,
    IS_GREAT,
    LARGEST_CORRUPTION,
    LARGEST_PROGRESS,
    LEVEL,
    NATIONS_OF,
    OFF_TRACK,
    OWNER,
    POOL,
    RETURNING,
    SET_ASIDE,
    SHADOW,
    STANDARD_TILES,
    START_REGION,
    START_RINGS,
    STARTS_ACTIVE,
    TILE_COUNT,
    TILE_NUMBERS,
    TILE_PILES,
    TRACKED,
)

UNDECIDED, DRAWN_GAME = -1, 2
"""Results beside the two sides."""

NO_SEAT = 255

REASONS = (
    "",
    "ring_destroyed",
    "corruption",
    "shadow_conquest",
    "free_conquest",
    "turn_limit",
    "forfeit",
)
"""Why a game ended; empty while it goes on."""


class Tracks(Figures):
    """Everything that is counted on a track, and the dice."""

    __slots__ = (
        "acted",
        "acted_in_mordor",
        "actions",
        "active",
        "corruption",
        "dice",
        "free_die_hunted",
        "guide",
        "hidden",
        "hunt_free",
        "hunt_shadow",
        "minion_seen",
        "mordor",
        "politics",
        "progress",
        "reason",
        "region",
        "resting",
        "result",
        "ring_users",
        "rings",
        "tentative",
        "tiles",
        "turn",
        "used_messenger",
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.turn = 1
        self.result = UNDECIDED
        self.reason = ""
        self.politics = bytearray(settings.starting_boxes)  # by nation: the box, or AT_WAR
        self.active = STARTS_ACTIVE  # nations, as a set of bits
        self.region = START_REGION  # of the Fellowship figure: its last known position
        self.mordor = OFF_TRACK  # or its step on the Mordor Track
        self.progress = 0
        self.hidden = True
        self.corruption = 0
        self.guide = GANDALF_THE_GREY
        self.acted_in_mordor = False  # the Free Peoples tried to move or hide it this turn
        self.tiles = bytearray(TILE_PILES * TILE_COUNT)  # by pile and kind
        for tile, number in enumerate(TILE_NUMBERS):
            pile = POOL if tile in STANDARD_TILES else SET_ASIDE
            self.tiles[pile * TILE_COUNT + tile] = number
        self.dice = bytearray(2 * len(FACES))  # unused, by side and face
        self.hunt_shadow = self.hunt_free = 0  # dice in the Hunt Box
        self.free_die_hunted = False  # a Free die was taken back from the Hunt Box (D04)
        self.rings = START_RINGS  # by side
        self.ring_users = 0  # seats that used one this turn, as a set of bits
        self.used_messenger = False  # the Mouth of Sauron's, this turn
        self.tentative = NO_SEAT  # whose action has changed and taught nothing yet
        # What can be done now: the face of a die and a deed. None until it is asked for.
        self.actions: tuple[tuple[int, int], ...] | None = None
        self.minion_seen = False  # a Minion is or was in play (D08)
        # Of three players, the Free Peoples' (19.4): with whom this action was done, and the one
        # before, which may not be repeated. Nations and areas, each as bits.
        self.acted = self.resting = (0, 0)

    # The Political Track.

    def is_at_war(self, nation: int) -> bool:
        """Whether a nation is At War."""
        return self.politics[nation] == AT_WAR

    def is_active(self, nation: int) -> bool:
        """Whether a nation is active; the Shadow's always are."""
        return bool(self.active >> nation & 1)

    def are_all_at_war(self, side: int) -> bool:
        """Whether every nation of a side is At War."""
        return all(self.politics[nation] == AT_WAR for nation in NATIONS_OF[side])

    def can_advance(self, nation: int) -> bool:
        """Whether a nation has a step to take: a passive one none from the third box (10.1)."""
        box = self.politics[nation]
        if self.is_active(nation):
            return box < AT_WAR
        return box < AT_WAR - 1 and self.settings.readings.passive_nations_advance

    # The Fellowship.

    @property
    def in_mordor(self) -> bool:
        """Whether the Fellowship is on the Mordor Track."""
        return self.mordor != OFF_TRACK

    def fellowship_region(self) -> int:
        """Where the figure stands on the map; `NOWHERE`, which is no region, in Mordor."""
        return OFF_TRACK if self.in_mordor else self.region

    def is_in_company(self, character: int) -> bool:
        """Whether a Companion is in the Fellowship."""
        return self.place_of(character) == COMPANY

    def company(self) -> list[int]:
        """The Companions in the Fellowship."""
        return self.characters_at(COMPANY, COMPANIONS)

    def guide_choices(self) -> list[int]:
        """Who may be the Guide: those of the highest Level; Gollum when nobody is left."""
        company = self.company()
        highest = max((LEVEL[who] for who in company), default=0)
        return [who for who in company if LEVEL[who] == highest] or [GOLLUM]

    def is_refuge(self, region: int) -> bool:
        """Whether a region has an unconquered City or Stronghold of a Free Peoples nation."""
        return IS_GREAT[region] and OWNER[region] == FREE == self.control[region]

    def corrupt(self, amount: int) -> None:
        """Add Corruption, or take it away, within the bounds of the track."""
        self.corruption = min(max(self.corruption + amount, 0), LARGEST_CORRUPTION)

    def advance_progress(self) -> None:
        """One unseen step further (S09)."""
        self.progress = min(self.progress + 1, LARGEST_PROGRESS)

    def ring_is_destroyed(self) -> bool:
        """Whether the Fellowship has reached the Crack of Doom."""
        return self.mordor == CRACK_OF_DOOM

    # The Hunt Pool.

    def tiles_in(self, pile: int, tile: int) -> int:
        """How many tiles of a kind are in a pile: the pool, drawn, waiting, aside or removed."""
        return self.tiles[pile * TILE_COUNT + tile]

    def tile_total(self, pile: int) -> int:
        """How many tiles are in a pile."""
        return sum(self.tiles[pile * TILE_COUNT : (pile + 1) * TILE_COUNT])

    def move_tile(self, tile: int, start: int, to: int, number: int = 1) -> None:
        """Take tiles of a kind from one pile to another."""
        self.tiles[start * TILE_COUNT + tile] -= number
        self.tiles[to * TILE_COUNT + tile] += number

    # The Action dice.

    def die_count(self, side: int, face: int) -> int:
        """How many unused dice of a side show a face."""
        return self.dice[side * len(FACES) + face]

    def dice_left(self, side: int) -> int:
        """How many unused dice a side has."""
        first = side * len(FACES)
        return sum(self.dice[first : first + len(FACES)])

    def has_dice(self, side: int) -> bool:
        """Whether a side has unused dice."""
        first = side * len(FACES)
        return any(self.dice[first : first + len(FACES)])

    def faces_left(self, side: int) -> list[int]:
        """The faces that a side's unused dice show, each once."""
        first = side * len(FACES)
        return [face for face, n in enumerate(self.dice[first : first + len(FACES)]) if n]

    def put_die(self, side: int, face: int, number: int = 1) -> None:
        """Lay a rolled die down; the Shadow's Eyes go to the Hunt Box (D31)."""
        if face == EYE:
            self.hunt_shadow += number
        else:
            self.dice[side * len(FACES) + face] += number

    def use_die(self, side: int, face: int) -> None:
        """Take an unused die away."""
        self.dice[side * len(FACES) + face] -= 1

    def pool_size(self, side: int) -> int:
        """How many Action dice a side has next turn."""
        bonus = sum(BONUS_DIE[who] for who in TRACKED[side] if self.is_on_map(who))
        return min(DICE_BASE[side] + bonus, DICE_MOST[side])

    def forget_turn(self) -> None:
        """Take all dice back, and begin the turn with nothing used (P1)."""
        self.free_die_hunted = self.hunt_free > 0
        self.dice = bytearray(2 * len(FACES))
        self.hunt_shadow = self.hunt_free = 0
        self.ring_users = 0
        self.used_messenger = False
        self.acted_in_mordor = False

    # An action that may be taken back.

    def settle(self) -> None:
        """Something happens: an action stays, and what can be done next must be found anew."""
        self.tentative = NO_SEAT
        self.actions = None

    # What the Free Peoples among three players may not do twice in a row (19.4).

    def note_action(self, side: int, nations: int, areas: int) -> None:
        """A side acts with these: a nation, or a mixed army where it stands."""
        if side == FREE and self.settings.players == 3:
            self.acted = (self.acted[0] | nations, self.acted[1] | areas)

    def is_resting(self, nation: int) -> bool:
        """Whether the action before was this nation's."""
        return bool(self.resting[0] >> nation & 1)

    # Characters who are out of the game, or come back.

    def is_fallen(self, character: int) -> bool:
        """Whether a character was eliminated; a Hobbit who comes back was not."""
        return self.place_of(character) == FALLEN

    def is_aside(self, character: int) -> bool:
        """Whether a character has not entered play yet."""
        return self.place_of(character) == ASIDE

    def returning(self) -> list[int]:
        """The Hobbits who come back at the end of the turn (D07)."""
        return [who for who in HOBBITS if self.place_of(who) == RETURNING]

    def has_minion(self) -> bool:
        """Whether a Minion is in play."""
        return any(self.is_on_map(who) for who in TRACKED[SHADOW])
