"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from services.core.decisions import Action, Event, Seat
from services.core.frames import Game
from services.duel.board import Board, R
from services.duel.cards.effects import MANEUVERS
from services.duel.play.armies import PlaceUnits
from services.duel.play.cost import card_price, discard_income, is_chained, tile_price
from services.duel.play.discards import PlayFromDiscard
from services.duel.tables import (
    ALL_REGIONS,
    CARD,
    CARD_EFFECTS,
    CARD_NAMES,
    CHAIN_FROM,
    CHAINS,
    CHOICE_OF,
    PRODUCES,
    RACES,
    REGION,
    REGION_NAMES,
    SKILLS,
    TILE,
    TILE_EFFECTS,
    TILE_NAMES,
    TOKEN,
    TOKEN_NAMES,
    TOKEN_RACE,
    Effect,
)

G = Game[Board]


def many(count: int, thing: str) -> str:
    """So many of a thing, in words."""
    if thing == "fortress" and count != 1:
        return f"{count} fortresses"
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _listed(words: Iterable[str], last: str) -> str:
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


# What is printed on cards, tiles and tokens.


def _regions(chosen: int) -> str:
    if chosen == ALL_REGIONS:
        return "any region"
    return _listed((REGION_NAMES[r] for r in range(R) if chosen >> r & 1), "or")


_EFFECTS: Mapping[str, Callable[[Effect], str]] = {
    "race_symbol": lambda e: RACES[e.what],
    "gain_coins": lambda e: f"gain {many(e.amount, 'coin')}",
    "opponent_loses_coins": lambda e: f"the opponent loses {many(e.amount, 'coin')}",
    "advance_quest": lambda e: many(e.amount, "quest step"),
    "extra_turn": lambda e: "another turn",
    "place_units": lambda e: f"{many(e.amount, 'unit')} in {_regions(e.what)}",
    "place_units_separately": lambda e: f"{many(e.amount, 'unit')}, each in any region",
    "move_units": lambda e: many(e.amount, "movement"),
    "remove_enemy_units": lambda e: f"remove {many(e.amount, 'enemy unit')}",
    "remove_enemy_fortress": lambda e: "remove an enemy fortress",
    "choose_maneuvers": lambda e: f"{many(e.amount, 'maneuver')} of choice",
    "play_from_discard": lambda e: "play a card from the discard pile",
    "alliance_from_one_race": lambda e: "choose a race and keep one of its two top tokens",
    "discard_opponent_card": lambda e: "the opponent loses a grey card of your choice",
    "place_fortress": lambda e: f"a fortress in {REGION_NAMES[e.what]}",
}


def effect_text(effect: Effect) -> str:
    """An effect in a few words."""
    return _EFFECTS[effect.kind](effect)


@cache
def card_text(card: int) -> str:
    """What is printed on a card, in a few words."""
    if card in CHOICE_OF:
        options = CHOICE_OF[card]
        return _listed((s for n, s in enumerate(SKILLS) if options >> n & 1), "or")
    if PRODUCES[card]:
        skills = (SKILLS[skill] for skill, count in PRODUCES[card] for _ in range(count))
        return " and ".join(skills)
    return ", ".join(map(effect_text, CARD_EFFECTS[card]))


@cache
def tile_text(tile: int) -> str:
    """What is printed on a landmark tile, in a few words."""
    return ", ".join(map(effect_text, TILE_EFFECTS[tile]))


TOKEN_TEXTS: Mapping[str, str] = {
    "elves_yellow_extra_turn": "another turn for each yellow card you play",
    "elves_red_anywhere": "the units of a red card may go to any region",
    "elves_wild_skill": "covers one missing skill of any kind every turn",
    "dwarves_no_surcharge": "landmarks cost nothing more for your fortresses",
    "dwarves_landmark_extra_turn": "another turn for each landmark you take",
    "dwarves_green_movement": "2 movements for each green card you play",
    "hobbits_eagle": "the Eagle, which supports you like one more race",
    "hobbits_blue_unit": "1 unit in any region for each blue card you play",
    "hobbits_chain_coins": "3 coins for each card you play through its chain",
    "humans_yellow_quest": "1 quest step for each yellow card you play",
    "humans_red_reinforcement": "1 more unit with each red card you play",
    "humans_double_discard": "twice the coins for each card you discard",
    "ents_extra_turn": "at once, another turn",
    "ents_remove_fortress": "at once, remove an enemy fortress",
    "ents_three_maneuvers": "at once, 3 maneuvers of choice",
    "wizards_quest": "at once, 2 quest steps",
    "wizards_two_units": "at once, 2 units, each in any region",
    "wizards_from_discard": "at once, play a card from the discard pile",
}


# Questions.

