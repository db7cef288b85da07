"""What players agree on before a game: the options, and what they settle (RULES 1, 20, 21).

Design. Each contested point of the rules is one option, named for its subject, whose meaning ends
with its number in RULES.md. Its values are named for where they come from: `guide`, `published`, or
`literal` where the guide's own words cannot be the default; `ruled` is the default in that case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.core.contract import Option, Options
from services.core.errors import Invalid
from services.warofthering.tables import (
    ANY_SEAT,
    COMPANIONS,
    FIGURE_COUNT,
    FIGURE_NATION,
    FREE,
    HAND_LIMITS,
    NATIONS,
    NAZGUL,
    SEAT_OF_CHARACTER,
    SEAT_OF_NATION,
    SEATS,
    SHADOW,
    SIDE_OF,
)

_GUIDE_OR_PUBLISHED = {
    "isengard_start": (
        "Isengard begins in box 2 of the Political Track, or as published in box 3 (D01)."
    ),
    "three_player_draw": (
        "Of three players each draws one card a turn, the Free Peoples two in the first; or, "
        "as published, the Free Peoples two in each, the others two in the first (D02)."
    ),
    "three_player_order": (
        "Of three players one of the Shadow begins and the Free Peoples act after each; or, "
        "as published, the Free Peoples begin, and never act twice in a row with the same "
        "nation (D03)."
    ),
    "hunt_minimum": (
        "The Shadow may allocate no die to the Hunt; or, as published, allocates one at least "
        "after a turn in which a Free Peoples die was in the Hunt Box (D04)."
    ),
    "gandalf_draw": (
        "Gandalf the Grey as Guide draws a Character card after a Character event; or, as "
        "published, a card of the same deck after any event played with an Event die (D05)."
    ),
    "hobbit_elimination": (
        "Hobbits who are eliminated in the Fellowship return at the end of the turn; or, as "
        "published, separate from it at once (D07)."
    ),
    "gandalf_white_entry": (
        "Gandalf the White enters after the Grey has fallen, while a Minion is in play; or, "
        "as published, also after he has separated, once a Minion was in play (D08)."
    ),
    "witch_king_entry": (
        "The Witch-king enters anywhere when the Shadow has 4 Victory Points; or, as "
        "published, with an army of Sauron when Sauron and a Free Peoples nation are At War "
        "(D09)."
    ),
    "witch_king_draw": (
        "The Witch-king draws a card after every Combat card of a battle; or, as published, "
        "after one in the first round alone (D10)."
    ),
    "mouth_entry": (
        "The Mouth of Sauron enters at any time; or, as published, when the Fellowship is in "
        "Mordor or all Free Peoples nations are At War (D11)."
    ),
    "elite_hunt_rerolls": (
        "Elites that count as leaders give re-rolls in the Hunt; or, as published, they give "
        "none (D12)."
    ),
    "field_battle_rounds": (
        "A battle in the field has five rounds at most; or, as published, any number (D13)."
    ),
    "replacement_source": (
        "The Regular that replaces an Elite comes from the losses of the battle or from the "
        "reinforcements; or, as published, from all earlier losses too (D16)."
    ),
    "mordor_entry": (
        "The Fellowship enters Mordor when it is declared at an entrance; or, as published, "
        "whenever it stands there (D19)."
    ),
    "mordor_pool": (
        "When Mordor is entered all standard Hunt tiles come back; or, as published, only the "
        "Eyes (D20)."
    ),
    "mordor_inactivity": (
        "In Mordor a Fellowship that does nothing is corrupted if it is revealed; or, as "
        "published, always (D21)."
    ),
    "fellowship_actions": (
        "Of four players Rohan's acts for the Fellowship; or, as published, either of the "
        "Free Peoples' (D22)."
    ),
    "companion_control": (
        "Of four players each moves the Companions of his own seat; or, as published, either "
        "moves any of them (D23)."
    ),
    "ring_limit": (
        "A side uses one Elven Ring a turn; or, as published, each of its players one (D24)."
    ),
}
_RULED_OR_LITERAL = {
    "strider_hide": (
        "Strider as Guide hides the Fellowship with any die; or, by the guide's letter, only "
        "with one that hides it anyway (D06)."
    ),
    "reroll_timing": (
        "Leaders re-roll before casualties; or, by the guide's letter, after them, with a "
        "second removal (D15)."
    ),
    "card_order": (
        "Combat cards go by their initiative and then the defender's first; or, by the "
        "guide's letter, the defender's always first (D17)."
    ),
    "advance_after_siege": (
        "When the defender withdraws into siege the attacker may advance; or, by the guide's "
        "letter, must (D26)."
    ),
    "passive_advance": (
        "A Muster result advances a passive nation as far as the third box; or, by the "
        "guide's letter, only an active one (D27)."
    ),
    "replacement_fate": (
        "A Regular that has replaced an Elite stays; or, by the guide's letter, is lost after "
        "the battle (D28)."
    ),
    "published_abilities": (
        "Published abilities that the guide does not list are in use; or, by its letter, they "
        "are not (S01)."
    ),
    "witch_king_rouses": (
        "The Witch-king's entry activates all Free Peoples nations; or, by the guide's "
        "letter, none (S02)."
    ),
}

OPTIONS = (
    Option("players", "2", "How many play; one plays against a bot.", ("1", "2", "3", "4")),
    Option(
        "turn_limit", "none", "After so many turns the game is drawn (S14).", ("none",), (1, 999)
    ),
    *(
        Option(name, "guide", meaning, ("guide", "published"))
        for name, meaning in _GUIDE_OR_PUBLISHED.items()
    ),
    *(
        Option(name, "ruled", meaning, ("ruled", "literal"))
        for name, meaning in _RULED_OR_LITERAL.items()
    ),
    Option(
        "reveal_ignored",
        "guide",
        "A Reveal icon is ignored in a Free City or Stronghold where the Fellowship was declared or"
        " stands without progress; as published, only where it was declared; by the guide's letter,"
        " wherever its figure stands in one (D18).",
        ("guide", "published", "literal"),
    ),
)

_TEAMS_ONLY = {
    "three_player_draw": ("3",),
    "three_player_order": ("3",),
    "fellowship_actions": ("4",),
    "companion_control": ("4",),
    "ring_limit": ("3", "4"),
}
"""For so many players only does this option mean anything."""


def _published(players: str) -> dict[str, str]:
    """Every option that matters to so many players, as published."""
    names = [*_GUIDE_OR_PUBLISHED, "reveal_ignored"]
    return {name: "published" for name in names if players in _TEAMS_ONLY.get(name, (players,))}


_PLAYERS = {"solo": "1", "two": "2", "three": "3", "four": "4"}
PRESETS: Mapping[str, Mapping[str, str]] = {
    **{name: {"players": players} for name, players in _PLAYERS.items()},
    **{
        f"published_{name}": {"players": players, **_published(players)}
        for name, players in _PLAYERS.items()
        if name != "solo"
    },
}
_TABLES = {
    "solo": "One plays against a bot",
    "two": "Two play, the Free Peoples against the Shadow",
    "three": "Three play, one the Free Peoples, two the Shadow as the Witch-king and Saruman",
    "four": "Four play in pairs, Gondor and Rohan against the Witch-king and Saruman",
}
PRESET_MEANINGS: Mapping[str, str] = {
    **{name: f"{table}, by the text of the rules guide." for name, table in _TABLES.items()},
    **{
        f"published_{name}": f"{table}; where the published rules differ from the rules guide, they"
        " count."
        for name, table in _TABLES.items()
        if name != "solo"
    },
}


@dataclass(frozen=True, slots=True)
class Charter:
    """The options of one match, as the rules ask for them."""

    options: Mapping[str, str]
    players: int
    seats: tuple[str, ...]
    sides: tuple[int, ...]  # by seat
    teams: tuple[tuple[int, ...], tuple[int, ...]]  # the seats of each side
    seat_of_nation: tuple[int, ...]
    seat_of_character: tuple[int, ...]  # by figure
    nations: tuple[int, ...]  # by seat, as a set of bits
    owned: tuple[bytes, ...]  # by seat and figure: 1 if the seat commands such figures
    hand_limits: tuple[int, ...]
    turn_limit: int | None
    published: frozenset[str]  # the options that follow the published rules
    literal: frozenset[str]  # and those that follow the guide's letter

    @property
    def has_teams(self) -> bool:
        """Whether some side has two players."""
        return self.players > 2


def settle(options: Options) -> Charter:
    """The charter that agreed options make."""
    players = int(options["players"])
    seats = SEATS[players]
    free = 2 if players == 4 else 1
    sides = tuple(FREE if seat < free else SHADOW for seat in range(len(seats)))
    owners = SEAT_OF_NATION[players]
    limit = options["turn_limit"]
    published = frozenset(name for name, value in options.items() if value == "published")
    shared = "companion_control" in published
    return Charter(
        options=options,
        players=players,
        seats=seats,
        sides=sides,
        teams=(tuple(range(free)), tuple(range(free, len(seats)))),
        seat_of_nation=owners,
        seat_of_character=SEAT_OF_CHARACTER[players],
        nations=tuple(
            sum(1 << nation for nation in range(len(NATIONS)) if owners[nation] == seat)
            for seat in range(len(seats))
        ),
        owned=tuple(
            bytes(_owns(players, seat, figure, shared) for figure in range(FIGURE_COUNT))
            for seat in range(len(seats))
        ),
        hand_limits=HAND_LIMITS[players],
        turn_limit=None if limit == "none" else int(limit),
        published=published,
        literal=frozenset(name for name, value in options.items() if value == "literal"),
    )


def _owns(players: int, seat: int, figure: int, shared: bool) -> bool:
    """Whether a figure is of a seat's nations, or one that any seat of its side uses (D23)."""
    free = 2 if players == 4 else 1
    if (seat >= free) != SIDE_OF[figure]:
        return False
    if figure < NAZGUL:
        return SEAT_OF_NATION[players][FIGURE_NATION[figure]] == seat
    owner = SEAT_OF_CHARACTER[players][figure]
    return owner in (seat, ANY_SEAT) or (shared and figure in COMPANIONS)


def check(options: Options) -> None:
    """Refuse options that mean nothing together."""
    for name, players in _TEAMS_ONLY.items():
        if options[name] != "guide" and options["players"] not in players:
            allowed = " or ".join(players)
            said = f"{name}={options[name]}"
            raise Invalid(f"{name} is an option for {allowed} players", said=said)
