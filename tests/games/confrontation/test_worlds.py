"""The set of worlds (RULES 12.4), against an enumerator that is too plain to be wrong.

The module packs a world into one number and leaves a face open while either would do. Here a world
is a tuple of places, a tuple of faces and the obliged piece; all of them are made at the start, and
each link keeps or changes them one by one, as its definition says.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import pytest

from services.confrontation.tables import DARK, GOOD, NOWHERE, START_FORWARD, START_HOME, TUNNEL
from services.confrontation.worlds import (
    ABLE,
    ANY,
    AT,
    MARK,
    MOVED,
    OBLIGED,
    OTHERS,
    PIECES,
    PUT,
    START,
    UNMARK,
    Link,
    Trail,
    face_in,
    obliged_in,
    place_of,
    trail_of,
    worlds,
)

MANY = 4  # pieces of the small trails
PLACES = (0, 3, 8, 9)


class World(NamedTuple):
    """Everything about the pieces of one side."""

    places: tuple[int, ...]
    faces: tuple[int, ...]
    obliged: int | None = None


def trail_with(links: Sequence[Link]) -> Trail:
    """The trail with these links."""
    trail = Trail(None, links[0])
    for link in links[1:]:
        trail = Trail(trail, link)
    return trail


def put(world: World, piece: int, place: int) -> World:
    places = (*world.places[:piece], place, *world.places[piece + 1 :])
    return world._replace(places=places)


def start(link: Link) -> set[World]:
    counts = dict(enumerate(link[1:]))
    places = [place for place, count in counts.items() if count]
    return {
        World(stood, faces)
        for stood in product(places, repeat=MANY)
        if all(stood.count(place) == counts[place] for place in places)
        for faces in product((0, 1), repeat=MANY)
    }


def could(world: World, piece: int, place: int, masks: Link, which: int) -> bool:
    """Whether a piece stands there, may be spoken of, and has a face that could."""
    spoken = {ANY: True, OBLIGED: world.obliged == piece, OTHERS: world.obliged != piece}[which]
    able = masks[world.faces[piece]] >> piece & 1
    return world.places[piece] == place and spoken and bool(able)


def follow(before: set[World], link: Link) -> set[World]:
    """The worlds after one link, each on its own."""
    kind, *said = link
    after: set[World] = set()
    for world in before:
        after |= set(_follow_one(world, kind, tuple(said)))
    return after


def _follow_one(world: World, kind: int, said: Link) -> list[World]:
    pieces = range(MANY)
    if kind == MOVED:
        origin, to, first, second, which, obliges = said
        able = [p for p in pieces if could(world, p, origin, (first, second), which)]
        return [put(world, p, to)._replace(obliged=p if obliges else world.obliged) for p in able]
    if kind == ABLE:
        which, *groups = said
        stands = zip(groups[::3], groups[1::3], groups[2::3], strict=True)
        some = any(could(world, p, place, (a, b), which) for place, a, b in stands for p in pieces)
        return [world] if some else []
    if kind == AT:
        piece, place, face = said
        fits = world.places[piece] == place and (not face or world.faces[piece] == face - 1)
        return [world] if fits else []
    if kind == PUT:
        return [put(world, *said)]
    if kind == MARK:
        place, first, second = said
        able = [p for p in pieces if could(world, p, place, (first, second), ANY)]
        return [world._replace(obliged=p) for p in able]
    assert kind == UNMARK
    return [world._replace(obliged=None)]


def unpacked(packed: int) -> set[World]:
    """The worlds that one number stands for: an open face is either."""
    faces = [face_in(packed, piece) for piece in range(MANY)]
    return {
        World(tuple(place_of(packed, piece) for piece in range(MANY)), chosen, obliged_in(packed))
        for chosen in product(*((0, 1) if face is None else (face,) for face in faces))
    }


def random_link(pick: random.Random, held: set[World]) -> Link:
    """A link such as the rules make, true of some world that is held."""
    world = pick.choice(sorted(held, key=repr))
    kind = pick.choice((MOVED, MOVED, MOVED, ABLE, AT, PUT, MARK, UNMARK))
    piece, place = pick.randrange(MANY), pick.choice(PLACES)
    first = pick.getrandbits(MANY)
    second = pick.choice((first, pick.getrandbits(MANY)))
    which = pick.choice((ANY, ANY, OBLIGED, OTHERS)) if world.obliged is not None else ANY
    if kind == MOVED:
        return (MOVED, world.places[piece], place, first, second, which, pick.randrange(2))
    if kind == ABLE:
        spots = pick.sample(PLACES, 2)
        groups = [n for spot in spots for n in (spot, pick.getrandbits(MANY), pick.getrandbits(4))]
        return (ABLE, which, *groups)
    if kind == AT:
        return (AT, piece, world.places[piece], pick.choice((0, 1 + world.faces[piece])))
    if kind == PUT:
        return (PUT, piece, pick.choice((*PLACES, NOWHERE)))
    return (MARK, world.places[piece], first, second) if kind == MARK else (UNMARK,)


def counts_of(pick: random.Random) -> tuple[int, ...]:
    stood = [pick.choice(PLACES) for _ in range(MANY)]
    return tuple(stood.count(place) for place in range(TUNNEL))


@pytest.mark.parametrize("seed", range(150))
def test_the_worlds_of_a_trail_are_those_that_agree_with_every_link(seed: int) -> None:
    pick = random.Random(seed)
    links: list[Link] = [(START, *counts_of(pick))]
    held = start(links[0])
    for _ in range(12):
        link = random_link(pick, held)
        after = follow(held, link)
        if not after:
            continue  # nothing that could happen
        links.append(link)
        held = after

        found = worlds(trail_with(links))
        assert held == set().union(*(unpacked(packed) for packed in found)), links
        assert list(found) == sorted(set(found))


def test_what_no_world_allows_leaves_none() -> None:
    home = tuple(MANY * (place == 0) for place in range(TUNNEL))
    links: list[Link] = [(START, *home), (MOVED, 3, 8, 15, 15, ANY, 0)]

    assert worlds(trail_with(links)) == ()


@pytest.mark.parametrize(("side", "fielded", "number"), [
    (GOOD, 9, 15_120), (DARK, 9, 15_120), (GOOD, 8, 1_680), (DARK, 8, 1_680),
])  # fmt: skip
def test_the_number_of_worlds_at_the_start(side: int, fielded: int, number: int) -> None:
    """9!/4! in nine against nine, 8!/4! in eight against eight (RULES 12.4)."""
    forward = START_FORWARD[side][: fielded - 4]
    counts = [4 * (place == START_HOME[side]) + (place in forward) for place in range(TUNNEL)]
    found = worlds(trail_with([(START, *counts)]))

    assert len(found) == number
    assert {place_of(world, PIECES - 1) == NOWHERE for world in found} == {fielded == 8}


def test_worlds_do_not_depend_on_what_was_asked_before() -> None:
    """The sets that are kept are a memory, not a state."""
    pick = random.Random(7)
    links: list[Link] = [(START, *counts_of(pick))]
    held = start(links[0])
    while len(links) < 8:
        link = random_link(pick, held)
        if follow(held, link):
            links.append(link)
            held = follow(held, link)
    at_once = worlds(trail_with(links))
    trail, found = Trail(None, links[0]), ()
    for link in links[1:]:
        trail = Trail(trail, link)
        found = worlds(trail)

    assert found == at_once


def test_a_trail_that_is_read_again_is_the_one_that_was_read() -> None:
    """So whoever loads the positions of a match one after the other makes each set once."""
    home = [MANY * (place == 0) for place in range(TUNNEL)]
    links: list[list[int]] = [[START, *home], [MOVED, 0, 3, 15, 15, ANY, 0], [PUT, 0, 3]]
    first, longer, other = trail_of(links[:2]), trail_of(links), trail_of([links[0], links[2]])
    assert first is not None
    assert longer is not None
    assert other is not None

    assert first is trail_of(links[:2])
    assert first is longer.before
    assert first is not other
    assert first.before is other.before
    assert [tuple(link) for link in links] == longer.links()
