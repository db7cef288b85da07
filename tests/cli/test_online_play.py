"""`bree play MATCH` and `bree watch MATCH` at real terminals, on a platform that may go away."""

from __future__ import annotations

import contextlib
import random
import re
import threading

import pytest

from bree.cli.online.promises import Promises
from bree.client.client import Client
from bree.client.patience import Refused
from services.core.reading import parse_record
from tests.cli.test_lobby import is_one_sentence, opened
from tests.cli.town import Town
from tests.cli.tunnel import Tunnel, places

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def plain(text):
    return ESCAPES.sub("", text)


def any_of(question):
    return random.choice(question.choices).action.text


@pytest.fixture
def match(bree, ann, bob):
    """A running match: ann is good, bob is dark."""
    name = opened(bree)
    bob.join(name, "dark")
    assert 0 == bree("start", name).code
    return name


@pytest.fixture
def plays(bob):
    """Lets bob play a match in the background, any answer at all."""
    threads = []

    def play(match):
        def run():
            with contextlib.suppress(Refused, ValueError):  # the test has ended before the match
                bob.play(match, "dark", any_of)

        threads.append(threading.Thread(target=run, daemon=True))
        threads[-1].start()

    yield play
    bob.close()
    for thread in threads:
        thread.join(5)


def test_a_whole_match_is_played_watched_fetched_and_verified(bree, ann, match, plays, terminal):
    """A new user's evening: every answer typed, somebody looking on, the record holding."""
    watching = terminal("watch", match, "--whole")
    watching.until(f"good: {ann}")
    plays(match)
    at = terminal("play", match)
    greeting = plain(at.until("good> "))
    assert f"good: {ann}, dark: bob" in greeting
    assert "You are good." in greeting
    assert "Frodo" in greeting
    assert "Balrog" not in greeting
    asked, numbers = 1, random.Random(5)
    while True:
        at.type(f"{numbers.randint(1, 9)}\n")
        told = plain(at.until("good> |END"))
        if told.endswith("END"):
            break
        asked += 1
    seen = plain(watching.until("END"))

    assert asked > 5  # placing the characters alone takes four
    assert re.search(r"^(You win|You lose|It is a draw)\.", told, re.MULTILINE)
    assert "Balrog" in told  # nothing is hidden any more
    assert (0, 0) == (at.process.returncode, watching.process.returncode)
    assert "Both sides have placed their characters." in seen
    assert re.search(r"^(Good wins|Dark wins|It is a draw)\.", seen, re.MULTILINE)
    verified = bree("verify", match)
    assert (0, "") == (verified.code, verified.err)
    assert f"{match} holds." in verified.out
    assert "The nonce of good is the one that was sent from here." in verified.out
    heads = Promises().of(match).heads
    assert len(heads) > 3
    assert f"{len(heads)} heads, told here, are on the way to its head" in verified.out
    assert f"The record is in {match}.record." in bree("record", match).out
    assert 0 == bree("verify", f"{match}.record").code
    assert is_one_sentence(bree("record", match))
    assert parse_record(bree("record", match, "-o", "-").out).scores is not None
    assert "is over" in bree("play", match).err
    assert re.search("(Good wins|Dark wins|It is a draw)", bree("watch", match).out)


@pytest.mark.parametrize("way", ["control-c", "control-d", "quit"])
def test_a_match_that_is_left_goes_on_where_it_was(match, terminal, way):
    """However it is left; nothing that was answered is asked again."""
    at = terminal("play", match)
    at.until("Who stands in Arthedain")
    at.until("good> ")
    at.type("frodo\n")
    at.until("Who stands in Cardolan")
    at.until("good> ")
    keys = {"control-d": "\x04", "quit": "quit\n"}
    if way in keys:
        at.type(keys[way])
        told = at.until("END")
    else:
        told = at.interrupt_until("END")
    again = plain(terminal("play", match).until("good> "))

    assert f"To go on: bree play {match}" in told
    assert "Traceback" not in told
    assert 0 == at.process.returncode
    assert "Who stands in Cardolan" in again
    assert "1 Frodo" in again


