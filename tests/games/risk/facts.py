"""What a case may claim of a position of Risk.

then   the_shire: yellow 3 leader     # holder, battalions, and a Leader if there is one
then   ring moria
then   yellow holds power_ambush      # exactly these; `none`
then   yellow deeds forlindon wild_1
then   yellow played power_ambush
then   yellow secret moria
then   yellow points 14               # what it would score now
then   yellow place 2                 # settled; `open` if it is not
then   yellow out; yellow in; yellow locked; yellow free
then   yellow sees power_ambush       # in an Adventure hand or a Territory hand of anyone
then   discard power_ambush; spent wild_1; face_down 1; removed power_gollum
then   effects 2
then   asked yellow combat.invade     # he alone is asked, this; `chance`, `nobody`
then   turn red; moves 3; extra 1; dice 2 1
then   left 5                         # to be placed, or counted out: as who is asked sees it
then   result yellow ring_destroyed   # winners and the reason; `none`
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from services.core.contract import Rules
from services.core.decisions import CHANCE
from services.core.frames import Game
from services.risk.board import Board
from services.risk.play.ending import rank_of, score
from services.risk.tables import ADVENTURES, PATH, TERRITORIES, TERRITORY, TERRITORY_CARDS, bits

G = Game[Board]


def assert_fact(rules: Rules[Board], game: G, line: str) -> None:
    """Assert that a position is as each part of the line says."""
    for part in line.split(";"):
        land, colon, held = part.strip().partition(":")
        if colon:
            _stands(game.board, land, held.split())
            continue
        words = part.split()
        if words[0] in game.board.settings.seats:
            _of_seat(rules, game, words)
        else:
            _of_game(rules, game, words)


def _stands(b: Board, name: str, held: Sequence[str]) -> None:
    land = TERRITORY[name]
    found = [b.name(b.owner[land]), str(b.army[land])] + ["leader"] * b.has_leader(land)
    assert list(held) == found, f"{name}: {' '.join(found)}"


def _same(expected: Sequence[str], found: Iterable[str], what: str) -> None:
    there = sorted(found)
    assert sorted([] if list(expected) == ["none"] else expected) == there, f"{what}: {there}"


def _of_seat(rules: Rules[Board], game: G, words: Sequence[str]) -> None:  # noqa: C901 # a list
    b, seat = game.board, game.board.settings.seats.index(words[0])
    rest = words[2:]
    match words[1]:
        case "holds":
            _same(rest, [ADVENTURES[card] for card in bits(b.hands[seat])], "holds")
        case "played":
            _same(rest, [ADVENTURES[card] for card in bits(b.played[seat])], "played")
        case "deeds":
            _same(rest, [TERRITORY_CARDS[card] for card in bits(b.territory_cards[seat])], "deeds")
        case "secret":
            found = [TERRITORY_CARDS[c] for s, c, _, laid in b.secrets if s == seat and not laid]
            _same(rest, found, "secret")
        case "points":
            _same(rest, [str(score(b, seat).points)], "points")
        case "place":
            _same(rest, [str(rank_of(b, seat) or "open")], "place")
        case "sees":
            view = rules.view(game, seat)
            kinds = ("territory_cards", "adventure_cards", "secrets")
            seen = [c for p in view["players"] for kind in kinds for c in p[kind]["known"]]
            assert set(rest) <= set(seen), seen
        case "out":
            assert not b.is_in(seat)
        case "in":
            assert b.is_in(seat)
        case "locked":
            assert b.locked >> seat & 1
        case "free":
            assert not b.locked >> seat & 1
        case _:
            raise AssertionError(f"{' '.join(words)!r} is no fact of a position")


def _of_game(rules: Rules[Board], game: G, words: Sequence[str]) -> None:
    b, rest = game.board, words[1:]
    found = {
        "ring": [TERRITORIES[PATH[b.ring]]],
        "turn": [b.name(b.turn)],
        "discard": [ADVENTURES[card] for card in bits(b.discard)],
        "removed": [ADVENTURES[card] for card in bits(b.removed)],
        "spent": [TERRITORY_CARDS[card] for card in bits(b.territory_discard & ~b.face_down())],
        "face_down": [str(b.face_down().bit_count())],
        "effects": [str(len(b.lasting))],
        "extra": [str(b.extra_cards)],
        "moves": [str(b.moves_left)],
        "left": [str(_view_asked(rules, game)["to_place"])],
        "asked": _asked(rules, game),
        "result": _result(rules, game),
    }
    if words[0] == "dice":
        invasion = rules.view(game, None)["invasion"] or {"dice": 0, "defence": 0}
        found["dice"] = [str(invasion["dice"]), str(invasion["defence"])]
        assert list(rest) == found["dice"], found["dice"]
    elif words[0] in found:
        _same(rest, found[words[0]], words[0])
    else:
        raise AssertionError(f"{' '.join(words)!r} is no fact of a position")


def _view_asked(rules: Rules[Board], game: G) -> Any:
    """The view of whoever is asked."""
    asked = [seat for seat in rules.waiting(game) if seat != CHANCE]
    return rules.view(game, asked[0] if asked else None)


def _asked(rules: Rules[Board], game: G) -> list[str]:
    question = game.question()
    if question is None:
        return ["nobody"]
    waiting = rules.waiting(game)
    return [*("chance" if s == CHANCE else game.board.name(s) for s in waiting), question.prompt]


def _result(rules: Rules[Board], game: G) -> list[str]:
    result = rules.view(game, None)["result"]
    return [*result["winners"], result["reason"]] if result else []