_QUESTIONS: Mapping[str, str] = {
    "chapter.deal": "Chance turns up the next card.",
    "chapter.set_aside": "Chance sets a card aside, unseen.",
    "chapter.landmark": "Chance turns up the next landmark.",
    "turn.choose": "Do you play a card, discard one, or take a landmark?",
    "turn.again": "You have earned another turn. Do you take it?",
    "armies.place": "Where do your units go?",
    "armies.place_freely": "Where do you place a unit?",
    "armies.move": "Which unit do you move, and where?",
    "armies.remove": "Where do you remove an enemy unit?",
    "armies.raze": "Which enemy fortress do you remove?",
    "alliance.draw": "Chance draws the next token of the stack.",
    "alliance.keep": "Which alliance token do you keep?",
    "alliance.race": "From which race do you choose a token?",
    "alliance.three": "Do you make the alliance of three races now?",
    "discard.play": "Which card of the discard pile do you play?",
    "discard.strip": "Which grey card does your opponent lose?",
    "maneuver.choose": "Which maneuver do you make?",
}


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    return _QUESTIONS[asked.prompt]


# Actions.


def sentence(g: G, seat: Seat, action: Action) -> str:
    """What an action would do."""
    return _SENTENCES[action.verb](g, seat, action.nouns)


Nouns = tuple[int, ...]


def _coins(price: int) -> str:
    return f"for {many(price, 'coin')}" if price else "for nothing"


def _play(g: G, seat: Seat, nouns: Nouns) -> str:
    (card,) = nouns
    what = f"Play {CARD_NAMES[card]} ({card_text(card)})"
    if isinstance(g.question(), PlayFromDiscard):
        return f"{what} from the discard pile."
    if is_chained(g.board, seat, card):
        return f"{what}, free through the {CHAINS[CHAIN_FROM[card]]}."
    return f"{what} {_coins(card_price(g.board, seat, card))}."


def _discard(g: G, seat: Seat, nouns: Nouns) -> str:
    b = g.board
    coins = discard_income(b, seat)
    if b.charter.limited:
        coins = min(coins, b.reserve)
    return f"Discard {CARD_NAMES[nouns[0]]} {_coins(coins)}."


def _landmark(g: G, seat: Seat, nouns: Nouns) -> str:
    (tile,) = nouns
    price = tile_price(g.board, seat, tile)
    return f"Take {TILE_NAMES[tile]} ({tile_text(tile)}) {_coins(price)}."


def _place(g: G, seat: Seat, nouns: Nouns) -> str:
    b, asked = g.board, g.question()
    units = min(asked.units, b.supply[seat]) if isinstance(asked, PlaceUnits) else 1
    return f"Place {many(units, 'unit')} in {REGION_NAMES[nouns[0]]}{_against(g, seat, nouns[0])}."


def _move(g: G, seat: Seat, nouns: Nouns) -> str:
    start, to = nouns
    ways = f"from {REGION_NAMES[start]} to {REGION_NAMES[to]}"
    return f"Move a unit {ways}{_against(g, seat, to)}."


def _against(g: G, seat: Seat, region: int) -> str:
    enemies = g.board.units[(1 - seat) * R + region]
    return f", against {many(enemies, 'enemy unit')}" if enemies else ""


_PASSES = {
    "turn.again": "Leave the next turn to your opponent.",
    "armies.place_freely": "Place no more units.",
    "armies.move": "Make no more movements.",
    "armies.remove": "Remove no more units.",
    "armies.raze": "Remove no fortress.",
    "alliance.three": "Wait for another race.",
    "discard.play": "Play none of these cards.",
    "maneuver.choose": "Make no more maneuvers.",
}


def _pass(g: G, seat: Seat, nouns: Nouns) -> str:
    asked = g.question()
    assert asked is not None
    return _PASSES[asked.prompt]


def _race(number: int) -> str:
    return RACES[number].capitalize()


_MANEUVERS = dict(
    zip(
        MANEUVERS,
        ("Remove an enemy unit.", "Your opponent loses 1 coin.", "Make a movement."),
        strict=True,
    )
)

_SENTENCES: Mapping[str, Callable[[G, Seat, Nouns], str]] = {
    "deal": lambda g, s, n: f"{CARD_NAMES[n[0]]} is turned up.",
    "set_aside": lambda g, s, n: f"{CARD_NAMES[n[0]]} is set aside.",
    "turn_up": lambda g, s, n: f"{TILE_NAMES[n[0]]} is turned up.",
    "draw": lambda g, s, n: f"The next token is: {TOKEN_NAMES[n[0]]}.",
    "discard": _discard,
    "play": _play,
    "landmark": _landmark,
    "again": lambda g, s, n: "Take another turn.",
    "pass": _pass,
    "place": _place,
    "move": _move,
    "remove": lambda g, s, n: f"Remove a unit from {REGION_NAMES[n[0]]}.",
    "raze": lambda g, s, n: f"Remove the fortress from {REGION_NAMES[n[0]]}.",
    "keep": lambda g, s, n: f"Keep {_token(n[0])}.",
    "call": lambda g, s, n: f"Choose a token of the {_race(n[0])}.",
    "unite": lambda g, s, n: f"Unite {_listed((_race(race) for race in n), 'and')}.",
    "strip": lambda g, s, n: f"Your opponent loses {CARD_NAMES[n[0]]} ({card_text(n[0])}).",
    "maneuver": lambda g, s, n: _MANEUVERS[MANEUVERS[n[0]]],
}


