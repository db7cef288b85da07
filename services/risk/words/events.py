"""What has happened, in words: of what the facts say and nothing else.

A fact that is left out is a secret kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from services.core.decisions import Event
from services.risk.tables import ADVENTURE, BRIDGE_ENDS, BRIDGES, TERRITORY, TITLES
from services.risk.words.names import battalions, ended, land_name, listed

Facts = Mapping[str, Any]


def report(event: Event) -> str:
    """An event as a sentence."""
    return EVENTS[event.kind]({key: _named(value) for key, value in event.facts.items()})


def _named(value: object) -> Any:
    """A fact in words; names of things are looked up."""
    if isinstance(value, list | tuple):
        return [_named(item) for item in value]
    text = str(value)
    if text in TERRITORY:
        return land_name(TERRITORY[text])
    if text in ADVENTURE:
        return TITLES[ADVENTURE[text]]
    if text in _COLOURS:
        return "the neutral army" if text == "neutral" else text.capitalize()
    if isinstance(value, str) and text.startswith("wild_"):
        return "a wild card"
    return value


_COLOURS = ("yellow", "red", "green", "black", "neutral")
_REASONS = {
    "ring_destroyed": "the Ring is destroyed",
    "last_player": "nobody else is left",
}
_ENDED = {
    "storms": "The Winter Storms are over.",
    "bridge": "A bridge is open again.",
    "corsairs": "The Corsairs have gone home.",
}


def _drawn(kind: str) -> Callable[[Facts], str]:
    return lambda f: (
        ended(f"{f['seat']} drew {f['card']}") if "card" in f else f"{f['seat']} drew {kind} card."
    )


def _game_ended(f: Facts) -> str:
    points = _by_seat(f["seats"], f["points"])
    verb = "win" if len(f["winners"]) > 1 else "wins"
    return f"{' and '.join(f['winners'])} {verb}: {_REASONS[f['reason']]}. Points: {points}."


def _fought(f: Facts) -> str:
    (ours, theirs), (more, more_theirs) = f["lost"], f["bonus"]
    attack, defence = (" ".join(map(str, dice)) for dice in (f["attack"], f["defence"]))
    return (
        f"{f['from']} threw {attack}{_plus(more)}, {f['to']} {defence}{_plus(more_theirs)}: "
        f"attacker loses {ours}, defender {theirs}."
    )


def _plus(more: int) -> str:
    return f" (+{more})" if more else ""


def _reinforced(f: Facts) -> str:
    found = [f"{battalions(f['territories'])} for land"]
    if f["regions"]:
        found.append(f"{f['regions']} for regions")
    if f["strongholds"]:
        each = "1 each" if len(f["strongholds"]) > 1 else "1"
        found.append(f"{each} for {listed(f['strongholds'])}")
    return f"{f['seat']} receives {'; '.join(found)}."


def _rolled_off(f: Facts) -> str:
    return f"Dice: {_by_seat(f['seats'], f['dice'])}."


def _by_seat(seats: Sequence[str], numbers: Sequence[int]) -> str:
    return ", ".join(f"{seat} {n}" for seat, n in zip(seats, numbers, strict=True))


def _moved(verb: str) -> Callable[[Facts], str]:
    return lambda f: f"{battalions(f['battalions'])} {verb} from {f['from']} to {f['to']}."


EVENTS: Mapping[str, Callable[[Facts], str]] = {
    "dealt": lambda f: f"{f['territory']} was dealt to {f['seat']}.",
    "rolled_off": _rolled_off,
    "claimed": lambda f: f"{f['seat']} claimed {f['territory']}.",
    "mustered": lambda f: f"{f['seat']} gained a battalion in {f['territory']}.",
    "placed": lambda f: f"{f['seat']} placed {battalions(f['battalions'])} in {f['territory']}.",
    "leader_stationed": lambda f: f"A Leader of {f['seat']} stands in {f['territory']}.",
    "first_turn": lambda f: f"{f['seat']} has the first turn.",
    "turn_began": lambda f: f"Turn {f['number']}: {f['seat']}.",
    "effect_ended": lambda f: _ENDED[f["effect"]],
    "reinforced": _reinforced,
    "set_turned_in": lambda f: (
        f"{f['seat']} turned in {', '.join(f['cards'])} for {battalions(f['battalions'])}."
    ),
    "territory_card_drawn": _drawn("a Territory"),
    "adventure_card_drawn": _drawn("an Adventure"),
    "event_drawn": lambda f: f"{f['seat']} drew the event {f['card']}.",
    "adventure_discarded": lambda f: ended(f"{f['seat']} discarded {f['card']}"),
    "card_played": lambda f: ended(f"{f['seat']} played {f['card']}"),
    "mission_completed": lambda f: f"{f['seat']} completed the mission {f['mission']}.",
    "battalions_gained": lambda f: f"{f['territory']} gained {battalions(f['battalions'])}.",
    "battalions_lost": lambda f: f"{f['territory']} lost {battalions(f['battalions'])}.",
    "defected": _moved("changed sides"),
    "withdrew": _moved("withdrew"),
    "followed": _moved("followed"),
    "fortified": _moved("moved"),
    "leader_moved": lambda f: f"A Leader of {f['seat']} went from {f['from']} to {f['to']}.",
    "bridge_blocked": lambda f: f"{f['seat']} blocked the bridge {_bridge(f['bridge'])}.",
    "turned_over": lambda f: f"Turned over: {f['card']}.",
    "secret_kept": lambda f: (
        f"{f['seat']} keeps {f['card']} secret."
        if "card" in f
        else f"{f['seat']} keeps a Territory card secret."
    ),
    "secret_shown": lambda f: f"The card that lay face down was {f['card']}.",
    "uprising_begun": lambda f: f"{f['territory']} rises for {f['seat']}.",
    "deck_shuffled": lambda f: (
        f"The {f['cards']} discarded {f['deck'].capitalize()} cards become the deck."
    ),
    "combat_ended": lambda f: f"{f['seat']} invades no more this turn.",
    "fortify_ended": lambda f: f"{f['seat']} moves no more battalions.",
    "target_named": lambda f: f"An invasion of {f['to']} from {f['from']} is being prepared.",
    "taken_back": lambda f: f"The invasion of {f['territory']} is taken back.",
    "leader_chosen": lambda f: f"The Leader in {f['territory']} is borne to another place.",
    "invasion_declared": lambda f: (
        f"{f['seat']} invades {f['to']} ({f['against']}) from {f['from']}."
    ),
    "invasion_stopped": lambda f: f"The invasion of {f['territory']} is over.",
    "source_switched": lambda f: f"The invasion goes on from {f['territory']}.",
    "corsairs_paid": lambda f: (
        f"The Corsairs took {battalions(f['battalions'])} from {f['territory']}."
    ),
    "storm_took": lambda f: f"A storm took {battalions(f['battalions'])} from {f['territory']}.",
    "battle_fought": _fought,
    "conquered": lambda f: (
        f"{f['seat']} took {f['territory']} from {f['loser']} with {battalions(f['battalions'])}."
    ),
    "eliminated": lambda f: f"{f['by']} has eliminated {f['seat']}{_placed(f)}.",
    "gave_up": lambda f: f"{f['seat']} has given up{_placed(f)}.",
    "hand_discarded": lambda f: ended(f"{f['seat']} laid down {', '.join(f['cards'])}"),
    "roll_changed": lambda f: f"{f['seat']} changed the Ring's roll by {f['by']:+d}.",
    "fellowship_rolled": lambda f: f"The Ring rolled {f['die']} to leave {f['territory']}.",
    "ring_stayed": lambda f: f"The Ring stays in {f['territory']}.",
    "ring_moved": lambda f: f"The Ring moved on to {f['territory']}.",
    "doom_rolled": lambda f: (
        f"At Mount Doom the die shows {f['die']}: "
        + ("the Ring is destroyed." if f["destroyed"] else "the Ring is not destroyed.")
    ),
    "game_ended": _game_ended,
}


def _placed(f: Facts) -> str:
    return f", who comes in as number {f['place']}" if f["place"] else ""


def _bridge(name: str) -> str:
    one, other = BRIDGE_ENDS[BRIDGES.index(name)]
    return f"{land_name(one)}–{land_name(other)}"
