"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from services.core.decisions import Action, Event, Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.cards.texts import meaning
from services.risk.play.invasion import ChooseBattle, Invasion
from services.risk.play.reinforce import set_value
from services.risk.play.windows import PlayCard, Window
from services.risk.tables import (
    ADVENTURE,
    ADVENTURES,
    BRIDGE_ENDS,
    BRIDGES,
    FACES,
    MISSION_LAND,
    SYMBOL,
    SYMBOL_NAMES,
    SYMBOLS,
    TERRITORY,
    TERRITORY_CARDS,
    TERRITORY_NAMES,
    TITLES,
)

G = Game[Board]
Nouns = tuple[int, ...]


def _land(number: int) -> str:
    return TERRITORY_NAMES[number]


def _battalions(number: int) -> str:
    return "1 battalion" if number == 1 else f"{number} battalions"


# Questions.

_QUESTIONS: Mapping[str, str] = {
    "setup.deal": "Which territory is dealt?",
    "setup.claim": "Which territory do you claim?",
    "setup.muster": "Where does chance put a battalion?",
    "setup.leader": "Where does your Leader stand?",
    "deck.territory": "Which Territory card is dealt?",
    "deck.adventure": "Which Adventure card is dealt?",
    "deck.hand": "Which Adventure cards are dealt?",
    "dice.roll": "What do the dice show?",
    "dice.battle": "What do the dice show?",
    "reinforce.set": "Do you turn in a set of Territory cards?",
    "combat.source": "From where do you invade, or is your combat over?",
    "conquest.follow": "How many more battalions follow into the conquered territory?",
    "mission.claim": "Your Leader has reached a mission's place. Do you complete the mission?",
    "fortify.origin": "From where do you move battalions to fortify?",
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
    "turn_start": "Your turn begins",
    "pre_invasion": "You are about to invade {to} from {from}",
    "invasion_declared_attacker": "You invade {to} from {from}",
    "invasion_declared_defender": "{to} is invaded from {from}",
    "battle_declared_defender": "{to} is attacked by sea from {from}",
    "after_last_invasion": "Combat is over",
    "fellowship_before_leaving": "The Ring is about to move on",
    "fellowship_after_roll": "The Ring has rolled {roll} and leaves with 4 or more",
    "fellowship_final": "The Ring leaves unless it is held",
}


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    if asked.prompt in _QUESTIONS:
        return _QUESTIONS[asked.prompt]
    return _TOLD[asked.prompt](g, asked)


def _where_to(g: G, asked: Any) -> str:
    return f"Where do you place your battalions? {_battalions(asked.left)} to go."


def _defence(g: G, asked: Any) -> str:
    invasion = g.stack[-2]
    assert isinstance(invasion, Invasion)
    dice = f"{invasion.dice} dice" if invasion.dice > 1 else "1 die"
    return f"{_land(invasion.target)} is attacked with {dice}. With how many do you defend?"


def _window(g: G, asked: PlayCard) -> str:
    w: Window = asked.window(g)
    facts = {"from": _land(w.source), "to": _land(w.target), "roll": g.board.roll_more}
    return f"{_WINDOWS[w.kind].format(**facts)}. Do you play a card?"


def _battle(g: G, asked: ChooseBattle) -> str:
    b = g.board
    ours, theirs = b.army[asked.source], b.army[asked.target]
    return (
        f"{_land(asked.source)} ({ours}) invades {_land(asked.target)} ({theirs}). "
        "How does it go on?"
    )


_TOLD: Mapping[str, Callable[[G, Any], str]] = {
    "window.play": _window,
    "setup.place": _where_to,
    "reinforce.place": _where_to,
    "mission.place": _where_to,
    "combat.target": lambda g, asked: f"Which territory do you invade from {_land(asked.source)}?",
    "combat.battle": _battle,
    "combat.defence": _defence,
    "fortify.goal": lambda g, asked: f"Where do the battalions from {_land(asked.start)} go?",
    "fortify.count": lambda g, asked: f"How many battalions move? At most {asked.most}.",
}


