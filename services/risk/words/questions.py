"""What is asked, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.core.decisions import Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.cards.texts import meaning
from services.risk.play.combat import ChooseInvasion
from services.risk.play.counts import NOWHERE, Place, PlaceByTurns
from services.risk.play.invasion import ChooseBattle, Invasion
from services.risk.play.orders import ATTACKED, FELLOWSHIP
from services.risk.play.playable import (
    AFTER_ROLL,
    ATTACK_WINDOWS,
    BEFORE_LEAVING,
    BEFORE_MOVING,
    FELLOWSHIP_WINDOWS,
    INVADED,
    INVADED_BY_SEA,
    READY,
)
from services.risk.play.reinforce import PlaceReinforcements
from services.risk.play.windows import PlayCard, Window, cards_of
from services.risk.tables import IN_WINDOW, TITLES, bits
from services.risk.words.names import battalions, dice, land_name, listed

G = Game[Board]

QUESTIONS: Mapping[str, str] = {
    "setup.deal": "Which territory is dealt?",
    "setup.claim": "Which territory do you claim?",
    "setup.muster": "Where does chance put a battalion?",
    "setup.leader": "Where does your Leader stand?",
    "deck.territory": "Which Territory card is dealt?",
    "deck.adventure": "Which Adventure card is dealt?",
    "deck.hand": "Which Adventure cards are dealt?",
    "dice.roll": "What do the dice show?",
    "dice.battle": "What do the dice show?",
    "reinforce.set": "You hold five Territory cards or more. Which set do you turn in?",
    "conquest.follow": "How many more battalions follow into the conquered territory?",
    "adventure.discard": "You hold five Adventure cards. Which do you discard?",
    "leader.appoint": "Where does your new Leader stand?",
    "leader.replace": "You have no Leader. Where does a new one stand?",
    "card.bridge": "Which bridge do you block?",
    "card.defect": "How many defenders change sides?",
    "card.leader": "Which Leader is borne to another place?",
    "card.bear": "Where is your Leader borne to?",
    "card.withdraw": "Where does the garrison withdraw to?",
    "card.faramir": "Does Faramir help the Ring on, or hinder it?",
}
_WINDOWS: Mapping[str, str] = {
    INVADED: "{to} is invaded from {from}",
    INVADED_BY_SEA: "{to} is attacked by sea from {from}",
    BEFORE_LEAVING: "The Ring is about to move on",
    AFTER_ROLL: "The Ring has rolled {roll} and leaves with 4 or more",
    BEFORE_MOVING: "The Ring leaves unless it is held",
}


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    if asked.prompt in QUESTIONS:
        return QUESTIONS[asked.prompt]
    return _TOLD[asked.prompt](g, asked)


def _where_to(g: G, asked: Place) -> str:
    if asked.land != NOWHERE:
        return f"How many do you place in {land_name(asked.land)}? At most {asked.to_go}."
    if not asked.to_go:
        return "All your battalions are placed. Do you let this stand?"
    return f"Where do you place your battalions? {battalions(asked.to_go)} to go."


def _where_to_first(g: G, asked: PlaceReinforcements) -> str:
    told = _where_to(g, asked)
    return told if asked.planned or asked.land != NOWHERE else told + _unasked(g.board, asked.seat)


_MOMENTS = (
    (ATTACKED, ATTACK_WINDOWS, "you are attacked"),
    (FELLOWSHIP, FELLOWSHIP_WINDOWS, "the Ring is about to move"),
)


def _unasked(b: Board, seat: int) -> str:
    """The cards of a hand for which its seat will not be asked, as things stand."""
    told = ""
    for order, windows, when in _MOMENTS:
        cards = [card for kind in windows for card in bits(b.hands[seat] & IN_WINDOW[kind])]
        if cards and not b.orders[seat] & order:
            names = listed(list(dict.fromkeys(TITLES[card] for card in cards)))
            told += f" You are not asked for {names} when {when}, unless you say so first."
    return told


def _invade(g: G, asked: ChooseInvasion) -> str:
    held = cards_of(g.board, asked.seat, READY)
    side = g.board.settings.sides[asked.seat]
    cards = listed([f"{TITLES[card]} ({meaning(card, side)})" for card in held])
    return "What do you invade, or is your combat over?" + (
        f" With it you may play {cards}." if held else ""
    )


def _one_by_one(g: G, asked: PlaceByTurns) -> str:
    left = battalions(g.board.reserve[asked.seat])
    return f"Where do you place a battalion? You have {left} left."


def _defence(g: G, asked: Any) -> str:
    invasion = g.stack[-2]
    assert isinstance(invasion, Invasion)
    attack = dice(invasion.dice)
    return f"{land_name(invasion.target)} is attacked with {attack}. With how many do you defend?"


def _window(g: G, asked: PlayCard) -> str:
    w: Window = asked.window(g)
    facts = {"from": land_name(w.source), "to": land_name(w.target), "roll": g.board.roll_more}
    return f"{_WINDOWS[w.kind].format(**facts)}. Do you play a card?"


def _battle(g: G, asked: ChooseBattle) -> str:
    b = g.board
    ours, theirs = b.army[asked.source], b.army[asked.target]
    return (
        f"{land_name(asked.source)} ({ours}) invades {land_name(asked.target)} ({theirs}). "
        "How does it go on?"
    )


_TOLD: Mapping[str, Callable[[G, Any], str]] = {
    "window.play": _window,
    "combat.invade": _invade,
    "setup.place": _one_by_one,
    "setup.batch": _where_to,
    "reinforce.place": _where_to_first,
    "mission.place": _where_to,
    "combat.battle": _battle,
    "combat.defence": _defence,
    "fortify.march": lambda g, asked: (
        "Do you move battalions to fortify?"
        if asked.start == NOWHERE
        else f"Where do battalions from {land_name(asked.start)} go?"
    ),
    "fortify.count": lambda g, asked: f"How many battalions move? At most {asked.most}.",
}
