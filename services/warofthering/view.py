"""What one seat may see, gathered in one place. Nothing is shown unless it is put here.

All figures, dice, tiles and tracks are public; of the cards a seat sees its own hand, what lies on
the table, and how many of which back are where.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.core.decisions import Seat
from services.core.frames import Game
from services.warofthering.board import UNDECIDED, Board
from services.warofthering.board.fight import KINDS, Fight
from services.warofthering.tables import (
    AREAS,
    CARDS,
    DECKS,
    DRAWN,
    FACES,
    FIGURES,
    FREE,
    GUIDES,
    IS_SETTLEMENT,
    NATIONS,
    NOBODY,
    ON_MAP,
    POOL,
    REGIONS,
    SHADOW,
    SIDES,
    TILES,
    WAITING,
)

G = Game[Board]
View = Mapping[str, object]


def view(g: G, seat: Seat | None) -> View:
    """Everything that a seat, or a spectator, may know."""
    b = g.board
    question = g.question()
    return {
        "turn": b.turn,
        "leading": [b.charter.seats[seat] for seat in b.leading],
        "fellowship": _fellowship(b),
        "areas": [_area(b, area) for area in ON_MAP if _is_used(b, area)],
        "piles": {AREAS[pile]: _figures(b, pile) for pile in range(ON_MAP.stop, len(AREAS))},
        "control": {
            REGIONS[r]: SIDES[b.control[r]]
            for r in range(len(REGIONS))
            if IS_SETTLEMENT[r] and b.control[r] != NOBODY
        },
        "points": [b.victory_points(FREE), b.victory_points(SHADOW)],
        "politics": [
            {"nation": NATIONS[n], "box": b.politics[n], "active": b.is_active(n)}
            for n in range(len(NATIONS))
        ],
        "dice": [[FACES[f] for f in b.faces_left(s) for _ in range(b.die_count(s, f))]
                 for s in (FREE, SHADOW)],
        "hunt_box": {"free": b.hunt_free, "shadow": b.hunt_shadow},
        "rings": list(b.rings),
        "tiles": {name: _tiles(b, place) for name, place in
                  (("pool", POOL), ("drawn", DRAWN), ("waiting", WAITING))},
        "decks": [_decks(b, side) for side in (FREE, SHADOW)],
        "hands": [_hand(b, other, seat) for other in range(len(b.charter.seats))],
        "table": [CARDS[card] for side in (FREE, SHADOW) for card in b.table_cards(side)],
        "battle": _battle(b.fight) if b.fight else None,
        "question": None if question is None else question.prompt,
        "asked": {} if question is None else question.shown(g, seat),
        "result": None if b.result == UNDECIDED else b.result,
        "reason": b.reason,
    }  # fmt: skip


def _is_used(b: Board, area: int) -> bool:
    return bool(b.figures_at(area, FREE) or b.figures_at(area, SHADOW))


def _area(b: Board, area: int) -> View:
    return {"area": AREAS[area], "figures": _figures(b, area), "mixed": bool(b.mixed[area])}


def _figures(b: Board, area: int) -> View:
    both = (*b.figures_at(area, FREE), *b.figures_at(area, SHADOW))
    return {FIGURES[figure]: number for figure, number in both}


def _fellowship(b: Board) -> View:
    return {
        "region": None if b.in_mordor else REGIONS[b.region],
        "mordor": b.mordor if b.in_mordor else None,
        "progress": b.progress,
        "hidden": b.hidden,
        "corruption": b.corruption,
        "guide": GUIDES[b.guide],
        "company": [FIGURES[who] for who in b.company()],
    }


def _tiles(b: Board, place: int) -> View:
    return {name: n for tile, name in enumerate(TILES) if (n := b.tiles_in(place, tile))}


def _decks(b: Board, side: int) -> View:
    return {
        name: {"left": b.deck_size(side, deck), "discarded": b.discards(side, deck)}
        for deck, name in enumerate(DECKS)
    }


def _hand(b: Board, holder: int, viewer: int | None) -> View:
    shown: dict[str, object] = {
        "seat": b.charter.seats[holder],
        **{name: len(b.hand(holder, deck)) for deck, name in enumerate(DECKS)},
    }
    if viewer is not None:
        shown["cards"] = [CARDS[card] for card in b.hand(holder) if b.knows(viewer, card)]
    return shown


def _battle(fight: Fight) -> View:
    return {
        "region": REGIONS[fight.region],
        "kind": KINDS[fight.kind],
        "attacker": SIDES[fight.attacker],
        "round": fight.round,
        "forces": [
            {FIGURES[f]: n for f, n in enumerate(fight.group(side)) if n} for side in (0, 1)
        ],
    }