# Actions.


def sentence(g: G, seat: Seat, action: Action) -> str:
    """What an action would do."""
    return _SENTENCES[action.verb](g, seat, action.nouns)


def _place(g: G, seat: Seat, n: Nouns) -> str:
    return f"Place {_battalions(n[1])} in {_land(n[0])}, beside {g.board.army[n[0]]}."


def _turn_in(g: G, seat: Seat, n: Nouns) -> str:
    cards = ", ".join(_deed(card) for card in n)
    return f"Turn in {cards} for {set_value(n)} battalions."


def _deed(card: int) -> str:
    symbol = SYMBOL_NAMES[SYMBOLS[SYMBOL[card]]]
    name = TERRITORY_CARDS[card]
    return f"{_land(card)} ({symbol})" if name in TERRITORY else f"{symbol} {name[-1]}"


def _target(g: G, seat: Seat, n: Nouns) -> str:
    return f"Invade {_holding(g, n[0])}."


def _holding(g: G, land: int) -> str:
    """A territory as its invader sees it."""
    b = g.board
    more = [b.name(b.owner[land]), _battalions(b.army[land])]
    if b.has_leader(land):
        more.append("a Leader")
    if b.charter.strongholds >> land & 1:
        more.append("a stronghold")
    return f"{_land(land)} ({', '.join(more)})"


def _source(g: G, seat: Seat, n: Nouns) -> str:
    return f"Invade from {_land(n[0])}, which has {g.board.army[n[0]]}."


def _card(card: int, side: int) -> str:
    place = f" in {_land(MISSION_LAND[card])}" if card in MISSION_LAND else ""
    return f"{TITLES[card]}{place} ({meaning(card, side)})"


def _play(g: G, seat: Seat, n: Nouns) -> str:
    return f"Play {_card(n[0], g.board.charter.sides[seat])}."


def _discard(g: G, seat: Seat, n: Nouns) -> str:
    copy = f", copy {ADVENTURES[n[0]][-1]}" if ADVENTURES[n[0]][-1].isdigit() else ""
    return f"Discard {_card(n[0], g.board.charter.sides[seat])}{copy}."


def _block(g: G, seat: Seat, n: Nouns) -> str:
    one, other = BRIDGE_ENDS[n[0]]
    return f"Block the bridge between {_land(one)} and {_land(other)}."


def _dice(throw: int) -> str:
    return " ".join(map(str, FACES[throw]))


def _pass(g: G, seat: Seat, n: Nouns) -> str:
    asked = g.question()
    assert asked is not None
    if asked.prompt == "reinforce.set":
        return "Keep your Territory cards."
    if asked.prompt == "mission.claim":
        return "Keep the mission for another time."
    if isinstance(asked, PlayCard) and asked.window(g).kind == "pre_invasion":
        return "Declare the invasion without another card."
    return "Play nothing."


def _move(g: G, seat: Seat, n: Nouns) -> str:
    return f"{_battalions(n[0])}." if n[0] else "None."


