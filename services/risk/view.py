"""What one seat may see, gathered in one place. Nothing is shown unless it is put here.

Hidden are the cards in other hands, the decks, the secret card of a Local Uprising, and what others
intend; all else lies open (RULES 14). A seat that was eliminated still knows which territory cards
it handed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from services.core.decisions import Seat
from services.core.frames import Frame, Game
from services.risk.board import (
    BLOCK,
    CORSAIRS,
    SAILS,
    STORMS,
    UNDERGROUND,
    UNWALLED,
    Board,
    Lasting,
)
from services.risk.cards.power import Bear, Borne
from services.risk.play.conquest import Conquest
from services.risk.play.counts import NOWHERE, HowMany, MarchOff, Place
from services.risk.play.ending import rank_of, score
from services.risk.play.fortify import ChooseMarch, Fortify
from services.risk.play.invasion import Invasion, who_defends
from services.risk.play.orders import ATTACKED, FELLOWSHIP, KEEPS, RESTS
from services.risk.play.setup import Match
from services.risk.play.windows import Window
from services.risk.tables import (
    ADVENTURES,
    ALIGNMENTS,
    BONUS,
    BRIDGE_ENDS,
    BRIDGES,
    EDGES,
    HAS_DIE,
    LANDS,
    LOCATION_AT,
    LOCATION_NAMES,
    NOBODY,
    PATH,
    POINT,
    PORT_POINTS,
    RANGE_LANDS,
    RANGE_NAMES,
    RANGES,
    REGION_COLOUR,
    REGION_LANDS,
    REGION_NAMES,
    REGION_OF,
    REGIONS,
    SEA_ROUTES,
    SYMBOL,
    SYMBOLS,
    TERRITORIES,
    TERRITORY_CARDS,
    TERRITORY_NAMES,
    bits,
)

G = Game[Board]
View = Mapping[str, object]
F = TypeVar("F", bound=Frame)


def view(g: G, seat: Seat | None) -> View:
    """Everything that a seat, or a spectator, may know."""
    b = g.board
    return {
        "seat": None if seat is None else b.name(seat),
        "turn": b.name(b.turn) if b.number else None,
        "number": b.number,
        "ring": b.ring + 1,
        "territories": [_territory(b, land) for land in range(LANDS)],
        "players": [_player(g, of, seat) for of in b.seats],
        "piles": _piles(b),
        "effects": [_effect(b, effect) for effect in b.lasting],
        "step": _step(b),
        "invasion": _invasion(g, seat),
        "march": _march(g, seat),
        "window": _window(g, seat),
        "to_place": _to_place(g, seat),
        "planned": _planned(g, seat),
        "map": MAP,
        "options": dict(b.settings.options),
        "result": _result(b),
    }


def _names(names: Sequence[str], cards: int) -> list[str]:
    return [names[card] for card in bits(cards)]


def _territory(b: Board, land: int) -> dict[str, object]:
    bit = 1 << land
    kind = "stronghold" if b.settings.strongholds & bit else "site_of_power"
    return {
        "territory": TERRITORIES[land],
        "holder": None if b.owner[land] == NOBODY else b.name(b.owner[land]),
        "battalions": b.army[land],
        "leader": b.has_leader(land),
        "rested": bool(b.rested & bit),
        "place": kind if land in LOCATION_AT else None,
    }


def _player(g: G, of: int, seat: Seat | None) -> dict[str, object]:
    b = g.board
    points = score(b, of)
    adventures = b.hands[of] if of == seat else 0
    cards = b.territory_cards[of]
    known = cards if of == seat else cards & b.territory_seen[seat] if seat is not None else 0
    secrets = [secret for secret in b.secrets if secret.seat == of]
    return {
        "seat": b.name(of),
        "alignment": ALIGNMENTS[b.settings.sides[of]],
        "out": not b.is_in(of),
        "place": rank_of(b, of),
        "reserve": b.reserve[of],
        "battalions": b.battalions_of(of),
        "locked": bool(b.locked >> of & 1),
        "stands": bool(b.stands >> of & 1) if of == seat else None,
        "orders": _orders(b.orders[of]) if of == seat else None,
        "territory_cards": {
            "count": cards.bit_count(),
            "known": _names(TERRITORY_CARDS, known),
        },
        "adventure_cards": {
            "count": b.hands[of].bit_count(),
            "known": _names(ADVENTURES, adventures),
        },
        "played": _names(ADVENTURES, b.played[of]),
        "secrets": {
            "count": sum(not secret.laid for secret in secrets),
            "known": [TERRITORY_CARDS[one.card] for one in secrets] if of == seat else [],
        },
        "points": {**points._asdict(), "total": points.points},
    }


def _orders(state: int) -> dict[str, object]:
    """What a seat has said of when it is asked; nobody else sees it."""
    return {
        "attacked": bool(state & ATTACKED),
        "fellowship": bool(state & FELLOWSHIP),
        "rests": bool(state & RESTS),
        "keeps_missions": bool(state & KEEPS),
    }


def _piles(b: Board) -> dict[str, object]:
    face_down = b.face_down()
    return {
        "territory_deck": b.territory_deck.bit_count(),
        "territory_discards": _names(TERRITORY_CARDS, b.territory_discard & ~face_down),
        "face_down": face_down.bit_count(),
        "adventure_deck": b.deck.bit_count(),
        "adventure_discards": _names(ADVENTURES, b.discard),
        "removed": _names(ADVENTURES, b.removed),
    }


_EFFECTS = {STORMS: "storms", BLOCK: "bridge", CORSAIRS: "corsairs"}


def _effect(b: Board, effect: Lasting) -> dict[str, object]:
    return {
        "effect": _EFFECTS[effect.kind],
        "seat": b.name(effect.seat),
        "territories": _names(TERRITORIES, effect.of) if effect.kind == STORMS else [],
        "bridge": BRIDGES[effect.of] if effect.kind == BLOCK else None,
    }


def _step(b: Board) -> dict[str, object]:
    """What the turn has come to."""
    return {
        "conquered": bool(b.conquered),
        "adventure_earned": bool(b.sited),
        "extra_cards": b.extra_cards,
        "moves_left": b.moves_left,
        "roll": b.roll_more,
    }


def _on_stack(g: G, kind: type[F]) -> F | None:
    return next((frame for frame in reversed(g.stack) if isinstance(frame, kind)), None)


def _invasion(g: G, seat: Seat | None) -> dict[str, object] | None:
    """The invasion that goes on, as far as this viewer knows of it."""
    b, invasion, conquest = g.board, _on_stack(g, Invasion), _on_stack(g, Conquest)
    under_way = conquest or invasion
    if under_way is None:
        return None
    common = {
        "from": TERRITORIES[under_way.source],
        "to": TERRITORIES[under_way.target],
        "dice": under_way.dice,
        "below_mountains": bool(b.boons & UNDERGROUND),
        "black_sails": bool(b.boons & SAILS),
        "no_walls": bool(b.boons & UNWALLED),
    }
    if invasion is None:
        none = {"first_from": None, "defence": 0, "press_until": 0, "stands": False}
        return {**common, **none, "corsairs_paid": False}
    standing = b.stands & 1 << seat if seat is not None else 0
    return {
        **common,
        "first_from": TERRITORIES[invasion.named],
        "defence": invasion.defence,
        "press_until": max(invasion.limit, 0) if seat == invasion.seat else 0,
        "stands": bool(standing) and who_defends(b, invasion.seat, invasion.target) == seat,
        "corsairs_paid": bool(invasion.charged),
    }


def _march(g: G, seat: Seat | None) -> dict[str, object] | None:
    """A Leader borne elsewhere, or a fortify move of the viewer's own, as far as it was said."""
    question = g.question()
    if isinstance(question, Bear):
        borne = _on_stack(g, Borne)
        assert borne is not None
        return {"from": TERRITORIES[borne.leader], "to": None, "leader": True}
    if isinstance(question, ChooseMarch) and question.seat == seat and question.start != NOWHERE:
        return {"from": TERRITORIES[question.start], "to": None, "leader": False}
    if isinstance(question, MarchOff) and question.seat == seat:
        fortify = _on_stack(g, Fortify)
        assert fortify is not None
        ends = {"from": TERRITORIES[fortify.start], "to": TERRITORIES[fortify.to]}
        return {**ends, "leader": bool(fortify.led)}
    return None