def test_waiting_is_shown_and_can_be_left(bree, ann, terminal):
    """For an opponent first, whose coming begins the match; Control-C leaves without a trace."""
    match = opened(bree)
    at = terminal("play", match)
    at.until("Others take a seat with: bree join")
    at.until("Waiting for somebody to take dark")
    told = at.interrupt_until("END")

    assert f"To go on: bree play {match}" in told
    assert "Traceback" not in told
    assert 0 == at.process.returncode


def test_who_opened_a_match_begins_it_when_it_is_full(bree, ann, bob, terminal):
    """Without a command of its own: both just play."""
    match = opened(bree)
    at = terminal("play", match)
    at.until("Waiting for somebody to take dark")
    bob.join(match, "dark")

    assert "Who stands in Arthedain" in at.until("good> ")


def test_what_may_be_said_besides(match, terminal):
    """Commands that need no other side; what offline games have alone is not offered."""
    at = terminal("play", match)
    at.until("good> ")
    at.type("help\n")
    told = plain(at.until("good> "))
    at.type("about gandalf\n")
    about = plain(at.until("good> "))
    at.type("clock\n")
    clock = plain(at.until("good> "))
    at.type("99\n")
    no_answer = plain(at.until("good> "))

    listed = set(re.findall(r"^  (\w+)  ", told, re.MULTILINE))
    assert {
        "help",
        "board",
        "map",
        "about",
        "legend",
        "log",
        "clock",
        "who",
        "resign",
        "quit",
    } == listed
    assert "Gandalf, strength 5" in about
    assert "This match has no clock." in clock
    assert "The answers have the numbers 1 to 9." in no_answer


def test_a_clock_is_shown(bree, ann, bob, terminal):
    """With every question, and for both when one asks."""
    match = opened(bree, "--clock", "5m+10s")
    bob.join(match, "dark")
    at = terminal("play", match)
    told = plain(at.until("good> "))
    at.type("clock\n")
    clock = plain(at.until("good> "))

    assert "Clock: 5:00 a seat and 0:10 more a question, then a seat forfeits." in told
    assert re.search(r"You have (5:10|5:0\d|4:5\d) left\.", told)
    assert re.search(r"good: \d:\d\d left\.\s+dark: \d:\d\d left\.", clock)


def test_giving_up_is_asked_about_and_ends_the_match(bree, match, terminal):
    """As offline; and the record says who."""
    at = terminal("play", match)
    at.until("good> ")
    at.type("resign\n")
    at.until("y/N")
    at.type("n\n")
    at.until("good> ")
    at.type("resign\n")
    at.until("y/N")
    at.type("y\n")
    told = plain(at.until("END"))

    assert "You lose." in told
    assert "host: resign good ~" in bree("record", match, "-o", "-").out


def test_an_answer_that_comes_too_late_is_said(match, terminal):
    """Two terminals at one seat: the one that is slower is asked the next question."""
    slow, quick = terminal("play", match), terminal("play", match)
    slow.until("good> ")
    quick.until("good> ")
    quick.type("frodo\n")
    quick.until("Who stands in Cardolan")
    slow.type("merry\n")
    told = plain(slow.until("Who stands in Cardolan"))

    assert "That came too late: the question no longer stands." in told


def test_an_end_that_comes_while_one_thinks_is_told(bob, match, terminal):
    """The other side gives up; the answer that is typed then is too late, and the end is told."""
    at = terminal("play", match)
    at.until("good> ")
    bob.resign(match, "dark")
    at.type("1\n")
    told = plain(at.until("END"))

    assert "You win." in told
    assert 0 == at.process.returncode


def test_giving_up_what_is_over_is_no_error(bob, match, terminal):
    """Both give up at once: one was faster, and that is told."""
    at = terminal("play", match)
    at.until("good> ")
    at.type("resign\n")
    at.until("y/N")
    bob.resign(match, "dark")
    at.type("y\n")

    assert "You win." in at.until("END")
    assert 0 == at.process.returncode


@pytest.fixture
def fickle(town):
    """The town, whose gateway a test may stop; in the end it is there."""
    away = []

    def leave():
        away.append(1)
        town.go_away()

    def back():
        away.clear()
        town.come_back()

    yield leave, back
    if away:
        back()


