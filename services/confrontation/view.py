"""What one seat may see, gathered in one place (RULES 12). Nothing is shown unless it is put here.

Hidden pieces of one side in one region are a count, never a list: no order, number or name links
one of them to where it stood before (RULES 12.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.confrontation.board import (
    DRAWN,
    FREE,
    MUST,
    PIECES_OF,
    UNDECIDED,
    Board,
    bits,
    name_of,
)
from services.confrontation.charts import charts
from services.confrontation.play.battle import Battle
from services.confrontation.play.cardplay import CardPlay, SealCards
from services.confrontation.play.setup import ChooseSpecials, Draft, Place
from services.confrontation.tables import (
    CARDS,
    CHARACTER_KEYS,
    GOOD,
    NO_CARD,
    NOBODY,
    REGIONS,
    SIDES,
    SPECIALS,
    START_FORWARD,
    TILES,
    TUNNEL,
    TUNNEL_FROM,
    TUNNEL_TO,
)
from services.confrontation.words import outcome
from services.confrontation.worlds import PIECES, face_in, place_of, worlds
from services.core.decisions import Seat
from services.core.frames import Game

G = Game[Board]
View = Mapping[str, object]


def view(g: G, seat: Seat | None) -> View:
    """Everything that a seat, or a spectator, may know."""
    b = g.board
    side = None if seat is None else b.side_of(seat)
    rosters = [_roster(b, of, side) for of in range(len(SIDES))]
    return {
        "side": None if side is None else SIDES[side],
        "game": b.game + 1,
        "games": b.settings.games,
        "points": list(b.points),
        "ply": b.ply,
        "turn": None if b.trails[GOOD] is None else SIDES[b.turn],
        "regions": [_region(b, place, side) for place in range(TUNNEL)],
        "rosters": _by_side(lambda s: rosters[s]),
        "hands": _by_side(lambda s: [CARDS[card] for card in bits(b.hands[s])]),
        "used": _by_side(lambda s: [CARDS[card] for card in bits(b.used(s))]),
        "fallen": _by_side(lambda s: _fallen(b, s)),
        "specials": _specials(b),
        "ring_bearer": None if b.bearer == NOBODY else _bearer(b, side),
        "setup": _setup(g, seat),
        "battle": _battle(g, seat),
        "journey": _journey(b),
        "duty": _duty(b, side),
        "inference": _inference(b, side),
        "options": dict(b.settings.options),
        "charts": charts(b.settings.options, rosters),
        "result": _result(b),
    }


def _by_side(of: object) -> dict[str, object]:
    assert callable(of)
    return {name: of(side) for side, name in enumerate(SIDES)}


def _is_known(b: Board, piece: int, side: int | None) -> bool:
    """Whether a viewer who plays `side` sees which character a piece is."""
    return piece // PIECES == side or b.is_shown(piece)


def _region(b: Board, place: int, side: int | None) -> dict[str, object]:
    return {
        "region": REGIONS[place],
        **_by_side(
            lambda s: {
                "count": b.number_at(s, place),
                "pieces": [
                    {"character": name_of(b, piece), "shown": b.is_shown(piece)}
                    for piece in b.pieces_at(s, place)
                    if _is_known(b, piece, side)
                ],
            }
        ),
    }


def _roster(b: Board, of: int, side: int | None) -> list[str] | None:
    if of != side and not b.settings.announced:
        return None
    return [name_of(b, piece) for piece in PIECES_OF[of] if b.face[piece] != NOBODY]


def _fallen(b: Board, side: int) -> list[str]:
    """The defeated. Before the placement is opened nobody stands, and nobody has fallen."""
    if b.trails[side] is None:
        return []
    return [name_of(b, piece) for piece in b.fallen(side)]


def _specials(b: Board) -> dict[str, object]:
    """Special cards not yet used; the first four of the list are Good's."""
    left = bits(b.specials)
    half = len(SPECIALS) // 2
    return {
        "good": [SPECIALS[card] for card in left if card < half],
        "dark": [SPECIALS[card] for card in left if card >= half],
    }


def _bearer(b: Board, side: int | None) -> str | None:
    """Who carries the Ring: all know which tile, and its face once it is known."""
    if side == GOOD or b.faced >> b.bearer & 1:
        return name_of(b, b.bearer)
    return None


