"""Matches before they are played, and lists, through the commands; and all that can be wrong."""

from __future__ import annotations

import re

import pytest

from bree.cli.online.promises import Promises
from bree.gateway.v1 import gateway_pb2 as pb


def opened(bree, *arguments):
    """The name of a match that is opened with these arguments."""
    made = bree("new", "confrontation", *arguments)
    assert (0, "") == (made.code, made.err)
    return made.out.splitlines()[0]


def test_games_say_what_each_preset_is(bree, ann):
    """The sentences come from the platform, with the options that each preset changes."""
    listed = " ".join(bree("games", "--online").out.split())

    assert "manual Eight against eight as the reference manual names them: without Sam," in listed
    assert "preset=classic_2002, both_retreat=both_leave" in listed


def test_a_match_is_opened_with_a_seat_taken(bree, ann, bob):
    """Its name comes first, then who sits where, then how others come in."""
    made = bree("new", "confrontation", "--seat", "dark")

    name, seats, *rest = made.out.splitlines()
    assert re.fullmatch(r"c-[a-z0-9]{10}", name)
    assert f"good: free, dark: {ann}; open." == seats
    assert f"  bree play {name}" in rest
    assert any(line.startswith(f"  bree join {name} ") for line in rest)
    assert bob.match(name).creator == ann


def test_what_a_match_has_is_chosen(bree, ann, bob):
    """Preset, options on top of it, and a clock with who plays on."""
    chosen = ("--preset", "classic_2002", "--option", "draw_ply_cap=50")
    clock = ("--clock", "15m+10s", "--takeover", "greedy")
    match = bob.match(opened(bree, *chosen, *clock))

    options = {option.name: option.value for option in match.options}
    assert ("classic_2002", "50") == (options["preset"], options["draw_ply_cap"])
    assert (900_000, 10_000, "greedy") == (
        match.clock.bank_ms,
        match.clock.move_ms,
        match.clock.bot_level,
    )


def test_a_seat_is_left_to_chance(bree, ann, bob):
    """In a new match and in another's; both seats come up."""
    got = set()
    while len(got) < 2:
        match = opened(bree, "--seat", "random")
        got.add(next(seat.seat for seat in bob.match(match).seats if seat.account == ann))
        assert 0 == bree("leave", match).code
    theirs = bob.create("confrontation").id
    bob.join(theirs, "good")

    assert "You are dark in" in bree("join", theirs, "--seat", "random").out


@pytest.mark.parametrize(
    ("said", "bank", "move"),
    [("5", 300_000, 0), ("+30s", 0, 30_000), ("1h+2m", 3_600_000, 120_000)],
)
def test_a_clock_is_said_shortly(bree, ann, bob, said, bank, move):
    """Minutes, unless another unit is named."""
    clock = bob.match(opened(bree, "--clock", said)).clock

    assert (bank, move) == (clock.bank_ms, clock.move_ms)


def test_a_match_against_bots_begins_at_once(bree, ann, bob):
    """All other seats are theirs; so it is, if nobody plays who has hands."""
    against = bob.match(opened(bree, "--seat", "dark", "--against", "greedy"))
    among = bob.match(opened(bree, "--stay-out", "--against", "uniform"))

    assert ["greedy", ""] == [seat.bot_level for seat in against.seats]
    assert ["uniform", "uniform"] == [seat.bot_level for seat in among.seats]
    assert {pb.MATCH_STATE_RUNNING} == {against.state, among.state}


def test_a_match_is_joined_with_a_nonce_of_ones_own(bree, ann, bob):
    """What was promised is noted; joining again changes neither the seat nor the nonce."""
    match = bob.create("confrontation")
    first = bree("join", match.id, "--seat", "dark")
    noted = Promises().of(match.id)
    again = bree("join", match.id)

    assert f"You are dark in {match.id}. good: free, dark: {ann}." in first.out
    assert first.out == again.out
    assert match.commitment == noted.commitment
    assert 16 == len(bytes.fromhex(noted.nonces["dark"]))
    assert noted == Promises().of(match.id)


def test_seats_are_left_and_matches_closed(bree, ann, bob):
    """Who joined frees a seat; who opened closes the match."""
    theirs, mine = bob.create("confrontation").id, opened(bree)
    bree("join", theirs)

    assert f"{theirs} is left.\n" == bree("leave", theirs).out
    assert f"{mine} is closed.\n" == bree("leave", mine).out
    assert f"bree: {mine} was closed before it started.\n" == bree("watch", mine).err


