"""Every event as a sentence, from what its facts say and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from services.core.decisions import Event
from services.warofthering.tables import (
    AT_WAR,
    CARD,
    CARD_NAMES,
    COMBAT_NAMES,
    COMBAT_OF,
    FACE,
    FACE_NAMES,
    NATION,
    REGION,
    TILE,
)
from services.warofthering.words.actions import DEED_WORDS
from services.warofthering.words.choices import CHOICES, PLAIN, Choice, numbered
from services.warofthering.words.names import (
    NAME_OF_AREA,
    NAME_OF_FIGURE,
    NATION_TITLES,
    REGION_TITLES,
    SEAT_NAMES,
    SIDE_TITLES,
    TILE_NAMES,
    a,
    figures_name,
    finished,
    force_name,
    listed,
    many,
    one_figure,
)
from services.warofthering.words.questions import card_of

Facts = Mapping[str, Any]


def report(event: Event) -> str:
    """An event as a sentence."""
    return finished(EVENTS[event.kind](event.facts))


def _verb(name: str, one: str, more: str) -> str:
    return more if name.endswith("Peoples") else one


def _seat(facts: Facts, one: str, more: str) -> str:
    """A seat and what it does: the Free Peoples are many."""
    name = SEAT_NAMES[facts["seat"]]
    return f"{name} {_verb(name, one, more)}"


def _side(side: str, one: str, more: str) -> str:
    name = SIDE_TITLES[side]
    return f"{name} {_verb(name, one, more)}"


def _region(facts: Facts, key: str = "region") -> str:
    return REGION_TITLES[REGION[facts[key]]]


def _place(facts: Facts, key: str = "place") -> str:
    return NAME_OF_AREA[facts[key]]


def _figure(facts: Facts, key: str = "figure") -> str:
    return NAME_OF_FIGURE[facts[key]]


def _one(facts: Facts) -> str:
    """One of a figure with its article, or a character."""
    return one_figure(facts["figure"])


def _card(facts: Facts) -> str:
    return CARD_NAMES[CARD[facts["card"]]]


def _nation(facts: Facts) -> str:
    return NATION_TITLES[NATION[facts["nation"]]]


def _nation_does(facts: Facts, one: str, more: str) -> str:
    """A nation and what it does: a people is many."""
    name = _nation(facts)
    return f"{name} {more if name.endswith('s') else one}"


def _faces(faces: Iterable[str]) -> str:
    return listed([FACE_NAMES[FACE[face]] for face in faces])


# The turn.


def _action_taken(f: Facts) -> str:
    return f"{SEAT_NAMES[f['seat']]} ({FACE_NAMES[FACE[f['face']]]}): {DEED_WORDS[f['deed']]}."


def _action_dice(f: Facts) -> str:
    return f"{_side(f['side'], 'rolls', 'roll')} {_faces(f['faces'])}."


def _die_changed(f: Facts) -> str:
    face, to = FACE_NAMES[FACE[f["face"]]], FACE_NAMES[FACE[f["to"]]]
    return f"{_side(f['side'], 'turns', 'turn')} {a(face)} die to {to}."


def _skipped(f: Facts) -> str:
    return f"{_seat(f, 'throws', 'throw')} {a(FACE_NAMES[FACE[f['face']]])} die away."


def _ring_used(f: Facts) -> str:
    left = f"{f['free']} with the Free Peoples, {f['shadow']} with the Shadow"
    return f"{_seat(f, 'uses', 'use')} an Elven Ring: {left}."


_WHY = {
    "ring_destroyed": "The Ring is destroyed in the Crack of Doom",
    "corruption": "The Ring-bearers are corrupted",
    "shadow_conquest": "The Shadow has conquered 10 points",
    "free_conquest": "The Free Peoples have conquered 4 points",
    "turn_limit": "The last turn is over",
    "forfeit": "The game is given up",
}


def _game_ended(f: Facts) -> str:
    how = f"{_side(f['winner'], 'wins', 'win')}" if f["winner"] else "nobody wins"
    how = how[0].lower() + how[1:]
    return f"{_WHY[f['reason']]}: {how}."


# Choices.


def _name_of_choice(choice: str) -> str:
    """The name of what was chosen, whatever kind of thing it is."""
    if choice in NAME_OF_AREA:
        return NAME_OF_AREA[choice]
    if choice in NAME_OF_FIGURE:
        return one_figure(choice)
    if choice in CARD:
        return CARD_NAMES[CARD[choice]]
    if choice in NATION:
        return NATION_TITLES[NATION[choice]]
    return FACE_NAMES[FACE[choice]] if choice in FACE else choice


def _chosen(f: Facts) -> str:
    """What was answered, as the answer itself reads; for a card with its name before it."""
    what, choice = f["what"], f["choice"]
    known = CHOICES.get(what, Choice(""))
    title = "" if what in CHOICES else card_of(what)
    about = f" ({title})" if title else ""
    said = known.words.get(choice) or PLAIN.get(choice) or _answer(known, choice)
    return f"{SEAT_NAMES[f['seat']]}{about}: {finished(said)}"


def _answer(known: Choice, choice: str) -> str:
    if choice.isdecimal():
        return numbered(known, int(choice))
    return known.answer.format(_name_of_choice(choice))


_REFUSALS = {
    "march": "No more armies move.",
    "recruit": "Recruit nothing more.",
    "card": "No card.",
    "companions": "Nobody more.",
}


def _declined(f: Facts) -> str:
    what = f["what"]
    title = "" if what in CHOICES else card_of(what)
    about = f" ({title})" if title else ""
    said = CHOICES[what].decline if what in CHOICES else _REFUSALS.get(what, "None.")
    return f"{SEAT_NAMES[f['seat']]}{about}: {said}"


def _picked(f: Facts) -> str:
    how = "goes" if f["goes"] else "stays"
    return finished(f"{SEAT_NAMES[f['seat']]}: {_one(f)} {how}.")


# Armies and battles.


def _march_chosen(f: Facts) -> str:
    origin = _region(f, "origin")
    if f["to"] is None:
        return f"{SEAT_NAMES[f['seat']]}: a part of the army in {origin}."
    return f"{SEAT_NAMES[f['seat']]}: from {origin} to {_region(f, 'to')}."


def _army_moved(f: Facts) -> str:
    return f"From {_place(f, 'origin')} to {_region(f, 'to')}: {force_name(f['force'])}."


_KINDS = {"field": "attack", "siege": "storm the Stronghold", "sortie": "make a sortie"}
_KIND = {"field": "attacks", "siege": "storms the Stronghold", "sortie": "makes a sortie"}


def _battle_began(f: Facts) -> str:
    who = _side(f["attacker"], _KIND[f["kind"]], _KINDS[f["kind"]])
    return f"{who} in {_region(f)}."


def _combat_card_chosen(f: Facts) -> str:
    if f["deck"] is None:
        return f"{_side(f['side'], 'plays', 'play')} no Combat card."
    return f"{_side(f['side'], 'lays', 'lay')} a {f['deck'].capitalize()} card face down."


def _combat_card_revealed(f: Facts) -> str:
    title = COMBAT_NAMES[COMBAT_OF[CARD[f["card"]]]]
    return f"{_side(f['side'], 'reveals', 'reveal')} {title} ({_card(f)})."


_ROLLED = {
    "hunt": "The Hunt rolls",
    "hunt_reroll": "The Hunt re-rolls",
    "tile": "The tile's die is",
    "combat_free": "The Free Peoples roll",
    "combat_shadow": "The Shadow rolls",
    "reroll_free": "The Free Peoples' leaders re-roll",
    "reroll_shadow": "The Shadow's leaders re-roll",
    "volley_free": "The Free Peoples' additional attack rolls",
    "volley_shadow": "The Shadow's additional attack rolls",
    "strike": "The card rolls",
}


def _rolled(f: Facts) -> str:
    dice = listed([str(pips) for pips in f["dice"]])
    if f["what"] in _ROLLED:
        return f"{_ROLLED[f['what']]} {dice}."
    return f"Rolled for {card_of(f['what']) or 'the card'}: {dice}."


def _hits_scored(f: Facts) -> str:
    return f"{_side(f['side'], 'scores', 'score')} {many(f['hits'], 'hit')}."


def _reduced(f: Facts) -> str:
    return f"{_one(f)} in {_place(f)} is reduced to a Regular."


# Cards.


def _about_card(one: str, more: str) -> Callable[[Facts], str]:
    """A card that its own side sees, and others only the back of."""

    def words(f: Facts) -> str:
        card = _card(f) if "card" in f else f"a {f['deck'].capitalize()} card"
        return f"{_seat(f, one, more)} {card}."

    return words


def _swapped(f: Facts) -> str:
    if "cards" not in f:
        return f"{SIDE_TITLES[f['side']]}: team-mates exchange a card each."
    cards = " and ".join(CARD_NAMES[CARD[card]] for card in f["cards"])
    return f"{SIDE_TITLES[f['side']]}: team-mates exchange {cards}."


# Politics.


def _advanced(f: Facts) -> str:
    if f["box"] == AT_WAR:
        return f"{_nation_does(f, 'is', 'are')} At War."
    return f"{_nation_does(f, 'advances', 'advance')} to box {f['box']}."


EVENTS: Mapping[str, Callable[[Facts], str]] = {
    "turn_began": lambda f: f"Turn {f['turn']} begins.",
    "hunt_allocated": lambda f: f"The Shadow allocates {many(f['dice'], 'die')} to the Hunt.",
    "action_dice_rolled": _action_dice,
    "action_taken": _action_taken,
    "die_changed": _die_changed,
    "die_skipped": _skipped,
    "die_discarded": lambda f: (
        f"{_side(f['side'], 'loses', 'lose')} {a(FACE_NAMES[FACE[f['face']]])} die."
    ),
    "passed": lambda f: f"{_seat(f, 'passes', 'pass')}.",
    "ring_used": _ring_used,
    "game_ended": _game_ended,
    "chosen": _chosen,
    "declined": _declined,
    "figure_picked": _picked,
    "march_chosen": _march_chosen,
    "taken_back": lambda f: f"{_seat(f, 'takes', 'take')} the action back.",
    "rolled": _rolled,
    # Cards.
    "card_drawn": _about_card("draws", "draw"),
    "card_discarded": _about_card("discards", "discard"),
    "cards_swapped": _swapped,
    "event_played": lambda f: f"{_side(f['side'], 'plays', 'play')} {_card(f)}.",
    "card_spent": lambda f: f"{_card(f)} is discarded.",
    "table_card_discarded": lambda f: f"{_card(f)} leaves the table.",
    # Politics.
    "nation_activated": lambda f: f"{_nation_does(f, 'is', 'are')} now active.",
    "nation_advanced": _advanced,
    "nation_stepped_back": lambda f: f"{_nation_does(f, 'steps', 'step')} back to box {f['box']}.",
    # Armies.
    "army_moved": _army_moved,
    "army_hit": lambda f: f"The army in {_place(f)} takes {many(f['hits'], 'hit')}.",
    "armies_combined": lambda f: f"The armies in {_place(f)} are one.",
    "army_retreated": lambda f: f"{_side(f['side'], 'retreats', 'retreat')} to {_region(f, 'to')}.",
    "excess_removed": lambda f: f"Too many in {_place(f, 'area')}: {_one(f)} is removed.",
    "leaders_lost": lambda f: (
        f"{many(f['number'], 'Leader')} without an army"
        f" {'is' if f['number'] == 1 else 'are'} lost in {_region(f)}."
    ),
    "recruited": lambda f: f"Recruited in {_place(f)}: {figures_name(f['figure'], f['number'])}.",
    "upgraded": lambda f: f"{_place(f)}: {figures_name(f['figure'], f['number'])} for Regulars.",
    "settlement_captured": lambda f: f"{_side(f['side'], 'takes', 'take')} {_region(f)}.",
    "siege_ended": lambda f: f"The siege of {_region(f)} is over.",
    # Battles.
    "battle_began": _battle_began,
    "battle_ended": lambda f: "The battle is over.",
    "white_rider": lambda f: "White Rider: the Nazgûl have no Leadership in this battle.",
    "combat_card_chosen": _combat_card_chosen,
    "combat_card_revealed": _combat_card_revealed,
    "hits_scored": _hits_scored,
    "unit_lost": lambda f: f"{_one(f)} in {_place(f)} is lost.",
    "unit_reduced": _reduced,
    "withdrew": lambda f: f"{_side(f['side'], 'withdraws', 'withdraw')} into the Stronghold.",
    # Characters.
    "companions_moved": lambda f: (
        f"{listed([NAME_OF_FIGURE[who] for who in f['companions']])}: from"
        f" {_region(f, 'origin')} to {_region(f, 'to')}."
    ),
    "flew": lambda f: (
        f"{figures_name(f['figure'], f['number'])}: from {_place(f, 'origin')} to"
        f" {_region(f, 'to')}."
    ),
    "entered_play": lambda f: f"{_figure(f)} enters play in {_region(f)}.",
    "eliminated": lambda f: f"{_one(f)} in {_place(f)} is eliminated.",
    # The Fellowship.
    "fellowship_moved": lambda f: f"The Fellowship moves: progress {f['progress']}.",
    "fellowship_hidden": lambda f: "The Fellowship is hidden.",
    "fellowship_revealed": lambda f: "The Fellowship is revealed.",
    "fellowship_found": lambda f: f"The Fellowship is found in {_region(f)}.",
    "fellowship_shifted": lambda f: f"The Fellowship is driven to {_region(f)}.",
    "fellowship_declared": lambda f: f"The Fellowship is declared in {_region(f)}.",
    "mordor_entered": lambda f: "The Fellowship enters Mordor.",
    "mordor_step": lambda f: f"The Fellowship is on step {f['step']} of the Mordor Track.",
    "guide_chosen": lambda f: f"{NAME_OF_FIGURE[f['guide']]} guides the Fellowship.",
    "separated": lambda f: f"{_figure(f, 'companion')} leaves the Fellowship.",
    "companion_picked": lambda f: f"Chance picks {_figure(f, 'companion')}.",
    "companion_lost": lambda f: f"{_figure(f, 'companion')} is lost to the Fellowship.",
    "hobbit_returned": lambda f: f"{_figure(f, 'companion')} is back in the Fellowship.",
    # The Hunt.
    "hunt_rolled": lambda f: f"The Hunt has {many(f['successes'], 'success')}.",
    "tile_drawn": lambda f: f"Hunt tile: {TILE_NAMES[TILE[f['tile']]]}.",
    "tile_without_effect": lambda f: f"{TILE_NAMES[TILE[f['tile']]]} has no effect.",
    "corruption_changed": lambda f: f"Corruption is {f['corruption']}.",
}
