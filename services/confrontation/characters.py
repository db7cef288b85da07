"""What the text of each character does, by name: who looks for Shelob's rule finds it here.

Names, strengths and the words on the tiles are in `data/`; this says the same words in terms that
the rules can ask. Characters are called by their ids, and those whom a text concerns by their tags,
which both faces of a tile share.

Design. Nothing else in the rules knows a character by name, but for the special cards that name
one. `tables` turns each field below into a table of its own, of the same name in capitals and by
the ids of characters; the comment beside a field says where that table is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

AROUND, BESIDE, LEAP, LONE, RIDE = "around", "beside", "leap", "lone", "ride"
"""How far an attack may reach beyond a plain step: any neighbouring region, one in the same row,
one exactly two steps forward, any with exactly one enemy, one at the end of a forward ride."""

ATTACKED, ATTACKING, ANY = "attacked", "attacking", "any"
"""When a character may slip away before cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What one text does; whatever is not said, it does not."""

    # The Ring.
    bears_ring: bool = False  # setup: lost with him, and in Mordor it wins
    heir: str = ""  # ending: who takes it up when he falls
    heirless_against: str = ""  # ending: unless this one defeated him

    # Moving.
    reach: str = ""  # movement: where he may go to attack, beyond the plain steps
    reach_to: str = ""  # movement: and to this region only
    marches: bool = False  # movement, march: shown, he rides forward into an empty region
    ambushes: bool = False  # turn: destroys who goes through the tunnel, while in Moria
    wins_in: str = ""  # ending: entering this region wins
    stays_shown: bool = False  # board: once shown he is shown for good, and moves no more

    # A battle, before cards.
    silences: bool = False  # battle: the text of his opponent does nothing
    slays: str = ""  # battle: defeats this opponent outright
    takes_both: bool = False  # battle: both combatants are defeated
    strikes_first: bool = False  # battle: attacking, defeats the first enemy of the turn
    slips_when: str = ""  # texts: may retreat before cards, if attacked, attacking or in any case
    slips: tuple[str, ...] = ()  # texts: in these directions
    steps_in_for: str = ""  # texts: fights instead of this friend, if he stands beside him
    changes_places: bool = False  # texts: attacked alone, a neighbour fights in his place
    waives_cards: bool = False  # texts: may have no cards used; one of Good's only when attacked

    # Cards.
    answers: bool = False  # battle: the enemy's card is shown before his side chooses
    ignores_own: bool = False  # cardplay: his own side's card has neither number nor text
    ignores: tuple[str, ...] = ()  # cardplay: these cards of the enemy's do nothing
    ignores_texts: bool = False  # cardplay: nor does any text card
    exchanges: str = ""  # cardplay: may exchange the card played for this one
    rejects: bool = False  # cardplay: may send the enemy's card back

    # Strength.
    strong_beside: tuple[str, int] = ("", 0)  # texts: attacked beside this friend, both shown
    strong_in: tuple[tuple[str, ...], int] = ((), 0)  # strength: in battles in these regions
    strong_attacking: int = 0  # strength: when attacking
    strong_as_attacker: bool = False  # strength: when attacked, as strong as the attacker
    supports: int = 0  # texts: shown near a companion's battle, what he adds

    # Afterwards.
    returns_to: str = ""  # battle: goes back there after defeating an enemy elsewhere
    escapes: bool = False  # battle: defeated, may slip backward into an empty region


TEXTS: Mapping[str, Text] = {
    # Good, classic.
    "frodo": Text(bears_ring=True, slips_when=ATTACKED, slips=("sideways",)),
    "sam": Text(steps_in_for="frodo", strong_beside=("frodo", 5)),
    "pippin": Text(slips_when=ATTACKING, slips=("backward",)),
    "merry": Text(slays="witch_king"),
    "gandalf": Text(answers=True),
    "aragorn": Text(reach=AROUND),
    "legolas": Text(slays="flying_nazgul"),
    "gimli": Text(slays="orcs"),
    "boromir": Text(takes_both=True),
    # Dark, classic.
    "balrog": Text(ambushes=True),
    "shelob": Text(returns_to="gondor"),
    "witch_king": Text(reach=BESIDE),
    "flying_nazgul": Text(reach=LONE),
    "black_rider": Text(reach=RIDE),
    "saruman": Text(waives_cards=True),
    "orcs": Text(strikes_first=True),
    "warg": Text(silences=True),
    "cave_troll": Text(ignores_own=True),
    # Good, variant.
    "frodo_variant": Text(bears_ring=True, heir="sam", heirless_against="warg", ignores_texts=True),
    "sam_variant": Text(strong_as_attacker=True),
    "elrond": Text(ignores=("dark_eye", "dark_magic")),
    "gandalf_variant": Text(supports=1),
    "aragorn_variant": Text(waives_cards=True),
    "treebeard": Text(reach=LONE, reach_to="fangorn", strong_in=(("fangorn",), 6)),
    "faramir": Text(slips_when=ATTACKING, slips=("sideways",)),
    "theoden": Text(strong_in=(("rohan", "gondor"), 4)),
    "smeagol": Text(changes_places=True),
    # Dark, variant.
    "uruk_hai": Text(marches=True),
    "witch_king_variant": Text(wins_in="shire"),
    "saruman_variant": Text(slays="gandalf", rejects=True),
    "orcs_variant": Text(strong_attacking=6),
    "wormtongue": Text(escapes=True),
    "mouth_of_sauron": Text(exchanges="dark_4"),
    "watcher": Text(stays_shown=True),
    "flying_nazgul_variant": Text(reach=LEAP),
    "gollum": Text(slips_when=ANY, slips=("forward",)),
    # Dark, of the reference manual.
    "sauron": Text(ignores_own=True),
    "nazgul": Text(reach=LONE),
}