def test_bots_are_listed_and_seated(bree, ann, bob):
    """The weakest first; one that is seated fills the match, which then can be played."""
    listed = bree("bots", "--game", "confrontation")
    match = opened(bree)
    seated = bree("bots", "add", match, "greedy")

    levels = ["uniform", "novice", "apprentice", "greedy", "adept", "master"]
    assert levels == re.findall(r"^confrontation +(\w+)", listed.out, re.MULTILINE)
    assert f"Bot greedy is dark in {match}." in seated.out
    assert f"  bree play {match}\n" in seated.out
    assert f"{match} is running." in bree("start", match).out


def test_ones_matches_are_listed_the_newest_first(bree, ann, bob):
    """With their state, and whether one is waited for; --all has everybody's."""
    old, new = opened(bree, "--against", "greedy"), opened(bree)
    theirs = bob.create("confrontation").id
    mine = bree("matches").out
    everyones = bree("matches", "--all", "--state", "open", "--most", "2").out

    assert [new, old] == re.findall(r"^(c-\w+)", mine, re.MULTILINE)
    assert re.search(rf"{old} .* running .*your turn$", mine, re.MULTILINE)
    assert [theirs, new] == re.findall(r"^(c-\w+)", everyones, re.MULTILINE)


def test_who_has_no_match_is_told_how_to_open_one(bree, ann):
    """An empty list is a sentence."""
    assert "You have none; bree new GAME opens one.\n" == bree("matches").out


def test_the_best_are_listed_with_oneself(bree, ann):
    """Before any match has counted there is nobody, and that is said."""
    listed = bree("ranks", "confrontation")

    assert (0, "") == (listed.code, listed.err)
    assert "None of your matches has counted yet." in listed.out


def test_games_of_a_platform_need_no_account(bree, town):
    """They are listed with all that can be chosen; what is played offline stays the default."""
    listed = bree("games", "--at", town.address)

    assert (0, "") == (listed.code, listed.err)
    assert "bree new confrontation --seat good|dark" in listed.out
    words = set(listed.out.replace(",", " ").split())
    assert {"uniform", "greedy", "draw_ply_cap", "9999", "deluxe_draft"} <= words
    assert 80 >= max(map(len, listed.out.splitlines()))
    assert "bree play confrontation" in bree("games").out


# What can be wrong.

NEEDS_ACCOUNT = (
    ("matches",),
    ("new", "confrontation"),
    ("join", "c-aaaaaaaaaa"),
    ("leave", "c-aaaaaaaaaa"),
    ("start", "c-aaaaaaaaaa"),
    ("play", "c-aaaaaaaaaa"),
    ("watch", "c-aaaaaaaaaa"),
    ("record", "c-aaaaaaaaaa"),
    ("verify", "c-aaaaaaaaaa"),
    ("bots",),
    ("bots", "add", "c-aaaaaaaaaa", "greedy"),
    ("ranks",),
    ("top",),
    ("token", "rotate"),
)


def is_one_sentence(refused, code=2):
    return (code, "", 1, "bree: ") == (
        refused.code,
        refused.out,
        refused.err.count("\n"),
        refused.err[:6],
    )


@pytest.mark.parametrize("command", NEEDS_ACCOUNT, ids=" ".join)
def test_without_an_account_one_is_told_to_log_in(bree, command):
    """Whatever needs one."""
    refused = bree(*command)

    assert is_one_sentence(refused)
    assert "bree login --at HOST:PORT" in refused.err


@pytest.mark.parametrize("command", NEEDS_ACCOUNT, ids=" ".join)
def test_a_platform_that_is_away_is_said_with_a_code_of_its_own(bree, monkeypatch, command):
    """3: the same may succeed later."""
    if command[0] in ("play", "watch"):
        monkeypatch.setattr("bree.cli.online.acts.LONG", 0.3)
    if command[0] == "token":
        command = ("games", "--online")
    if command[0] == "top":  # another platform of this machine may tell its figures
        command = ("top", "--metrics", "127.0.0.1:1")
    monkeypatch.setattr("bree.cli.online.link.SHORT", 0.1)
    monkeypatch.setenv("BREE_TOKEN", "any")
    monkeypatch.setenv("BREE_GATEWAY", "127.0.0.1:1")
    refused = bree(*command)

    assert is_one_sentence(refused, 3)
    assert "127.0.0.1:1 does not answer" in refused.err


