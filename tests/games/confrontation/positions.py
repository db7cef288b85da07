"""Positions of The Confrontation in words, each at the choice of a move.

given  preset manual; option dark_eighth warg    # without a preset: deluxe_classic
given  good to move                              # without this: Dark
given  shire: frodo, sam; rohan: legolas; fangorn: balrog
given  used good_3 dark_6                        # spent in this cycle; as many of each side
given  hand good_3 dark_6                        # or: all but these are spent
given  special sp_shadowfax                      # in play, and not used yet
given  shown watcher                             # for good; nothing else is shown between turns
given  known legolas                             # his opponent knows where he stands
given  fallen frodo_variant                      # in a draft: this face fell
given  bearer sam_variant                        # the Ring was passed on to him

Lines may be joined by semicolons. A character who is not placed has fallen; of a drafted tile that
no line names, the first face has. Without any character placed the game is at its setup.

Design. A position needs trails that agree with it. Each begins with all of a side at home, though
home has no room for all; then those whose place is public (fallen, shown, known) are put where they
are, and as many others as stand elsewhere leave home unseen. So the opponent holds possible every
assignment of the rest to the counts that he sees, and knows no more than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from services.confrontation.board import PIECES_OF, Board, face_number
from services.confrontation.play.setup import Match, roster
from services.confrontation.play.turn import Turn
from services.confrontation.settings import Settings
from services.confrontation.tables import (
    BEARS_RING,
    CAPACITY,
    CARD,
    CARD_KEYS,
    CHARACTER,
    CHARACTERS,
    DARK,
    GOOD,
    NOBODY,
    NOWHERE,
    REGION,
    REGIONS,
    SIDES,
    SPECIAL,
    START_HOME,
    STAYS_SHOWN,
    TILES,
    TUNNEL,
)
from services.confrontation.worlds import PIECES, moved, put, seen, started
from services.core.contract import Rules
from services.core.frames import Game
from tests.games.confrontation.facts import assert_fact

PRESET = "deluxe_classic"


@dataclass
class Sketch:
    """What the lines of a position say, read but not yet checked against each other."""

    options: dict[str, str] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)  # by character
    turn: int = DARK
    spent: list[str] = field(default_factory=list)
    specials: list[str] = field(default_factory=list)
    said: dict[str, list[int]] = field(  # characters of whom something else is said
        default_factory=lambda: {"shown": [], "known": [], "fallen": []}
    )
    bearer: int = NOBODY

    def named(self) -> set[int]:
        """Every character that a line speaks of."""
        return {*self.places, *(who for group in self.said.values() for who in group)}


def options(lines: Sequence[str]) -> dict[str, str]:
    """The options that the lines name, and those that go without saying."""
    return _sketch(lines).options


def given(rules: Rules[Board], lines: Sequence[str]) -> Game[Board]:
    """The position that the lines describe."""
    sketch = _sketch(lines)
    game = rules.setup(rules.agree(sketch.options))
    if sketch.places:
        _arrange(game.board, sketch)
        game.stack = [Match(at=Match.script.index("play") + 1), Turn()]
        game.advance()
        game.events.clear()
    rules.audit(game)
    return game


def then(rules: Rules[Board], game: Game[Board], line: str) -> None:
    """Assert that a position is as the line says."""
    assert_fact(rules, game, line)


# Reading.


def _sketch(lines: Sequence[str]) -> Sketch:
    sketch = Sketch({"preset": PRESET})
    for line in lines:
        for part in line.split(";"):
            _read(sketch, part.strip())
    return sketch


def _read(sketch: Sketch, line: str) -> None:
    region, colon, characters = line.partition(":")
    if colon:
        _stand(sketch, region, characters)
        return
    match line.split():
        case ["preset", name]:
            sketch.options["preset"] = name
        case ["option", name, value]:
            sketch.options[name] = value
        case [("good" | "dark") as side, "to", "move"]:
            sketch.turn = SIDES.index(side)
        case ["used", *cards] if cards:
            sketch.spent += cards
        case ["hand", *cards] if cards:
            sketch.spent += [card for card in CARD if card not in _of(CARD, cards)]
        case ["special", *cards] if cards:
            sketch.specials += cards
            sketch.options.setdefault("special_cards", "set_deluxe")
        case [("shown" | "known" | "fallen") as what, *names] if names:
            sketch.said[what] += [_id(CHARACTER, name) for name in names]
        case ["bearer", name]:
            sketch.bearer = _id(CHARACTER, name)
        case _:
            raise ValueError(f"{line!r} is no line of a position")


def _stand(sketch: Sketch, region: str, characters: str) -> None:
    place = _id(REGION, region.strip())
    for name in characters.split(","):
        character = _id(CHARACTER, name.strip())
        if character in sketch.places:
            raise ValueError(f"{name.strip()} is placed twice")
        sketch.places[character] = place


def _id(ids: dict[str, int], name: str) -> int:
    if name not in ids:
        raise ValueError(f"there is no {name!r}")
    return ids[name]


def _of(ids: dict[str, int], names: list[str]) -> list[str]:
    for name in names:
        _id(ids, name)
    return names


# Building.


def _arrange(b: Board, sketch: Sketch) -> None:
    b.clear()
    b.turn = sketch.turn
    _field(b, sketch)
    _fill(b, sketch)
    _deal(b, sketch)
    for side in (GOOD, DARK):
        _leave_trail(b, side, {b.piece_of(who) for who in sketch.said["known"]})


def _field(b: Board, sketch: Sketch) -> None:
    """Give every piece its character, and the Ring its bearer."""
    for side, faces in enumerate(_fielded(b.settings, b, sketch)):
        for piece, face in zip(PIECES_OF[side], faces, strict=False):
            b.face[piece] = face
            if b.settings.announced:
                b.faced |= 1 << piece
    for who in sketch.named():
        if b.piece_of(who) == NOBODY:
            raise ValueError(f"{CHARACTERS[who].key} does not play here")
    carriers = [who for who in BEARS_RING if b.piece_of(who) != NOBODY]
    bearer = carriers[0] if sketch.bearer == NOBODY else sketch.bearer
    if bearer not in sketch.places:
        raise ValueError(f"the Ring-bearer, {CHARACTERS[bearer].key}, is not placed")
    b.bearer = b.piece_of(bearer)


def _fielded(settings: Settings, b: Board, sketch: Sketch) -> tuple[tuple[int, ...], ...]:
    if settings.roster != "draft":
        return roster(b)
    named = sketch.named()
    for pair in (*TILES[GOOD], *TILES[DARK]):
        if named.issuperset(pair):
            raise ValueError(f"{' and '.join(CHARACTERS[who].key for who in pair)} share a tile")
    return tuple(tuple(next((f for f in tile if f in named), tile[0]) for tile in tiles)
                 for tiles in TILES)  # fmt: skip


def _fill(b: Board, sketch: Sketch) -> None:
    """Put everyone where he stands."""
    for who, place in sketch.places.items():
        side = CHARACTERS[who].side
        b.move(b.piece_of(who), place)
        if b.number_at(side, place) > CAPACITY[place]:
            raise ValueError(f"{REGIONS[place]} has no room for so many")
        if b.number_at(1 - side, place):
            raise ValueError(f"both sides stand in {REGIONS[place]}")
    for who in sketch.said["shown"]:
        if who not in STAYS_SHOWN and CHARACTERS[who].side == DARK:
            raise ValueError(f"{CHARACTERS[who].key} is never shown between turns")
        b.fixed |= 1 << b.piece_of(who)
        b.faced |= 1 << b.piece_of(who)
    for piece in (*b.fallen(GOOD), *b.fallen(DARK)):
        b.faced |= 1 << piece


def _deal(b: Board, sketch: Sketch) -> None:
    """Spend the combat cards that were spent, and lay out the special ones."""
    for card in sketch.spent:
        b.spend(GOOD if card in CARD_KEYS[GOOD] else DARK, _id(CARD, card))
    counts = [b.used(side).bit_count() for side in (GOOD, DARK)]
    if counts[GOOD] != counts[DARK]:
        raise ValueError(f"Good has spent {counts[GOOD]} cards and Dark {counts[DARK]}")
    for special in sketch.specials:
        b.specials |= 1 << _id(SPECIAL, special)


def _leave_trail(b: Board, side: int, known: set[int]) -> None:
    fielded = [piece for piece in PIECES_OF[side] if b.face[piece] != NOBODY]
    home = START_HOME[side]
    counts = [len(fielded) if place == home else 0 for place in range(TUNNEL)]
    b.see(side, started(counts))
    public = [p for p in fielded if b.place[p] == NOWHERE or p in known or b.is_shown(p)]
    for piece in public:
        for link in _public_links(b, piece, home):
            b.see(side, link)
    hidden = [piece for piece in fielded if piece not in public]
    mask = sum(1 << piece % PIECES for piece in hidden)
    for piece in hidden:
        if b.place[piece] != home:
            b.see(side, moved(home, b.place[piece], (mask, mask)))


def _public_links(b: Board, piece: int, home: int) -> Iterator[tuple[int, ...]]:
    """How a piece came to where everyone knows it: its face was seen, if that was a secret."""
    number = piece % PIECES
    if not b.settings.announced and b.faced >> piece & 1:
        yield seen(number, home, 1 + face_number(b.face[piece], piece))
    yield put(number, b.place[piece])