_SENTENCES: Mapping[str, Callable[[G, Seat, Nouns], str]] = {
    "deal": lambda g, s, n: f"{_land(n[0])} is dealt.",
    "claim": lambda g, s, n: f"Claim {_land(n[0])}.",
    "muster": lambda g, s, n: f"A battalion joins {_land(n[0])}.",
    "place": _place,
    "station": lambda g, s, n: f"Put a Leader in {_land(n[0])}.",
    "draw_territory": lambda g, s, n: f"The card {_deed(n[0])} is drawn.",
    "draw_adventure": lambda g, s, n: f"The card {TITLES[n[0]]} is drawn.",
    "deal_hand": lambda g, s, n: f"Dealt are {', '.join(TITLES[card] for card in n)}.",
    "roll": lambda g, s, n: f"The dice show {_dice(n[0])}.",
    "battle": lambda g, s, n: f"The attacker throws {_dice(n[0])}, the defender {_dice(n[1])}.",
    "turn_in": _turn_in,
    "pass": _pass,
    "back": lambda g, s, n: "Go back and choose again.",
    "play": _play,
    "end_combat": lambda g, s, n: "End your combat.",
    "from": _source,
    "below": lambda g, s, n: (
        f"Play The Way Is Under the Mountains, and invade from {_land(n[0])} across its mountains."
    ),
    "against": _target,
    "stop": lambda g, s, n: "Stop this invasion.",
    "fight": lambda g, s, n: f"Fight one battle with {n[0]} {'die' if n[0] == 1 else 'dice'}.",
    "press": lambda g, s, n: f"Fight on until {_battalions(n[0])} or fewer are left in the source.",
    "switch": lambda g, s, n: f"Go on from {_land(n[0])} with its {g.board.army[n[0]]}.",
    "defend": lambda g, s, n: f"Defend with {n[0]} {'die' if n[0] == 1 else 'dice'}.",
    "hold": lambda g, s, n: "Defend with two dice whenever you may, until this invasion ends.",
    "move": _move,
    "all": lambda g, s, n: "All of them.",
    "heap": lambda g, s, n: "A hundred, and more to follow.",
    "stay": lambda g, s, n: "Move no more battalions.",
    "march": lambda g, s, n: f"Move battalions from {_land(n[0])}, which has {g.board.army[n[0]]}.",
    "to": lambda g, s, n: f"Move them to {_land(n[0])}.",
    "lead": lambda g, s, n: f"Move them to {_land(n[0])} with their Leader.",
    "discard": _discard,
    "block": _block,
    "bear": lambda g, s, n: f"The Leader in {_land(n[0])}.",
    "withdraw": lambda g, s, n: f"Withdraw to {_land(n[0])}.",
    "withdraw_led": lambda g, s, n: f"Withdraw to {_land(n[0])} with the Leader.",
    "help": lambda g, s, n: "Add 2 to the roll.",
    "hinder": lambda g, s, n: "Take 2 from the roll.",
}


# Events: made of what their facts say and nothing else, for a fact left out is a secret kept.

Facts = Mapping[str, Any]


def report(event: Event) -> str:
    """An event as a sentence."""
    return _REPORTS[event.kind]({key: _named(value) for key, value in event.facts.items()})


def _named(value: object) -> Any:
    """A fact in words; names of things are looked up."""
    if isinstance(value, list | tuple):
        return [_named(item) for item in value]
    text = str(value)
    if text in TERRITORY:
        return _land(TERRITORY[text])
    if text in ADVENTURE:
        return TITLES[ADVENTURE[text]]
    if text in _COLOURS:
        return text.capitalize()
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
        f"{f['seat']} drew {f['card']}." if "card" in f else f"{f['seat']} drew {kind} card."
    )


def _ended(f: Facts) -> str:
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
    strongholds = f["strongholds"]
    more = f", 1 each in {', '.join(strongholds)}" if strongholds else ""
    return f"{f['seat']} receives {f['territories']} for land, {f['regions']} for regions{more}."


def _rolled_off(f: Facts) -> str:
    return f"Dice: {_by_seat(f['seats'], f['dice'])}."


def _by_seat(seats: Sequence[str], numbers: Sequence[int]) -> str:
    return ", ".join(f"{seat} {n}" for seat, n in zip(seats, numbers, strict=True))


def _moved(verb: str) -> Callable[[Facts], str]:
    return lambda f: f"{_battalions(f['battalions'])} {verb} from {f['from']} to {f['to']}."


