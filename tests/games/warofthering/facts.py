"""What a case may claim of a position of War of the Ring.

then   dale: 2 north_regular, 1 north_leader   # exactly these stand there; `empty` if nobody does
then   reserve has 3 gondor_regular            # so many, in any area or pile: fallen, company …
then   company strider, gimli                  # exactly these; `none`
then   guide gollum
then   fellowship moria                        # where the figure is; `in_mordor`
then   progress 0; hidden; revealed; corruption 3; mordor 2
then   control shadow lorien                   # a side controls it
then   points shadow 4
then   box gondor 3; at_war gondor; active gondor; passive north
then   hand shadow: orc_patrol                 # exactly these; `empty`
then   holds shadow 4                          # so many cards
then   table wizards_staff                     # exactly these; `none`
then   discarded athelas
then   dice free: character, muster            # unused, in any order; `none`
then   hunt shadow 2; hunt free 1; rings free 2
then   pool has 3 eye; drawn has 1 3; waiting has 1 shelobs_lair; removed has 2 eye
then   asked shadow battle.combat_card         # he alone is asked, this; `chance`, `nobody`
then   asked_for shadow retreat                # he alone is asked `choose.one`, for this
then   result shadow corruption                # a side or `drawn`, and why; `none`
then   besieged lorien; free lorien            # a garrison is shut in there; there is none
then   battle none                             # or the region of the battle being fought
then   mixed umbar; apart umbar                # team-mates' armies there are one, or are not
then   leader shadow saruman; captor saruman dale
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from services.core.contract import Rules
from services.core.decisions import CHANCE
from services.core.frames import Game
from services.warofthering.board import DISCARDED, DRAWN_GAME, FACE_DOWN, UNDECIDED, Board
from services.warofthering.tables import (
    AREA,
    AT_WAR,
    CARDS,
    DRAWN,
    FACES,
    FIGURE,
    FIGURES,
    GUIDES,
    NATION,
    POOL,
    REGION,
    REGIONS,
    REMOVED,
    SIDES,
    TILE,
    WAITING,
)

G = Game[Board]


def assert_fact(rules: Rules[Board], game: G, line: str) -> None:
    """Assert that a position is as the line says; parts are joined by semicolons."""
    for part in (part.strip() for part in line.split(";")):
        _assert_one(rules, game, part)


def _assert_one(rules: Rules[Board], game: G, line: str) -> None:
    head, colon, names = line.partition(":")
    words = line.split()
    if colon and head.strip() in AREA:
        _stands(game.board, AREA[head.strip()], names.strip())
    elif colon and words[0] in ("hand", "dice"):
        _LISTS[words[0]](game.board, head.split()[1], _names(names))
    elif len(words) > 1 and words[1] == "has" and words[0] in AREA:
        count, figure = _counted(" ".join(words[2:]))
        assert count == game.board.count(AREA[words[0]], FIGURE[figure])
    elif len(words) > 1 and words[1] == "has" and words[0] in _TILE_PLACES:
        count, tile = _counted(" ".join(words[2:]))
        assert count == game.board.tiles_in(_TILE_PLACES[words[0]], TILE[tile])
    elif words[0] in _FACTS:
        _FACTS[words[0]](rules, game, line[len(words[0]) :].strip())
    else:
        raise AssertionError(f"{line!r} is no fact of a position")


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    return [] if names in (["empty"], ["none"]) else names


def _counted(text: str) -> tuple[int, str]:
    number, _, name = text.rpartition(" ")
    return int(number or 1), name


def _stands(b: Board, area: int, text: str) -> None:
    expected = {name: count for count, name in map(_counted, _names(text))}
    both = (*b.figures_at(area, 0), *b.figures_at(area, 1))

    assert expected == {FIGURES[figure]: number for figure, number in both}


def _hand(b: Board, name: str, cards: list[str]) -> None:
    held = b.hand(b.settings.seats.index(name))

    assert sorted(cards) == sorted(CARDS[card] for card in held)


def _dice(b: Board, name: str, faces: list[str]) -> None:
    side = SIDES.index(name)

    left = Counter({FACES[f]: n for f in range(len(FACES)) if (n := b.die_count(side, f))})

    assert Counter(faces) == left


_LISTS: Mapping[str, Callable[[Board, str, list[str]], None]] = {"hand": _hand, "dice": _dice}
_TILE_PLACES = {"pool": POOL, "drawn": DRAWN, "waiting": WAITING, "removed": REMOVED}


def _company(r: Rules[Board], g: G, text: str) -> None:
    assert sorted(_names(text)) == sorted(FIGURES[who] for who in g.board.company())


def _guide(r: Rules[Board], g: G, text: str) -> None:
    assert text == GUIDES[g.board.guide]


def _fellowship(r: Rules[Board], g: G, text: str) -> None:
    assert text == ("in_mordor" if g.board.in_mordor else REGIONS[g.board.region])


def _number(name: str) -> Callable[[Rules[Board], G, str], None]:
    def check(r: Rules[Board], g: G, text: str) -> None:
        assert int(text) == getattr(g.board, name), f"{name} is {getattr(g.board, name)}"

    return check


def _hidden(r: Rules[Board], g: G, text: str) -> None:
    assert g.board.hidden


def _revealed(r: Rules[Board], g: G, text: str) -> None:
    assert not g.board.hidden


def _control(r: Rules[Board], g: G, text: str) -> None:
    side, _, regions = text.partition(" ")
    for region in _names(regions):
        assert g.board.is_controlled_by(REGION[region], SIDES.index(side)), region


def _points(r: Rules[Board], g: G, text: str) -> None:
    side, number = text.split()
    assert int(number) == g.board.victory_points(SIDES.index(side))


def _box(r: Rules[Board], g: G, text: str) -> None:
    nation, number = text.split()
    assert int(number) == g.board.politics[NATION[nation]]


def _at_war(r: Rules[Board], g: G, text: str) -> None:
    for nation in _names(text):
        assert g.board.politics[NATION[nation]] == AT_WAR, nation


def _active(r: Rules[Board], g: G, text: str) -> None:
    for nation in _names(text):
        assert g.board.is_active(NATION[nation]), nation


def _passive(r: Rules[Board], g: G, text: str) -> None:
    for nation in _names(text):
        assert not g.board.is_active(NATION[nation]), nation


def _holds(r: Rules[Board], g: G, text: str) -> None:
    name, number = text.split()
    assert int(number) == g.board.hand_size(g.board.settings.seats.index(name))


def _table(r: Rules[Board], g: G, text: str) -> None:
    lying = [CARDS[card] for side in (0, 1) for card in g.board.table_cards(side)]
    assert sorted(_names(text)) == sorted(lying)


def _discarded(r: Rules[Board], g: G, text: str) -> None:
    for name in _names(text):
        pile = g.board.pile_of(CARDS.index(name))
        assert pile == DISCARDED or pile >= FACE_DOWN, name


def _hunt(r: Rules[Board], g: G, text: str) -> None:
    side, number = text.split()
    assert int(number) == getattr(g.board, f"hunt_{side}")


def _rings(r: Rules[Board], g: G, text: str) -> None:
    side, number = text.split()
    assert int(number) == g.board.rings[SIDES.index(side)]


def _asked(r: Rules[Board], g: G, text: str) -> None:
    name, _, prompt = text.partition(" ")
    seats = {"nobody": (), "chance": (CHANCE,)}
    expected = seats.get(name) if name in seats else (g.board.settings.seats.index(name),)
    question = g.question()

    assert expected == r.waiting(g), g.where()
    assert not prompt or (question is not None and prompt == question.prompt), g.where()


def _asked_for(r: Rules[Board], g: G, text: str) -> None:
    name, what = text.split()
    question = g.question()

    assert (g.board.settings.seats.index(name),) == r.waiting(g), g.where()
    assert question is not None
    assert what == question.shown(g, None).get("what"), g.where()


def _result(r: Rules[Board], g: G, text: str) -> None:
    b = g.board
    names = {UNDECIDED: "none", DRAWN_GAME: "drawn", 0: SIDES[0], 1: SIDES[1]}
    assert text == f"{names[b.result]} {b.reason}".strip()


def _besieged(r: Rules[Board], g: G, text: str) -> None:
    assert g.board.is_besieged(REGION[text])


def _free(r: Rules[Board], g: G, text: str) -> None:
    assert not g.board.is_besieged(REGION[text])


def _battle(r: Rules[Board], g: G, text: str) -> None:
    fight = g.board.fight
    assert text == ("none" if fight is None else REGIONS[fight.region])


def _mixed(r: Rules[Board], g: G, text: str) -> None:
    assert g.board.mixed[AREA[text]]


def _apart(r: Rules[Board], g: G, text: str) -> None:
    assert not g.board.mixed[AREA[text]]


def _leader(r: Rules[Board], g: G, text: str) -> None:
    side, name = text.split()
    assert name == g.board.settings.seats[g.board.leading[SIDES.index(side)]]


def _captor(r: Rules[Board], g: G, text: str) -> None:
    name, region = text.split()
    assert name == g.board.settings.seats[g.board.captors[REGION[region]]]


_FACTS: Mapping[str, Callable[[Rules[Board], G, str], None]] = {
    "company": _company,
    "guide": _guide,
    "fellowship": _fellowship,
    "progress": _number("progress"),
    "corruption": _number("corruption"),
    "mordor": _number("mordor"),
    "turn": _number("turn"),
    "hidden": _hidden,
    "revealed": _revealed,
    "control": _control,
    "points": _points,
    "box": _box,
    "at_war": _at_war,
    "active": _active,
    "passive": _passive,
    "holds": _holds,
    "table": _table,
    "discarded": _discarded,
    "hunt": _hunt,
    "rings": _rings,
    "asked": _asked,
    "asked_for": _asked_for,
    "result": _result,
    "besieged": _besieged,
    "free": _free,
    "battle": _battle,
    "mixed": _mixed,
    "apart": _apart,
    "leader": _leader,
    "captor": _captor,
}
