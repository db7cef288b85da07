"""What players agree on before a game, and what it means to the rules (RULES 0, 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.confrontation.tables import DARK_EIGHTHS, SIDES
from services.core.contract import Option, Options
from services.core.errors import Invalid

PRESETS: Mapping[str, Mapping[str, str]] = {
    "manual": {"preset": "manual"},
    **{
        name: {"preset": name, "both_retreat": "both_leave"}
        for name in ("classic_2002", "deluxe_classic", "deluxe_variant", "deluxe_draft")
    },
}
PRESET_MEANINGS: Mapping[str, str] = {
    "manual": "Eight against eight as the reference manual names them: without Sam, and with Sauron"
    " himself on the Dark side. Each side leaves one of its five forward regions empty.",
    "classic_2002": "Nine against nine as published in 2002, with Sam; two special cards a side may"
    " be added.",
    "deluxe_classic": "Nine against nine as published in 2002, with Sam; up to four special cards a"
    " side may be added.",
    "deluxe_variant": "Nine against nine with the other set of the deluxe edition: Elrond,"
    " Treebeard, Gollum, the Watcher, and new texts for those who stayed.",
    "deluxe_draft": "Nine against nine; each side first chooses, unseen, the classic or the variant"
    " face of each of its tiles.",
}
_ROSTERS = {"manual": "manual", "deluxe_variant": "variant", "deluxe_draft": "draft"}
_SPECIALS = {"classic_2002": ("off", "set_2002")}
_SWITCH = ("off", "on")

OPTIONS = (
    Option("preset", "manual", "which characters play", tuple(PRESETS)),
    Option(
        "dark_eighth",
        "shelob",
        "the eighth Dark character of the manual preset",
        ("shelob", *DARK_EIGHTHS),
    ),
    Option(
        "target_choice",
        "random_hidden_or_name_shown",
        "how an attacker picks one of several defenders",
        ("random_hidden_or_name_shown", "random_only"),
    ),
    Option(
        "conceal",
        "after_all_battles_of_the_turn",
        "when combatants are hidden again",
        ("after_all_battles_of_the_turn", "after_each_battle"),
    ),
    Option(
        "river_sideways_retreat",
        "both_directions",
        "whether a sideways retreat may go up the Anduin",
        ("both_directions", "downstream_only"),
    ),
    Option(
        "eye_cancels_magic",
        "true",
        "whether the Eye cancels Magic itself, or only the card it becomes",
        ("true", "false"),
    ),
    Option(
        "both_retreat",
        "dark_only",
        "who leaves when both sides play Retreat: Dark, whose text comes first, or both, which is"
        " usual in every preset but manual",
        ("dark_only", "both_leave"),
    ),
    Option(
        "sacrifice_vs_failed_dark_retreat",
        "no_effect",
        "Noble Sacrifice against a Retreat that found nowhere to go",
        ("no_effect", "works"),
    ),
    Option(
        "no_move_counts",
        "any_legal_move",
        "which moves save a player from losing for want of one",
        ("any_legal_move", "plain_forward_only"),
    ),
    Option(
        "special_cards",
        "off",
        "the set from which special cards are chosen",
        ("off", "set_2002", "set_deluxe"),
    ),
    Option("special_count", "2", "how many special cards each side gets", span=(0, 4)),
    Option(
        "special_pick",
        "own",
        "whether a player picks his own special cards, or his opponent's for him",
        ("own", "opponents"),
    ),
    Option("announce_draft", "on", "whether drafted characters are announced", _SWITCH),
    Option("draw_ply_cap", "200", "after so many turns the game is drawn", ("none",), (1, 9999)),
    Option(
        "match",
        "single_game",
        "one game, or one on each side",
        ("single_game", "two_games_swap_sides"),
    ),
    Option(
        "inference", "off", "whether a view says what can be inferred of hidden pieces", _SWITCH
    ),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one match, as the rules ask for them."""

    options: Mapping[str, str]
    text: str  # all of them
    roster: str
    announced: bool
    dark_eighth: str
    names_shown: bool
    conceals_each: bool
    downstream_only: bool
    eye_first: bool
    both_leave: bool
    sacrifice_works: bool
    plain_only: bool
    special_set: str
    special_count: int
    picks_own: bool
    has_support: bool  # a character who helps from outside a battle may be in play
    ply_cap: int | None
    games: int
    infers: bool

    @property
    def seats(self) -> tuple[str, ...]:
        """Seats are named for the sides they play, unless they change sides."""
        return SIDES if self.games == 1 else ("first", "second")


def resolve(options: Options) -> Settings:
    """What agreed options mean to the rules."""
    o = options
    roster = _ROSTERS.get(o["preset"], "classic")
    cap = o["draw_ply_cap"]
    return Settings(
        options=o,
        text=" ".join(f"{name}={value}" for name, value in o.items()),
        roster=roster,
        announced=roster != "draft" or o["announce_draft"] == "on",
        dark_eighth=o["dark_eighth"],
        names_shown=o["target_choice"] == "random_hidden_or_name_shown",
        conceals_each=o["conceal"] == "after_each_battle",
        downstream_only=o["river_sideways_retreat"] == "downstream_only",
        eye_first=o["eye_cancels_magic"] == "true",
        both_leave=o["both_retreat"] == "both_leave",
        sacrifice_works=o["sacrifice_vs_failed_dark_retreat"] == "works",
        plain_only=o["no_move_counts"] == "plain_forward_only",
        special_set="" if o["special_cards"] == "off" else o["special_cards"],
        special_count=int(o["special_count"]),
        picks_own=o["special_pick"] == "own",
        has_support=roster in ("variant", "draft"),
        ply_cap=None if cap == "none" else int(cap),
        games=2 if o["match"] == "two_games_swap_sides" else 1,
        infers=o["inference"] == "on",
    )


def with_usual(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """What was chosen, and besides what is usual in the preset that was."""
    return {**PRESETS.get(chosen.get("preset", ""), {}), **chosen}


def check(options: Options) -> None:
    """Refuse options that do not go together."""
    preset, chosen = options["preset"], options["special_cards"]
    allowed = _SPECIALS.get(preset, ("off", "set_2002", "set_deluxe"))
    if chosen not in allowed:
        said = f"special_cards={chosen}"
        raise Invalid(f"preset {preset!r} allows special_cards {', '.join(allowed)}", said=said)
    if chosen == "set_2002" and int(options["special_count"]) > 2:
        said = f"special_count={options['special_count']}"
        raise Invalid("set_2002 has two special cards a side", said=said)
    if preset != "manual" and options["dark_eighth"] != "shelob":
        raise Invalid("dark_eighth is an option of preset 'manual'", said=options["dark_eighth"])
    if preset != "deluxe_draft" and options["announce_draft"] != "on":
        raise Invalid("announce_draft is an option of preset 'deluxe_draft'", said="off")
