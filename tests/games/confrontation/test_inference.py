"""What an opponent may infer (RULES 12.4): the rules against an onlooker, in random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from services.confrontation import RULES
from services.confrontation.board import PIECES_OF, Board, name_of
from services.confrontation.tables import (
    BEARS_RING,
    CAPACITY,
    CHARACTERS,
    DARK,
    GOOD,
    MORDOR,
    NOBODY,
    REGION,
    REGIONS,
    SHIRE,
    SIDES,
    SPECIALS,
    TILES,
    TUNNEL,
)
from services.confrontation.worlds import face_in, obliged_in, place_of, worlds
from services.core.decisions import Event
from tests.games.confrontation import onlooker
from tests.games.confrontation.onlooker import Onlooker, World
from tests.games.confrontation.positions import given, options
from tests.play import Play

PRESETS = ("manual", "deluxe_classic", "deluxe_variant", "deluxe_draft")
JAMS = (
    (
        "gondor gondor mordor mordor mordor mordor",
        "rohan gondor gondor mordor mordor mordor mordor",
    ),
    ("shire", "shire shire"),
)
"""Where a side stands that has no plain step."""
PLACE_NAMES = (*REGIONS, onlooker.TUNNEL, onlooker.FALLEN)


def lines_of(pick: random.Random) -> list[str]:
    """A position with a few characters of each side, anywhere or where plain steps run out."""
    preset = pick.choice(PRESETS)
    lines = [f"preset {preset}", f"{pick.choice(SIDES)} to move"]
    if preset != "manual":
        lines.append(f"special {' '.join(pick.sample(SPECIALS, pick.choice((1, 4))))}")
    if pick.random() < 0.2:
        lines.append("option no_move_counts plain_forward_only")
    unseen = preset == "deluxe_draft" and pick.random() < 0.5
    if unseen:
        lines.append("option announce_draft off")
    fielded = faces_of(RULES.setup(RULES.agree(options(lines))).board, pick)
    jammed = pick.choice((NOBODY, NOBODY, DARK if unseen else GOOD, DARK))
    room = {side: list(CAPACITY) for side in (GOOD, DARK)}
    room[DARK][SHIRE] = 2
    for side in sorted((GOOD, DARK), key=lambda side: side != jammed):
        crowd = pick.choice(JAMS[side]).split() if side == jammed else []
        for who in fielded[side][: len(crowd) or pick.randint(2, 4 if unseen else 6)]:
            barred = MORDOR if who in BEARS_RING else -1
            free = [p for p in range(TUNNEL) if room[side][p] > 0 and p != barred]
            place = REGION[crowd.pop(0)] if crowd else pick.choice(free)
            room[side][place] -= 1
            room[1 - side][place] = 0
            lines.append(f"{REGIONS[place]}: {CHARACTERS[who].key}")
    return lines


def faces_of(board: Board, pick: random.Random) -> list[list[int]]:
    """The characters of each side in any order, but for the Ring-bearer first."""
    fielded = []
    for side in (GOOD, DARK):
        faces = [board.face[piece] for piece in PIECES_OF[side] if board.face[piece] != NOBODY]
        faces = faces or [pick.choice(tile) for tile in TILES[side]]
        pick.shuffle(faces)
        faces.sort(key=lambda face: face not in BEARS_RING)
        fielded.append(faces)
    return fielded


def held(board: Board, watcher: Onlooker) -> set[World]:
    """The worlds that the rules hold possible, in the onlooker's words."""
    trail = board.trails[SIDES.index(watcher.side)]
    assert trail is not None
    return {world for packed in worlds(trail) for world in unpacked(packed, watcher)}


