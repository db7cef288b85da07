"""What is printed on the Adventure cards of Risk: titles, texts, points for good and evil."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Card(NamedTuple):
    """One Adventure card."""

    title: str
    text: str
    good: int
    evil: int
    reconstructed: bool = False  # what it scores is not known from the printed card


CARDS = {
    "mission_elven_halls": Card(
        "Elven Halls",
        "bring a Leader to North Mirkwood: 2 battalions for good or 1 for evil anywhere",
        2,
        2,
        reconstructed=True,
    ),
    "mission_mount_doom": Card(
        "Mount Doom",
        "bring a Leader to Mount Doom: 2 battalions for good or 5 for evil anywhere",
        2,
        1,
        reconstructed=True,
    ),
    "mission_erebor": Card(
        "Erebor",
        "bring a Leader to Esgaroth: 4 battalions for good or 2 for evil in Rhûn",
        1,
        2,
        reconstructed=True,
    ),
    "mission_hobbiton": Card(
        "Hobbiton",
        "bring a Leader to The Shire: 2 battalions for good or 2 for evil in Eriador",
        2,
        2,
        reconstructed=True,
    ),
    "mission_harlond": Card(
        "Harlond", "bring a Leader to Harlindon: one more Territory card", 2, 3
    ),
    "mission_grey_havens": Card(
        "Grey Havens",
        "bring a Leader to Mithlond: 2 battalions for good or 4 for evil in Eriador",
        2,
        1,
        reconstructed=True,
    ),
    "mission_weathertop": Card(
        "Weathertop",
        "bring a Leader to Weather Hills: 2 battalions for good or 2 for evil in Arnor",
        2,
        2,
        reconstructed=True,
    ),
    "mission_mount_gundabad": Card(
        "Mount Gundabad",
        "bring a Leader to Eastern Angmar: 4 battalions for good or 4 for evil in Arnor",
        1,
        1,
        reconstructed=True,
    ),
    "mission_carn_dum": Card(
        "Carn Dûm",
        "bring a Leader to Forodwaith: 2 battalions for good or 2 for evil in Arnor",
        2,
        2,
    ),
    "mission_bree": Card(
        "Bree",
        "bring a Leader to Fornost: 2 battalions for good or 6 for evil in Arnor",
        2,
        1,
        reconstructed=True,
    ),
    "mission_lothlorien": Card(
        "Lothlórien", "bring a Leader to Lórien: one more Territory card", 2, 2
    ),
    "mission_rauros": Card(
        "Rauros",
        "bring a Leader to The Wold: 2 battalions for good or 2 for evil in Rhovanion",
        2,
        2,
        reconstructed=True,
    ),
    "mission_dagorlad": Card(
        "Dagorlad",
        "bring a Leader to Dead Marshes: 2 battalions for good or 2 for evil in Rhovanion",
        2,
        2,
        reconstructed=True,
    ),
    "mission_easterling_encampment": Card(
        "Easterling Encampment",
        "bring a Leader to Brown Lands: 6 battalions for good or 2 for evil in Rhovanion",
        1,
        2,
        reconstructed=True,
    ),
    "mission_osgiliath": Card(
        "Osgiliath",
        "bring a Leader to Ithilien: 2 battalions for good or 4 for evil in Gondor",
        2,
        1,
        reconstructed=True,
    ),
    "mission_erech": Card(
        "Erech",
        "bring a Leader to Vale of Erech: 6 battalions for good or 6 for evil in Gondor",
        1,
        1,
        reconstructed=True,
    ),
    "mission_pelargir": Card(
        "Pelargir",
        "bring a Leader to Lebennin: 5 battalions for good or 5 for evil in Gondor",
        1,
        1,
        reconstructed=True,
    ),
    "mission_dol_amroth": Card(
        "Dol Amroth",
        "bring a Leader to Belfalas: 2 battalions for good or 2 for evil anywhere",
        2,
        2,
        reconstructed=True,
    ),
    "mission_haradrim_encampment": Card(
        "Haradrim Encampment",
        "bring a Leader to Khand: 2 battalions for good or 4 for evil in Haradwaith",
        2,
        1,
        reconstructed=True,
    ),
    "mission_edoras": Card(
        "Edoras", "bring a Leader to Gap of Rohan: one more Territory card", 2, 2
    ),
    "mission_tharbad": Card(
        "Tharbad",
        "bring a Leader to Minhiriath: 4 battalions for good or 4 for evil in Rohan",
        1,
        1,
        reconstructed=True,
    ),
    "mission_gates_of_moria": Card(
        "Gates of Moria",
        "bring a Leader to Eregion: 2 battalions for good or 4 for evil in Eregion",
        2,
        1,
    ),
    "event_appoint_second_leader_1": Card(
        "Appoint a Second Leader", "with fewer than two Leaders, the drawer places one more", 0, 0
    ),
    "event_appoint_second_leader_2": Card(
        "Appoint a Second Leader", "with fewer than two Leaders, the drawer places one more", 0, 0
    ),
    "event_appoint_second_leader_3": Card(
        "Appoint a Second Leader", "with fewer than two Leaders, the drawer places one more", 0, 0
    ),
    "event_appoint_second_leader_4": Card(
        "Appoint a Second Leader", "with fewer than two Leaders, the drawer places one more", 0, 0
    ),
    "event_winter_storms": Card(
        "Winter Storms",
        "three territories neither invade nor are invaded until his next turn",
        0,
        0,
    ),
    "event_raiders": Card("Raiders", "three territories lose half of their battalions", 0, 0),
    "event_mustering_of_middle_earth": Card(
        "Mustering of Middle-earth", "three territories gain 3 battalions each", 0, 0
    ),
    "event_local_uprising": Card(
        "Local Uprising", "a secret territory gains 4 battalions once its drawer holds it", 0, 0
    ),
    "event_corsairs_of_umbar": Card(
        "Corsairs of Umbar",
        "until his next turn an invasion by sea costs its source 3 battalions",
        0,
        0,
    ),
    "event_the_black_gates_open": Card(
        "The Black Gates Open", "Udûn Vale gains 10 battalions if evil holds it, else loses 2", 0, 0
    ),
    "event_theyve_brought_a_cave_troll": Card(
        "They've Brought a Cave Troll",
        "Moria gains 2 battalions if evil holds it, else loses 2",
        0,
        0,
    ),
    "event_the_entmoot": Card(
        "The Entmoot", "Fangorn gains 2 battalions if good holds it, else loses 2", 0, 0
    ),
    "event_aragorn_arrives": Card(
        "Aragorn Arrives", "Minas Tirith gains 10 battalions if good holds it, else loses 2", 0, 0
    ),
    "power_grima_wormtongue_1": Card(
        "Gríma Wormtongue", "before an invasion, 1 or 2 of the defenders change sides", 1, 1
    ),
    "power_grima_wormtongue_2": Card(
        "Gríma Wormtongue", "before an invasion, 1 or 2 of the defenders change sides", 1, 1
    ),
    "power_courage_alone": Card(
        "Courage Alone Will Not Save You", "4 battalions join your invaded territory", 1, 1
    ),
    "power_you_shall_not_pass_1": Card(
        "You Shall Not Pass!",
        "until your next turn only groups with a Leader cross one bridge",
        1,
        1,
    ),
    "power_you_shall_not_pass_2": Card(
        "You Shall Not Pass!",
        "until your next turn only groups with a Leader cross one bridge",
        1,
        1,
    ),
    "power_ambush": Card("Ambush!", "before an invasion, 3 battalions join its source", 1, 1),
    "power_the_enemy_is_at_hand": Card(
        "The Enemy Is at Hand", "the invaded stronghold gives no bonus", 1, 1
    ),
    "power_siege_machines": Card("Siege Machines", "the invaded stronghold gives no bonus", 1, 1),
    "power_move_by_night": Card("Move by Night", "three more fortify moves", 1, 1),
    "power_the_way_is_under_the_mountains_1": Card(
        "The Way Is Under the Mountains", "invade across a mountain range", 1, 1
    ),
    "power_the_way_is_under_the_mountains_2": Card(
        "The Way Is Under the Mountains", "invade across a mountain range", 1, 1
    ),
    "power_violent_storms": Card(
        "Violent Storms", "the battalions that attack your port by sea are lost", 1, 1
    ),
    "power_borne_to_another_place": Card(
        "Borne to Another Place", "put one of your Leaders on another of your territories", 1, 1
    ),
    "power_hunt_for_the_ringbearer": Card(
        "Hunt for the Ringbearer",
        "4 battalions where the Ring is, if you hold it; else it moves on",
        1,
        1,
    ),
    "power_strategic_withdrawal": Card(
        "Strategic Withdrawal", "all but one battalion leave your invaded territory", 1, 1
    ),
    "power_black_sails": Card(
        "Black Sails", "your highest die counts one more in this invasion by sea", 1, 1
    ),
    "power_a_balrog_is_come": Card("A Balrog Is Come", "the Ring stays in Moria", 1, 1),
    "power_boromir_tries_to_seize_the_one_ring": Card(
        "Boromir Tries to Seize the One Ring", "the Ring stays where it is", 1, 1
    ),
    "power_knife_in_the_dark": Card("Knife in the Dark", "the Ring must roll to leave", 1, 1),
    "power_dangerous_crossing": Card("Dangerous Crossing", "the Ring must roll to leave", 1, 1),
    "power_gollum": Card("Gollum", "the Ring must roll to leave", 1, 1),
    "power_faramir_finds_the_ringbearer": Card(
        "Faramir Finds the Ringbearer", "add 2 to the Ring's roll, or take 2 from it", 1, 1
    ),
    "power_captured_by_orcs": Card("Captured by Orcs", "take 1 from the Ring's roll", 1, 1),
    "power_shelobs_lair": Card("Shelob's Lair", "take 2 from the Ring's roll", 1, 1),
    "power_smeagol": Card("Sméagol", "add 2 to the Ring's roll", 1, 1),
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