def _token(token: int) -> str:
    text = TOKEN_TEXTS[tuple(TOKEN)[token]]
    return f"the {_race(TOKEN_RACE[token])} token: {text}"


# Events: made of what their facts say and nothing else, for a fact left out is a secret kept.


def report(event: Event) -> str:
    """An event as a sentence."""
    facts = {key: _named(key, value) for key, value in event.facts.items()}
    return _REPORTS[event.kind](facts)


def _named(key: str, value: object) -> str:
    """A fact in words; names of things are looked up."""
    if isinstance(value, list | tuple):
        return ", ".join(_named(key, item) for item in value)
    text = str(value)
    if key in ("side", "winner"):  # a card is called the Fellowship, too
        return SIDE_NAMES.get(text, text)
    for numbers, names in _NAMES:
        if text in numbers:
            return names[numbers[text]]
    return text


SIDE_NAMES = {"fellowship": "The Fellowship", "sauron": "Sauron"}
_NAMES = (
    (REGION, REGION_NAMES),
    (CARD, CARD_NAMES),
    (TILE, TILE_NAMES),
    (TOKEN, TOKEN_NAMES),
)

Facts = Mapping[str, str]

_REASONS = {
    "quest_of_the_ring": "its quest is fulfilled",
    "support_of_the_races": "it has the support of six races",
    "conquest": "it is present in every region",
    "most_regions": "it is present in more regions",
    "equal_regions": "both are present in as many regions",
    "forfeit": "the other side has given up",
}


def _ended(f: Facts) -> str:
    reason = _REASONS[f["reason"]]
    return (
        f"Both share the victory: {reason}."
        if f["winner"] == "None"
        else (f"{f['winner']} wins: {reason}.")
    )


def _count(f: Facts, key: str, thing: str) -> str:
    return many(int(f[key]), thing)


_MODES = {"paid": "", "chained": " through its chain", "from_discard": " from the discard pile"}

_REPORTS: Mapping[str, Callable[[Facts], str]] = {
    "chapter_began": lambda f: f"Chapter {f['chapter']} begins.",
    "card_revealed": lambda f: f"{f['card']} was turned up.",
    "card_set_aside": lambda f: f"{f['card']} was set aside.",
    "landmark_revealed": lambda f: f"The landmark {f['landmark']} was turned up.",
    "card_played": lambda f: (
        f"{f['side']} played {f['card']}{_MODES[f['mode']]}"
        + (f" for {_count(f, 'price', 'coin')}." if f["mode"] == "paid" else ".")
    ),
    "card_discarded": lambda f: (
        f"{f['side']} discarded {f['card']} for {_count(f, 'coins', 'coin')}."
    ),
    "landmark_taken": lambda f: (
        f"{f['side']} took {f['landmark']} for {_count(f, 'price', 'coin')}."
    ),
    "coins_gained": lambda f: f"{f['side']} gained {_count(f, 'coins', 'coin')}.",
    "coins_lost": lambda f: f"{f['side']} lost {_count(f, 'coins', 'coin')}.",
    "quest_advanced": lambda f: (
        f"{f['side']} advanced {_count(f, 'steps', 'quest step')}, to {f['step']}."
    ),
    "extra_turn_earned": lambda f: f"{f['side']} earned another turn.",
    "extra_turn_refused": lambda f: f"{f['side']} did not take another turn.",
    "units_placed": lambda f: f"{f['side']} placed {_count(f, 'units', 'unit')} in {f['region']}.",
    "unit_moved": lambda f: f"{f['side']} moved a unit from {f['from']} to {f['to']}.",
    "conflict_fought": lambda f: (
        f"Conflict in {f['region']}: each side lost {_count(f, 'losses', 'unit')}."
    ),
    "unit_removed": lambda f: f"{f['side']} lost a unit in {f['region']}.",
    "fortress_built": lambda f: f"{f['side']} built a fortress in {f['region']}.",
    "fortress_removed": lambda f: f"{f['side']} lost the fortress in {f['region']}.",
    "alliance_sought": lambda f: f"{f['side']} seeks an alliance: {f['races']}.",
    "maneuver_chosen": lambda f: f"{f['side']} chose a maneuver: {f['maneuver']}.",
    "tokens_revealed": lambda f: f"{f['side']} chooses from these tokens: {f['tokens']}.",
    "token_kept": lambda f: f"{f['side']} kept this token: {f['token']}.",
    "discard_searched": lambda f: (
        f"{f['side']} looked through the discard pile: {_count(f, 'cards', 'card')}."
    ),
    "set_aside_seen": lambda f: f"Set aside in this chapter: {f['cards']}.",
    "card_lost": lambda f: f"{f['side']} lost {f['card']}.",
    "game_ended": _ended,
}
