"""What players agree on before a game, and what it means to the rules (RULES 2, 3.1, 16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.core.contract import Option, Options
from services.core.errors import Invalid
from services.risk.tables import (
    BATTALIONS,
    COLOURS,
    PROFILES,
    SIDE_OF,
    SITES,
    STRONGHOLDS,
)

UNCAPPED = 99
"""More than any die can show with its bonuses."""

_SWITCH = ("false", "true")
_MODES = ("classic", "batched", "random", "random_claims", "random_battalions")

USUAL = "usual"
_COLOURS = ("yellow_black", "green_red", "green_black", "green_red_black")

OPTIONS = (
    Option("players", "4", "how many play", ("2", "3", "4")),
    Option(
        "colours",
        USUAL,
        "which colours two or three play: usually yellow and red, and black as the third; "
        "or others, of which one is good and the rest are evil",
        (USUAL, *_COLOURS),
    ),
    Option(
        "setup_mode",
        "classic",
        "how territories are claimed and battalions and Leaders placed before the first turn",
        _MODES,
    ),
    Option("setup_batch", "5", "battalions placed at a time in a batched setup", span=(1, 20)),
    Option(
        "location_profile",
        "reference_manual_counts",
        "whether Dol Amroth is a stronghold, the twelfth that the reference manual counts, "
        "or a site of power, as on the published board",
        PROFILES,
    ),
    Option(
        "neutral_dice",
        "auto_max",
        "whether the neutral army always defends with all it may, or an opponent decides",
        ("auto_max", "opponent"),
    ),
    Option("cap_dice_at_6", "false", "whether bonuses never raise a die above six", _SWITCH),
    Option(
        "lock_scope",
        "drawer",
        "whose cards rest once an Adventure card has been drawn: the drawer's, or everybody's",
        ("drawer", "all"),
    ),
    Option(
        "mission_leader_stays",
        "false",
        "whether a Leader who completed a mission moves no more this turn",
        _SWITCH,
    ),
    Option(
        "team_mode",
        "off",
        "whether players of one alignment are partners, by rules of our own: the published ones "
        "could not be found",
        ("off", "on"),
    ),
)

PRESETS: Mapping[str, Mapping[str, str]] = {
    "four": {"players": "4"},
    "three": {"players": "3", "setup_mode": "batched"},
    "two": {"players": "2", "setup_mode": "batched"},
    "four_quick": {"players": "4", "setup_mode": "random"},
    "three_quick": {"players": "3", "setup_mode": "random"},
    "two_quick": {"players": "2", "setup_mode": "random"},
    "partners": {"players": "4", "setup_mode": "random", "team_mode": "on"},
}

PRESET_MEANINGS: Mapping[str, str] = {
    "four": "Four play, each for himself, and set up as published: they claim territories in turn"
    " and place battalions one by one.",
    "three": "Three play, each for himself; they claim territories in turn and place their"
    " battalions several at a time.",
    "two": "Two play, Good against Evil, with a neutral army between them; they place their"
    " battalions several at a time.",
    "four_quick": "Four play, each for himself, and chance sets everything up, so the first turn"
    " begins at once.",
    "three_quick": "Three play, each for himself, and chance sets everything up, so the first turn"
    " begins at once.",
    "two_quick": "Two play, Good against Evil, with a neutral army between them; chance sets"
    " everything up, so the first turn begins at once.",
    "partners": "Four play as two pairs of partners, Good against Evil, and chance sets everything"
    " up.",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one match, as the rules ask for them."""

    options: Mapping[str, str]
    text: str  # the values of the options, as a saved position begins
    seats: tuple[str, ...]
    sides: tuple[int, ...]  # by seat
    battalions: int  # of each player at the start
    claims_at_random: bool
    places_at_random: bool
    leads_at_random: bool
    batch: int
    strongholds: int
    sites: int
    neutral_defends_itself: bool
    highest_die: int
    locks_all: bool
    mission_leader_stays: bool
    has_teams: bool

    def ally(self, seat: int) -> int | None:
        """The partner of a seat, if there are partners."""
        return seat ^ 2 if self.has_teams else None

    def are_allies(self, seat: int, other: int) -> bool:
        """Whether two different seats are partners."""
        return self.has_teams and seat ^ 2 == other


def resolve(options: Options) -> Settings:
    """What agreed options mean to the rules."""
    o = options
    players, mode = int(o["players"]), o["setup_mode"]
    seats = COLOURS[players] if o["colours"] == USUAL else tuple(o["colours"].split("_"))
    return Settings(
        options=o,
        text=" ".join(o.values()),
        seats=seats,
        sides=tuple(SIDE_OF[colour] for colour in seats),
        battalions=BATTALIONS[players],
        claims_at_random=mode.startswith("random"),
        places_at_random=mode in ("random", "random_battalions"),
        leads_at_random=mode == "random",
        batch=int(o["setup_batch"]) if mode in ("batched", "random_claims") else 1,
        strongholds=STRONGHOLDS[o["location_profile"]],
        sites=SITES[o["location_profile"]],
        neutral_defends_itself=o["neutral_dice"] == "auto_max",
        highest_die=6 if o["cap_dice_at_6"] == "true" else UNCAPPED,
        locks_all=o["lock_scope"] == "all",
        mission_leader_stays=o["mission_leader_stays"] == "true",
        has_teams=o["team_mode"] == "on",
    )


def check(options: Options) -> None:
    """Refuse options that do not go together."""
    if options["team_mode"] == "on" and options["players"] != "4":
        raise Invalid("partners play four at a table", said=f"players={options['players']}")
    colours = options["colours"]
    if colours != USUAL and len(colours.split("_")) != int(options["players"]):
        raise Invalid("as many colours as players", said=f"colours={colours}")
    mode, batch = options["setup_mode"], options["setup_batch"]
    if batch != "5" and mode not in ("batched", "random_claims"):
        raise Invalid("setup_batch is for setups that are batched", said=f"setup_batch={batch}")
