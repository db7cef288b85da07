"""An onlooker who works out what RULES 12.4 lets an opponent infer, from outside.

He reads the events and the view that a spectator gets, and knows the rules of movement from the
printed map; the rules' own board, trails and lists he does not look at. A world is a character and
a place for each piece, and whom a card obliges; of tiles that were drafted unseen it may be either
character. Two things are told to him, because a player at the
table would see them while the events only name who it was: where a character stood who was shown
to help a friend, and where the Ring's heir stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import permutations, product
from typing import Any, NamedTuple

from services.core.decisions import Event

_DATA = files("services.confrontation") / "data"
_MAP = json.loads((_DATA / "board.json").read_text("utf-8"))
_CAST = json.loads((_DATA / "characters.json").read_text("utf-8"))
REGIONS = {region["id"]: region for region in _MAP["regions"]}
CAPACITY = {name: region["capacity_per_side"] for name, region in REGIONS.items()}
FORWARD = {s: {n: r[f"{s}_forward"] for n, r in REGIONS.items()} for s in ("good", "dark")}
BESIDE = {
    name: region["sideways_neighbours"] if region["sideways_movement_allowed"] else []
    for name, region in REGIONS.items()
}
ARCS = [(arc["from"], arc["to"]) for arc in _MAP["special_arcs"]]
OTHER = {"good": "dark", "dark": "good"}
TUNNEL, FALLEN = "tunnel", "fallen"
FIRST_STEPS = ("sp_shadowfax", "sp_dark_of_mordor")


class World(NamedTuple):
    """Who the pieces of one side are, where they stand, and of whom a card speaks."""

    names: tuple[str, ...]
    places: tuple[str, ...]
    obliged: str = ""


class Counts:
    """What everyone sees of the board: how many stand where, and who is shown."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.of = {
            side: {seen["region"]: seen[side]["count"] for seen in view["regions"]}
            for side in OTHER
        }
        self.shown = {
            piece["character"]: seen["region"]
            for seen in view["regions"]
            for side in OTHER
            for piece in seen[side]["pieces"]
        }

    def room(self, side: str, place: str) -> bool:
        return self.of[side][place] < CAPACITY[place]

    def steps(self, side: str, start: str) -> list[str]:
        """Where anyone may step."""
        ways = [*FORWARD[side][start]]
        ways += [to for origin, to in ARCS if origin == start and side == "good"]
        return [to for to in ways if self.room(side, to)]

    def ridden(self, side: str, start: str) -> set[str]:
        """Where a ride forward may end."""
        ends, ahead = set[str](), [*FORWARD[side][start]]
        for to in ahead:
            ends.add(to)
            if not self.of[OTHER[side]][to] and self.room(side, to):
                ahead += FORWARD[side][to]
        return {to for to in ends if self.room(side, to)}

    def reach(self, who: str, side: str, start: str) -> set[str]:
        """Where this character may go beyond the steps of anyone."""
        forward, back = FORWARD[side], FORWARD[OTHER[side]]
        enemies = {to for to, count in self.of[OTHER[side]].items() if count}
        lone = {to for to in enemies if self.of[OTHER[side]][to] == 1}
        beyond: dict[str, set[str]] = {
            "aragorn": enemies & {*forward[start], *back[start], *BESIDE[start]},
            "witch_king": enemies & set(BESIDE[start]),
            "flying_nazgul": lone,
            "nazgul": lone,
            "treebeard": lone & {"fangorn"},
            "flying_nazgul_variant": enemies
            & {t for over in forward[start] for t in forward[over]},
        }
        if who == "black_rider":
            return enemies & self.ridden(side, start)
        if who == "uruk_hai":
            taken = {place for of in self.of.values() for place, count in of.items() if count}
            return self.ridden(side, start) - taken
        return beyond.get(who, set())


def _place(world: World, name: str) -> str:
    """Where a character stands; nowhere, if its tile shows the other one."""
    return world.places[world.names.index(name)] if name in world.names else ""


def _moved(world: World, name: str, place: str) -> World:
    number = world.names.index(name)
    return world._replace(places=(*world.places[:number], place, *world.places[number + 1 :]))


def _tiles(side: str) -> list[tuple[str, ...]]:
    """The tiles of the draft, each with its two characters."""
    pairs = [tuple(pair) for pair in _CAST["draft"]["pairs"]]
    return [pair for pair in pairs if _CAST["characters"][pair[0]]["side"] == side]


