"""Matches that are over on the platform of the commands, without anybody having played them."""

from __future__ import annotations

from gateway.documents import Account, Clock, Match, Outcome, Rating, Recorded, Seat, State
from gateway.results import results_of

PLAYED = (
    ("Ruby_B", "Hal_G", (1, 0), Clock(60_000, 0, "")),
    ("Hal_G", "Ruby_B", (1, 0), None),
    ("Ruby_B", "bot:greedy", (0, 0), None),
    ("bot:greedy", "Hal_G", (), None),
)


def seat(name, player):
    if player.startswith("bot:"):
        return Seat(name, bot_level=player.removeprefix("bot:"))
    return Seat(name, f"id{player.lower()}", player)


async def keep(store, number, good, dark, scores, clock):
    said = tuple(zip(("good", "dark"), scores, strict=True)) if scores else ()
    ended = Match(
        f"c-{number:010}",
        "confrontation",
        (("preset", "manual"),),
        (seat("good", good), seat("dark", dark)),
        "idruby_b",
        "Ruby_B",
        1_700_000_000_000 + number,
        "00" * 32,
        clock,
        State.OVER,
        Outcome(1 if scores else 2, said),
        "counted" if scores else "uncounted",
    )
    rows = results_of(ended, [good, dark], 10 + number, 0)
    ratings = []
    if scores:
        known = await store.ratings("confrontation", [good, dark])
        versions = [one.version if one else 0 for one in known]
        ratings = [
            Rating(player, 25.0 + by, 8.0, 1.0 + by, version=version)
            for player, by, version in zip((good, dark), (1, -1), versions, strict=True)
        ]
    await store.settle(ended, ratings, Recorded("a record", b"", "0f", 10 + number), rows)


def begun(town):
    """Ruby_B and Hal_G, and what they have played."""
    for name in ("Ruby_B", "Hal_G"):
        town.do(town.store.add_account(Account(f"id{name.lower()}", name, created_ms=1), name))
    known = town.do(town.store.settled("confrontation", "c-0000000000"))
    for number, played in enumerate(PLAYED if not known else ()):
        town.do(keep(town.store, number, *played))
