"""The others at a table: what a team writes to each other, and bots that stand in."""

from __future__ import annotations

from itertools import islice

from bree.cli.online import table, words
from bree.cli.online.link import Link
from bree.cli.trouble import Trouble
from bree.client.company import plays_for
from bree.client.patience import Refused
from bree.gateway.v1 import gateway_pb2 as pb

MOST_NOTES = 20
TALK = "Team-mates may talk about strategy and dice, not about cards."


def say_who(link: Link, match: pb.Match) -> None:
    """Say who sits where, team by team, who is here, and who plays for whom."""
    teams = [(team.name, list(team.seats)) for team in match.teams]
    for name, seats in teams or [("", [seat.seat for seat in match.seats])]:
        if name:
            link.talk.say(f"{name}:", "bold")
        for seat in match.seats:
            if seat.seat in seats:
                link.talk.say(f"  {seat.seat}: {words.whole(seat, link.name)}")


def say_note(link: Link, match: pb.Match, seat: str, text: str) -> None:
    """Write to one's team."""
    text = text.strip()
    if not text:
        raise Trouble("say what you want to write: note TEXT")
    link.client.say_note(match.id, seat, text)
    link.talk.say(f"Your team can read it. {TALK}", "dim")


def list_notes(link: Link, match: pb.Match, seat: str) -> None:
    """Print what the team has written of late, the latest last."""
    notes = list(islice(link.client.notes(match.id, seat), MOST_NOTES))
    for note in reversed(notes):
        link.talk.say(f"  {note.account}, {note.seat}: {note.text}")
    if not notes:
        link.talk.say(f"Nobody has written anything. {TALK}")


def lend(link: Link, match: pb.Match, seat: str, level: str) -> None:
    """Let a hosted bot play a seat of one's own."""
    known = next((one.bot_levels for one in link.client.games() if one.game == match.game), ())
    if level not in known:
        raise Trouble(f"a hosted bot is {words.listed(list(known), 'or')}, not {level!r}")
    link.client.hand_over(match.id, seat, level)
    link.talk.say(f"Bot {level} plays {seat} of {match.id} for you.", "bold green")
    link.talk.say(f"  bree bots stand-down {match.id}    gives the seat back to you")


def take_back(link: Link, match: pb.Match, seat: str) -> bool:
    """Play a seat of one's own again; whether a bot had it."""
    level = plays_for(link.client.view(match.id).standing, seat)
    if level:
        try:
            link.client.take_back_seat(match.id, seat)
        except Refused as refused:
            if refused.reason == "MATCH_OVER":
                return False
            raise
        link.talk.say(f"Bot {level} has played {seat} for you; now you play again.", "bold green")
    return bool(level)


def seated(link: Link, match: str, seat: str | None) -> tuple[pb.Match, str]:
    """A match and the seat of one's own there that is meant."""
    shown = table.found(link, match)
    return shown, table.my_seat(link, shown, seat)
