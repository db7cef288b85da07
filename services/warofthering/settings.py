"""What players agree on before a game: the options, and what follows from them (RULES 1, 20, 21).

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
    STARTING_BOX,
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
"""By option: the numbers of players for which alone it means anything."""


def _published(players: str) -> dict[str, str]:
    """As published, every option that matters to a number of players."""
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
class Readings:
    """How the contested points of the rules are read; each is one of the options."""

    free_draw_two_each_turn: bool  # of three players; if not, in the first alone (D02)
    free_begin: bool  # of three players; and may never repeat a nation (D03)
    hunt_has_minimum: bool  # of one die, after a turn with a Free die in the Hunt Box (D04)
    gandalf_draws_after_any_event: bool  # by an Event die, from its deck; if not, Character (D05)
    strider_hides_with_any_die: bool  # (D06)
    hobbits_separate_at_once: bool  # when eliminated; if not, they return later (D07)
    white_enters_after_parting: bool  # of the Grey, not only after his fall (D08)
    witch_king_enters_by_war: bool  # and not by Victory Points (D09)
    witch_king_draws_once: bool  # in a battle, not each round (D10)
    mouth_waits: bool  # for the Fellowship in Mordor, or war with all Free Peoples (D11)
    elites_reroll_the_hunt: bool  # where they count as leaders (D12)
    field_battles_are_limited: bool  # to five rounds (D13)
    rerolls_follow_losses: bool  # with a second removal (D15)
    earlier_losses_replace: bool  # an Elite, not only those of the battle (D16)
    defender_cards_go_first: bool  # whatever their initiative (D17)
    refuges_hide: bool  # a Reveal icon is ignored in any (D18)
    refuges_hide_who_rest: bool  # it is ignored in one where there is no progress (D18)
    mordor_needs_declaring: bool  # at an entrance (D19)
    eyes_alone_return: bool  # to the Hunt Pool when Mordor is entered (D20)
    hiding_is_no_excuse: bool  # for doing nothing in Mordor (D21)
    both_act_for_fellowship: bool  # of four players (D22)
    companions_are_shared: bool  # of four players (D23)
    each_player_uses_a_ring: bool  # a turn; if not, each side (D24)
    attackers_must_advance: bool  # when the defender withdraws into siege (D26)
    passive_nations_advance: bool  # as far as the third box (D27)
    replacements_fall: bool  # after the battle (D28)
    unlisted_abilities: bool  # published ones that the guide leaves out are in use (S01)
    witch_king_rouses: bool  # all Free Peoples nations, by his entry (S02)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one match, as the rules ask for them."""

    options: Options
    players: int
    seats: tuple[str, ...]
    sides: tuple[int, ...]  # by seat
    teams: tuple[tuple[int, ...], tuple[int, ...]]  # the seats of each side
    seat_of_nation: tuple[int, ...]
    seat_of_character: tuple[int, ...]  # by figure
    nations: tuple[int, ...]  # by seat, as a set of bits
    owned: tuple[bytes, ...]  # by seat and figure: 1 if the seat commands such figures
    hand_limits: tuple[int, ...]
    starting_boxes: tuple[int, ...]  # by nation, on the Political Track (D01)
    turn_limit: int | None
    readings: Readings

    @property
    def has_teams(self) -> bool:
        """Whether some side has two players."""
        return self.players > 2


def resolve(options: Options) -> Settings:
    """The settings that agreed options make."""
    players = int(options["players"])
    seats = range(len(SEATS[players]))
    free = 2 if players == 4 else 1
    owners = SEAT_OF_NATION[players]
    limit = options["turn_limit"]
    readings = _readings(options)
    shared = readings.companions_are_shared
    return Settings(
        options=options,
        players=players,
        seats=SEATS[players],
        sides=tuple(FREE if seat < free else SHADOW for seat in seats),
        teams=(tuple(seats[:free]), tuple(seats[free:])),
        seat_of_nation=owners,
        seat_of_character=SEAT_OF_CHARACTER[players],
        nations=tuple(
            sum(1 << nation for nation in range(len(NATIONS)) if owners[nation] == seat)
            for seat in seats
        ),
        owned=tuple(
            bytes(_owns(players, seat, figure, shared) for figure in range(FIGURE_COUNT))
            for seat in seats
        ),
        hand_limits=HAND_LIMITS[players],
        starting_boxes=STARTING_BOX[options["isengard_start"]],
        turn_limit=None if limit == "none" else int(limit),
        readings=readings,
    )


def _readings(options: Options) -> Readings:
    guide = {name for name, value in options.items() if value == "guide"}
    ruled = {name for name, value in options.items() if value == "ruled"}
    literal = {name for name, value in options.items() if value == "literal"}
    return Readings(
        free_draw_two_each_turn="three_player_draw" not in guide,
        free_begin="three_player_order" not in guide,
        hunt_has_minimum="hunt_minimum" not in guide,
        gandalf_draws_after_any_event="gandalf_draw" not in guide,
        strider_hides_with_any_die="strider_hide" in ruled,
        hobbits_separate_at_once="hobbit_elimination" not in guide,
        white_enters_after_parting="gandalf_white_entry" not in guide,
        witch_king_enters_by_war="witch_king_entry" not in guide,
        witch_king_draws_once="witch_king_draw" not in guide,
        mouth_waits="mouth_entry" not in guide,
        elites_reroll_the_hunt="elite_hunt_rerolls" in guide,
        field_battles_are_limited="field_battle_rounds" in guide,
        rerolls_follow_losses="reroll_timing" in literal,
        earlier_losses_replace="replacement_source" not in guide,
        defender_cards_go_first="card_order" in literal,
        refuges_hide="reveal_ignored" in literal,
        refuges_hide_who_rest="reveal_ignored" in guide,
        mordor_needs_declaring="mordor_entry" in guide,
        eyes_alone_return="mordor_pool" not in guide,
        hiding_is_no_excuse="mordor_inactivity" not in guide,
        both_act_for_fellowship="fellowship_actions" not in guide,
        companions_are_shared="companion_control" not in guide,
        each_player_uses_a_ring="ring_limit" not in guide,
        attackers_must_advance="advance_after_siege" in literal,
        passive_nations_advance="passive_advance" in ruled,
        replacements_fall="replacement_fate" in literal,
        unlisted_abilities="published_abilities" in ruled,
        witch_king_rouses="witch_king_rouses" in ruled,
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