def test_a_match_goes_on_when_the_platform_comes_back(match, plays, terminal, fickle):
    """Away while somebody thinks, and while somebody waits: a pause, said once, and no more."""
    leave, back = fickle
    at = terminal("play", match)
    at.until("good> ")
    leave()
    at.type("frodo\n")
    at.until("does not answer; trying again for 600 s")
    back()
    at.until("answers again")
    for _ in range(3):
        at.until("good> ")
        at.type("1\n")
    at.until("Waiting for dark")
    leave()
    at.until("does not answer")
    back()
    at.until("answers again")
    plays(match)
    told = plain(at.until("good> "))

    assert "Both sides have placed their characters." in told


def test_a_platform_that_stays_away_is_given_up(bree, match, fickle, monkeypatch):
    """With the code that says so, and no traceback."""
    leave, _ = fickle
    monkeypatch.setattr("bree.cli.online.acts.LONG", 0.3)
    leave()

    assert is_one_sentence(bree("play", match), 3)
    assert is_one_sentence(bree("watch", match), 3)


# Questions that are asked so that being asked tells nothing.


@pytest.fixture
def moria():
    """A platform whose matches begin before a move into the tunnel, without a Balrog in Moria."""
    known = {"150": places(150, choices=1)}
    town = Town(Tunnel(known))
    yield town, known["150"].move
    town.close()


def test_a_neutral_question_is_never_answered_for_a_person(bree, moria, terminal):
    """Where there is only one answer it waits for a key like any other."""
    town, move = moria
    assert 0 == bree("login", "--at", town.address, "--name", "ann").code
    match = opened(bree, "--seat", "dark", "--option", "draw_ply_cap=150")
    with Client(town.address) as bob:
        bob.register("bob")
        bob.join(match, "good")
        assert 0 == bree("start", match).code
        at = terminal("play", match)
        at.until("Waiting for good")
        bob.act(match, "good", bob.view(match, "good").question.number, move)
        told = plain(at.until("dark> "))
        before = bob.view(match, "good").standing
        at.type("1\n")
        at.until("Waiting for good|dark> |END")

        assert re.search("^  1  ", told, re.MULTILINE)
        assert not re.search("^  2  ", told, re.MULTILINE)
        assert ["dark"] == before.waiting
        assert before.revision < bob.view(match, "good").standing.revision


# A platform that has lost moves.

LOST = "The platform has lost some moves of this match; this is how it stands now."


def test_lost_moves_are_said_and_play_goes_on(town, match, terminal):
    """While somebody thinks: his answer belongs to a history that is no more."""
    backup = town.kept(match)
    at = terminal("play", match)
    at.until("good> ")
    at.type("frodo\n")
    at.until("good> ")
    watching = terminal("watch", match, "--seat", "good")
    watching.until("Good has chosen 1")
    town.lose(match, backup)
    at.type("merry\n")
    told = plain(at.until("good> "))
    at.type("gimli\n")
    on = plain(at.until("good> "))
    looked_on = plain(watching.until("Good has chosen 1"))

    assert 1 == told.count(LOST)
    assert "Who stands in Arthedain" in told
    assert "1 Frodo" in told  # again to be placed
    assert "Traceback" not in told
    assert "Who stands in Cardolan" in on
    assert LOST not in on
    assert 1 == looked_on.count(LOST)


def test_lost_moves_are_said_to_whoever_waits(town, match, terminal):
    """At once, with the question that stands again."""
    at = terminal("play", match)
    at.until("good> ")
    for _ in range(3):
        at.type("1\n")
        at.until("good> ")
    backup = town.kept(match)
    at.type("1\n")
    at.until("Waiting for dark")
    town.lose(match, backup)
    told = plain(at.until("good> "))

    assert 1 == told.count(LOST)
    assert "Traceback" not in told


def test_watching_is_left_by_control_c(match, terminal):
    """Which is no error: there is no other way."""
    at = terminal("watch", match)
    at.until("Watching")
    at.until("Waiting|Setting up")
    told = at.interrupt_until("END")

    assert "Traceback" not in told
    assert 0 == at.process.returncode


def test_a_spectator_sees_what_all_see_and_a_seat_its_own(match, bree, terminal):
    """Before the placement is opened a spectator knows nobody's pieces."""
    spectator = plain(terminal("watch", match).until("Setting up"))
    seat = plain(terminal("watch", match, "--seat", "good").until("Setting up"))

    assert "Frodo" not in spectator
    assert "Frodo" in seat
    assert "Balrog" not in spectator + seat
