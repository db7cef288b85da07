"""What a case may claim of a position of The Confrontation.

then   rohan: legolas, gimli       # exactly these stand there; `empty` if nobody does
then   fallen balrog witch_king
then   good hand good_1 good_2     # exactly these; `full` for all nine
then   good used good_3            # exactly these; `none` if there are none
then   shown frodo                 # his opponent's view names him, where he stands
then   hidden frodo
then   turn good
then   asked dark battle.card      # he alone is asked, this; `both`, `chance` and `nobody`
then   worlds dark 12              # so many worlds agree with what is seen of Dark
then   could_be shelob gondor mordor
then   result good ring_in_mordor  # `drawn` and a reason, or `none`
then   bearer sam_variant
then   special sp_recall           # those left, exactly; `none`
then   obliged saruman             # he must make the next move; `barred` if he may not; `nobody`
then   tunnel legolas
then   ply 3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from services.confrontation.board import BARRED, DRAWN, FREE, MUST, UNDECIDED, Board, bits, name_of
from services.confrontation.tables import (
    CARDS,
    CHARACTER,
    CHARACTERS,
    DARK,
    FULL_HAND,
    GOOD,
    NOBODY,
    NOWHERE,
    REGION,
    REGIONS,
    SIDES,
    SPECIALS,
    TUNNEL,
)
from services.confrontation.worlds import PIECES, place_of, worlds
from services.core.contract import Rules
from services.core.decisions import CHANCE
from services.core.frames import Game

G = Game[Board]


def assert_fact(rules: Rules[Board], game: G, line: str) -> None:
    """Assert that a position is as the line says."""
    region, colon, names = line.partition(":")
    words = line.split()
    if colon:
        _stands(game.board, region.strip(), [name.strip() for name in names.split(",")])
    elif words[0] in SIDES and words[1:2] in (["hand"], ["used"]):
        _cards(game.board, SIDES.index(words[0]), words[1], words[2:])
    elif words[0] in _FACTS and words[1:]:
        _FACTS[words[0]](rules, game, words[1:])
    else:
        raise AssertionError(f"{line!r} is no fact of a position")


def _same(expected: Iterable[str], found: Iterable[str], what: str) -> None:
    there = sorted(found)
    assert sorted(expected) == there, f"{what}: {', '.join(there) or 'none'}"


def _piece(b: Board, name: str) -> int:
    assert name in CHARACTER, f"there is no {name!r}"
    piece = b.piece_of(CHARACTER[name])
    assert piece != NOBODY, f"{name} does not play here"
    return piece


def _stands(b: Board, region: str, names: Sequence[str]) -> None:
    assert region in REGION, f"there is no {region!r}"
    found = [name_of(b, p) for side in (GOOD, DARK) for p in b.pieces_at(side, REGION[region])]
    expected = [] if list(names) == ["empty"] else names
    for name in expected:
        _piece(b, name)
    _same(expected, found, region)


def _cards(b: Board, side: int, which: str, names: Sequence[str]) -> None:
    held = {"hand": b.hands[side], "used": b.used(side)}[which]
    if names == ["full"]:
        assert held == FULL_HAND[side], f"{which}: {[CARDS[card] for card in bits(held)]}"
        return
    _same([] if names == ["none"] else names, [CARDS[card] for card in bits(held)], which)


def _fallen(rules: Rules[Board], game: G, names: Sequence[str]) -> None:
    b = game.board
    for name in names:
        place = b.place[_piece(b, name)]
        assert place == NOWHERE, f"{name} is in {(*REGIONS, 'the tunnel')[place]}"


def _is_named(rules: Rules[Board], game: G, name: str) -> bool:
    """Whether the opponent's view says who stands where this character stands."""
    b = game.board
    piece = _piece(b, name)
    place = b.place[piece]
    assert place < TUNNEL, f"{name} is not on the board"
    side = piece // PIECES
    regions = rules.view(game, b.seat_of(1 - side))["regions"]
    return name in [seen["character"] for seen in regions[place][SIDES[side]]["pieces"]]


def _shown(rules: Rules[Board], game: G, names: Sequence[str]) -> None:
    for name in names:
        assert _is_named(rules, game, name), f"{name} is hidden"


def _hidden(rules: Rules[Board], game: G, names: Sequence[str]) -> None:
    for name in names:
        assert not _is_named(rules, game, name), f"{name} is shown"


def _turn(rules: Rules[Board], game: G, names: Sequence[str]) -> None:
    _same(names, [SIDES[game.board.turn]], "turn")


def _asked(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    waiting = rules.waiting(game)
    names = ["chance" if s == CHANCE else SIDES[game.board.side_of(s)] for s in waiting]
    question = game.question()
    prompt = question.prompt if question else ""
    who = {"nobody": [], "both": list(SIDES)}.get(words[0], [words[0]])
    asked = f"{' and '.join(names) or 'nobody'} {prompt}".strip()
    assert (sorted(who), prompt) == (sorted(names), " ".join(words[1:])), f"asked: {asked}"


def _worlds(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    trail = game.board.trails[SIDES.index(words[0])]
    assert trail is not None, "nothing has been seen yet"
    found = len(worlds(trail))
    assert words[1:] == [str(found)], f"{found} worlds"


def _could_be(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    piece = _piece(game.board, words[0])
    trail = game.board.trails[piece // PIECES]
    assert trail is not None, "nothing has been seen yet"
    places = {place_of(world, piece % PIECES) for world in worlds(trail)}
    _same(words[1:], [(*REGIONS, "tunnel", "fallen")[place] for place in places], words[0])


def _result(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    b = game.board
    winner = {UNDECIDED: "none", DRAWN: "drawn"}.get(b.result) or SIDES[b.result]
    assert list(words) == [winner, *b.reason.split()], f"result: {winner} {b.reason}"


def _bearer(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    _same(words, [name_of(game.board, game.board.bearer)], "bearer")


def _special(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    left = [SPECIALS[card] for card in bits(game.board.specials)]
    _same([] if list(words) == ["none"] else words, left, "special cards")


def _obliged(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    b = game.board
    name = "nobody" if b.duty == FREE else CHARACTERS[b.face[b.mark]].key
    found = {FREE: [name], MUST: [name], BARRED: ["barred", name]}[b.duty]
    assert list(words) == found, f"obliged: {' '.join(found)}"


def _tunnel(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    _same(words, [name_of(game.board, p) for p in game.board.pieces_at(GOOD, TUNNEL)], "tunnel")


def _ply(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    _same(words, [str(game.board.ply)], "ply")


_FACTS: Mapping[str, Callable[[Rules[Board], G, Sequence[str]], None]] = {
    "fallen": _fallen,
    "shown": _shown,
    "hidden": _hidden,
    "turn": _turn,
    "asked": _asked,
    "worlds": _worlds,
    "could_be": _could_be,
    "result": _result,
    "bearer": _bearer,
    "special": _special,
    "obliged": _obliged,
    "tunnel": _tunnel,
    "ply": _ply,
}
