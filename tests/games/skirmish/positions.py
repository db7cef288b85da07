"""Positions of the toy game, in words: hands and figures as the cards are about to be sealed.

given  option seats 3
given  gondor: charge, horn      # a hand; the others stay in the bag
given  mordor has 1 figures
given  2 rounds are left
"""

from __future__ import annotations

from collections.abc import Sequence

from services.core.contract import Rules
from services.core.frames import Game
from tests.games.skirmish.rules import CARDS, SEATS, Battle, Board, SealCards


def options(lines: Sequence[str]) -> dict[str, str]:
    """The options that lines of the form `option name value` name."""
    chosen = (line.split()[1:] for line in lines if line.startswith("option "))
    return dict(tuple(pair) for pair in chosen)


def given(rules: Rules[Board], lines: Sequence[str]) -> Game[Board]:
    """The position that the lines describe."""
    game = rules.setup(rules.agree(options(lines)))
    seats = len(game.board.figures)
    game.stack = [Battle(at=Battle.script.index("seal") + 1), SealCards(ready=(0,) * seats)]
    for line in lines:
        if not line.startswith("option "):
            _place(game.board, line)
    rules.audit(game)
    return game


def then(rules: Rules[Board], game: Game[Board], line: str) -> None:
    """Assert that a position is as the line says."""
    board, words = game.board, line.split()
    if words[1:2] == ["has"]:
        held = {"figures": board.figures, "cards": [len(hand) for hand in board.hands]}[words[3]]
        assert int(words[2]) == held[SEATS.index(words[0])], f"{words[3]} are {list(held)}"
    else:
        assert [words[0], "is", "spent"] == words, "this is no fact of the skirmish"
        assert board.spent[CARDS.index(words[0])]


def _place(board: Board, line: str) -> None:
    seat, colon, cards = line.partition(":")
    words = line.split()
    if colon:
        for card in cards.split(","):
            board.draw(SEATS.index(seat), CARDS.index(card.strip()))
    elif words[1] == "has":
        board.figures[SEATS.index(words[0])] = int(words[2])
    else:
        board.left = int(words[0])