class Onlooker:
    """What an opponent of one side holds possible."""

    def __init__(self, side: str, view: Mapping[str, Any]) -> None:
        self.side = side
        roster = view["rosters"][side]
        self.tiles = _tiles(side) if roster is None else [(name,) for name in roster]
        self.everyone = {name for tile in self.tiles for name in tile}
        self.plain_only = view["options"]["no_move_counts"] == "plain_forward_only"
        self.fixed_watcher = False
        self.noted = (-1, True)
        self.worlds = set(self._placements(view))

    def _placements(self, view: Mapping[str, Any]) -> Iterator[World]:
        """Everyone hidden may be anywhere that the counts leave to him."""
        counts = Counts(view)
        sure = {name: place for name, place in counts.shown.items() if name in self.everyone}
        spots = [place for place, count in counts.of[self.side].items() for _ in range(count)]
        for place in sure.values():
            spots.remove(place)
        sure |= dict.fromkeys(view["fallen"][self.side], FALLEN)
        faces = [tuple(n for n in tile if n in sure) or tile for tile in self.tiles]
        stays = set(permutations(spots))
        for names in product(*faces):
            hidden = [name for name in names if name not in sure]
            for chosen in stays:
                stands = {**sure, **dict(zip(hidden, chosen, strict=True))}
                yield World(names, tuple(stands[name] for name in names))

    # What he sees.

    def watch(
        self,
        before: Mapping[str, Any],
        events: Sequence[Event],
        after: Mapping[str, Any],
        stood: Mapping[str, str],
    ) -> None:
        """One decision: the views before and after it, and where those stood who are named."""
        self.counts, self.stood = Counts(before), stood
        self.fixed_watcher = "watcher" in self.counts.shown
        self.duty = before["duty"]
        self.card = ""  # the special card that this decision played
        for event in events:
            seen = getattr(self, f"_see_{event.kind}", None)
            if seen is not None:
                seen(event.facts)
        if after["journey"] is None:
            self._leave_tunnel()
        if after["duty"] is None:
            self.worlds = {world._replace(obliged="") for world in self.worlds}

    def note_move(self, view: Mapping[str, Any]) -> None:
        """It is this side's move: so it has one, unless a card in hand could save it."""
        moment = (view["ply"], view["duty"] is None)
        if moment == self.noted:
            return  # the Palantír was used, and the same move is asked for again
        self.noted = moment
        self.counts = Counts(view)
        self.fixed_watcher = "watcher" in self.counts.shown
        duty = view["duty"]
        if duty is not None or not self._could_be_saved(view):
            plain = self.plain_only and duty is None
            self.worlds = {w for w in self.worlds if self._has_move(w, duty, plain=plain)}

    def _could_be_saved(self, view: Mapping[str, Any]) -> bool:
        """Whether a card may be played that all know of, instead of a move."""
        cards, of, fallen = view["specials"][self.side], self.counts.of, view["fallen"]["good"]
        playable = {
            "sp_gandalf_white": {"gandalf", "gandalf_variant"} & set(fallen)
            and not of["dark"]["fangorn"]
            and self.counts.room("good", "fangorn"),
            "sp_king_revealed": not {"aragorn", "aragorn_variant"} & set(fallen)
            and any(self._hidden("dark", r) and self.counts.steps("dark", r) for r in REGIONS),
            "sp_recall": not of["good"]["mordor"]
            and self.counts.room("dark", "mordor")
            and any(count for region, count in of["dark"].items() if region != "mordor"),
            "sp_crebain": any(self._hidden("good", region) for region in REGIONS),
        }
        return any(playable.get(card) for card in cards)

    def _hidden(self, side: str, region: str) -> bool:
        """Whether someone stands there who is not shown."""
        return self.counts.of[side][region] > list(self.counts.shown.values()).count(region)

    def _has_move(self, world: World, duty: Mapping[str, Any] | None, *, plain: bool) -> bool:
        for name, place in zip(world.names, world.places, strict=True):
            if place in REGIONS and self._may_go(name, world, duty):
                if self.counts.steps(self.side, place):
                    return True
                if not plain and self.counts.reach(name, self.side, place):
                    return True
        return False

    def _may_go(self, name: str, world: World, duty: Mapping[str, Any] | None) -> bool:
        if name == "watcher" and self.fixed_watcher:
            return False
        if duty is None or duty["side"] != self.side:
            return True
        return (name == world.obliged) == duty["must_move"]

    # Keeping and changing worlds.

    def _at(self, name: str, place: str) -> None:
        if name in self.everyone:
            self.worlds = {world for world in self.worlds if _place(world, name) == place}

    def _put(self, name: str, place: str) -> None:
        if name in self.everyone:
            self.worlds = {_moved(world, name, place) for world in self.worlds}

    def _leave_tunnel(self) -> None:
        self.worlds = {
            world._replace(
                places=tuple("fangorn" if place == TUNNEL else place for place in world.places)
            )
            for world in self.worlds
        }

    def _hidden_at(self, world: World, place: str) -> list[str]:
        stands = zip(world.names, world.places, strict=True)
        return [name for name, at in stands if at == place and name not in self.counts.shown]

    # Events, each by its kind.

    def _see_special_played(self, facts: Mapping[str, Any]) -> None:
        self.card = facts["card"]

    def _see_moved(self, facts: Mapping[str, Any]) -> None:
        if facts["side"] != self.side:
            return
        landing = TUNNEL if facts["by"] == "tunnel" else facts["to"]
        duty, marks = self.duty, False
        if self.card in FIRST_STEPS:
            marks = duty is None
            # Another than the one who must move takes the first step.
            duty = None if duty is None else {**duty, "must_move": False}
        moved = set[World]()
        for world in self.worlds:
            for name in self._movers(world, facts, duty):
                after = _moved(world, name, landing)
                moved.add(after._replace(obliged=name) if marks else after)
        self.worlds = moved

    def _movers(
        self, world: World, facts: Mapping[str, Any], duty: Mapping[str, Any] | None
    ) -> list[str]:
        """Those who may have made this move."""
        start, to = facts["from"], facts["to"]
        if "character" in facts:
            return [facts["character"]] if _place(world, facts["character"]) == start else []
        anyone = to in self.counts.steps(self.side, start)
        return [
            name
            for name in self._hidden_at(world, start)
            if self._may_go(name, world, duty)
            and (anyone or to in self.counts.reach(name, self.side, start))
        ]

    def _see_recalled(self, facts: Mapping[str, Any]) -> None:
        if facts["side"] == self.side:
            self.worlds = {
                _moved(world, name, facts["to"])
                for world in self.worlds
                for name in (
                    [facts["character"]]
                    if "character" in facts
                    else self._hidden_at(world, facts["from"])
                )
            }

    def _see_obliged(self, facts: Mapping[str, Any]) -> None:
        if self.side == "dark":
            self.worlds = {
                world._replace(obliged=name)
                for world in self.worlds
                for name in self._hidden_at(world, facts["region"])
            }

    def _see_battle_joined(self, facts: Mapping[str, Any]) -> None:
        self._leave_tunnel()
        for name in (facts["attacker"], facts["defender"]):
            self._at(name, facts["region"])

    def _see_ambushed(self, facts: Mapping[str, Any]) -> None:
        self._at(facts["character"], facts["region"])
        self._at(facts["victim"], TUNNEL)

    def _see_defeated(self, facts: Mapping[str, Any]) -> None:
        self._put(facts["character"], FALLEN)

    def _see_retreated(self, facts: Mapping[str, Any]) -> None:
        self._put(facts["character"], facts["to"])

    def _see_returned(self, facts: Mapping[str, Any]) -> None:
        self._put(facts["character"], facts["region"])

    def _see_places_changed(self, facts: Mapping[str, Any]) -> None:
        if facts["character"] in self.everyone:
            here = {_place(world, facts["character"]) for world in self.worlds}
            (battle,) = here
            self._put(facts["character"], facts["region"])
            self._put(facts["with"], battle)

    def _see_shown(self, facts: Mapping[str, Any]) -> None:
        self._at(facts["character"], self.stood.get(facts["character"], ""))

    def _see_ring_passed_on(self, facts: Mapping[str, Any]) -> None:
        self._at(facts["character"], self.stood.get(facts["character"], ""))

    def _see_region_seen(self, facts: Mapping[str, Any]) -> None:
        for name in facts["characters"]:
            self._at(name, facts["region"])

    def _see_exposed(self, facts: Mapping[str, Any]) -> None:
        self._at(facts["character"], facts["region"])
