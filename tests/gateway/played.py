"""Matches that are over in the store, without anybody having played them."""

from __future__ import annotations

from gateway.documents import Account, Clock, Match, Outcome, Rating, Recorded, Seat, State, Team
from gateway.results import results_of

LIVE, SLOW = Clock(600_000, 5_000, ""), Clock(86_400_000, 0, "")
PLAYERS = {name: Account(f"id-{name.lower()}", name) for name in ("Ann", "Bob", "Cleo")}
SEATS = ("red", "blue", "green", "white")
PAIRS = (Team("warm", ("red", "green")), Team("cold", ("blue", "white")))


async def people(store):
    for account in PLAYERS.values():
        await store.add_account(account, f"hash of {account.id}")


def seat(name, player):
    if player.startswith("bot:"):
        return Seat(name, bot_level=player.removeprefix("bot:"))
    return Seat(name, PLAYERS[player].id, player)


def match(number, players, scores, *, clock=None, counted=True, teams=()):
    """A match that is over; without scores it was broken off."""
    named = SEATS[: len(players)]
    said = Outcome(1, tuple(zip(named, scores, strict=True))) if scores else Outcome(2, ())
    return Match(
        id=f"h-{number:04}",
        game="hopscotch",
        options=(("length", "6"), ("seats", str(len(players)))),
        seats=tuple(map(seat, named, players)),
        creator="id-ann",
        creator_name="Ann",
        created_ms=1_700_000_000_000 + number,
        commitment="00" * 32,
        clock=clock,
        state=State.OVER,
        outcome=said,
        settled="counted" if counted and scores else "uncounted",
        teams=teams,
    )


async def keep(store, match, length=10, ratings=(), paced_ratings=(), results=True):
    """Settle it; without results, as a gateway of before did."""
    players = [seat.player for seat in match.seats]
    rows = results_of(match, players, length, 0) if results else ()
    recorded = Recorded("a record", b"", "0f", length)
    return await store.settle(match, ratings, recorded, rows, paced_ratings)


def rating(player, mu, version=0):
    return Rating(player, mu, 8.0, mu - 24.0, version=version)
