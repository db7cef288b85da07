"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.confrontation.board import Board
from services.confrontation.play.setup import Place
from services.confrontation.tables import (
    CARD_NAMES,
    CARDS,
    CHARACTER,
    CHARACTERS,
    REGION,
    REGION_NAMES,
    SPECIAL,
    SPECIAL_NAMES,
    STRENGTH,
)
from services.core.decisions import CHANCE, Action, Event, Seat
from services.core.frames import Game

G = Game[Board]


def _who(number: int) -> str:
    return CHARACTERS[number].name


def _card(number: int) -> str:
    return f"strength {CARD_NAMES[number]}" if CARD_NAMES[number].isdigit() else CARD_NAMES[number]


_QUESTIONS: Mapping[str, str] = {
    "setup.draft": "Which face of this tile do you field?",
    "setup.specials": "Which special card do you choose?",
    "setup.place": "Who stands in {region} at the start?",
    "turn.move": "Which character do you move, and where?",
    "tunnel.ambush": "Someone passes below Moria. Do you let him?",
    "battle.target": "Which defender do you attack?",
    "battle.draw_target": "Chance picks the defender.",
    "battle.good_text": "Your character is in battle. What does he do?",
    "battle.dark_text": "Your character is in battle. What does he do?",
    "battle.card": "Which card do you play?",
    "battle.exchange": "Both cards are shown. Do you leave them as they are?",
    "battle.magic": "Which used card does your Magic become?",
    "battle.retreat_to": "Where does your character retreat to?",
    "battle.support": "Does anyone come to your character's aid?",
    "battle.escape": "Your character is beaten. Does he slip away?",
    "special.point": "Chance points at one of the hidden characters.",
    "special.expose": "Who is uncovered for good?",
    "special.palantir": "Do you look into the Palantír?",
    "special.gwaihir": "Do you call Gwaihir to carry your character off?",
}


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    if isinstance(asked, Place):
        region = asked.region(g.board.side_of(seat), seat)
        return _QUESTIONS[asked.prompt].format(region=REGION_NAMES[region])
    return _QUESTIONS[asked.prompt]


def sentence(g: G, seat: Seat, action: Action) -> str:
    """What an action would do."""
    return _SENTENCES[action.verb](g, seat, action.nouns)


Nouns = tuple[int, ...]


def _move(g: G, seat: Seat, nouns: Nouns) -> str:
    who, to = nouns
    b = g.board
    start = b.place[b.piece_of(who)]
    enemies = b.number_at(1 - b.side_of(seat), to)
    attack = {0: "", 1: ", to attack"}.get(enemies, f", to attack {enemies} enemies")
    return f"Move {_who(who)} from {REGION_NAMES[start]} to {REGION_NAMES[to]}{attack}."


def _stand(g: G, seat: Seat, nouns: Nouns) -> str:
    return "Stand, and do nothing special."


def _magic(g: G, seat: Seat, nouns: Nouns) -> str:
    return f"Magic becomes {_card(nouns[0])}."


def _show(g: G, seat: Seat, nouns: Nouns) -> str:
    return f"Show {_who(nouns[0])} to strengthen your character."


_SENTENCES: Mapping[str, Callable[[G, Seat, Nouns], str]] = {
    "field": lambda g, s, n: f"Field {_who(n[0])} (strength {STRENGTH[n[0]]}, {_set(n[0])}).",
    "choose": lambda g, s, n: f"Choose {SPECIAL_NAMES[n[0]]}.",
    "place": lambda g, s, n: f"Place {_who(n[0])} in {REGION_NAMES[n[1]]}.",
    "leave": lambda g, s, n: f"Leave {REGION_NAMES[n[0]]} empty.",
    "move": _move,
    "pass": lambda g, s, n: "Let it pass.",
    "ambush": lambda g, s, n: f"Show {_who(n[0])} and destroy whoever is in the tunnel.",
    "random": lambda g, s, n: "Leave it to chance among the hidden ones.",
    "target": lambda g, s, n: (
        f"The defender is {_who(n[0])}." if s == CHANCE else f"Attack {_who(n[0])}."
    ),
    "stand": _stand,
    "retreat": lambda g, s, n: f"Retreat to {REGION_NAMES[n[0]]}.",
    "substitute": lambda g, s, n: f"{_who(n[0])} steps in and fights instead.",
    "show": _show,
    "swap": lambda g, s, n: f"Change places with {_who(n[0])}, who fights instead.",
    "waive": lambda g, s, n: "No cards are used in this battle.",
    "card": lambda g, s, n: f"Play {_card(n[0])}.",
    "keep": lambda g, s, n: "Leave the cards as they are.",
    "exchange": lambda g, s, n: f"Exchange your card for {_card(n[0])}.",
    "reject": lambda g, s, n: "Send the other card back: another must be played.",
    "magic": _magic,
    "fall": lambda g, s, n: "Let him fall.",
    "escape": lambda g, s, n: f"Slip away to {REGION_NAMES[n[0]]}.",
    "gandalf_white": lambda g, s, n: "Gandalf returns to Fangorn, instead of a move.",
    "shadowfax": lambda g, s, n: (
        f"Shadowfax: {_who(n[0])} steps to {REGION_NAMES[n[1]]} first, then moves again."
    ),
    "king_revealed": lambda g, s, n: (
        f"A King Revealed: instead of a move, oblige a character in {REGION_NAMES[n[0]]} to move."
    ),
    "gwaihir": lambda g, s, n: f"Gwaihir carries your character to {REGION_NAMES[n[0]]}.",
    "palantir": lambda g, s, n: f"Look at every character in {REGION_NAMES[n[0]]}.",
    "recall": lambda g, s, n: f"Recall {_who(n[0])} to Mordor, instead of a move.",
    "dark_of_mordor": lambda g, s, n: (
        f"The Dark of Mordor: {_who(n[0])} steps to {REGION_NAMES[n[1]]} first, then another moves."
    ),
    "crebain": lambda g, s, n: (
        f"Crebain: instead of a move, uncover a character in {REGION_NAMES[n[0]]} for good."
    ),
    "point": lambda g, s, n: f"{_who(n[0])} must move next.",
    "expose": lambda g, s, n: f"{_who(n[0])} is uncovered.",
}