def unpacked(packed: int, watcher: Onlooker) -> Iterator[World]:
    """What one packed world stands for: an open tile may show either character."""
    tiles = list(enumerate(watcher.tiles))
    faces = [face_in(packed, number) for number, _ in tiles]
    shown = [
        tile if face is None or len(tile) == 1 else (tile[face],)
        for (_, tile), face in zip(tiles, faces, strict=True)
    ]
    places = tuple(PLACE_NAMES[place_of(packed, number)] for number, _ in tiles)
    obliged = obliged_in(packed)
    for names in product(*shown):
        yield World(names, places, "" if obliged is None else names[obliged])


def where_all_stand(board: Board) -> dict[str, str]:
    """Where each character in play stands, in truth."""
    pieces = (*board.pieces_in_play(GOOD), *board.pieces_in_play(DARK))
    return {name_of(board, piece): PLACE_NAMES[board.place[piece]] for piece in pieces}


def follow(play: Play, pick: random.Random, decisions: int, every: int = 1) -> int:
    """Play at random, and compare what is held possible; how often it was compared."""
    watchers = [Onlooker(side, play.view()) for side in SIDES]
    compared = 0
    note_move(play, watchers)
    for number in range(decisions):
        if play.is_over or play.view()["turn"] is None:
            break
        before, stood = play.view(), where_all_stand(play.game.board)
        events = decide(play, pick)
        for watcher in watchers:
            watcher.watch(before, events, play.view(), stood)
        note_move(play, watchers)
        if number % every == 0:
            compare(play, watchers)
            compared += 1
    return compared


def note_move(play: Play, watchers: list[Onlooker]) -> None:
    question = play.game.question()
    if question is not None and question.prompt == "turn.move":
        for watcher in watchers:
            if watcher.side == play.view()["turn"]:
                watcher.note_move(play.view())


def decide(play: Play, pick: random.Random) -> list[Event]:
    """One random decision; the events that a spectator sees."""
    who = pick.choice(play.waiting)
    events = play(f"{who}: {pick.choice(play.offered(who))}")
    return [event for event in events if event.is_seen_by(None)]


def compare(play: Play, watchers: list[Onlooker]) -> None:
    for watcher in watchers:
        found = held(play.game.board, watcher)
        place = f"{watcher.side} at {play.table.where()}, after {play.events[-3:]}"
        assert watcher.worlds == found, (
            f"{place}: too many {sorted(found - watcher.worlds)[:3]}, "
            f"too few {sorted(watcher.worlds - found)[:3]}"
        )


RARE = (215, 1628, 2327, 2417, 2644, 5301)  # what few games come to: cards that save a side


@pytest.mark.parametrize("seed", [*range(200), *RARE])
def test_what_is_inferred_is_what_an_onlooker_infers(seed: int) -> None:
    pick = random.Random(f"inference {seed}")
    lines = lines_of(pick)
    play = Play(RULES, options(lines), given(RULES, lines))
    if not play.is_over:
        assert follow(play, pick, 120)


@pytest.mark.parametrize("preset", ["manual", "classic_2002"])
def test_a_whole_game_from_its_setup(preset: str) -> None:
    pick = random.Random(f"whole {preset}")
    play = Play(RULES, {"preset": preset})
    while play.ask(play.waiting[0]).prompt == "setup.place":
        decide(play, pick)

    assert follow(play, pick, 40, every=9) > 3


def test_a_view_says_what_is_inferred_only_if_the_options_ask_for_it() -> None:
    lines = ["shire: frodo, sam; rohan: gimli; mordor: orcs"]
    silent = Play(RULES, options(lines), given(RULES, lines))
    lines = [*lines, "option inference on"]
    telling = Play(RULES, options(lines), given(RULES, lines))

    assert silent.view("dark")["inference"] is None
    assert telling.view()["inference"] is None
    seen = telling.view("dark")["inference"]
    assert seen["worlds"] == 3
    assert seen["could_be"] == {key: ["shire", "rohan"] for key in ("frodo", "sam", "gimli")}
    assert telling.view("good")["inference"]["could_be"] == {"orcs": ["mordor"]}
