"""Games of a few lines, whose best moves are known, for the tests of the search."""

from __future__ import annotations

from abc import ABC, abstractmethod

from services.core.decisions import CHANCE, Action, Ask, Event


class State:
    """The moves so far, each with who made it."""

    def __init__(self, moves=()):
        self.moves = list(moves)

    def copy(self):
        return State(self.moves)

    def of(self, seat):
        """What a seat has chosen, in order."""
        return [choice for who, choice in self.moves if who == seat]


class Toy(ABC):
    """The part of the contract that bots use. A game says who is asked, and who has won."""

    name = "toy"
    seats = 2
    sealed = False  # whether a move is shown to nobody else

    @abstractmethod
    def asked(self, g):
        """Who decides, and how many choices there are; nobody at the end."""

    @abstractmethod
    def scores(self, g):
        """What each seat has, as the contract says it."""

    def setup(self):
        return State()

    def waiting(self, g):
        return self.asked(g)[0]

    def ask(self, g, seat):
        return Ask("toy.choose", [Action("choose", (n,)) for n in range(self.asked(g)[1])])

    def deal(self, g, pick):
        return Action("choose", (pick(self.asked(g)[1]),))

    def apply(self, g, seat, action):
        g.moves.append((seat, action.nouns[0]))
        facts = {"seat": seat, "choice": action.nouns[0]}
        return [Event("chosen", facts, frozenset({seat}) if self.sealed else None)]

    def guess(self, g, seat, pick):
        twin = g.copy()
        if self.sealed:
            choices = [(who, self.redrawn(who, seat, choice, pick)) for who, choice in g.moves]
            twin.moves = choices
        return twin

    def redrawn(self, who, seat, choice, pick):
        """What a seat takes a hidden choice to have been."""
        return choice if who == seat else pick(2)

    def view(self, g, seat):
        return [(who, "?" if self.sealed and who != seat else choice) for who, choice in g.moves]


class Nim(Toy):
    """Take one, two or three of the heap; who takes the last has won."""

    def __init__(self, heap):
        self.heap = heap

    def left(self, g):
        return self.heap - sum(choice + 1 for _, choice in g.moves)

    def asked(self, g):
        left = self.left(g)
        return ((len(g.moves) % 2,) if left else (), min(3, left))

    def scores(self, g):
        if self.left(g):
            return (0, 0)
        winner = g.moves[-1][0]
        return (1, -1) if winner == 0 else (-1, 1)


class Bet(Toy):
    """Choice 0 throws a die and wins with `faces` of its six faces; choice 1 with three."""

    def __init__(self, faces):
        self.faces = faces

    def asked(self, g):
        return (((0,), 2), ((CHANCE,), 6), ((), 0))[len(g.moves)]

    def scores(self, g):
        if len(g.moves) < 2:
            return (0, 0)
        (_, choice), (_, die) = g.moves
        won = die < (3 if choice else self.faces)
        return (1, -1) if won else (-1, 1)


class Pennies(Toy):
    """Both choose heads or tails at the same time; seat 0 wins if they are the same."""

    sealed = True

    def asked(self, g):
        return tuple(seat for seat in (0, 1) if not g.of(seat)), 2

    def scores(self, g):
        if len(g.moves) < 2:
            return (0, 0)
        return (1, -1) if g.of(0) == g.of(1) else (-1, 1)


class Lopsided(Pennies):
    """The same, but two heads are a draw."""

    def scores(self, g):
        return (0, 0) if g.of(0) == g.of(1) == [0] else super().scores(g)


class HideAndSeek(Pennies):
    """Seat 0 hides first, and seat 1 looks for it; a third choice gives half a chance."""

    def asked(self, g):
        return (((0,), 3), ((1,), 2), ((), 0))[len(g.moves)]

    def scores(self, g):
        if len(g.moves) < 2 or g.of(0) == [2]:
            return (0, 0)
        return (-1, 1) if g.of(0) == g.of(1) else (1, -1)


class Kingmaker(Toy):
    """Three seats; seat 2 can make itself first or let seat 0 win, and seat 0 moves before it.

    Seat 0 trusts (1) or takes the second place (0). Seat 2 has no reason to be kind.
    """

    seats = 3

    def asked(self, g):
        if not g.moves:
            return (0,), 2
        if g.of(0) == [0] or len(g.moves) == 2:
            return (), 0
        return (2,), 2

    def scores(self, g):
        if g.of(0) == [0]:
            return (1, 2, 0)
        return (2, 1, 0) if g.of(2) == [1] else (0, 1, 2)


class TwoSteps(Toy):
    """Seat 0 answers twice in a row; only 2 and then 1 wins."""

    def asked(self, g):
        return ((0,), 3) if len(g.moves) < 2 else ((), 0)

    def scores(self, g):
        return (1, -1) if g.of(0) == [2, 1] else (-1, 1)


class Interrupted(TwoSteps):
    """The same with a die between, which a seat sees."""

    def asked(self, g):
        return (((0,), 3), ((CHANCE,), 6), ((0,), 3), ((), 0))[len(g.moves)]


class Crowded(Toy):
    """A hundred choices, of which the last wins."""

    def asked(self, g):
        return ((), 0) if g.moves else ((0,), 100)

    def scores(self, g):
        return (1, -1) if g.of(0) == [99] else (-1, 1)
