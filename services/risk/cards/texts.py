"""What the Adventure cards say, in short."""

from __future__ import annotations

from collections.abc import Mapping

from services.risk.tables import (
    MISSION_LAND,
    MISSIONS,
    POINTS,
    RECONSTRUCTED,
    REWARD,
    REWARD_TEXT,
    STEM,
    TERRITORY_NAMES,
)

MEANINGS: Mapping[str, str] = {
    "appoint_second_leader": "with fewer than two Leaders, the drawer places one more",
    "winter_storms": "three territories neither invade nor are invaded until his next turn",
    "raiders": "three territories lose half of their battalions",
    "mustering_of_middle_earth": "three territories gain 3 battalions each",
    "local_uprising": "a secret territory gains 4 battalions once its drawer holds it",
    "corsairs_of_umbar": "until his next turn an invasion by sea costs its source 3 battalions",
    "the_black_gates_open": "Udûn Vale gains 10 battalions if evil holds it, else loses 2",
    "theyve_brought_a_cave_troll": "Moria gains 2 battalions if evil holds it, else loses 2",
    "the_entmoot": "Fangorn gains 2 battalions if good holds it, else loses 2",
    "aragorn_arrives": "Minas Tirith gains 10 battalions if good holds it, else loses 2",
    "grima_wormtongue": "before an invasion, 1 or 2 of the defenders change sides",
    "courage_alone": "4 battalions join your invaded territory",
    "you_shall_not_pass": "until your next turn only groups with a Leader cross one bridge",
    "ambush": "before an invasion, 3 battalions join its source",
    "the_enemy_is_at_hand": "the invaded stronghold gives no bonus",
    "siege_machines": "the invaded stronghold gives no bonus",
    "move_by_night": "three more fortify moves",
    "the_way_is_under_the_mountains": "invade across a mountain range",
    "violent_storms": "the battalions that attack your port by sea are lost",
    "borne_to_another_place": "put one of your Leaders on another of your territories",
    "hunt_for_the_ringbearer": "4 battalions where the Ring is, if you hold it; else it moves on",
    "strategic_withdrawal": "all but one battalion leave your invaded territory",
    "black_sails": "your highest die counts one more in this invasion by sea",
    "a_balrog_is_come": "the Ring stays in Moria",
    "boromir_tries_to_seize_the_one_ring": "the Ring stays where it is",
    "knife_in_the_dark": "the Ring must roll to leave",
    "dangerous_crossing": "the Ring must roll to leave",
    "gollum": "the Ring must roll to leave",
    "faramir_finds_the_ringbearer": "add 2 to the Ring's roll, or take 2 from it",
    "captured_by_orcs": "take 1 from the Ring's roll",
    "shelobs_lair": "take 2 from the Ring's roll",
    "smeagol": "add 2 to the Ring's roll",
}
"""What events and power cards do, by name."""


def meaning(card: int, side: int) -> str:
    """What an Adventure card does for an alignment, and what it scores."""
    if not MISSIONS >> card & 1:
        text = MEANINGS[STEM[card]]
    elif REWARD[card][side]:
        number = REWARD[card][side]
        text = f"{number} battalion{'s' if number != 1 else ''} {REWARD_TEXT[card]}"
    else:
        text = "one more Territory card this turn"
    points = POINTS[card][side]
    source = ", a reconstructed value" if RECONSTRUCTED >> card & 1 else ""
    return f"{text}; {points} point{'s' if points != 1 else ''}{source}" if points else text


def summary(card: int) -> str:
    """What an Adventure card does, for whoever knows no alignment, in a line of a terminal."""
    if not MISSIONS >> card & 1:
        return MEANINGS[STEM[card]]
    good, evil = REWARD[card]
    gained = f"{good} battalions for good or {evil} for evil {REWARD_TEXT[card]}"
    told = gained if good else "one more Territory card"
    return f"bring a Leader to {TERRITORY_NAMES[MISSION_LAND[card]]}: {told}"
