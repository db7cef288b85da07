"""Positions of War of the Ring in words: a seat chooses an action, or a step of the turn begins.

given  preset three; option witch_king_entry published    # without a preset: two
given  clear                                              # nobody on the map; else the set-up
given  moria: 3 sauron_regular, 1 sauron_elite, 2 nazgul  # exactly these stand there
given  minas_tirith_garrison: 2 gondor_regular            # besieged by those in the field
given  lorien: empty
given  company strider, gimli                             # exactly these; the others have fallen
given  fallen gandalf_the_grey; aside saruman
given  reserve 2 gondor_regular, 0 gondor_elite           # exactly so many are left to recruit
given  control shadow dale, lorien
given  at_war gondor, rohan; active north; box dwarves 2
given  fellowship moria; progress 3; revealed; corruption 4; guide strider; mordor 2
given  hand shadow: orc_patrol, wormtongue                # exactly these; without it, none
given  table wizards_staff; discarded athelas
given  dice free: character, will_of_the_west             # unused; else one Event; `none`
given  hunt shadow 2; hunt free 1; rings free 2; rings shadow 1
given  pool eye, 3, 3                                     # exactly these; the others are drawn
given  waiting shelobs_lair
given  mixed rohan                                        # team-mates' armies there are one
given  to_act shadow                                      # a seat, or a side; without it, free
given  begin fellowship_phase                             # a step of the turn, instead of an action
given  turn 3; leading saruman
given  captured saruman edoras, lorien                   # a seat has taken them

Lines may be joined by semicolons. Figures that a line needs come from the reinforcements, then from
wherever there are any; figures that a line displaces go to the reinforcements, characters aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from services.core.contract import Rules
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.play.turn import Actions, Turn, action_order
from services.warofthering.settings import PRESETS
from services.warofthering.tables import (
    AREA,
    AREA_COUNT,
    ASIDE,
    AT_WAR,
    CARD,
    COMPANIONS,
    COMPANY,
    DRAWN,
    FACE,
    FACES,
    FALLEN,
    FIGURE,
    FIGURE_COUNT,
    FIRST_CHARACTER,
    FREE,
    GUIDES,
    NATION,
    ON_MAP,
    POOL,
    REGION,
    RESERVE,
    SHADOW,
    SIDES,
    TILE,
    TILE_COUNT,
    TILE_NUMBERS,
    WAITING,
)
from tests.games.warofthering.facts import assert_fact

G = Game[Board]


def options(lines: Sequence[str]) -> dict[str, str]:
    """The options that the lines name."""
    chosen: dict[str, str] = {}
    for line in _parts(lines):
        match line.split():
            case ["preset", name]:
                chosen |= PRESETS[name]
            case ["option", name, value]:
                chosen[name] = value
    return chosen


def given(rules: Rules[Board], lines: Sequence[str]) -> G:
    """The position that the lines describe."""
    g = rules.setup(rules.agree(options(lines)))
    b = g.board
    g.stack = [Turn(at=Turn.index_of["resolve"] + 1)]
    for card in range(len(b.cards)):
        b.cards[card] = b.knowers[card] = b.given[card] = 0
    if "clear" in _parts(lines):
        _clear(b)
    # What is said of seats and the Guide must find the others in their places.
    for line in sorted(_completed(lines), key=lambda part: part.split()[0] in _LATE):
        _read(g, line)
    if len(g.stack) == 1 and g.stack[0].at == Turn.index_of["resolve"] + 1:
        g.call(_actions(b, "free"))
    g.advance()
    g.events.clear()
    rules.audit(g)
    return g


def then(rules: Rules[Board], game: G, line: str) -> None:
    """Assert that a position is as the line says."""
    assert_fact(rules, game, line)


# Reading.


def _parts(lines: Sequence[str]) -> list[str]:
    return [part.strip() for line in lines for part in line.split(";") if part.strip()]


def _completed(lines: Sequence[str]) -> list[str]:
    """The lines, and those that go without saying."""
    parts = _parts(lines)
    if not any(part.startswith("guide ") for part in parts):
        parts.append("guide auto")
    return parts + [
        f"dice {side}: event"
        for side in SIDES
        if not any(part.startswith(f"dice {side}:") for part in parts)
    ]


def _names(text: str) -> list[str]:
    if text.strip() in ("none", "empty"):
        return []
    return [name.strip() for name in text.split(",") if name.strip()]


def _read(g: G, line: str) -> None:
    head, colon, rest = line.partition(":")
    if colon and head in AREA:
        _stand(g.board, AREA[head], _names(rest))
        return
    word, _, text = line.partition(" ")
    if word not in _READERS:
        raise ValueError(f"{line!r} is no line of a position")
    _READERS[word](g, text.strip())


def counted(text: str) -> tuple[int, str]:
    """`3 sauron_regular`, or the name alone for one."""
    number, _, name = text.rpartition(" ")
    return int(number or 1), name


def _clear(b: Board) -> None:
    for area in ON_MAP:
        _stand(b, area, [])


def _stand(b: Board, area: int, wanted: list[str]) -> None:
    for figure in range(FIGURE_COUNT):
        away = ASIDE if figure >= FIRST_CHARACTER else RESERVE
        b.move(figure, area, away, b.count(area, figure))
    for text in wanted:
        number, name = counted(text)
        _fetch(b, FIGURE[name], area, number)


def _fetch(b: Board, figure: int, area: int, number: int) -> None:
    for source in (RESERVE, ASIDE, FALLEN, COMPANY, *range(AREA_COUNT)):
        if source != area:
            taken = min(number, b.count(source, figure))
            b.move(figure, source, area, taken)
            number -= taken
    if number:
        raise ValueError(f"there are not so many of figure {figure}")


def _company(g: G, text: str) -> None:
    b = g.board
    names = [FIGURE[name] for name in _names(text)]
    for who in COMPANIONS:
        if who in names:
            _fetch(b, who, COMPANY, 1 - b.count(COMPANY, who))
        elif b.is_in_company(who):
            b.move(who, COMPANY, FALLEN)


def _put_away(area: int) -> Callable[[G, str], None]:
    def read(g: G, text: str) -> None:
        for name in _names(text):
            who = FIGURE[name]
            g.board.move(who, g.board.place_of(who), area)

    return read


def _reserve(g: G, text: str) -> None:
    for part in _names(text):
        number, name = counted(part)
        figure, b = FIGURE[name], g.board
        spare = b.count(RESERVE, figure) - number
        if spare >= 0:
            b.move(figure, RESERVE, FALLEN, spare)
        else:
            _fetch(b, figure, RESERVE, -spare)


def _control(g: G, text: str) -> None:
    side, _, regions = text.partition(" ")
    for name in _names(regions):
        region, number = REGION[name], SIDES.index(side)
        g.board.take_control(region, number, g.board.settings.teams[number][0])


def _captured(g: G, text: str) -> None:
    name, _, regions = text.partition(" ")
    seat = _seat(g.board, name)
    for region in _names(regions):
        g.board.take_control(REGION[region], g.board.settings.sides[seat], seat)


def _at_war(g: G, text: str) -> None:
    for name in _names(text):
        g.board.politics[NATION[name]] = AT_WAR
        g.board.active |= 1 << NATION[name]


def _active(g: G, text: str) -> None:
    for name in _names(text):
        g.board.active |= 1 << NATION[name]


def _box(g: G, text: str) -> None:
    name, number = text.split()
    g.board.politics[NATION[name]] = int(number)


def _fellowship(g: G, text: str) -> None:
    g.board.region = REGION[text]


def _mordor(g: G, text: str) -> None:
    g.board.mordor = int(text)


def _revealed(g: G, text: str) -> None:
    g.board.hidden = False


def _number(name: str) -> Callable[[G, str], None]:
    return lambda g, text: setattr(g.board, name, int(text))


def _guide(g: G, text: str) -> None:
    b = g.board
    choices = b.guide_choices()
    if text != "auto":
        b.guide = GUIDES.index(text)
    elif b.guide not in choices:
        b.guide = choices[0]


def _seat(b: Board, name: str) -> int:
    return b.settings.seats.index(name)


def _hand(g: G, text: str) -> None:
    name, _, cards = text.partition(":")
    for card in _names(cards):
        g.board.draw(CARD[card], _seat(g.board, name.strip()))


def _table(g: G, text: str) -> None:
    for name in _names(text):
        g.board.show(CARD[name])
        g.board.keep(CARD[name])


def _discarded(g: G, text: str) -> None:
    for name in _names(text):
        g.board.show(CARD[name])
        g.board.discard(CARD[name])


def _dice(g: G, text: str) -> None:
    side, _, faces = text.partition(":")
    for face in _names(faces):
        g.board.dice[SIDES.index(side) * len(FACES) + FACE[face]] += 1


def _hunt(g: G, text: str) -> None:
    side, number = text.split()
    setattr(g.board, f"hunt_{side}", int(number))


def _rings(g: G, text: str) -> None:
    side, number = text.split()
    free, shadow = g.board.rings
    g.board.rings = (int(number), shadow) if side == "free" else (free, int(number))


def _pool(g: G, text: str) -> None:
    b = g.board
    for tile in range(TILE_COUNT):
        b.move_tile(tile, POOL, DRAWN, b.tiles_in(POOL, tile))
    for name in _names(text):
        tile = TILE[name]
        source = DRAWN if b.tiles_in(DRAWN, tile) else 3
        assert TILE_NUMBERS[tile]
        b.move_tile(tile, source, POOL)


def _waiting(g: G, text: str) -> None:
    for name in _names(text):
        g.board.move_tile(TILE[name], 3, WAITING)


def _mixed(g: G, text: str) -> None:
    for name in _names(text):
        g.board.mixed[AREA[name]] = 1


def _actions(b: Board, who: str) -> Actions:
    order = action_order(b)
    if who in SIDES:
        side = SIDES.index(who)
        place = next(at for at, seat in enumerate(order) if b.settings.sides[seat] == side)
    else:
        place = order.index(_seat(b, who))
    return Actions(next_in_order=place)


def _to_act(g: G, text: str) -> None:
    g.call(_actions(g.board, text))


def _begin(g: G, text: str) -> None:
    b = g.board
    g.stack = [Turn(at=Turn.index_of[text], pools=(b.pool_size(FREE), b.pool_size(SHADOW)))]


def _leading(g: G, text: str) -> None:
    b = g.board
    leading = list(b.leading)
    leading[b.settings.sides[_seat(b, text)]] = _seat(b, text)
    b.leading = tuple(leading)


_LATE = ("guide", "to_act", "begin")


def _nothing(g: G, text: str) -> None:
    return


_READERS: Mapping[str, Callable[[G, str], None]] = {
    "preset": _nothing,
    "option": _nothing,
    "clear": _nothing,
    "company": _company,
    "fallen": _put_away(FALLEN),
    "aside": _put_away(ASIDE),
    "reserve": _reserve,
    "control": _control,
    "captured": _captured,
    "at_war": _at_war,
    "active": _active,
    "box": _box,
    "fellowship": _fellowship,
    "progress": _number("progress"),
    "corruption": _number("corruption"),
    "turn": _number("turn"),
    "mordor": _mordor,
    "revealed": _revealed,
    "guide": _guide,
    "hand": _hand,
    "table": _table,
    "discarded": _discarded,
    "dice": _dice,
    "hunt": _hunt,
    "rings": _rings,
    "pool": _pool,
    "waiting": _waiting,
    "mixed": _mixed,
    "to_act": _to_act,
    "begin": _begin,
    "leading": _leading,
}
