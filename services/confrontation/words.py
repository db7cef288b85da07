"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from services.confrontation.board import Board
from services.confrontation.cards.special import CallGwaihir, Gaze
from services.confrontation.play.battle import Battle
from services.confrontation.play.cardplay import CardPlay, PlayAnother
from services.confrontation.play.march import way
from services.confrontation.play.setup import Place
from services.confrontation.play.texts import Support
from services.confrontation.play.turn import Ambush
from services.confrontation.tables import (
    CARD_NAMES,
    CARDS,
    CHARACTERS,
    DARK,
    GOOD,
    NO_CARD,
    PRINTED,
    REGION_NAMES,
    REGIONS,
    SIDES,
    SPECIAL_NAMES,
    SPECIALS,
    STRENGTH,
    STRONG_BESIDE,
    SUPPORTS,
)
from services.core.decisions import CHANCE, Action, Event, Seat
from services.core.frames import Frame, Game

G = Game[Board]
F = TypeVar("F", bound=Frame)

_WITH_ARTICLE = ("Misty Mountains", "Gap of Rohan")
"""Names that are printed without the article that they need in a sentence."""


def _within(name: str) -> str:
    """A name as it stands within a sentence."""
    if name in _WITH_ARTICLE:
        return f"the {name}"
    return f"the {name[4:]}" if name.startswith("The ") else name


def _begun(sentence: str) -> str:
    """A sentence with the capital that it begins with."""
    return sentence[0].upper() + sentence[1:]


_WHO = tuple(_within(character.name) for character in CHARACTERS)
_CARDS = tuple(f"the {name}" if name.isdecimal() else _within(name) for name in CARD_NAMES)
_WHERE = tuple(_within(name) for name in REGION_NAMES)
_SPECIALS = tuple(_within(name) for name in SPECIAL_NAMES)
_NAMES: Mapping[str, str] = {
    **{character.key: name for character, name in zip(CHARACTERS, _WHO, strict=True)},
    **dict(zip(REGIONS, _WHERE, strict=True)),
    **dict(zip(CARDS, _CARDS, strict=True)),
    **dict(zip(SPECIALS, _SPECIALS, strict=True)),
    "good": "Good",
    "dark": "Dark",
}
"""What facts say of things, by their ids."""


# Questions. What is in braces is looked up when it is needed.

_QUESTIONS: Mapping[str, str] = {  # RULES 3.1 lists them by side
    "setup.draft": "Which face of this tile do you field?",
    "setup.specials": "Which special card do you choose{whose}?",
    "setup.place": "Who stands in {start} at the start?",
    "turn.move": "Which character do you move, and where?",
    "tunnel.ambush": "A Good character goes through the tunnel below Moria. Do you let it pass?",
    "battle.target": "Which of the defenders in {region} do you attack?",
    "battle.draw_target": "Chance picks the defender.",
    "battle.good_text": "{battle} What shall {own} do?",
    "battle.dark_text": "{battle} What shall {own} do?",
    "battle.card": "{battle}{shown} Which {other}card do you play?",
    "battle.exchange": "{battle} Good played {good}, and you {dark}. Do you leave it at that?",
    "battle.magic": "{battle}{theirs} Which used card does your Magic become?",
    "battle.retreat_to": "{battle} Where shall {own} retreat to?",
    "battle.support": "{battle} Does anyone come to the aid of {own}?",
    "battle.escape": "{battle} The battle is lost. Shall {own} slip away?",
    "special.point": "Chance points at one of the hidden characters.",
    "special.expose": "Who is uncovered for the rest of the game?",
    "special.palantir": "Do you look into the Palantír?",
    "special.gwaihir": "{battle} Do you call Gwaihir to carry {own} off?",
}


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    return _QUESTIONS[asked.prompt].format_map(_Parts(g, seat))


class _Parts(dict[str, str]):
    """The parts of a question, each made when it is asked for."""

    def __init__(self, g: G, seat: Seat) -> None:
        self.g = g
        self.seat = seat

    def __missing__(self, key: str) -> str:
        return _PARTS[key](self.g, self.seat)


def _frame(g: G, kind: type[F]) -> F:
    return next(frame for frame in g.stack if isinstance(frame, kind))


def _whose(g: G, seat: Seat) -> str:
    return "" if g.board.settings.picks_own else " for your opponent to play with"


def _start(g: G, seat: Seat) -> str:
    return _WHERE[_frame(g, Place).region(g.board.side_of(seat), seat)]


def _combatant(g: G, side: int) -> str:
    """The combatant of a side, whom everyone has seen."""
    return _WHO[g.board.face[_frame(g, Battle).piece(side)]]


def _battle(g: G, seat: Seat) -> str:
    attacker, defender = (_combatant(g, side) for side in (g.board.turn, 1 - g.board.turn))
    return f"{_begun(attacker)} attacked {defender} in {_WHERE[_frame(g, Battle).where]}."


