"""A toy game for tests: hidden hands, sealed cards, a bag and dice.

Two or three seats. Each round they fill their hands, seal a card, reveal, strike the next seat and
take losses. The order below is: tables, board, the battle, its questions, the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from services.core.canonical import canonical
from services.core.contract import Option, Options
from services.core.decisions import CHANCE, Action, Event, Pick, Seat
from services.core.errors import Invalid
from services.core.frames import Game, Procedure, Question
from services.core.offers import ABORT, DRAW, TAKE_BACK
from services.core.stacked import Delegates, StackRules
from services.core.vocabulary import Vocabulary

SEATS = ("gondor", "mordor", "rohan")
CARDS = ("none", "charge", "shield", "horn")
NO_CARD, CHARGE, SHIELD, HORN = range(len(CARDS))
DECKS = {"full": (0, 3, 4, 2), "small": (0, 2, 2, 1)}
PIPS = ("0", "1", "2", "3", "4", "5", "6")
STRENGTH, HAND, DICE = 3, 2, 3


class Board:
    """Figures, hands, sealed cards and the bag; counts by seat or by card."""

    __slots__ = ("bag", "figures", "hands", "left", "sealed", "spent")

    def __init__(self, left: int, counts: Sequence[Sequence[int]], hands: Sequence[Any]) -> None:
        self.left = left
        self.figures, self.sealed, self.bag, self.spent = (bytearray([*c]) for c in counts)
        self.hands = [tuple(hand) for hand in hands]

    def counts(self) -> list[bytearray]:
        return [self.figures, self.sealed, self.bag, self.spent]

    def copy(self) -> Board:
        return Board(self.left, self.counts(), self.hands)

    def standing(self) -> list[Seat]:
        return [seat for seat, figures in enumerate(self.figures) if figures]

    def after(self, seat: Seat) -> Seat:
        """The next seat round the table that still stands."""
        return next((s for s in self.standing() if s > seat), self.standing()[0])

    def short_of_cards(self) -> list[Seat]:
        """Who draws: those standing without a full hand, while the bag lasts."""
        return [s for s in self.standing() if len(self.hands[s]) < HAND and any(self.bag)]

    def draw(self, seat: Seat, card: int) -> None:
        self.bag[card] -= 1
        self.hands[seat] = tuple(sorted((*self.hands[seat], card)))

    def spend(self, seat: Seat, card: int) -> None:
        hand = list(self.hands[seat])
        hand.remove(card)
        self.hands[seat] = tuple(hand)
        self.spent[card] += 1

    def any_card(self, pick: Pick) -> int:
        """A card of the bag, each copy as likely as the next."""
        copies = [card for card, count in enumerate(self.bag) for _ in range(count)]
        return copies[pick(len(copies))]


G = Game[Board]


@dataclass(slots=True)
class Battle(Procedure):
    """The whole game: rounds, until one seat is left standing or the light fails."""

    cards: tuple[int, ...] = ()
    hits: tuple[int, ...] = ()

    script: ClassVar = ("draw", "seal", "reveal", "strike", "count", "losses", "end_round")

    def draw(self, g: G) -> None:
        g.call(DrawCards())

    def seal(self, g: G) -> None:
        g.board.sealed = bytearray(len(g.board.figures))
        g.call(SealCards(ready=(0,) * len(g.board.figures)))

    def reveal(self, g: G) -> None:
        self.cards, self.hits = tuple(g.board.sealed), ()
        for seat in g.board.standing():
            if self.cards[seat] != NO_CARD:
                g.board.spend(seat, self.cards[seat])
                g.emit("card_revealed", {"seat": seat, "card": self.cards[seat]}, None)

    def strike(self, g: G) -> None:
        seat = len(self.hits)
        g.call(Roll(seat=seat, needed=3 if self.cards[seat] == CHARGE else 4))

    # Everyone strikes before anyone falls: losses are simultaneous.
    def count(self, g: G) -> None:
        self.hits += (sum(self.got),)
        if len(self.hits) < len(self.cards):
            self.go_to("strike")

    def losses(self, g: G) -> None:
        for seat in g.board.standing():
            target = g.board.after(seat)
            shielded = self.cards[target] == SHIELD
            g.call(TakeLosses(seat=target, hits=max(0, self.hits[seat] - shielded)))

    def end_round(self, g: G) -> None:
        g.board.left -= 1
        self.go_to("draw")
        if not g.board.left or len(g.board.standing()) < 2:
            g.emit("battle_ended", {"left": g.board.left}, None)
            g.stop()


@dataclass(slots=True)
class DrawCards(Question[Board]):
    """Chance fills the hands; only the seat that draws sees the card."""

    prompt: ClassVar = "battle.draw_cards"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,) if g.board.short_of_cards() else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("draw", (card,)) for card, copies in enumerate(g.board.bag) if copies]

    def deal(self, g: G, pick: Pick) -> Action:
        return Action("draw", (g.board.any_card(pick),))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        drawer = g.board.short_of_cards()[0]
        g.board.draw(drawer, action.nouns[0])
        g.emit("card_drawn", {"seat": drawer, "card": action.nouns[0]}, (drawer,))


@dataclass(slots=True)
class SealCards(Question[Board]):
    """Each seat may pick a card, unseen, and says when it is ready; the last opens them."""

    ready: tuple[int, ...] = ()

    prompt: ClassVar = "battle.seal_cards"
    neutral: ClassVar = True  # whoever has picked can only be ready, and nobody knows

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return tuple(seat for seat in g.board.standing() if not self.ready[seat])

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        hand = () if g.board.sealed[seat] else sorted(set(g.board.hands[seat]))
        return [Action("ready"), *(Action("pick", (card,)) for card in hand)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "pick":
            g.board.sealed[seat] = action.nouns[0]
            g.emit("card_picked", {"seat": seat, "card": action.nouns[0]}, (seat,))
        else:
            self.ready = (*self.ready[:seat], 1, *self.ready[seat + 1 :])
            g.emit("got_ready", {"seat": seat}, None)

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        yours = None if seat is None else g.board.sealed[seat]
        return {"ready": list(self.ready), "yours": yours}


@dataclass(slots=True)
class Roll(Question[Board]):
    """Three dice; it says itself what may fall, where a list would be too long."""

    seat: int = 0
    needed: int = 4

    prompt: ClassVar = "battle.roll"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,) if g.board.figures[self.seat] else ()

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        return action.verb == "roll" and len([n for n in action.nouns if 1 <= n <= 6]) == DICE

    def deal(self, g: G, pick: Pick) -> Action:
        return Action("roll", tuple(1 + pick(6) for _ in range(DICE)))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        hits = sum(die >= self.needed for die in action.nouns)
        g.emit("rolled", {"seat": self.seat, "dice": list(action.nouns), "hits": hits}, None)
        g.done(hits)


@dataclass(slots=True)
class TakeLosses(Question[Board]):
    """Each hit costs a figure, or a card that is shown and spent."""

    seat: int = 0
    hits: int = 0

    prompt: ClassVar = "battle.take_losses"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if self.hits and g.board.figures[self.seat] else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("fall"), *(Action("burn", (c,)) for c in sorted(set(g.board.hands[seat])))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        self.hits -= 1
        if action.verb == "burn":
            g.board.spend(seat, action.nouns[0])
        else:
            g.board.figures[seat] -= 1
        g.emit("hit_taken", {"seat": seat, "by": [*action.nouns]}, None)

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"hits": self.hits}


def view(g: G, seat: Seat | None) -> dict[str, object]:
    b, question = g.board, g.question()
    return {
        "left": b.left,
        "figures": list(b.figures),
        "cards": [len(hand) for hand in b.hands],
        "hand": None if seat is None else list(b.hands[seat]),
        "spent": list(b.spent),
        "question": question.shown(g, seat) if question else None,
    }


def audit(g: G) -> None:
    b = g.board
    held = [card for hand in b.hands for card in hand]
    cards = tuple(b.bag[card] + b.spent[card] + held.count(card) for card in range(len(CARDS)))
    assert cards in DECKS.values()
    assert max(b.figures) <= STRENGTH


def guess(g: G, seat: Seat, pick: Pick) -> G:
    twin = g.copy()
    b, others = twin.board, [s for s in range(len(g.board.hands)) if s != seat]
    for card in (card for other in others for card in b.hands[other]):
        b.bag[card] += 1
    for other in others:
        b.hands[other] = ()
        for _ in g.board.hands[other]:
            b.draw(other, b.any_card(pick))
    if isinstance(twin.question(), SealCards):
        for other in (other for other in others if b.figures[other]):
            b.sealed[other] = (NO_CARD, *b.hands[other])[pick(1 + len(b.hands[other]))]
    return twin


def dump(board: Board) -> list[Any]:
    return [board.left, [list(c) for c in board.counts()], [list(h) for h in board.hands]]


def gist(board: Board) -> str:
    return canonical(dump(board))


class Words:
    """What people read."""

    def question(self, g: G, seat: Seat) -> str:
        return f"{SEATS[seat].title()}, {g.where().rpartition(' ')[2]}?"

    def sentence(self, g: G, seat: Seat, action: Action) -> str:
        return f"{SEATS[seat].title()}: {VOCABULARY.spell(action)}."

    def report(self, event: Event) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in event.facts.items())
        return f"{event.kind.replace('_', ' ').capitalize()}: {facts}."


VOCABULARY = Vocabulary(
    {"draw": (CARDS,), "pick": (CARDS,), "burn": (CARDS,), "roll": (PIPS,) * DICE}
    | {"ready": (), "fall": ()}
)


class Skirmish(StackRules[Board]):
    """The contract, for the game above."""

    name = "skirmish"
    title = "Skirmish"
    edition = 1
    options = (
        Option("seats", "2", "How many play.", span=(2, 3)),
        Option("rounds", "3", "How many rounds the light lasts.", span=(1, 6)),
        Option("deck", "full", "Which cards are in the bag.", values=tuple(DECKS)),
    )
    presets: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "duel": {},
        "brawl": {"seats": "3"},
        "raid": {"rounds": "1", "deck": "small"},
    }
    preset_meanings: ClassVar[Mapping[str, str]] = {
        "duel": "Two play three rounds.",
        "brawl": "Three play three rounds.",
        "raid": "Two play a single round, with few cards.",
    }
    offers = (TAKE_BACK, ABORT, DRAW)
    delegates = Delegates(Words(), view, guess, audit, dump, gist)
    first = Battle
    vocabulary = VOCABULARY

    def agree(self, chosen: Mapping[str, str]) -> Options:
        options = super().agree(chosen)
        if options["seats"] == "3" and options["deck"] == "small":
            raise Invalid("three seats need the full deck", said="deck=small")
        return options

    def seats(self, options: Options) -> tuple[str, ...]:
        return SEATS[: int(options["seats"])]

    def bound(self, options: Options) -> int:
        return int(options["rounds"]) * int(options["seats"]) * (HAND + 2 + 1 + DICE)

    def board(self, options: Options) -> Board:
        seats = int(options["seats"])
        counts = [[STRENGTH] * seats, [0] * seats, DECKS[options["deck"]], [0] * len(CARDS)]
        return Board(int(options["rounds"]), counts, [()] * seats)

    def scores(self, g: G) -> tuple[int, ...]:
        return tuple(g.board.figures)

    def give_up(self, g: G, seat: Seat) -> None:
        g.emit("gave_up", {"seat": seat}, None)
        g.board.figures[seat] = 0
        if len(g.board.standing()) < 2:
            g.stop()
        g.advance()

    def end_in_draw(self, g: G) -> list[Event]:
        g.emit("parted", {"figures": 0}, None)
        for seat in range(len(g.board.figures)):
            g.board.figures[seat] = 0
        g.stop()
        return g.drain()

    def load_board(self, saved: list[Any]) -> Board:
        left, counts, hands = saved
        board = Board(int(left), counts, [bytes([*hand]) for hand in hands])
        if [len(c) for c in counts] != [len(hands)] * 2 + [len(CARDS)] * 2:
            raise ValueError("a count is missing")
        return board


RULES = Skirmish()
