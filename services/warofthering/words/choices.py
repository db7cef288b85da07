"""The words of choices between several things, by what is chosen for.

Each has a question, how an answer reads (with the name of what is chosen in it), and how declining
reads. Choices between words have a sentence for each word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Choice(NamedTuple):
    """How one choice reads."""

    question: str
    answer: str = "{}."
    decline: str = "None."
    words: Mapping[str, str] = {}


_NO_YES = ("No.", "Yes.")


def _yes(question: str, no: str = _NO_YES[0], yes: str = _NO_YES[1]) -> Choice:
    return Choice(question, words={"no": no, "yes": yes})


def _card(question: str, use: str) -> Choice:
    return Choice(question, words={"keep": "Keep the card.", "use": use})


CHOICES: Mapping[str, Choice] = {
    # The turn and its phases.
    "allocate_hunt": Choice(
        "How many Action dice do you allocate to the Hunt?", "Allocate {} to the Hunt Box."
    ),
    "declare": Choice(
        "Do you declare the Fellowship, and where?",
        "Declare it in {}.",
        "Do not declare it.",
    ),
    "enter_mordor": _yes(
        "Does the Fellowship enter Mordor?", "Stay outside Mordor.", "Enter the Mordor Track."
    ),
    "guide": Choice("Who guides the Fellowship?", "{} is the Guide."),
    "deck": Choice(
        "From which deck do you draw?",
        words={
            "character_deck": "Draw a Character event card.",
            "strategy_deck": "Draw a Strategy event card.",
        },
    ),
    "force": Choice("Which card on the table is discarded?", "Have {} discarded."),
    "gandalf_draw": _yes(
        "Gandalf the Grey guides: do you draw a card?", "Do not draw.", "Draw a card."
    ),
    # Armies.
    "march_from": Choice("Which army moves?", "The army in {}.", "No more armies move."),
    "march_to": Choice("Where does the army move?", "To {}."),
    "march_on": Choice("Does the army go on, and where?", "On to {}.", "Stop here."),
    "attack_from": Choice("Which army attacks?", "The army in {}."),
    "attack_whom": Choice("Whom does it attack?", "Attack the army in {}."),
    # Characters.
    "companions_to": Choice("Where do they go?", "To {}."),
    "separate_to": Choice("Where do those go who leave the Fellowship?", "To {}."),
    "meriadoc_to": Choice("Meriadoc leaves the Fellowship: where does he go?", "To {}."),
    "peregrin_to": Choice("Peregrin leaves the Fellowship: where does he go?", "To {}."),
    "fly_from": Choice("From where do Nazgûl or Minions move?", "From {}.", "No more move."),
    "fly_who": Choice("Who moves?", "{}."),
    "fly_number": Choice("How many Nazgûl fly?", "Fly with {}."),
    "fly_to": Choice("Where do they go?", "To {}."),
    # Mustering.
    "levy": Choice("Which unit do you recruit?", "Recruit: {}."),
    "minion": Choice("Which Minion enters play?", "{} enters play."),
    "minion_to": Choice("Where does the Minion enter play?", "In {}."),
    "gandalf_to": Choice("Where does Gandalf the White enter play?", "In {}."),
    "voice_of_saruman": Choice(
        "What does the Voice of Saruman do?",
        words={
            "recruit": "Recruit an Isengard Regular in every Isengard Settlement.",
            "upgrade": "Replace two Isengard Regulars in Orthanc by Elites.",
        },
    ),
    "advance": Choice(
        "Do you advance?",
        "Advance {}.",
        words={"no": "Stay where the army is.", "yes": "Advance into the region."},
    ),
    # Battles.
    "white_rider": _yes(
        "White Rider: does Gandalf forgo his Leadership to void that of the Nazgûl?",
        "Do not use the White Rider.",
        "Void the Leadership of the Nazgûl.",
    ),
    "withdraw": Choice(
        "Do you fight in the field, or withdraw into the Stronghold?",
        words={"fight": "Fight.", "withdraw": "Withdraw into siege."},
    ),
    "go_on": Choice(
        "Do you attack for another round?",
        words={"stop": "Cease the attack.", "go_on": "Go on for another round."},
    ),
    "extend": Choice(
        "Do you reduce an Elite to attack for another round?",
        "Reduce: {}.",
        words={"stop": "Cease the attack.", "go_on": "Reduce an Elite and go on."},
    ),
    "combine": _yes(
        "Do you propose to your team-mate to make one army of both?",
        "Stay apart.",
        "Propose it.",
    ),
    "agree_to_combine": _yes(
        "Your team-mate proposes to make one army of both. Do you agree?", "Stay apart.", "Agree."
    ),
    "retreat": Choice("Does your army retreat, and where?", "Retreat to {}.", "Stand and fight."),
    "sorcerer": _yes(
        "The Witch-king's sorcery: do you draw an event card?", "Do not draw.", "Draw a card."
    ),
    # The Hunt.
    "crebain": _card(
        "Do you discard Flocks of Crebain for +1 to the Hunt dice?",
        "Discard Flocks of Crebain: +1 to all dice.",
    ),
    "hunt_rerolls": Choice("How many failed Hunt dice do you roll again?", "Re-roll {}."),
    "wizards_staff": _card(
        "Do you discard Wizard's Staff, so that no Hunt tile is drawn?",
        "Discard Wizard's Staff: no tile is drawn.",
    ),
    "mithril_coat": _card(
        "Do you discard Mithril Coat and Sting to draw another tile in place of this one?",
        "Discard Mithril Coat and Sting: draw another tile.",
    ),
    "hunt_response": Choice(
        "How is the Hunt damage met?",
        words={
            "corruption": "Take it as Corruption.",
            "guide": "Eliminate the Guide.",
            "random": "Eliminate a random Companion.",
            "separate": "The Hobbit who guides separates: damage -1.",
            "reveal": "Gollum reveals the Fellowship: damage -1.",
            "table": "Discard a card on the table: damage -1.",
        },
    ),
    "hunt_table": Choice("Which card on the table lowers the Hunt damage?", "Discard {}."),
    "reveal_to": Choice("Where is the Fellowship found?", "In {}."),
    "balrog": _card(
        "The Fellowship passed Moria: do you discard Balrog of Moria for a Hunt tile?",
        "Discard Balrog of Moria: a Hunt tile is drawn.",
    ),
    "worn_with_sorrow": Choice(
        "Worn with Sorrow and Toil: which Character card do the Free Peoples lose?",
        "Discard {}.",
        words={
            "no": "None.",
            "hand": "A random one from a hand.",
            "table": "One that lies on the table.",
        },
    ),
    # What cards of the Free Peoples ask, where more is to be said than their names.
    "there_is_another_way": Choice(
        "There Is Another Way: what does Gollum do for the Fellowship?",
        words={"no": "Nothing.", "hide": "He hides it.", "move": "He leads it one step on."},
    ),
    "gwaihir_the_windlord": Choice(
        "Gwaihir the Windlord: whom does he carry?",
        words={
            "separate": "Companions who leave the Fellowship.",
            "move": "Companions who are on the map.",
        },
    ),
    "we_prove_the_swifter": Choice(
        "We Prove the Swifter: who runs?",
        words={
            "separate": "Companions who leave the Fellowship.",
            "move": "Companions who are on the map.",
        },
    ),
    "scouts": Choice(
        "Scouts: how does your army slip away?",
        words={"retreat": "Retreat before the attack.", "withdraw": "Withdraw into siege."},
    ),
    "heroic_death": Choice(
        "Heroic Death: who dies to cancel hits?", "{} dies.", "Nobody dies for it."
    ),
    "blade_of_westernesse": Choice(
        "Blade of Westernesse: is a hit of the re-roll spent on a Minion?",
        "{} is slain.",
        "No: it counts as a hit.",
    ),
    "fateful_strike": Choice("Fateful Strike: who is struck down?", "{} is struck down."),
    "the_eagles_are_coming": Choice(
        "The Eagles are Coming!: at the Nazgûl of which army do they dive?",
        "Those in {}.",
    ),
    "the_eagles_are_coming_to": Choice(
        "The Eagles are Coming!: where do the surviving Nazgûl flee?", "To {}."
    ),
    "dead_men_of_dunharrow": Choice(
        "Dead Men of Dunharrow: where do the Paths of the Dead lead?", "To {}."
    ),
    "dead_men_of_dunharrow_muster": Choice(
        "Dead Men of Dunharrow: how many Gondor Regulars are recruited there?", "Recruit {}."
    ),
    # What cards of the Shadow ask.
    "send_away": Choice("Who must leave the Fellowship?", "{} leaves."),
    "dreadful_spells_by": Choice("Dreadful Spells: whose Nazgûl cast them?", "Those in {}."),
    "the_ringwraiths_are_abroad": Choice(
        "The Ringwraiths Are Abroad: what do the armies with Nazgûl do?",
        words={"no": "Nothing.", "move": "Up to two of them move.", "attack": "One attacks."},
    ),
    "the_black_captain_commands": Choice(
        "The Black Captain Commands: what do you do?",
        words={
            "no": "Nothing.",
            "recruit": "Two Nazgûl join the Witch-king.",
            "fly": "Nazgûl fly.",
            "move": "His army moves.",
            "attack": "His army attacks.",
        },
    ),
}

PLAIN: Mapping[str, str] = {
    "no": "No.",
    "yes": "Yes.",
    "stop": "Stop.",
    "go_on": "Go on.",
    "fight": "Fight.",
    "withdraw": "Withdraw.",
    "retreat": "Retreat.",
    "hide": "Hide the Fellowship.",
    "move": "Move the Fellowship.",
    "hunt": "Roll for the Hunt.",
    "discard": "Discard.",
    "separate": "Separate Companions.",
    "corruption": "Corruption.",
    "casualty": "A casualty.",
    "hand": "From the hand.",
    "table": "From the table.",
    "attack": "Attack.",
    "recruit": "Recruit.",
    "fly": "Fly.",
    "guide": "The Guide.",
    "random": "One at random.",
    "keep": "Keep it.",
    "use": "Use it.",
    "upgrade": "Replace Regulars by Elites.",
    "character_deck": "The Character deck.",
    "strategy_deck": "The Strategy deck.",
    "leader": "A Leader.",
    "companion": "A Companion.",
    "reveal": "Reveal the Fellowship.",
}
"""By answer, where the choice has no sentence of its own for it."""

KINDS: Mapping[str, str] = {
    "region": "which region?",
    "area": "which army?",
    "figure": "which figure?",
    "guide": "which Guide?",
    "nation": "which nation?",
    "number": "how many?",
    "card": "which card?",
    "face": "which result?",
    "answer": "what do you choose?",
}
"""The question of a choice that a card asks for, after the name of the card."""