def _setup(g: G, seat: Seat | None) -> dict[str, object] | None:
    question, b = g.question(), g.board
    if not isinstance(question, Draft | ChooseSpecials | Place):
        return None
    made = [len(picks) for picks in question.picks]
    return {
        "stage": question.prompt.removeprefix("setup."),
        "done": _by_side(lambda side: made[b.seat_of(side)]),
        "yours": [] if seat is None else _own_picks(b, question, seat),
    }


def _own_picks(b: Board, question: Draft | ChooseSpecials | Place, seat: Seat) -> Sequence[str]:
    picks = question.yours(seat)
    if isinstance(question, Draft):
        return [CHARACTER_KEYS[face] for face in picks]
    if isinstance(question, ChooseSpecials):
        return [SPECIALS[card] for card in picks]
    regions = START_FORWARD[b.side_of(seat)]
    names = ["nobody" if piece == NOBODY else name_of(b, piece) for piece in picks]
    return [f"{name} {REGIONS[place]}" for name, place in zip(names, regions, strict=False)]


def _battle(g: G, seat: Seat | None) -> dict[str, object] | None:
    """The battle being fought. A battle and its cards hold only what is revealed."""
    battle = next((frame for frame in g.stack if isinstance(frame, Battle)), None)
    if battle is None:
        return None
    b = g.board
    cards = next((frame for frame in g.stack if isinstance(frame, CardPlay)), None)
    combatants = [None if p == NOBODY else name_of(b, p) for p in (battle.good, battle.dark)]
    return {
        "region": REGIONS[battle.where],
        "attacking": SIDES[b.turn],
        "attacker": combatants[b.turn],
        "defender": combatants[1 - b.turn],
        "cards": _cards(cards.played if cards else battle.cards),
        "in_force": _cards(cards.in_force if cards else battle.cards),
        "no_cards": bool(battle.no_cards),
        **_sealed(g, seat),
    }


def _cards(pair: tuple[int, ...]) -> dict[str, object]:
    return _by_side(lambda side: None if pair[side] == NO_CARD else CARDS[pair[side]])


def _sealed(g: G, seat: Seat | None) -> dict[str, object]:
    """Who has sealed a card, and the viewer's own."""
    question, b = g.question(), g.board
    if not isinstance(question, SealCards):
        return {"sealed": _by_side(lambda side: False), "your_card": None}
    own = question.yours(seat)
    return {
        "sealed": _by_side(lambda side: bool(question.picks[b.seat_of(side)])),
        "your_card": CARDS[own[0]] if own else None,
    }


def _journey(b: Board) -> dict[str, object] | None:
    """A move through the tunnel that may still be ambushed."""
    if not b.number_at(GOOD, TUNNEL):
        return None
    return {"from": REGIONS[TUNNEL_FROM], "to": REGIONS[TUNNEL_TO], "by": SIDES[GOOD]}


def _duty(b: Board, side: int | None) -> dict[str, object] | None:
    """What a card demands of the next move: all know that it does, its owner knows of whom."""
    if b.duty == FREE:
        return None
    owner = b.mark // PIECES
    known = _is_known(b, b.mark, side)
    return {
        "side": SIDES[owner],
        "must_move": b.duty == MUST,
        "character": name_of(b, b.mark) if known else None,
    }


def _inference(b: Board, side: int | None) -> dict[str, object] | None:
    """Where each hidden enemy may stand, and in how many worlds, if the options ask for it."""
    if side is None or not b.settings.infers:
        return None
    enemy = 1 - side
    trail = b.trails[enemy]
    if trail is None:
        return None
    known = worlds(trail)
    could_be = {}
    for piece in b.pieces_in_play(enemy):
        faced = b.faced >> piece & 1
        faces = (b.face[piece],) if faced else TILES[enemy][piece % PIECES]
        for number, face in enumerate(faces):
            places = _places(known, piece % PIECES, None if faced else number)
            could_be[CHARACTER_KEYS[face]] = [REGIONS[place] for place in places if place < TUNNEL]
    return {"worlds": len(known), "could_be": could_be}


def _places(known: Sequence[int], number: int, face: int | None) -> list[int]:
    """Where a piece, or one face of it, stands in one world or another."""
    return sorted(
        {
            place_of(world, number)
            for world in known
            if face is None or face_in(world, number) in (None, face)
        }
    )


def _result(b: Board) -> dict[str, object] | None:
    if b.result == UNDECIDED:
        return None
    winner = None if b.result == DRAWN else SIDES[b.result]
    return {"winner": winner, "reason": b.reason, "sentence": outcome(winner, b.reason)}
