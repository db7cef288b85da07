"""What a case may claim of a position of Duel for Middle-earth.

then   coins sauron 3              # and `reserve 25`
then   price fellowship gimli 2    # in coins; `free` through a chain; landmarks, too
then   rohan: fellowship 2, fortress sauron   # exactly these; `empty` if nobody is there
then   supply sauron 13            # units
then   quest fellowship 5
then   plays sauron gimli          # the card lies in his play area
then   pile orcs                   # the card lies in the discard pile, known to all
then   aside imrahil               # it lies there, set aside in this chapter
then   knows fellowship imrahil    # this side's view names the card in the pile; `unaware` if not
then   owns sauron bree            # the landmark tile
then   offered bree, erebor        # exactly these landmarks are face up; `none`
then   token sauron hobbits_eagle  # he has kept it
then   top elves_wild_skill        # it is on top of its stack, seen by all; `unseen` if it is not
then   support sauron 5
then   present sauron 4            # in so many regions
then   slot 15: face_down          # a card, `face_down` or `taken`
then   chapter 2
then   turn sauron
then   extra 1                     # turns earned
then   asked sauron turn.choose    # he alone is asked, this; `chance` and `nobody`
then   result sauron conquest      # `shared` and a reason, or `none`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from services.core.contract import Rules
from services.core.decisions import CHANCE
from services.core.frames import Game
from services.duel.board import (
    FACE_DOWN,
    OFFERED,
    ON_TOP,
    OWNED,
    REGION_COUNT,
    SHARED,
    TAKEN,
    UNDECIDED,
    Board,
)
from services.duel.play.cost import card_price, is_chained, tile_price
from services.duel.play.ending import support
from services.duel.tables import CARD, CARDS, REGION, SIDES, TILE, TILES, TOKEN

G = Game[Board]
Words = Sequence[str]


def assert_fact(rules: Rules[Board], game: G, line: str) -> None:
    """Assert that a position is as the line says."""
    words = line.replace(",", " ").replace(":", " ").split()
    if words[0] in REGION:
        _stands(game.board, words[0], words[1:])
    elif words[0] in _FACTS and words[1:]:
        _FACTS[words[0]](rules, game, words[1:])
    else:
        raise AssertionError(f"{line!r} is no fact of a position")


def _same(expected: object, found: object, what: str) -> None:
    assert expected == found, f"{what}: {found}"


def _side(name: str) -> int:
    assert name in SIDES, f"there is no side {name!r}"
    return SIDES.index(name)


def _stands(b: Board, region: str, words: Words) -> None:
    place, found = REGION[region], dict[str, str]()
    for side, name in enumerate(SIDES):
        if b.units[side * REGION_COUNT + place]:
            found[name] = str(b.units[side * REGION_COUNT + place])
    if b.forts[place]:
        found["fortress"] = SIDES[b.forts[place] - 1]
    expected = {} if list(words) == ["empty"] else dict(zip(words[::2], words[1::2], strict=True))
    _same(expected, found, region)


def _coins(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[1], str(g.board.coins[_side(words[0])]), "coins")


def _reserve(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[0], str(g.board.reserve), "reserve")


def _price(rules: Rules[Board], g: G, words: Words) -> None:
    b, side, name = g.board, _side(words[0]), words[1]
    if name in TILE:
        found = str(tile_price(b, side, TILE[name]))
    else:
        card = CARD[name]
        found = "free" if is_chained(b, side, card) else str(card_price(b, side, card))
    _same(words[2], found, "price")


def _supply(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[1], str(g.board.supply[_side(words[0])]), "supply")


def _quest(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[1], str(g.board.quest[_side(words[0])]), "quest")


def _plays(rules: Rules[Board], g: G, words: Words) -> None:
    area = [CARDS[card] for card in g.board.areas[_side(words[0])]]
    for name in words[1:]:
        assert name in area, f"in the play area: {', '.join(area)}"


def _pile(rules: Rules[Board], g: G, words: Words) -> None:
    pile = [CARDS[card] for card in g.board.discard]
    for name in words:
        assert name in pile, f"discarded: {', '.join(pile)}"


def _aside(rules: Rules[Board], g: G, words: Words) -> None:
    _same(sorted(words), sorted(CARDS[card] for card in g.board.aside), "set aside")


def _known(rules: Rules[Board], g: G, side: str) -> list[str]:
    return [seen["card"] for seen in rules.view(g, _side(side))["discard"]["known"]]


def _knows(rules: Rules[Board], g: G, words: Words) -> None:
    known = _known(rules, g, words[0])
    for name in words[1:]:
        assert name in known, f"known: {', '.join(known)}"


def _unaware(rules: Rules[Board], g: G, words: Words) -> None:
    known = _known(rules, g, words[0])
    for name in words[1:]:
        assert name not in known, f"known: {', '.join(known)}"


def _owns(rules: Rules[Board], g: G, words: Words) -> None:
    side = _side(words[0])
    for name in words[1:]:
        assert g.board.tiles[TILE[name]] == OWNED + side, f"{name} is not {words[0]}'s"


def _offered(rules: Rules[Board], g: G, words: Words) -> None:
    found = [name for name, where in zip(TILES, g.board.tiles, strict=True) if where == OFFERED]
    _same([] if list(words) == ["none"] else sorted(words), sorted(found), "landmarks")


def _token(rules: Rules[Board], g: G, words: Words) -> None:
    side = _side(words[0])
    for name in words[1:]:
        assert g.board.has_token(side, TOKEN[name]), f"{name} is not {words[0]}'s"


def _top(rules: Rules[Board], g: G, words: Words) -> None:
    tops = [s["top"]["token"] for s in rules.view(g, None)["stacks"] if s["top"]]
    for name in words:
        assert name in tops, f"on top: {', '.join(tops) or 'none'}"


def _unseen(rules: Rules[Board], g: G, words: Words) -> None:
    for name in words:
        where = g.board.tokens[TOKEN[name]]
        assert where < ON_TOP, f"{name} was seen"


def _support(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[1], str(support(g.board, _side(words[0]))), "support")


def _present(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[1], str(g.board.presence(_side(words[0]))), "present")


def _slot(rules: Rules[Board], g: G, words: Words) -> None:
    face = g.board.display[int(words[0])]
    found = {TAKEN: "taken", FACE_DOWN: "face_down"}.get(face) or CARDS[face]
    _same(words[1], found, f"slot {words[0]}")


def _chapter(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[0], str(g.board.chapter), "chapter")


def _turn(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[0], SIDES[g.board.turn], "turn")


def _extra(rules: Rules[Board], g: G, words: Words) -> None:
    _same(words[0], str(g.board.extra), "extra turns")


def _asked(rules: Rules[Board], g: G, words: Words) -> None:
    names = ["chance" if s == CHANCE else SIDES[s] for s in rules.waiting(g)]
    question = g.question()
    found = [*(names or ["nobody"]), *([question.prompt] if question else [])]
    _same(list(words), found, "asked")


def _result(rules: Rules[Board], g: G, words: Words) -> None:
    b = g.board
    winner = {UNDECIDED: "none", SHARED: "shared"}.get(b.result) or SIDES[b.result]
    _same(list(words), [winner, *b.reason.split()], "result")


_FACTS: Mapping[str, Callable[[Rules[Board], G, Words], None]] = {
    "coins": _coins,
    "reserve": _reserve,
    "price": _price,
    "supply": _supply,
    "quest": _quest,
    "plays": _plays,
    "pile": _pile,
    "aside": _aside,
    "knows": _knows,
    "unaware": _unaware,
    "owns": _owns,
    "offered": _offered,
    "token": _token,
    "top": _top,
    "unseen": _unseen,
    "support": _support,
    "present": _present,
    "slot": _slot,
    "chapter": _chapter,
    "turn": _turn,
    "extra": _extra,
    "asked": _asked,
    "result": _result,
}
