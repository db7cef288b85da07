"""Every action as a sentence: what it would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from services.core.decisions import Action, Seat
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.play.asking import ANSWERS, Choose
from services.warofthering.play.casualties import hits_of
from services.warofthering.play.characters import Gather
from services.warofthering.play.deeds import DEED_NAMES
from services.warofthering.play.forces import Detach
from services.warofthering.play.hunt import RandomDiscard
from services.warofthering.play.marches import ChooseMarch, March
from services.warofthering.play.muster import ChooseRecruit
from services.warofthering.tables import (
    CARD_NAMES,
    COMBAT_NAMES,
    COMBAT_OF,
    DECK_OF_CARD,
    DECKS,
    ELITE,
    FACE_NAMES,
    REGULAR,
)
from services.warofthering.words.choices import CHOICES, PLAIN, Choice, numbered
from services.warofthering.words.names import (
    AREA_NAMES,
    FIGURE_TITLES,
    GUIDE_TITLES,
    NATION_TITLES,
    REGION_TITLES,
    TILE_NAMES,
    a_figure,
    finished,
    force_name,
    listed,
    many,
)
from services.warofthering.words.stakes import STAKES, figure_falls

G = Game[Board]
Nouns = tuple[int, ...]

DEED_WORDS: Mapping[str, str] = {
    "move_fellowship": "move the Fellowship",
    "hide": "hide the Fellowship",
    "separate": "separate Companions from the Fellowship",
    "move_companions": "move Companions on the map",
    "move_minions": "move Nazgûl and Minions",
    "lead_army": "move an army with a leader",
    "lead_attack": "attack with an army with a leader",
    "move_armies": "move up to two armies",
    "attack": "attack with an army",
    "advance": "advance a nation",
    "recruit": "recruit",
    "bring_minion": "bring a Minion into play",
    "voice_of_saruman": "use the Voice of Saruman",
    "draw_event": "draw an event card",
    "crown_aragorn": "crown Aragorn",
    "send_gandalf": "bring Gandalf the White into play",
    "strider_hides": "Strider hides the Fellowship",
    "companion_advances": "a Companion advances his nation",
    "play_event": "play an event card",
    "force_discard": "have a card on the table discarded",
}


def sentence(g: G, seat: Seat, action: Action) -> str:
    """What an action would do."""
    return finished(SENTENCES[action.verb](g, action.nouns))


# Dice.


def _act(g: G, nouns: Nouns) -> str:
    face, deed = nouns
    return f"{FACE_NAMES[face]}: {DEED_WORDS[DEED_NAMES[deed]]}."


def _ring(g: G, nouns: Nouns) -> str:
    face, to = nouns
    return f"Use an Elven Ring: {FACE_NAMES[face]} becomes {FACE_NAMES[to]}."


def _rolled(g: G, nouns: Nouns) -> str:
    return f"Roll {listed([str(pips) for pips in nouns])}."


def _dice(g: G, nouns: Nouns) -> str:
    return f"Roll {listed([FACE_NAMES[face] for face in nouns])}."


# Choices.


def _choice(g: G) -> Choice:
    asked = g.question()
    what = asked.what if isinstance(asked, Choose) else ""
    return CHOICES.get(what, Choice(""))


def _chosen(names: Sequence[str]) -> Callable[[G, Nouns], str]:
    def words(g: G, nouns: Nouns) -> str:
        return _choice(g).answer.format(names[nouns[0]])

    return words


def _figure(g: G, nouns: Nouns) -> str:
    asked = g.question()
    if isinstance(asked, Choose) and asked.what == "heroic_death":
        return figure_falls(g.board, nouns[0])
    return _choice(g).answer.format(a_figure(nouns[0]))


def _number(g: G, nouns: Nouns) -> str:
    (number,) = nouns
    return numbered(_choice(g), number)


def _answer(g: G, nouns: Nouns) -> str:
    word = ANSWERS[nouns[0]]
    asked = g.question()
    if isinstance(asked, Choose) and asked.what in STAKES:
        return STAKES[asked.what](g, word)
    return _choice(g).words.get(word) or PLAIN[word]


def _decline(g: G, nouns: Nouns) -> str:
    if isinstance(g.question(), ChooseRecruit):
        return "Recruit nothing more."
    if isinstance(g.question(), ChooseMarch):
        return CHOICES["march_from"].decline
    if isinstance(g.question(), Gather):
        return "Nobody more."
    return _choice(g).decline


# Armies.


def _march(g: G, nouns: Nouns) -> str:
    area, region = nouns
    frame = g.stack[-2]
    assert isinstance(frame, March)
    force = force_name(frame.most(g.board, area, region))
    return f"From {REGION_TITLES[area]} to {REGION_TITLES[region]}: {force}."


def _all(g: G, nouns: Nouns) -> str:
    asked = g.question()
    assert isinstance(asked, Detach)
    return f"All who can: {force_name(asked.able)}."


def _go(g: G, nouns: Nouns) -> str:
    asked = g.question()
    if isinstance(asked, Detach):
        return f"Go with {force_name(asked.picked)}."
    return "Go with those who are picked."


def _take(g: G, nouns: Nouns) -> str:
    if isinstance(g.question(), Gather):
        return f"{FIGURE_TITLES[nouns[0]]} goes."
    return f"Take {a_figure(nouns[0])}."


# Losses.


def _lose(g: G, nouns: Nouns) -> str:
    """What is lost, for how many hits, and why a whole Elite may count only one."""
    (unit,) = nouns
    hits = hits_of(g.board, Action("lose", nouns))
    cost = f"{FIGURE_TITLES[unit]}, {many(hits, 'hit')}."
    if unit < ELITE or hits > 1:
        return cost
    return f"No {FIGURE_TITLES[REGULAR + unit - ELITE]}s: {cost}"


def _reduce(g: G, nouns: Nouns) -> str:
    return f"{FIGURE_TITLES[nouns[0]]} → Regular, 1 hit."


def _recruit(g: G, nouns: Nouns) -> str:
    figure, region = nouns
    return f"Recruit {a_figure(figure)} in {REGION_TITLES[region]}."


# Cards.


def _draw(g: G, nouns: Nouns) -> str:
    return f"Draw {CARD_NAMES[nouns[0]]}."


def _discard(g: G, nouns: Nouns) -> str:
    how = " at random" if isinstance(g.question(), RandomDiscard) else ""
    return f"Discard {CARD_NAMES[nouns[0]]}{how}."


def _combat(g: G, nouns: Nouns) -> str:
    (card,) = nouns
    deck = DECKS[DECK_OF_CARD[card]].capitalize()
    return f"{COMBAT_NAMES[COMBAT_OF[card]]} ({deck} card {CARD_NAMES[card]})."


def _usual(g: G, nouns: Nouns) -> str:
    return "The usual way: Regulars first, then Elites reduced."


SENTENCES: Mapping[str, Callable[[G, Nouns], str]] = {
    **{f"roll{n}": _rolled for n in range(1, 7)},
    **{f"dice{n}": _dice for n in range(1, 11)},
    "draw": _draw,
    "discard": _discard,
    "keep": lambda g, nouns: "Offer no card.",
    "swap": lambda g, nouns: f"Offer {CARD_NAMES[nouns[0]]}.",
    "tile": lambda g, nouns: f"Draw {TILE_NAMES[nouns[0]]}.",
    "companion": lambda g, nouns: f"Pick {FIGURE_TITLES[nouns[0]]}.",
    "pass": lambda g, nouns: "Pass.",
    "skip": lambda g, nouns: f"{FACE_NAMES[nouns[0]]}: throw the die away.",
    "act": _act,
    "ring": _ring,
    "decline": _decline,
    "region": _chosen(REGION_TITLES),
    "area": _chosen(AREA_NAMES),
    "figure": _figure,
    "guide": _chosen(GUIDE_TITLES),
    "nation": _chosen(NATION_TITLES),
    "number": _number,
    "card": _chosen(CARD_NAMES),
    "face": _chosen(FACE_NAMES),
    "answer": _answer,
    "back": lambda g, nouns: "Take the action back.",
    "march": _march,
    "part": lambda g, nouns: f"A part of the army in {REGION_TITLES[nouns[0]]}.",
    "all": _all,
    "go": _go,
    "take": _take,
    "leave": lambda g, nouns: f"Leave {a_figure(nouns[0])} behind.",
    "remove": lambda g, nouns: f"Remove {a_figure(nouns[0])}.",
    "recruit": _recruit,
    "play": lambda g, nouns: f"Play {CARD_NAMES[nouns[0]]}.",
    "no_card": lambda g, nouns: "Play no Combat card.",
    "combat": _combat,
    "usual": _usual,
    "lose": _lose,
    "reduce": _reduce,
}