def _set(number: int) -> str:
    return "variant" if CHARACTERS[number].key != CHARACTERS[number].tag else "classic"


# Events: made of what their facts say and nothing else, for a fact left out is a secret kept.


def report(event: Event) -> str:
    """An event as a sentence."""
    facts = {key: _named(value) for key, value in event.facts.items()}
    return _REPORTS[event.kind](facts)


def _named(value: object) -> str:
    """A fact in words; names of things are looked up."""
    if isinstance(value, list | tuple):
        return ", ".join(_named(item) for item in value) or "nobody"
    text = str(value)
    if text in CHARACTER:
        return _who(CHARACTER[text])
    if text in REGION:
        return REGION_NAMES[REGION[text]]
    if text in CARDS:
        return _card(CARDS.index(text))
    if text in SPECIAL:
        return SPECIAL_NAMES[SPECIAL[text]]
    return {"good": "Good", "dark": "Dark"}.get(text, text)


Facts = Mapping[str, str]

_BY = {"tunnel": " through the tunnel", "river": " along the Anduin", "attack": " to attack"}

_REASONS = {
    "ring_in_mordor": "the Ring-bearer has reached Mordor",
    "ring_bearer_defeated": "the Ring-bearer is defeated",
    "shire_overrun": "three Dark characters stand in the Shire",
    "witch_king_in_shire": "the Witch-king has entered the Shire",
    "no_move_left": "the other side has no move left",
    "turn_limit": "the limit of turns is reached",
    "forfeit": "the other side has given up",
}


def _ended(f: Facts) -> str:
    reason = _REASONS[f["reason"]]
    return f"Drawn: {reason}." if f["winner"] == "None" else f"{f['winner']} wins: {reason}."


_REPORTS: Mapping[str, Callable[[Facts], str]] = {
    "game_began": lambda f: f"Game {f['game']} begins.",
    "roster_drafted": lambda f: f"{f['side']} fields {f['characters']}.",
    "specials_chosen": lambda f: f"Special cards in play: {f['cards']}.",
    "placement_opened": lambda f: "Both sides have placed their characters.",
    "moved": lambda f: (
        f"{f.get('character', 'A hidden character of ' + f['side'])} went from {f['from']} "
        f"to {f['to']}{_BY.get(f['by'], '')}."
    ),
    "recalled": lambda f: (
        f"Recalled from {f['from']} to {f['to']}: {f.get('character', 'a hidden character')}."
    ),
    "ambushed": lambda f: f"{f['character']} rose in {f['region']} and destroyed {f['victim']}.",
    "battle_joined": lambda f: f"{f['attacker']} attacked {f['defender']} in {f['region']}.",
    "shown": lambda f: f"Shown in {f['region']}: {f['character']}.",
    "places_changed": lambda f: (
        f"{f['character']} changed places with {f['with']} and went to {f['region']}."
    ),
    "retreated": lambda f: f"{f['character']} retreated from {f['from']} to {f['to']}.",
    "cards_waived": lambda f: "No cards were used.",
    "card_revealed": lambda f: f"{f['side']} played {f['card']}.",
    "card_exchanged": lambda f: f"{f['side']} now plays {f['card']}.",
    "card_rejected": lambda f: f"{f['side']} must take {f['card']} back and play another card.",
    "magic_became": lambda f: f"{f['side']}'s Magic became {f['card']}.",
    "overcome": lambda f: f"{f['character']} overcame {f['victim']} outright.",
    "compared": lambda f: f"Good {f['good']}, Dark {f['dark']}.",
    "defeated": lambda f: f"{f['character']} fell.",
    "returned": lambda f: f"{f['character']} went back to {f['region']}.",
    "ring_passed_on": lambda f: f"{f['character']} in {f['region']} took up the Ring.",
    "special_played": lambda f: f"{f['card']} was played.",
    "region_seen": lambda f: f"The Palantír showed {f['region']}: {f['characters']}.",
    "exposed": lambda f: f"Uncovered in {f['region']}, for good: {f['character']}.",
    "obliged": lambda f: (
        f"{f.get('character', 'A hidden character')} in {f['region']} must move next."
    ),
    "game_ended": _ended,
}
