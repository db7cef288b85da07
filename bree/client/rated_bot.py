"""A bot that earns a rating: it opens match after match against hosted bots and plays them.

GATEWAY GAME LEVEL MATCHES. Its token is kept in the file that BREE_BOT_TOKEN names, so that its
rating is the same account's tomorrow.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from pathlib import Path

from bree.client.client import Client
from bree.client.patience import Refused
from bree.engine.v1.types_pb2 import Outcome, Question
from bree.gateway.v1.gateway_pb2 import Rating

PATIENCE = 20.0
"""Seconds that a match may take to be counted."""


def choose(question: Question) -> str:
    """The text of one of the choices: this is the place for your own idea."""
    return secrets.choice(question.choices).action.text


def sign_in(client: Client, keep: Path) -> None:
    """Be the same account as last time."""
    if keep.exists():
        client.token = keep.read_text("utf-8").strip()
        return
    client.register()
    client.declare_bot()
    keep.touch(mode=0o600)
    keep.write_text(client.token, "utf-8")


def play(client: Client, game: str, level: str, turn: int) -> str:
    """One match against a hosted bot, from another seat each time; how it went."""
    opened = client.create(game)
    seats = [seat.seat for seat in opened.seats]
    mine = seats[turn % len(seats)]
    client.join(opened.id, mine, secrets.token_bytes(16))
    for _ in seats[1:]:
        client.add_bot(opened.id, level)
    client.start(opened.id)
    outcome = client.play(opened.id, mine, choose)
    return f"{opened.id} as {mine}: {ending(outcome, mine)}"


def ending(outcome: Outcome, mine: str) -> str:
    """How a match went for one seat, in a word."""
    scores = {score.seat: score.score for score in outcome.scores}
    if mine not in scores:
        return "aborted"
    best = max(score for seat, score in scores.items() if seat != mine)
    return "won" if scores[mine] > best else "drawn" if scores[mine] == best else "lost"


def rating_of(client: Client, game: str, matches: int) -> Rating:
    """The rating once this number of matches has counted, which is soon after their ends."""
    until = time.monotonic() + PATIENCE
    while (rating := client.rating(game)).matches < matches and time.monotonic() < until:
        time.sleep(0.2)
    return rating


def main(gateway: str, game: str, level: str, matches: int) -> None:
    """Play them all, and say what rating has come of them."""
    with Client(gateway) as client:
        sign_in(client, Path(os.environ.get("BREE_BOT_TOKEN", "bot.token")))
        before = client.rating(game).matches
        for turn in range(matches):
            sys.stdout.write(play(client, game, level, turn) + "\n")
            sys.stdout.flush()
        rating = rating_of(client, game, before + matches)
        sys.stdout.write(
            f"rating after {rating.matches} matches: "
            f"{rating.mu:.1f}, give or take {2 * rating.sigma:.1f}\n"
        )


if __name__ == "__main__":
    if len(sys.argv) != 5 or not sys.argv[4].isdecimal():
        sys.exit(__doc__)
    try:
        main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
    except Refused as refused:
        sys.exit(f"rated_bot: {refused}")