def _played(g: G, side: int) -> str:
    """The open card of a side: Magic is told as what it has become."""
    cards = _frame(g, CardPlay)
    played, counts = cards.played[side], cards.in_force[side]
    return _CARDS[played] if played == counts else f"{_CARDS[played]} as {_CARDS[counts]}"


def _shown(g: G, seat: Seat) -> str:
    """What is known of the cards when one is chosen: Dark's to Gandalf, and one sent back."""
    asked = g.question()
    if isinstance(asked, PlayAnother):
        return f" {_begun(_CARDS[asked.rejected])} was sent back; Dark played {_played(g, DARK)}."
    return _theirs(g, seat)


def _theirs(g: G, seat: Seat) -> str:
    """What the other side has played, if it has."""
    other = 1 - g.board.side_of(seat)
    if _frame(g, CardPlay).played[other] == NO_CARD:
        return ""
    return f" {SIDES[other].capitalize()} played {_played(g, other)}."


_PARTS: Mapping[str, Callable[[G, Seat], str]] = {
    "whose": _whose,
    "start": _start,
    "region": lambda g, s: _WHERE[_frame(g, Battle).where],
    "battle": _battle,
    "own": lambda g, s: _combatant(g, g.board.side_of(s)),
    "shown": _shown,
    "theirs": _theirs,
    "other": lambda g, s: "other " if isinstance(g.question(), PlayAnother) else "",
    "good": lambda g, s: _played(g, GOOD),
    "dark": lambda g, s: _played(g, DARK),
}


# Answers.


def sentence(g: G, seat: Seat, action: Action) -> str:
    """What an action would do."""
    return _begun(_SENTENCES[action.verb](g, seat, action.nouns))


Nouns = tuple[int, ...]


def _move(g: G, seat: Seat, nouns: Nouns) -> str:
    who, to = nouns
    b = g.board
    side, start = b.side_of(seat), b.place[b.piece_of(who)]
    enemies = b.number_at(1 - side, to)
    attack = {0: "", 1: ", to attack"}.get(enemies, f", to attack {enemies} enemies")
    kind = way(b, side, start, to)
    how = f", and show {_WHO[who]}" if kind == "march" else _BY.get(kind, "")
    return f"move {_WHO[who]} from {_WHERE[start]} to {_WHERE[to]}{how}{attack}."


def _pass(g: G, seat: Seat, nouns: Nouns) -> str:
    return _PASSES[type(g.question())]


_PASSES: Mapping[type, str] = {
    Ambush: "let it pass.",
    Gaze: "do not look now.",
    CallGwaihir: "do not call Gwaihir now.",
}


def _stand(g: G, seat: Seat, nouns: Nouns) -> str:
    if isinstance(g.question(), Support):
        return "nobody comes."
    return f"{_combatant(g, g.board.side_of(seat))} will stand, and do nothing special."


def _show(g: G, seat: Seat, nouns: Nouns) -> str:
    helper, helped = nouns[0], _combatant(g, GOOD)
    if isinstance(g.question(), Support):
        return f"show {_WHO[helper]}, who adds {SUPPORTS[helper]} to the strength of {helped}."
    strength = STRONG_BESIDE[g.board.face[_frame(g, Battle).good]][1]
    return f"show {_WHO[helper]}, beside whom {helped} has strength {strength}."


def _target(g: G, seat: Seat, nouns: Nouns) -> str:
    if seat == CHANCE:
        return f"the lot falls on {_WHO[nouns[0]]}."
    return f"attack {_WHO[nouns[0]]}."


_SENTENCES: Mapping[str, Callable[[G, Seat, Nouns], str]] = {
    "field": lambda g, s, n: f"field {_WHO[n[0]]} (strength {STRENGTH[n[0]]}, {_set(n[0])}).",
    "choose": lambda g, s, n: f"choose {_SPECIALS[n[0]]}.",
    "place": lambda g, s, n: f"place {_WHO[n[0]]} in {_WHERE[n[1]]}.",
    "leave": lambda g, s, n: f"leave {_WHERE[n[0]]} empty.",
    "move": _move,
    "pass": _pass,
    "ambush": lambda g, s, n: f"show {_WHO[n[0]]} and destroy whoever is in the tunnel.",
    "random": lambda g, s, n: "leave it to chance among the hidden ones.",
    "target": _target,
    "stand": _stand,
    "retreat": lambda g, s, n: f"retreat to {_WHERE[n[0]]}.",
    "substitute": lambda g, s, n: f"{_WHO[n[0]]} steps in and fights instead.",
    "show": _show,
    "swap": lambda g, s, n: f"change places with {_WHO[n[0]]}, who fights instead.",
    "waive": lambda g, s, n: "no cards are used in this battle.",
    "card": lambda g, s, n: f"play {_CARDS[n[0]]}.",
    "keep": lambda g, s, n: "leave the cards as they are.",
    "exchange": lambda g, s, n: f"exchange your card for {_CARDS[n[0]]}.",
    "reject": lambda g, s, n: "send the other card back: another must be played.",
    "magic": lambda g, s, n: f"Magic becomes {_CARDS[n[0]]}.",
    "fall": lambda g, s, n: f"let {_combatant(g, DARK)} fall.",
    "escape": lambda g, s, n: f"slip away to {_WHERE[n[0]]}.",
    "gandalf_white": lambda g, s, n: (
        "Gandalf the White: instead of a move, Gandalf returns to Fangorn."
    ),
    "shadowfax": lambda g, s, n: (
        f"Shadowfax: {_WHO[n[0]]} steps to {_WHERE[n[1]]} first, then moves again."
    ),
    "king_revealed": lambda g, s, n: (
        f"A King Revealed: instead of a move, oblige a character in {_WHERE[n[0]]} to move."
    ),
    "gwaihir": lambda g, s, n: f"Gwaihir carries {_combatant(g, GOOD)} to {_WHERE[n[0]]}.",
    "palantir": lambda g, s, n: f"look at every character in {_WHERE[n[0]]}.",
    "recall": lambda g, s, n: f"Recall to Mordor: instead of a move, bring {_WHO[n[0]]} back.",
    "dark_of_mordor": lambda g, s, n: (
        f"the Dark of Mordor: move {_WHO[n[0]]} to {_WHERE[n[1]]} first, then another."
    ),
    "crebain": lambda g, s, n: (
        f"Crebain: instead of a move, uncover one in {_WHERE[n[0]]} for the rest of the game."
    ),
    "point": lambda g, s, n: f"the lot falls on {_WHO[n[0]]}, who must move next.",
    "expose": lambda g, s, n: f"uncover {_WHO[n[0]]}.",
}


