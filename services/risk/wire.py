"""The view of Risk as a message, and back. Territories travel as their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bree.engine.v1.types_pb2 import OptionChoice
from bree.risk.v1 import board_pb2 as b
from services.risk.view import MAP, View

Part = Mapping[str, Any]

PLACES: Mapping[Any, b.Place.ValueType] = {
    None: b.PLACE_UNSPECIFIED,
    "stronghold": b.PLACE_STRONGHOLD,
    "site_of_power": b.PLACE_SITE_OF_POWER,
}
ALIGNMENTS: Mapping[Any, b.Alignment.ValueType] = {
    "good": b.ALIGNMENT_GOOD,
    "evil": b.ALIGNMENT_EVIL,
}
VIAS: Mapping[Any, b.Via.ValueType] = {
    "land": b.VIA_LAND,
    "bridge": b.VIA_BRIDGE,
    "sea": b.VIA_SEA,
}
_PLACES, _ALIGNMENTS, _VIAS = (
    {number: name for name, number in words.items()} for words in (PLACES, ALIGNMENTS, VIAS)
)
_PRINTED: Any = MAP
_NUMBER = {land["territory"]: n for n, land in enumerate(_PRINTED["territories"])}
_NAME = tuple(_NUMBER)
_REGION = {region["region"]: n for n, region in enumerate(_PRINTED["regions"])}
_REGION_NAME = tuple(_REGION)
_COUNTED = ("conquered", "adventure_earned", "extra_cards", "moves_left", "roll")
_INVASION = ("dice", "defence", "press_until", "stands", "corsairs_paid", "below_mountains")
_BOONS = ("black_sails", "no_walls")
_ORDERS = ("attacked", "fellowship", "rests", "keeps_missions")


class Wire:
    """Writes and reads boards."""

    def board(self, view: View) -> b.Board:
        """A view as a message."""
        v: Part = view
        return b.Board(
            seat=v["seat"],
            turn=v["turn"],
            number=v["number"],
            ring=v["ring"],
            territories=[_territory(n, land) for n, land in enumerate(v["territories"])],
            players=[_player(player) for player in v["players"]],
            piles=b.Piles(**v["piles"]),
            effects=[b.Effect(**effect) for effect in v["effects"]],
            step=b.Step(**v["step"]),
            invasion=_invasion(v["invasion"]),
            march=_march(v["march"]),
            window=v["window"],
            to_place=v["to_place"],
            planned=[b.Planned(**planned) for planned in v["planned"]],
            map=_map(),
            options=[OptionChoice(name=name, value=to) for name, to in v["options"].items()],
            result=None if v["result"] is None else b.Result(**v["result"]),
        )

    def view(self, board: b.Board) -> View:
        """The view that a message was made of."""
        return {
            "seat": _read(board, "seat"),
            "turn": _read(board, "turn"),
            "number": board.number,
            "ring": board.ring,
            "territories": [_read_territory(land) for land in board.territories],
            "players": [_read_player(player) for player in board.players],
            "piles": _read_piles(board.piles),
            "effects": [_read_effect(effect) for effect in board.effects],
            "step": {name: getattr(board.step, name) for name in _COUNTED},
            "invasion": _read_invasion(board.invasion) if board.HasField("invasion") else None,
            "march": _read_march(board.march) if board.HasField("march") else None,
            "window": _read(board, "window"),
            "to_place": board.to_place,
            "planned": [_read_planned(planned) for planned in board.planned],
            "map": _read_map(board.map),
            "options": {option.name: option.value for option in board.options},
            "result": _read_result(board.result) if board.HasField("result") else None,
        }


WIRE = Wire()


# Writing. What is absent from a view is absent from the message.


def _territory(number: int, land: Part) -> b.Territory:
    return b.Territory(
        territory=number,
        holder=land["holder"],
        battalions=land["battalions"],
        leader=land["leader"],
        rested=land["rested"],
        place=PLACES[land["place"]],
    )


def _player(player: Part) -> b.Player:
    return b.Player(
        seat=player["seat"],
        alignment=ALIGNMENTS[player["alignment"]],
        out=player["out"],
        place=player["place"],
        reserve=player["reserve"],
        battalions=player["battalions"],
        locked=player["locked"],
        stands=player["stands"],
        orders=None if player["orders"] is None else b.Orders(**player["orders"]),
        territory_cards=b.Cards(**player["territory_cards"]),
        adventure_cards=b.Cards(**player["adventure_cards"]),
        played=player["played"],
        secrets=b.Cards(**player["secrets"]),
        points=b.Points(**player["points"]),
    )


def _invasion(invasion: Part | None) -> b.Invasion | None:
    if invasion is None:
        return None
    message = b.Invasion(**{name: value for name, value in invasion.items() if name != "from"})
    setattr(message, "from", invasion["from"])  # a word that Python keeps for itself
    return message


def _march(march: Part | None) -> b.March | None:
    if march is None:
        return None
    message = b.March(to=march["to"], leader=march["leader"])
    setattr(message, "from", march["from"])
    return message


def _numbers(names: Iterable[str]) -> list[int]:
    return [_NUMBER[name] for name in names]


@lru_cache(maxsize=1)
def _map() -> b.Map:
    """The printed board, which never changes."""
    m = _PRINTED
    return b.Map(
        territories=[_land(land) for land in m["territories"]],
        regions=[
            b.Region(**{**region, "territories": _numbers(region["territories"])})
            for region in m["regions"]
        ],
        roads=[b.Road(**_ends(road), via=VIAS[road["via"]]) for road in m["roads"]],
        bridges=[b.Bridge(bridge=bridge["bridge"], **_ends(bridge)) for bridge in m["bridges"]],
        ports=[
            b.Port(territory=_NUMBER[port["territory"]], point=b.Point(x=port["x"], y=port["y"]))
            for port in m["ports"]
        ],
        sea_routes=[
            b.SeaRoute(**_ends(route), waypoints=[b.Point(**point) for point in route["waypoints"]])
            for route in m["sea_routes"]
        ],
        mountains=[
            b.Mountains(**{**mountains, "territories": _numbers(mountains["territories"])})
            for mountains in m["mountains"]
        ],
        path=[b.Stage(territory=_NUMBER[s["territory"]], die=s["die"]) for s in m["path"]],
    )


def _land(land: Part) -> b.Land:
    return b.Land(
        territory=land["territory"],
        name=land["name"],
        region=_REGION[land["region"]],
        point=b.Point(x=land["x"], y=land["y"]),
        place=land["place"],
        place_name=land["place_name"],
        symbol=land["symbol"],
    )


def _ends(road: Part) -> dict[str, int]:
    return {"a": _NUMBER[road["a"]], "b": _NUMBER[road["b"]]}


# Reading.


def _read(message: Any, field: str) -> Any:
    return getattr(message, field) if message.HasField(field) else None


def _read_territory(land: b.Territory) -> Part:
    return {
        "territory": _NAME[land.territory],
        "holder": _read(land, "holder"),
        "battalions": land.battalions,
        "leader": land.leader,
        "rested": land.rested,
        "place": _PLACES[land.place],
    }


def _read_player(player: b.Player) -> Part:
    points = player.points
    items = ("territories", "strongholds", "regions", "cards", "total")
    return {
        "seat": player.seat,
        "alignment": _ALIGNMENTS[player.alignment],
        "out": player.out,
        "place": _read(player, "place"),
        "reserve": player.reserve,
        "battalions": player.battalions,
        "locked": player.locked,
        "stands": _read(player, "stands"),
        "orders": _read_orders(player.orders) if player.HasField("orders") else None,
        "territory_cards": _read_cards(player.territory_cards),
        "adventure_cards": _read_cards(player.adventure_cards),
        "played": [*player.played],
        "secrets": _read_cards(player.secrets),
        "points": {item: getattr(points, item) for item in items},
    }


def _read_orders(orders: b.Orders) -> Part:
    return {name: getattr(orders, name) for name in _ORDERS}


def _read_planned(planned: b.Planned) -> Part:
    return {"territory": planned.territory, "battalions": planned.battalions}


def _read_cards(cards: b.Cards) -> Part:
    return {"count": cards.count, "known": [*cards.known]}


def _read_piles(piles: b.Piles) -> Part:
    return {
        "territory_deck": piles.territory_deck,
        "territory_discards": [*piles.territory_discards],
        "face_down": piles.face_down,
        "adventure_deck": piles.adventure_deck,
        "adventure_discards": [*piles.adventure_discards],
        "removed": [*piles.removed],
    }


def _read_effect(effect: b.Effect) -> Part:
    return {
        "effect": effect.effect,
        "seat": effect.seat,
        "territories": [*effect.territories],
        "bridge": _read(effect, "bridge"),
    }


def _read_invasion(invasion: b.Invasion) -> Part:
    return {
        "from": getattr(invasion, "from"),
        "to": _read(invasion, "to"),
        "first_from": _read(invasion, "first_from"),
        **{name: getattr(invasion, name) for name in (*_INVASION, *_BOONS)},
    }


def _read_march(march: b.March) -> Part:
    return {"from": getattr(march, "from"), "to": _read(march, "to"), "leader": march.leader}


def _read_result(result: b.Result) -> Part:
    return {"winners": [*result.winners], "reason": result.reason}


def _names(numbers: Sequence[int]) -> list[str]:
    return [_NAME[number] for number in numbers]


def _read_map(m: b.Map) -> Part:
    return {
        "territories": [_read_land(land) for land in m.territories],
        "regions": [
            {
                "region": r.region,
                "name": r.name,
                "bonus": r.bonus,
                "colour": r.colour,
                "territories": _names(r.territories),
            }
            for r in m.regions
        ],
        "roads": [{**_read_ends(road), "via": _VIAS[road.via]} for road in m.roads],
        "bridges": [{"bridge": bridge.bridge, **_read_ends(bridge)} for bridge in m.bridges],
        "ports": [
            {"territory": _NAME[port.territory], **_read_point(port.point)} for port in m.ports
        ],
        "sea_routes": [
            {**_read_ends(route), "waypoints": [_read_point(point) for point in route.waypoints]}
            for route in m.sea_routes
        ],
        "mountains": [
            {"range": r.range, "name": r.name, "territories": _names(r.territories)}
            for r in m.mountains
        ],
        "path": [{"territory": _NAME[stage.territory], "die": stage.die} for stage in m.path],
    }


def _read_land(land: b.Land) -> Part:
    return {
        "territory": land.territory,
        "name": land.name,
        "region": _REGION_NAME[land.region],
        **_read_point(land.point),
        "place": _read(land, "place"),
        "place_name": _read(land, "place_name"),
        "symbol": land.symbol,
    }


def _read_point(point: b.Point) -> dict[str, int]:
    return {"x": point.x, "y": point.y}


def _read_ends(road: b.Road | b.Bridge | b.SeaRoute) -> dict[str, str]:
    return {"a": _NAME[road.a], "b": _NAME[road.b]}
