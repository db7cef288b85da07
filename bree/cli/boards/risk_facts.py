"""The Adventure cards of Risk as the terminal prints them: titles, points, and texts in short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from services.risk.tables import ADVENTURES, POINTS, RECONSTRUCTED, STEM, TITLES


class Card(NamedTuple):
    """One Adventure card."""

    title: str
    text: str
    good: int
    evil: int
    reconstructed: bool = False  # what it scores is not known from the printed card


_TEXTS: Mapping[str, str] = {
    "elven_halls": "bring a Leader to North Mirkwood: 2 battalions for good or 1 for evil anywhere",
    "mount_doom": "bring a Leader to Mount Doom: 2 battalions for good or 5 for evil anywhere",
    "erebor": "bring a Leader to Esgaroth: 4 battalions for good or 2 for evil in Rhûn",
    "hobbiton": "bring a Leader to The Shire: 2 battalions for good or 2 for evil in Eriador",
    "harlond": "bring a Leader to Harlindon: one more Territory card",
    "grey_havens": "bring a Leader to Mithlond: 2 battalions for good or 4 for evil in Eriador",
    "weathertop": "bring a Leader to Weather Hills: 2 battalions for good or 2 for evil in Arnor",
    "mount_gundabad": (
        "bring a Leader to Eastern Angmar: 4 battalions for good or 4 for evil in Arnor"
    ),
    "carn_dum": "bring a Leader to Forodwaith: 2 battalions for good or 2 for evil in Arnor",
    "bree": "bring a Leader to Fornost: 2 battalions for good or 6 for evil in Arnor",
    "lothlorien": "bring a Leader to Lórien: one more Territory card",
    "rauros": "bring a Leader to The Wold: 2 battalions for good or 2 for evil in Rhovanion",
    "dagorlad": "bring a Leader to Dead Marshes: 2 battalions for good or 2 for evil in Rhovanion",
    "easterling_encampment": (
        "bring a Leader to Brown Lands: 6 battalions for good or 2 for evil in Rhovanion"
    ),
    "osgiliath": "bring a Leader to Ithilien: 2 battalions for good or 4 for evil in Gondor",
    "erech": "bring a Leader to Vale of Erech: 6 battalions for good or 6 for evil in Gondor",
    "pelargir": "bring a Leader to Lebennin: 5 battalions for good or 5 for evil in Gondor",
    "dol_amroth": "bring a Leader to Belfalas: 2 battalions for good or 2 for evil anywhere",
    "haradrim_encampment": (
        "bring a Leader to Khand: 2 battalions for good or 4 for evil in Haradwaith"
    ),
    "edoras": "bring a Leader to Gap of Rohan: one more Territory card",
    "tharbad": "bring a Leader to Minhiriath: 4 battalions for good or 4 for evil in Rohan",
    "gates_of_moria": "bring a Leader to Eregion: 2 battalions for good or 4 for evil in Eregion",
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
"""By the name that copies of a card share: what it does, in a line of the terminal."""
CARDS: Mapping[str, Card] = {
    card: Card(
        TITLES[number], _TEXTS[STEM[number]], *POINTS[number], bool(RECONSTRUCTED >> number & 1)
    )
    for number, card in enumerate(ADVENTURES)
}

_ATTACKED = " It is played when you are attacked; say on your turn that you want to be asked then."
_MOVES = " It is played when the Ring is to move; say on your turn that you want to be asked then."
WHEN: Mapping[str, str] = {
    **dict.fromkeys(
        ("Courage Alone Will Not Save You", "Strategic Withdrawal", "Violent Storms"), _ATTACKED
    ),
    **dict.fromkeys(
        (
            "A Balrog Is Come",
            "Boromir Tries to Seize the One Ring",
            "Knife in the Dark",
            "Dangerous Crossing",
            "Gollum",
            "Faramir Finds the Ringbearer",
            "Captured by Orcs",
            "Shelob's Lair",
            "Sméagol",
        ),
        _MOVES,
    ),
}
"""Of cards that are played on the turns of others: what their holder must do to be asked."""
