"""Setup (RULES 2): the draft, the special cards, the placement; and the games of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.confrontation.board import PIECES_OF, Board
from services.confrontation.play.turn import Turn
from services.confrontation.tables import (
    BEARS_RING,
    CHARACTER,
    CHARACTER_KEYS,
    DARK,
    GOOD,
    NOBODY,
    ROSTERS,
    SIDES,
    SPECIAL_SETS,
    SPECIALS,
    START_FORWARD,
    START_HOME,
    TILES,
    TUNNEL,
)
from services.confrontation.worlds import PIECES, started
from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure
from services.core.questions import Seal

G = Game[Board]


@dataclass(slots=True)
class Match(Procedure):
    """One game after another, each from its setup to its end."""

    script: ClassVar[tuple[str, ...]] = (
        "begin",
        "draft",
        "announce",
        "choose_specials",
        "deal_specials",
        "place_characters",
        "reveal_counts",
        "play",
        "count_points",
        "next_game",
    )

    def begin(self, g: G) -> None:
        b = g.board
        b.clear()
        if b.settings.roster != "draft":
            _field(b, roster(b))
        g.emit("game_began", {"game": b.game + 1, "good": b.seat_of(GOOD)}, None)

    def draft(self, g: G) -> None:
        if g.board.settings.roster == "draft":
            g.call(Draft(size=PIECES))
        else:
            self.go_to("choose_specials")

    def announce(self, g: G) -> None:
        b, half = g.board, len(self.got) // 2
        picks = (self.got[:half], self.got[half:])
        _field(b, (picks[b.seat_of(GOOD)], picks[b.seat_of(DARK)]))
        for side in (GOOD, DARK):
            names = [CHARACTER_KEYS[b.face[piece]] for piece in PIECES_OF[side]]
            viewers = None if b.settings.announced else [b.seat_of(side)]
            g.emit("roster_drafted", {"side": SIDES[side], "characters": names}, viewers)

    def choose_specials(self, g: G) -> None:
        if g.board.settings.special_set and g.board.settings.special_count:
            g.call(ChooseSpecials(size=g.board.settings.special_count))
        else:
            self.go_to("place_characters")

    def deal_specials(self, g: G) -> None:
        for special in self.got:
            g.board.specials |= 1 << special
        names = [SPECIALS[special] for special in sorted(self.got)]
        g.emit("specials_chosen", {"cards": names}, None)

    def place_characters(self, g: G) -> None:
        g.call(Place(size=len(START_FORWARD[GOOD])))

    def reveal_counts(self, g: G) -> None:
        b, half = g.board, len(self.got) // 2
        picks = (self.got[:half], self.got[half:])
        for side in (GOOD, DARK):
            stations = dict(zip(picks[b.seat_of(side)], START_FORWARD[side], strict=True))
            for piece in PIECES_OF[side]:
                if b.face[piece] != NOBODY:
                    b.move(piece, stations.get(piece, START_HOME[side]))
            counts = [b.number_at(side, region) for region in range(TUNNEL)]
            b.see(side, started(counts))
        g.emit("placement_opened", {}, None)

    def play(self, g: G) -> None:
        g.call(Turn())

    # The winner of each game scores a point for each of his characters left (RULES 8).
    def count_points(self, g: G) -> None:
        b = g.board
        if b.settings.games > 1 and b.result in (GOOD, DARK):
            points = list(b.points)
            points[b.seat_of(b.result)] += len(b.pieces_in_play(b.result))
            b.points = tuple(points)

    def next_game(self, g: G) -> None:
        if g.board.game + 1 < g.board.settings.games:
            g.board.game += 1
            self.at = 0


def roster(b: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The characters of both sides where they are not drafted."""
    good, dark = ROSTERS[b.settings.roster]
    eighth = CHARACTER[b.settings.dark_eighth]
    if b.settings.roster == "manual":
        dark = (*dark[:-1], eighth)
    return good, dark


def _field(b: Board, sides: tuple[tuple[int, ...], ...]) -> None:
    """Give every piece its character."""
    for side, characters in enumerate(sides):
        for piece, character in zip(PIECES_OF[side], characters, strict=False):
            b.face[piece] = character
            if b.settings.announced:
                b.faced |= 1 << piece
    b.bearer = next(piece for piece in PIECES_OF[GOOD] if b.face[piece] in BEARS_RING)


@dataclass(slots=True)
class Draft(Seal[Board]):
    """Each side fields one face of each of its tiles, unseen."""

    prompt: ClassVar[str] = "setup.draft"

    def offers(self, g: G, seat: Seat) -> Sequence[Action]:
        faces = TILES[g.board.side_of(seat)][len(self.picks[seat])]
        return [Action("field", (face,)) for face in faces]


@dataclass(slots=True)
class ChooseSpecials(Seal[Board]):
    """Each player chooses special cards, his own or his opponent's, unseen."""

    prompt: ClassVar[str] = "setup.specials"

    def offers(self, g: G, seat: Seat) -> Sequence[Action]:
        settings, side = g.board.settings, g.board.side_of(seat)
        cards = SPECIAL_SETS[settings.special_set][side if settings.picks_own else 1 - side]
        return [Action("choose", (card,)) for card in cards if card not in self.picks[seat]]


PLACE: tuple[tuple[Action, ...], ...] = tuple(
    tuple(Action("place", (who, region)) for who in range(len(CHARACTER_KEYS)))
    for region in range(TUNNEL)
)


@dataclass(slots=True)
class Place(Seal[Board]):
    """Each side says, region by region, who stands in its forward zone; the rest stay at home.

    The choice of all placements at once would be a list of thousands. Every region is asked about,
    also where one answer is left, so that the number of answers tells nothing.
    """

    prompt: ClassVar[str] = "setup.place"

    def offers(self, g: G, seat: Seat) -> Sequence[Action]:
        b, chosen = g.board, self.picks[seat]
        side = b.side_of(seat)
        region = self.region(side, seat)
        row, face = PLACE[region], b.face
        places = [row[face[p]] for p in PIECES_OF[side] if p not in chosen and face[p] != NOBODY]
        if len(places) + len(chosen) == PIECES or NOBODY in chosen:
            return places
        # Eight characters fill four of the five regions; the owner chooses which (RULES 2).
        left = self.size - len(chosen)
        leave = Action("leave", (region,))
        return [leave] if left == 1 else [*places, leave]

    def region(self, side: int, seat: Seat) -> int:
        """The region that a seat is asked about."""
        return START_FORWARD[side][len(self.picks[seat])]

    def pick_of(self, g: G, action: Action) -> int:
        return NOBODY if action.verb == "leave" else g.board.piece_of(action.nouns[0])
