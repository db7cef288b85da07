"""Every question as a sentence (RULES 22)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.core.decisions import Seat
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.play.combat_effects import CombatPlay
from services.warofthering.play.event_effects import EventPlay
from services.warofthering.tables import (
    CARD,
    CARD_NAMES,
    COMBAT,
    COMBAT_NAMES,
    COMBAT_OF,
    FREE,
    NO_CARD,
    REGION_COUNT,
)
from services.warofthering.words.choices import CHOICES, KINDS
from services.warofthering.words.names import AREA_NAMES, many
from services.warofthering.words.stakes import ASKED

G = Game[Board]

# Any of the frames that ask: each function is only called for the prompt beside it.
Asked = Any


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    return QUESTIONS[asked.prompt](g, asked)


def source(g: G) -> str:
    """The card that is being resolved, by name; nothing if there is none."""
    for frame in reversed(g.stack):
        if isinstance(frame, CombatPlay) and frame.card != NO_CARD:
            return COMBAT_NAMES[COMBAT_OF[frame.card]]
        if isinstance(frame, EventPlay) and frame.card != NO_CARD:
            return CARD_NAMES[frame.card]
    return ""


def card_of(what: str) -> str:
    """The name of the card for whose sake something is chosen; nothing if it is for none."""
    if what in CARD:
        return CARD_NAMES[CARD[what]]
    return COMBAT_NAMES[COMBAT[what]] if what in COMBAT else ""


def _choose(g: G, asked: Asked) -> str:
    if asked.what in ASKED:
        return ASKED[asked.what](g)
    if asked.what in CHOICES:
        return CHOICES[asked.what].question
    title = card_of(asked.what) or source(g)
    return f"{title}: {KINDS[asked.verb]}" if title else KINDS[asked.verb].capitalize()


_PURPOSES = {
    "move": "Who of the army in {} moves?",
    "attack": "Who of the army in {} attacks?",
    "advance": "Who of the army in {} advances?",
}


def _detach(g: G, asked: Asked) -> str:
    purpose = _PURPOSES.get(asked.what, "Who of the army in {} goes?")
    return purpose.format(AREA_NAMES[asked.area])


def _march(g: G, asked: Asked) -> str:
    if asked.optional:
        return "Does another army move, and where?"
    return "Which army moves, and where?"


def _recruit(g: G, asked: Asked) -> str:
    if asked.but == REGION_COUNT:
        return "What do you recruit, and where?"
    return "Do you recruit another figure, in another Settlement?"


def _losses(g: G, asked: Asked) -> str:
    return f"How does your army in {AREA_NAMES[asked.area]} take {many(asked.hits, 'hit')}?"


def _excess(g: G, asked: Asked) -> str:
    where = AREA_NAMES[asked.area]
    return f"Too many units in {where}: which one goes back to the reinforcements?"


def _combat_card(g: G, asked: Asked) -> str:
    fight = g.board.battle
    role = "attacker" if asked.side == fight.attacker else "defender"
    return f"Round {fight.round}: which Combat card does the {role} play?"


def _action(g: G, asked: Asked) -> str:
    side = g.board.settings.sides[asked.seat]
    left = g.board.dice_left(side)
    if left == 1:
        return "You have 1 Action die left: what do you use it for?"
    return f"You have {left} Action dice left: which one do you use, and for what?"


def _roll(g: G, asked: Asked) -> str:
    return f"Chance rolls {many(asked.dice, 'die')}{_ROLLS.get(asked.what, '')}."


_ROLLS = {
    "hunt": " for the Hunt",
    "hunt_reroll": " again for the Hunt",
    "tile": " for the Hunt tile",
    "combat_free": " for the Free Peoples' attack",
    "combat_shadow": " for the Shadow's attack",
    "reroll_free": " again for the Free Peoples",
    "reroll_shadow": " again for the Shadow",
    "volley_free": " for an additional attack of the Free Peoples",
    "volley_shadow": " for an additional attack of the Shadow",
    "strike": " for hits",
}

QUESTIONS: Mapping[str, Callable[[G, Asked], str]] = {
    "turn.action": _action,
    "choose.one": _choose,
    "army.detach": _detach,
    "army.march": _march,
    "companions.gather": lambda g, asked: "Which Companions go together?",
    "muster.recruit": _recruit,
    "battle.combat_card": _combat_card,
    "battle.casualties": _losses,
    "stacking.remove_excess": _excess,
    "event.card": lambda g, asked: "Which event card do you play?",
    "event.pay": lambda g, asked: "Which card do you discard to pay?",
    "hand.discard": lambda g, asked: "You hold too many cards: which one do you discard?",
    "hand.swap": lambda g, asked: "Which card do you offer your team-mate in exchange for one?",
    "chance.action_dice": lambda g, asked: (
        f"Chance rolls {many(asked.dice, 'Action die')} of"
        f" the {'Free Peoples' if asked.side == FREE else 'Shadow'}."
    ),
    "chance.roll": _roll,
    "chance.card": lambda g, asked: "Chance draws an event card.",
    "chance.discard": lambda g, asked: "Chance picks the card that is discarded.",
    "chance.tile": lambda g, asked: "Chance draws a Hunt tile.",
    "chance.companion": lambda g, asked: "Chance picks a Companion.",
}