def _window(g: G, seat: Seat | None) -> str | None:
    window = _on_stack(g, Window)
    return None if window is None else window.kind


def _to_place(g: G, seat: Seat | None) -> int:
    """Battalions that are being placed, or have been counted out."""
    question = g.question()
    if isinstance(question, Place):
        return question.to_go if question.seat == seat else question.left
    if isinstance(question, HowMany) and question.seat == seat:
        return question.before
    return 0


def _planned(g: G, seat: Seat | None) -> list[dict[str, object]]:
    """What the viewer has placed but not confirmed, or placed ahead; nobody else sees it."""
    question, found = g.question(), dict[int, int]()
    if isinstance(question, Place) and question.seat == seat:
        found = question.plan()
    elif seat is not None and g.stack and isinstance(g.stack[0], Match):
        ahead = g.stack[0].ahead(seat)
        found = {ahead.land: ahead.left} if ahead.left else {}
    return [{"territory": TERRITORIES[land], "battalions": n} for land, n in found.items()]


def _result(b: Board) -> dict[str, object] | None:
    if not b.placing:
        return None
    best = max(b.placing)
    winners = [b.name(seat) for seat in b.seats if b.placing[seat] == best]
    return {"winners": winners, "reason": b.reason}


MAP: View = {
    "territories": [
        {
            "territory": TERRITORIES[land],
            "name": TERRITORY_NAMES[land],
            "region": REGIONS[REGION_OF[land]],
            "x": POINT[land][0],
            "y": POINT[land][1],
            "place": LOCATION_AT.get(land),
            "place_name": LOCATION_NAMES[LOCATION_AT[land]] if land in LOCATION_AT else None,
            "symbol": SYMBOLS[SYMBOL[land]],
        }
        for land in range(LANDS)
    ],
    "regions": [
        {
            "region": REGIONS[number],
            "name": REGION_NAMES[number],
            "bonus": BONUS[number],
            "colour": REGION_COLOUR[number],
            "territories": _names(TERRITORIES, REGION_LANDS[number]),
        }
        for number in range(len(REGIONS))
    ],
    "roads": [
        {"a": TERRITORIES[one], "b": TERRITORIES[other], "via": via} for one, other, via in EDGES
    ],
    "bridges": [
        {"bridge": name, "a": TERRITORIES[one], "b": TERRITORIES[other]}
        for name, (one, other) in zip(BRIDGES, BRIDGE_ENDS, strict=True)
    ],
    "ports": [
        {"territory": TERRITORIES[land], "x": x, "y": y} for land, (x, y) in PORT_POINTS.items()
    ],
    "sea_routes": [
        {
            "a": TERRITORIES[one],
            "b": TERRITORIES[other],
            "waypoints": [{"x": x, "y": y} for x, y in points],
        }
        for one, other, points in SEA_ROUTES
    ],
    "mountains": [
        {"range": name, "name": title, "territories": _names(TERRITORIES, lands)}
        for name, title, lands in zip(RANGES, RANGE_NAMES, RANGE_LANDS, strict=True)
    ],
    "path": [
        {"territory": TERRITORIES[land], "die": die}
        for land, die in zip(PATH, HAS_DIE, strict=True)
    ],
}
"""The printed board: the same for everyone, always."""
