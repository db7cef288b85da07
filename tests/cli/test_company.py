"""Who is at a table, bots that stand in, and notes to a team, through the commands."""

from __future__ import annotations

import pytest

from bree.cli.online import company
from bree.engine.v1.types_pb2 import Team
from bree.gateway.v1 import gateway_pb2 as pb
from tests.cli.test_lobby import is_one_sentence, opened


@pytest.fixture
def match(bree, ann, bob):
    """A running match: ann is good, bob is dark."""
    name = opened(bree)
    bob.join(name, "dark")
    assert 0 == bree("start", name).code
    return name


def test_a_seat_is_lent_to_a_bot_and_taken_back(bree, ann, bob, match):
    """Everybody sees it; and who has nothing to take back is told so."""
    lent = bree("bots", "stand-in", match, "greedy")
    assert f"Bot greedy plays good of {match} for you." in lent.out
    assert f"bree bots stand-down {match}" in lent.out
    assert "greedy" == bob.match(match).seats[0].stand_in
    assert f"good: {ann}, bot greedy plays for you, you" in bree("who", match).out
    another = bree("bots", "stand-in", match, "novice")
    assert is_one_sentence(another)
    assert "take it back first" in another.err
    back = bree("bots", "stand-down", match)
    assert "Bot greedy has played good for you; now you play again." in back.out
    assert "" == bob.match(match).seats[0].stand_in
    assert "No bot plays good for you." in bree("bots", "stand-down", match).out


def test_whoever_plays_again_has_his_seat_back(bree, ann, bob, match):
    """At the desk a seat is lent with a word, and the next `bree play` takes it back."""
    left = bree("play", match, says="who\nstand-in sauron\nstand-in greedy\n")
    assert f"good: {ann}, you" in left.out
    assert "not 'sauron'" in " ".join(left.out.split())
    assert "Bot greedy plays good" in left.out
    assert "waits at your next question" not in left.out
    assert "greedy" == bob.match(match).seats[0].stand_in
    again = bree("play", match, says="quit\n")

    assert "now you play again" in again.out
    assert "good decides" in again.out
    assert "" == bob.match(match).seats[0].stand_in


def test_a_bot_is_sent_away_before_the_start(bree, ann):
    """By a command; a seat that a person has is refused."""
    match = opened(bree)
    bree("bots", "add", match, "greedy", "--seat", "dark")

    assert f"good: {ann}, dark: free.\n" == bree("bots", "remove", match, "dark").out
    assert "somebody else sits at good" in bree("bots", "remove", match, "good").err


def test_where_there_is_no_team_nobody_is_written_to(bree, ann, match):
    """It is said in a sentence."""
    for command in (("note", match, "Muster?"), ("notes", match)):
        refused = bree(*command)
        assert is_one_sentence(refused)
        assert "good has no team-mates" in refused.err


class Talk:
    """What is said at a terminal."""

    def __init__(self):
        self.said = []

    def say(self, text="", style=""):
        self.said.append(text)


class Link:
    """A link to nothing but notes."""

    name = "ann"

    def __init__(self):
        self.talk, self.client, self.written = Talk(), self, []

    def say_note(self, match, seat, text):
        self.written.insert(0, pb.Note(account="ann", seat=seat, text=text))

    def notes(self, match, seat):
        return iter(self.written)


def test_notes_of_a_team_are_listed_the_latest_last():
    """As the platform has them, and text is text."""
    link, match = Link(), pb.Match(id="w-1")
    for text in ("  [bold]first[/bold] ", "then"):
        company.say_note(link, match, "gondor", text)
    del link.talk.said[:]
    company.list_notes(link, match, "gondor")

    assert ["  ann, gondor: [bold]first[/bold]", "  ann, gondor: then"] == link.talk.said


def test_a_table_is_told_team_by_team():
    """With who is here, and who plays for whom."""
    link = Link()
    seats = [
        pb.MatchSeat(seat="gondor", account="ann", here=True),
        pb.MatchSeat(seat="witch_king", bot_level="greedy"),
        pb.MatchSeat(seat="rohan", account="bob", here=True, stand_in="master"),
        pb.MatchSeat(seat="saruman"),
    ]
    teams = [
        Team(name="free_peoples", seats=["gondor", "rohan"]),
        Team(name="shadow", seats=["witch_king", "saruman"]),
    ]
    company.say_who(link, pb.Match(seats=seats, teams=teams))

    assert [
        "free_peoples:",
        "  gondor: ann, you",
        "  rohan: bob, bot master plays for him, here",
        "shadow:",
        "  witch_king: bot greedy",
        "  saruman: free",
    ] == link.talk.said
