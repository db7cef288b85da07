"""Views of the Confrontation made by hand, in the shape that the game gives them."""

from __future__ import annotations

from itertools import chain

from bree.cli.boards.confrontation_facts import REGIONS

GOOD = {"shire": ["frodo", "merry"], "rhudaur": ["gimli", "legolas"], "moria": ["gandalf"]}
DARK = {"mordor": ["sauron", "orcs"], "gondor": ["mouth_of_sauron"], "rohan": ["shelob"]}
HANDS = {
    "good": ["good_1", "good_5", "good_magic", "good_cloak"],
    "dark": ["dark_6", "dark_retreat", "dark_eye"],
}
NOBODY = {"good": [], "dark": []}


def view(side, good=GOOD, dark=DARK, shown=(), **changes):
    """What `side` sees of these pieces; `shown` are those that their opponent sees."""
    return {
        "side": side,
        "game": 1,
        "games": 1,
        "points": [0, 0],
        "ply": 6,
        "turn": "dark",
        "regions": [_region(key, side, {"good": good, "dark": dark}, shown) for key in REGIONS],
        "rosters": {"good": list(chain(*good.values())), "dark": list(chain(*dark.values()))},
        "hands": HANDS,
        "used": {"good": ["good_3"], "dark": ["dark_2"]},
        "fallen": {"good": ["boromir"], "dark": []},
        "specials": NOBODY,
        "ring_bearer": "frodo",
        "setup": None,
        "battle": None,
        "journey": None,
        "duty": None,
        "inference": None,
        "options": {},
        "charts": {"good": [], "dark": []},
        "result": None,
        **changes,
    }


def _region(key, side, placed, shown):
    return {
        "region": key,
        **{
            of: {
                "count": len(pieces.get(key, [])),
                "pieces": [
                    {"character": who, "shown": who in shown}
                    for who in pieces.get(key, [])
                    if of == side or who in shown
                ],
            }
            for of, pieces in placed.items()
        },
    }


def battle(**changes):
    """Gandalf attacks Shelob in Rohan, no card chosen yet."""
    return {
        "region": "rohan",
        "attacking": "good",
        "attacker": "gandalf",
        "defender": "shelob",
        "cards": {"good": None, "dark": None},
        "in_force": {"good": None, "dark": None},
        "sealed": {"good": False, "dark": False},
        "your_card": None,
        "no_cards": False,
        **changes,
    }