def _set(number: int) -> str:
    return str(PRINTED[CHARACTERS[number].key]["set"])


# Events: made of what their facts say and nothing else, for a fact left out is a secret kept.


def report(event: Event) -> str:
    """An event as a sentence."""
    facts = {key: _named(value) for key, value in event.facts.items()}
    return _begun(_REPORTS[event.kind](facts))


def _named(value: object) -> str:
    """A fact in words; names of things are looked up."""
    if isinstance(value, list | tuple):
        return _listed([_named(item) for item in value])
    return _NAMES.get(str(value), str(value))


def _listed(names: list[str]) -> str:
    *most, last = names or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


Facts = Mapping[str, str]

_BY = {"tunnel": " through the tunnel", "river": " along the Anduin"}
_REASONS = {
    "ring_in_mordor": "the Ring-bearer has reached Mordor",
    "ring_bearer_defeated": "the Ring-bearer is defeated",
    "shire_overrun": "three Dark characters stand in the Shire",
    "witch_king_in_shire": "the Witch-king has entered the Shire",
    "no_move_left": "the other side has no move left",
    "turn_limit": "the limit of turns is reached",
    "forfeit": "the other side has given up",
}


def outcome(winner: str | None, reason: str) -> str:
    """How a game ended, as a sentence."""
    if winner is None:
        return f"Drawn: {_REASONS[reason]}."
    return f"{_named(winner)} wins: {_REASONS[reason]}."


def _ended(f: Facts) -> str:
    return outcome(None if f["winner"] == "None" else f["winner"], f["reason"])


def _moved(f: Facts) -> str:
    who = f.get("character", f"a hidden character of {f['side']}'s")
    how = _BY.get(f["by"], ", to attack" if f["by"] == "attack" else "")
    return f"{who} went from {f['from']} to {f['to']}{how}."


_REPORTS: Mapping[str, Callable[[Facts], str]] = {
    "game_began": lambda f: f"Game {f['game']} begins.",
    "roster_drafted": lambda f: f"{f['side']} fields {f['characters']}.",
    "specials_chosen": lambda f: f"Special cards in play: {f['cards']}.",
    "placement_opened": lambda f: "Both sides have placed their characters.",
    "moved": _moved,
    "recalled": lambda f: (
        f"Recall to {f['to']} took {f.get('character', 'a hidden character')} from {f['from']}."
    ),
    "ambushed": lambda f: f"{f['character']} rose in {f['region']} and destroyed {f['victim']}.",
    "battle_joined": lambda f: f"{f['attacker']} attacked {f['defender']} in {f['region']}.",
    "shown": lambda f: f"To be seen in {f['region']}: {f['character']}.",
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
    "compared": lambda f: f"The strengths with cards: Good {f['good']}, Dark {f['dark']}.",
    "defeated": lambda f: f"{f['character']} fell.",
    "returned": lambda f: f"{f['character']} went back to {f['region']}.",
    "ring_passed_on": lambda f: f"{f['character']} in {f['region']} took up the Ring.",
    "special_played": lambda f: f"{f['card']} was played.",
    "region_seen": lambda f: f"The Palantír showed {f['region']}: {f['characters']}.",
    "exposed": lambda f: (
        f"{f['character']} was uncovered in {f['region']}, for the rest of the game."
    ),
    "obliged": lambda f: (
        f"{f.get('character', 'a hidden character')} in {f['region']} must move next."
    ),
    "game_ended": _ended,
}
