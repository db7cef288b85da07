"""What players agree on before a game: the options, and what they settle (RULES 1, 20, 21).

Design. Each contested point of the rules is one option, named for its subject, whose meaning begins
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
    "isengard_start": "D01 the box in which Isengard begins: 2, or 3",
    "three_player_draw": "D02 what three players draw",
    "three_player_order": "D03 in which order three players act, and what the Free Peoples may not",
    "hunt_minimum": "D04 whether a Free die in the Hunt Box obliges the Shadow to allocate one",
    "gandalf_draw": "D05 when Gandalf the Grey as Guide draws a card",
    "hobbit_elimination": "D07 Hobbits return at the end of the turn, or separate at once",
    "gandalf_white_entry": "D08 when and where Gandalf the White enters",
    "witch_king_entry": "D09 when and where the Witch-king enters",
    "witch_king_draw": "D10 which Combat cards draw a card for the Witch-king: all, or the first",
    "mouth_entry": "D11 when the Mouth of Sauron enters",
    "elite_hunt_rerolls": "D12 whether Elites that count as leaders give re-rolls in the Hunt",
    "field_battle_rounds": "D13 five rounds of a field battle, or any number",
    "replacement_source": "D16 where the Regular that replaces an Elite comes from",
    "mordor_entry": "D19 Mordor is entered by declaring there, or by being there",
    "mordor_pool": "D20 which drawn tiles return on entering Mordor: all standard ones, or Eyes",
    "mordor_inactivity": "D21 Corruption for inactivity in Mordor: only if revealed, or always",
    "fellowship_actions": "D22 of four players, who may use dice for the Fellowship",
    "companion_control": "D23 of four players, who may move a Companion: his seat, or either",
    "ring_limit": "D24 one Elven Ring a turn for each side, or for each player",
}
_RULED_OR_LITERAL = {
    "strider_hide": "D06 Strider as Guide hides the Fellowship with any die, or a Character die",
    "reroll_timing": "D15 leaders re-roll before casualties, or after them with a second removal",
    "card_order": "D17 Combat cards by initiative and then the defender's, or the defender's first",
    "advance_after_siege": "D26 the attacker may, or must, advance when the defender withdraws",
    "passive_advance": "D27 whether a passive nation may advance up to the third box",
    "replacement_fate": "D28 a Regular that replaced an Elite stays, or is lost after the battle",
    "published_abilities": "S01 whether the abilities that the guide does not list are in use",
    "witch_king_rouses": "S02 whether the Witch-king's entry activates all Free Peoples",
}

OPTIONS = (
    Option("players", "2", "how many play; one plays against a bot", ("1", "2", "3", "4")),
    Option("turn_limit", "none", "S14 after so many turns the game is drawn", ("none",), (1, 999)),
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
        "D18 when a Reveal icon is ignored: declared in a Free City or Stronghold or standing there"
        " with no progress; only declared there; or whenever the figure stands there",
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
    owned: tuple[tuple[int, ...], ...]  # by seat and figure: 1 if the seat commands such figures
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
            tuple(int(_owns(players, seat, figure, shared)) for figure in range(FIGURE_COUNT))
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