BAD = {
    "an unknown game": (("new", "chess"), "plays confrontation, not 'chess'"),
    "an unknown seat": (
        ("new", "confrontation", "--seat", "sam"),
        "--seat takes good, dark or random",
    ),
    "an unknown bot": (
        ("new", "confrontation", "--against", "x"),
        "--against takes uniform, novice",
    ),
    "an unknown taker": (
        ("new", "confrontation", "--clock", "5", "--takeover", "x"),
        "--takeover takes uniform, novice",
    ),
    "a taker without a clock": (("new", "confrontation", "--takeover", "greedy"), "give --clock"),
    "no clock": (("new", "confrontation", "--clock", "soon"), "--clock takes BANK"),
    "an empty clock": (("new", "confrontation", "--clock", ""), "--clock takes BANK"),
    "half a clock": (("new", "confrontation", "--clock", "5+"), "--clock takes BANK"),
    "a clock of no time": (("new", "confrontation", "--clock", "0"), "clock"),
    "an option without value": (("new", "confrontation", "--option", "x"), "takes name=value"),
    "an unknown option": (("new", "confrontation", "--option", "x=y"), "has no option 'x'"),
    "a value not allowed": (("new", "confrontation", "--option", "conceal=x"), "conceal"),
    "an unknown preset": (("new", "confrontation", "--preset", "x"), "--preset takes manual"),
    "a seat not taken": (("new", "confrontation", "--stay-out", "--seat", "good"), "leave --seat"),
    "a seat not played": (("new", "confrontation", "--stay-out", "--play"), "--play plays a seat"),
    "no match": (("join", "Nonsense!"), "is not the name of a match"),
    "an unknown match": (("join", "c-aaaaaaaaaa"), "there is no match 'c-aaaaaaaaaa'"),
    "an unknown match to play": (("play", "c-aaaaaaaaaa"), "there is no match"),
    "an unknown match to watch": (("watch", "c-aaaaaaaaaa"), "there is no match"),
    "an unknown match to verify": (("verify", "c-aaaaaaaaaa"), "there is no match"),
    "an unknown match's record": (("record", "c-aaaaaaaaaa"), "there is no match"),
    "a match played with bots": (("play", "c-aaaaaaaaaa", "--bot", "greedy"), "takes --seat alone"),
    "an unknown state": (("matches", "--state", "lost"), "--state takes open, running, over or"),
    "no matches": (("matches", "--most", "0"), "--most takes a number from 1"),
    "no number": (("matches", "--most", "x"), "--most"),
    "no ranks": (("ranks", "--most", "0"), "--most takes a number from 1"),
    "ranks of no game": (("ranks", "chess"), "there is no game 'chess'"),
    "matches of no game": (("matches", "--game", "chess"), "there is no game 'chess'"),
    "bots of no game": (("bots", "--game", "chess"), "plays confrontation, not 'chess'"),
    "figures of nobody": (("top", "--metrics", "x"), "--metrics takes HOST:PORT"),
    "figures too often": (("top", "--every", "0"), "--every takes 0.1 to 60 seconds"),
    "no bot command": (("bots", "bribe"), "No such command"),
}


@pytest.mark.parametrize(("command", "why"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_in_a_sentence(bree, ann, tmp_path, command, why):
    """No traceback, no file, and no match that stays open."""
    refused = bree(*command)

    assert is_one_sentence(refused)
    assert why in refused.err
    assert "open" not in bree("matches").out.replace("opens", "")
    assert ["config"] == [path.name for path in tmp_path.iterdir()]


def test_what_a_match_does_not_allow_is_said(bree, ann, bob):
    """Full, not one's own, not over, not started, somebody else's seat."""
    mine, theirs, full = (
        opened(bree),
        bob.create("confrontation").id,
        bob.create("confrontation").id,
    )
    running = opened(bree, "--against", "greedy")
    bob.join(theirs, "good")
    bob.join(full, "good")
    bob.add_bot(full, "greedy", "dark")
    wrongs = (
        (("join", full), "all seats are taken"),
        (("join", theirs, "--seat", "good"), "somebody else sits at good"),
        (("join", theirs, "--seat", "sam"), "there is no such seat"),
        (("start", mine), "nobody sits at dark"),
        (("start", theirs), "only whoever opened this match may"),
        (("bots", "add", theirs, "greedy"), "only whoever opened this match may"),
        (("bots", "add", mine, "sauron"), "bots of the levels: uniform, novice"),
        (("leave", running), "resign instead of leaving"),
        (("play", theirs), f"you do not sit in {theirs}: bree join {theirs}"),
        (("play", full), f"you do not sit in {full}: bree watch {full}"),
        (("play", running, "--seat", "dark"), "you do not sit at dark"),
        (("play", running, "--seat", "sam"), "--seat takes good or dark"),
        (("watch", running, "--seat", "dark"), "you do not sit at dark"),
        (("record", running), "is still played: its record is told when it is over"),
        (("verify", running), "is still played"),
        (("record", mine), "was never played: it is open"),
    )
    for command, why in wrongs:
        refused = bree(*command)
        assert is_one_sentence(refused), refused
        assert why in refused.err


def test_who_sits_twice_says_which(bree, ann):
    """An account may play against itself, a seat at a terminal."""
    match = opened(bree)
    bree("join", match, "--seat", "dark")

    assert "you sit at good and dark: say which, with --seat" in bree("play", match).err
