"""What one seat may see, gathered in one place. Nothing is shown unless it is put here.

All figures, dice, tiles and tracks are public; of the cards a seat sees its own hand, what it knows
of a team-mate's, what lies on the table, and how many of which back are where.

Design. A view is made of the parts beside this file: `places` (the map and what stands on it),
`cards` and `battles`. It has lists where other games have tables by name: what is absent is None,
and everything has the shape of its message in `bree.warofthering.v1`.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.core.decisions import Seat
from services.core.frames import Game
from services.warofthering.board import DRAWN_GAME, UNDECIDED, Board
from services.warofthering.play.ending import merit
from services.warofthering.play.turn import Turn
from services.warofthering.tables import (
    DRAWN,
    FACES,
    FALLEN,
    FIGURES,
    FREE,
    GUIDES,
    POOL,
    REGIONS,
    REMOVED,
    RESERVE,
    SET_ASIDE,
    SHADOW,
    SIDES,
    TILES,
    VICTORY_AT,
    WAITING,
)
from services.warofthering.view.battles import battle, selection
from services.warofthering.view.cards import decks, seats, table
from services.warofthering.view.places import (
    MAP,
    armies,
    characters,
    nations,
    pile,
    settlements,
)
from services.warofthering.view.stakes import hunt_damage, losses

G = Game[Board]
View = Mapping[str, object]
Part = Mapping[str, object]

_PHASES = {
    "recover": "draw",
    "draw": "draw",
    "fellowship_phase": "fellowship",
    "ask_hunt": "hunt_allocation",
    "allocate": "hunt_allocation",
    "roll_free": "action_roll",
    "roll_shadow": "action_roll",
    "resolve": "action_resolution",
    "end_actions": "action_resolution",
    "return_hobbits": "victory_check",
    "check_victory": "victory_check",
}
"""The phase of the turn, by the step of `Turn` that is being done."""


def view(g: G, seat: Seat | None) -> View:
    """Everything that a seat, or a spectator, may know."""
    b = g.board
    return {
        "seat": None if seat is None else b.settings.seats[seat],
        "turn": b.turn,
        "phase": _phase(g),
        "acting": [b.settings.seats[s] for s in _asked(g)],
        "seats": seats(b, seat),
        "map": MAP,
        "settlements": settlements(b),
        "armies": armies(b),
        "reserve": pile(b, RESERVE),
        "fallen": pile(b, FALLEN),
        "nations": nations(b),
        "characters": characters(b),
        "fellowship": _fellowship(b),
        "hunt": _hunt(b),
        "free": _side(b, FREE, seat),
        "shadow": _side(b, SHADOW, seat),
        "battle": battle(g, seat),
        "selection": selection(g),
        "hunt_damage": hunt_damage(g),
        "losses": losses(g),
        "options": [{"name": n, "value": value} for n, value in b.settings.options.items()],
        "result": _result(b),
    }


def _phase(g: G) -> str | None:
    bottom = g.stack[0] if g.stack else None
    return _PHASES[Turn.script[bottom.at - 1]] if isinstance(bottom, Turn) else None


def _asked(g: G) -> list[Seat]:
    """The seats that are asked something now."""
    question = g.question()
    return [] if question is None else [seat for seat in question.waiting(g) if seat >= 0]


def _fellowship(b: Board) -> Part:
    return {
        "region": None if b.in_mordor else REGIONS[b.region],
        "mordor": b.mordor if b.in_mordor else None,
        "progress": b.progress,
        "hidden": b.hidden,
        "corruption": b.corruption,
        "guide": GUIDES[b.guide],
        "company": [FIGURES[who] for who in b.company()],
    }


def _hunt(b: Board) -> Part:
    return {
        "free_dice": b.hunt_free,
        "shadow_dice": b.hunt_shadow,
        "pool": _tiles(b, POOL),
        "drawn": _tiles(b, DRAWN),
        "waiting": _tiles(b, WAITING),
        "set_aside": _tiles(b, SET_ASIDE),
        "removed": _tiles(b, REMOVED),
    }


def _tiles(b: Board, pile: int) -> list[Part]:
    found = ((name, b.tiles_in(pile, tile)) for tile, name in enumerate(TILES))
    return [{"tile": name, "count": count} for name, count in found if count]


def _side(b: Board, side: int, seat: Seat | None) -> Part:
    faces = (f for f in b.faces_left(side) for _ in range(b.die_count(side, f)))
    team = b.settings.teams[side]
    return {
        "dice": [FACES[face] for face in faces],
        "dice_next_turn": b.pool_size(side),
        "rings": b.rings[side],
        "used_ring": [b.settings.seats[mate] for mate in team if b.ring_users >> mate & 1],
        "points": b.victory_points(side),
        "goal": VICTORY_AT[side],
        "decks": decks(b, side, seat),
        "table": table(b, side),
    }


def _result(b: Board) -> Part | None:
    if b.result == UNDECIDED:
        return None
    names = enumerate(b.settings.seats)
    return {
        "winner": None if b.result == DRAWN_GAME else SIDES[b.result],
        "reason": b.reason,
        "merits": [{"seat": name, "merit": merit(b, seat)} for seat, name in names],
    }