_REPORTS: Mapping[str, Callable[[Facts], str]] = {
    "dealt": lambda f: f"{f['territory']} was dealt to {f['seat']}.",
    "rolled_off": _rolled_off,
    "claimed": lambda f: f"{f['seat']} claimed {f['territory']}.",
    "mustered": lambda f: f"{f['seat']} gained a battalion in {f['territory']}.",
    "placed": lambda f: f"{f['seat']} placed {_battalions(f['battalions'])} in {f['territory']}.",
    "leader_stationed": lambda f: f"A Leader of {f['seat']} stands in {f['territory']}.",
    "first_turn": lambda f: f"{f['seat']} has the first turn.",
    "turn_began": lambda f: f"Turn {f['number']}: {f['seat']}.",
    "effect_ended": lambda f: _ENDED[f["effect"]],
    "reinforced": _reinforced,
    "set_turned_in": lambda f: (
        f"{f['seat']} turned in {', '.join(f['cards'])} for {_battalions(f['battalions'])}."
    ),
    "territory_card_drawn": _drawn("a Territory"),
    "adventure_card_drawn": _drawn("an Adventure"),
    "event_drawn": lambda f: f"{f['seat']} drew the event {f['card']}.",
    "adventure_discarded": lambda f: f"{f['seat']} discarded {f['card']}.",
    "card_played": lambda f: f"{f['seat']} played {f['card']}.",
    "mission_completed": lambda f: f"{f['seat']} completed the mission {f['mission']}.",
    "battalions_gained": lambda f: f"{f['territory']} gained {_battalions(f['battalions'])}.",
    "battalions_lost": lambda f: f"{f['territory']} lost {_battalions(f['battalions'])}.",
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
    "source_named": lambda f: f"An invasion from {f['territory']} is being named.",
    "target_named": lambda f: f"An invasion of {f['to']} from {f['from']} is being prepared.",
    "taken_back": lambda f: "It is taken back.",
    "march_named": lambda f: (
        f"Battalions from {f['from']} will move"
        + (f" to {f['to']}" if "to" in f else "")
        + (" with their Leader." if f.get("leader") else ".")
    ),
    "leader_chosen": lambda f: f"The Leader in {f['territory']} is borne to another place.",
    "counted": lambda f: f"{f['battalions']} battalions are counted out, and more.",
    "invasion_declared": lambda f: (
        f"{f['seat']} invades {f['to']} ({f['against']}) from {f['from']}."
    ),
    "invasion_stopped": lambda f: f"The invasion of {f['territory']} is over.",
    "source_switched": lambda f: f"The invasion goes on from {f['territory']}.",
    "pressed": lambda f: f"{f['territory']} fights on until {_battalions(f['until'])} are left.",
    "stood": lambda f: f"{f['territory']} stands with all it has.",
    "corsairs_paid": lambda f: f"The Corsairs took {f['battalions']} from {f['territory']}.",
    "storm_took": lambda f: f"A storm took {_battalions(f['battalions'])} from {f['territory']}.",
    "battle_fought": _fought,
    "conquered": lambda f: (
        f"{f['seat']} took {f['territory']} from {f['loser']} with {_battalions(f['battalions'])}."
    ),
    "eliminated": lambda f: f"{f['by']} has eliminated {f['seat']}{_placed(f)}.",
    "gave_up": lambda f: f"{f['seat']} has given up{_placed(f)}.",
    "hand_discarded": lambda f: f"{f['seat']} laid down {', '.join(f['cards'])}.",
    "roll_changed": lambda f: f"{f['seat']} changed the Ring's roll by {f['by']:+d}.",
    "fellowship_rolled": lambda f: f"The Ring rolled {f['die']} to leave {f['territory']}.",
    "ring_stayed": lambda f: f"The Ring stays in {f['territory']}.",
    "ring_moved": lambda f: f"The Ring moved on to {f['territory']}.",
    "doom_rolled": lambda f: (
        f"At Mount Doom the die shows {f['die']}: "
        + ("the Ring is destroyed." if f["destroyed"] else "the Ring is not destroyed.")
    ),
    "game_ended": _ended,
}


def _placed(f: Facts) -> str:
    return f", who comes in as number {f['place']}" if f["place"] else ""


def _bridge(name: str) -> str:
    one, other = BRIDGE_ENDS[BRIDGES.index(name)]
    return f"{_land(one)}–{_land(other)}"
