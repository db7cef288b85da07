"""What every action would do, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.core.decisions import Action, Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.cards.texts import meaning
from services.risk.play.counts import NOWHERE, Place, PlaceByTurns
from services.risk.play.invasion import ChooseBattle
from services.risk.tables import (
    ADVENTURES,
    BRIDGE_ENDS,
    FACES,
    MISSION_LAND,
    SYMBOL,
    SYMBOL_NAMES,
    SYMBOLS,
    TERRITORY,
    TERRITORY_CARDS,
    TITLES,
    set_value,
)
from services.risk.words.names import army_name, battalions, dice, ended, land_name, listed

G = Game[Board]
Nouns = tuple[int, ...]


def placed(asked: Place) -> str:
    """Where battalions have been placed, and how many."""
    return listed([f"{battalions(n)} in {land_name(land)}" for land, n in asked.plan().items()])


def sentence(g: G, seat: Seat, action: Action) -> str:
    """What an action would do."""
    return SENTENCES[action.verb](g, seat, action.nouns)


def _place(g: G, seat: Seat, n: Nouns) -> str:
    asked, beside = g.question(), g.board.army[n[0]]
    if isinstance(asked, PlaceByTurns):
        return f"Place 1 battalion in {land_name(n[0])}, beside {beside}{_ahead(n[1] - 1)}."
    if isinstance(asked, Place):
        beside += asked.plan().get(n[0], 0)
    return f"Place {battalions(n[1])} in {land_name(n[0])}, beside {beside}."


def _ahead(more: int) -> str:
    if not more:
        return ""
    rounds = "your next round" if more == 1 else f"each of your next {more} rounds"
    return f", and 1 more there in {rounds} without being asked"


def _into(g: G, seat: Seat, n: Nouns) -> str:
    return f"Place some battalions in {land_name(n[0])}; how many is asked next."


def _confirm(g: G, seat: Seat, n: Nouns) -> str:
    asked = g.question()
    assert isinstance(asked, Place)
    return f"Let this stand: {placed(asked)}."


def _turn_in(g: G, seat: Seat, n: Nouns) -> str:
    cards = ", ".join(_territory_card(card) for card in n)
    return f"Turn in {cards} for {set_value(n)} battalions."


def _territory_card(card: int) -> str:
    symbol = SYMBOL_NAMES[SYMBOLS[SYMBOL[card]]]
    name = TERRITORY_CARDS[card]
    return f"{land_name(card)} ({symbol})" if name in TERRITORY else f"{symbol} {name[-1]}"


def _invade(g: G, seat: Seat, n: Nouns) -> str:
    return f"{_order(n)} {_ends(g, n)}."


def _assault(g: G, seat: Seat, n: Nouns) -> str:
    return f"{_order(n)} {_ends(g, n)}, and fight on with all dice until 1 battalion is left."


_THE_WAY = "The Way Is Under the Mountains"


def _below(g: G, seat: Seat, n: Nouns) -> str:
    return f"{_order(n, _THE_WAY)} {_ends(g, n)}, across the mountains."


def _order(n: Nouns, *titles: str) -> str:
    """What an invasion begins with: the cards that are played with it."""
    named = [*titles, *[TITLES[card] for card in n[2:]]]
    return f"With {listed(named)} invade" if named else "Invade"


def _ends(g: G, n: Nouns) -> str:
    source, target = n[:2]
    return f"{_holding(g, target)} from {land_name(source)}, which has {g.board.army[source]}"


def _origin(g: G, land: int) -> str:
    """A territory as who marches from it sees it."""
    return f"{land_name(land)}, which has {g.board.army[land]}"


def _holding(g: G, land: int) -> str:
    """A territory as its invader sees it."""
    b = g.board
    more = [army_name(b, b.owner[land]), battalions(b.army[land])]
    if b.has_leader(land):
        more.append("a Leader")
    if b.settings.strongholds >> land & 1:
        more.append("a stronghold")
    return f"{land_name(land)} ({', '.join(more)})"


def _press(g: G, seat: Seat, n: Nouns) -> str:
    asked = g.question()
    assert isinstance(asked, ChooseBattle)
    left = "1 battalion is" if n[0] == 1 else f"{battalions(n[0])} are"
    return f"Fight on until no more than {left} left in {land_name(asked.source)}."


def _back(g: G, seat: Seat, n: Nouns) -> str:
    asked = g.question()
    if isinstance(asked, ChooseBattle):
        return f"Take back the invasion of {land_name(asked.target)}."
    if isinstance(asked, Place) and asked.land == NOWHERE:
        land, number = asked.planned[-2:]
        return f"Take back {battalions(number)} from {land_name(land)}."
    return "Go back and choose again."


def _card(card: int, side: int) -> str:
    where = f" in {land_name(MISSION_LAND[card])}" if card in MISSION_LAND else ""
    return f"{TITLES[card]}{where} ({meaning(card, side)})"


def _play(g: G, seat: Seat, n: Nouns) -> str:
    return f"Play {_card(n[0], g.board.settings.sides[seat])}."


def _discard(g: G, seat: Seat, n: Nouns) -> str:
    copy = f", copy {ADVENTURES[n[0]][-1]}" if ADVENTURES[n[0]][-1].isdigit() else ""
    return f"Discard {_card(n[0], g.board.settings.sides[seat])}{copy}."


def _block(g: G, seat: Seat, n: Nouns) -> str:
    one, other = BRIDGE_ENDS[n[0]]
    return f"Block the bridge between {land_name(one)} and {land_name(other)}."


def _faces(throw: int) -> str:
    return " ".join(map(str, FACES[throw]))


_ASKED = ("you are attacked", "the Ring is about to move")


def _move(g: G, seat: Seat, n: Nouns) -> str:
    return f"{battalions(n[0])}.".capitalize()


SENTENCES: Mapping[str, Callable[[G, Seat, Nouns], str]] = {
    "deal": lambda g, s, n: f"{land_name(n[0])} is dealt.",
    "claim": lambda g, s, n: f"Claim {land_name(n[0])}.",
    "muster": lambda g, s, n: f"A battalion joins {land_name(n[0])}.",
    "place": _place,
    "into": _into,
    "confirm": _confirm,
    "station": lambda g, s, n: f"Put a Leader in {land_name(n[0])}.",
    "draw_territory": lambda g, s, n: f"{_territory_card(n[0])} is drawn.",
    "draw_adventure": lambda g, s, n: f"The card {TITLES[n[0]]} is drawn.",
    "deal_hand": lambda g, s, n: ended(f"Dealt are {', '.join(TITLES[card] for card in n)}"),
    "roll": lambda g, s, n: (
        f"The {'dice show' if len(FACES[n[0]]) > 1 else 'die shows'} {_faces(n[0])}."
    ),
    "battle": lambda g, s, n: f"The attacker throws {_faces(n[0])}, the defender {_faces(n[1])}.",
    "turn_in": _turn_in,
    "pass": lambda g, s, n: "Play nothing.",
    "pass_turn": lambda g, s, n: "Play nothing, and let all pass until this turn ends.",
    "never": lambda g, s, n: "Play nothing, and be asked for cards no more until you say so.",
    "ask": lambda g, s, n: f"Be asked for cards whenever {_ASKED[n[0]]}, from now on.",
    "spare": lambda g, s, n: f"Be asked for cards no more when {_ASKED[n[0]]}.",
    "keep_missions": lambda g, s, n: "Keep your missions when a Leader of yours reaches them.",
    "complete_missions": lambda g, s, n: (
        "Turn your missions in as soon as a Leader of yours reaches them."
    ),
    "back": _back,
    "play": _play,
    "end_combat": lambda g, s, n: "End your combat.",
    "invade": _invade,
    "assault": _assault,
    "below": _below,
    "stop": lambda g, s, n: "Stop this invasion.",
    "fight": lambda g, s, n: f"Fight one battle with {dice(n[0])}.",
    "press": _press,
    "switch": lambda g, s, n: (
        f"Go on from {land_name(n[0])}, which has {battalions(g.board.army[n[0]])}."
    ),
    "defend": lambda g, s, n: f"Defend with {dice(n[0])}.",
    "hold": lambda g, s, n: (
        "Defend with two dice whenever you may, from now on until you say otherwise."
    ),
    "release": lambda g, s, n: "Be asked again with how many dice you defend.",
    "move": _move,
    "all": lambda g, s, n: "All of them.",
    "heap": lambda g, s, n: "A hundred, and more to follow.",
    "stay": lambda g, s, n: "Move no more battalions.",
    "depart": lambda g, s, n: f"Move battalions from {_origin(g, n[0])}; where to is asked next.",
    "march": lambda g, s, n: f"Move battalions from {_origin(g, n[0])}, to {land_name(n[1])}.",
    "lead": lambda g, s, n: (
        f"Move battalions from {_origin(g, n[0])}, with their Leader to {land_name(n[1])}."
    ),
    "discard": _discard,
    "block": _block,
    "bear": lambda g, s, n: f"The Leader in {land_name(n[0])}.",
    "withdraw": lambda g, s, n: f"Withdraw to {land_name(n[0])}.",
    "withdraw_led": lambda g, s, n: f"Withdraw to {land_name(n[0])} with the Leader.",
    "help": lambda g, s, n: "Add 2 to the roll.",
    "hinder": lambda g, s, n: "Take 2 from the roll.",
}
