"""The bots of every language: whole matches, whatever happens."""

from __future__ import annotations

import json
import re
from collections import Counter

import grpc
import pytest

from tests.clients.taking import CHOICES, Refusal
from tests.clients.toolchains import CLIENTS, sources
from tests.clients.wire import Wire

pytestmark = pytest.mark.timeout(600)  # the first test of a language builds its bot

RATE_LIMITED = Refusal(
    grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", "too many requests",
    limit="20 requests a second", retry_after_ms="150",
)  # fmt: skip
STALE = Refusal(grpc.StatusCode.ABORTED, "STALE_QUESTION", "question 2 has been answered")
AWAY = Refusal(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", "this engine is stopping")


def takes(match, seat="left"):
    return [text for who, text in match.log if who == seat]


def outcome_in(played):
    found = re.search(r"^(\S+) is over: (.*)$", played.out, re.MULTILINE)
    assert found, played
    return found[1], json.loads(found[2])


def assert_played_well(played, match):
    """It came to the end, told the result, and gave each question one answer and no other."""
    scores = {seat: sum(CHOICES.index(text) + 1 for text in takes(match, seat)) for seat in
              ("left", "right")}  # fmt: skip
    told = [{"seat": seat, "score": score} for seat, score in scores.items()]

    assert 0 == played.code, played
    assert (match.id, {"ending": "ENDING_FINISHED", "scores": told}) == outcome_in(played)
    assert list(range(1, match.turns + 1)) == [act.question for act, _ in match.answers.values()]


def assert_repeated_as_it_was(world):
    """The same request id always stands for the same answer."""
    meant = {}
    for request in world.sent("Act"):
        assert request == meant.setdefault(request.request_id, request)


def test_a_bot_joins_a_match_and_plays_it_to_its_end(any_bot, gateway, opened):
    """It takes the seat it was told, as a guest, and answers with choices it was offered."""
    match = opened()

    played = any_bot.join(gateway.address, match.id, "left")

    assert_played_well(played, match)
    assert 1 == len(gateway.world.programs), "it has said that it is a program"
    assert "guest-1" == match.seats["left"]


def test_a_bot_creates_a_match_with_options_against_hosted_bots(whole_bot, gateway):
    """With --new it opens a match, fills it, starts it and plays it."""
    played = whole_bot.run(
        "--gateway", gateway.address, "--new", "taking", "--against", "novice",
        "--options", "turns=4,colour=red",
    )  # fmt: skip

    match = gateway.world.matches["t-1"]
    assert_played_well(played, match)
    assert {"turns": "4", "colour": "red"} == match.options
    assert {"left": "", "right": "novice"} == match.bots


def test_a_token_is_used_instead_of_a_new_account(any_bot, gateway, opened):
    """Whoever has an account plays as that account."""
    gateway.world.accounts["secret"] = "ann"
    match = opened(turns=2)

    played = any_bot.join(gateway.address, match.id, "left", token="secret")

    assert_played_well(played, match)
    assert "ann" == match.seats["left"]
    assert not gateway.world.sent("CreateAccount")


def test_the_environment_says_what_flags_do_not(whole_bot, gateway, opened):
    """BREE_MATCH stands for --match, and so on."""
    gateway.world.accounts["secret"] = "ann"
    match = opened(turns=2)
    said = {"GATEWAY": gateway.address, "TOKEN": "secret", "MATCH": match.id, "SEAT": "left"}

    played = whole_bot.run(env={f"BREE_{name}": value for name, value in said.items()})

    assert_played_well(played, match)
    assert "ann" == match.seats["left"]


def test_the_seed_decides_the_choices(whole_bot, gateway, opened):
    """The same seed chooses alike, another one otherwise."""
    matches = [opened(turns=12) for _ in range(3)]
    for match, seed in zip(matches, ("5", "5", "6"), strict=True):
        wanted = ("--match", match.id, "--seat", "left", "--seed", seed)
        assert_played_well(whole_bot.run("--gateway", gateway.address, *wanted), match)

    first, again, other = (takes(match) for match in matches)
    assert first == again
    assert first != other
    assert set(CHOICES) == set(first)


def test_a_bot_survives_a_restart_of_the_gateway(any_bot, gateway, opened):
    """While the gateway is away it waits, and then goes on where it was."""
    match = opened(turns=8)
    gateway.world.on_answer = {3: gateway.restart_soon, 6: gateway.restart_soon}

    played = any_bot.join(gateway.address, match.id, "left")

    assert_played_well(played, match)
    assert_repeated_as_it_was(gateway.world)
    assert 3 <= len(gateway.world.sent("ListenQuestions"))


def test_a_bot_survives_a_cut_wire(any_bot, gateway, opened):
    """Connections that are reset, as when a machine dies, are made again."""
    wire = Wire(gateway.port)
    match = opened(turns=8)
    gateway.world.on_answer = {3: wire.cut_soon, 6: wire.cut_soon}

    played = any_bot.join(wire.address, match.id, "left")
    wire.close()

    assert_played_well(played, match)
    assert_repeated_as_it_was(gateway.world)


def test_a_bot_that_misses_the_end_is_told_when_it_listens_again(any_bot, gateway, opened):
    """It needs no memory, and asks nobody how its match stands."""
    match = opened(turns=3)
    gateway.world.tells_ends = False
    gateway.world.on_answer = {3: gateway.restart_soon}

    played = any_bot.join(gateway.address, match.id, "left")

    assert_played_well(played, match)
    assert 2 <= len(gateway.world.sent("ListenQuestions"))
    assert [] == gateway.world.sent("GetMatch")


def test_a_lost_answer_is_asked_for_again_under_the_same_request_id(any_bot, gateway, opened):
    """What was done is not done twice."""
    gateway.world.lose.update(Act=3)
    match = opened(turns=4)

    played = any_bot.join(gateway.address, match.id, "left")

    assert_played_well(played, match)
    assert_repeated_as_it_was(gateway.world)
    assert [4, 1, 1, 1] == [
        count for _, count in Counter(act.question for act in gateway.world.sent("Act")).items()
    ]


def test_a_bot_sets_up_its_match_although_every_answer_gets_lost(whole_bot, gateway):
    """Each step of making a match may be repeated; there is one match, and all seats are taken."""
    for method in ("CreateAccount", "CreateMatch", "JoinMatch", "AddBot", "StartMatch"):
        gateway.world.lose[method] = 1

    played = whole_bot.run("--gateway", gateway.address, "--new", "taking", "--against", "master")

    assert ["t-1"] == list(gateway.world.matches)
    assert_played_well(played, gateway.world.matches["t-1"])


def test_a_bot_that_is_too_fast_waits(any_bot, gateway, opened):
    """A limit is no reason to give up, and neither is an engine that is away."""
    gateway.world.refuse = {"Act": [RATE_LIMITED, RATE_LIMITED, AWAY], "JoinMatch": [RATE_LIMITED]}
    match = opened(turns=3)

    played = any_bot.join(gateway.address, match.id, "left")

    assert_played_well(played, match)
    assert_repeated_as_it_was(gateway.world)


def test_a_question_told_twice_is_answered_once(any_bot, gateway, opened):
    """Numbers say what is new."""
    gateway.world.repeat_news = 3
    match = opened()

    played = any_bot.join(gateway.address, match.id, "left")

    assert_played_well(played, match)
    assert match.turns == len(gateway.world.sent("Act"))


def test_an_answer_that_comes_too_late_is_let_go(any_bot, gateway, opened):
    """A clock that was faster does not end the bot."""
    match = opened(turns=3)
    gateway.world.refuse = {"Act": [STALE]}
    gateway.world.on_refusal = {"Act": lambda: match.take("left", CHOICES[0])}

    played = any_bot.join(gateway.address, match.id, "left")

    assert 0 == played.code, played
    assert (match.id, "ENDING_FINISHED") == (outcome_in(played)[0], outcome_in(played)[1]["ending"])
    assert [2, 3] == [act.question for act, _ in match.answers.values()]


def test_streams_that_end_early_are_opened_again(any_bot, gateway, opened):
    """A gateway that drains ends its streams in peace."""
    gateway.world.end_streams_after = 2
    match = opened(turns=5)

    played = any_bot.join(gateway.address, match.id, "left")

    assert_played_well(played, match)


# A platform that has lost moves.

OTHER = [("left", CHOICES[2]), ("right", CHOICES[2])]


def assert_heads_were_sent(match):
    """Every answer that counts came with the head of the standing at which it was asked."""
    heads = match.heads()

    assert [heads[n] for n in range(0, 2 * match.turns, 2)] == [
        act.head for act, _ in match.answers.values()
    ]


def test_answers_come_with_the_head_of_their_question(any_bot, gateway, opened):
    """So that they can never be taken for answers in another history."""
    match = opened()

    assert_played_well(any_bot.join(gateway.address, match.id, "left"), match)
    assert_heads_were_sent(match)


@pytest.mark.parametrize("kept", [2, 4])
def test_what_was_answered_and_is_lost_is_answered_again(any_bot, gateway, opened, kept):
    """The platform forgets one or two answers of the bot, and asks again by the same numbers."""
    match = opened()
    gateway.world.on_answer = {3: lambda: match.lose(kept)}

    assert_played_well(any_bot.join(gateway.address, match.id, "left"), match)
    assert_heads_were_sent(match)


@pytest.mark.parametrize("rounds", [2, 3])
def test_an_answer_to_a_lost_history_does_not_count(any_bot, gateway, opened, rounds):
    """A question of a lower or of the same number stands there, and is answered for what it is."""
    match = opened()

    def lose():
        match.lose(0, *rounds * OTHER)

    def lose_later():
        gateway.world.refuse = {"Act": [AWAY]}
        gateway.world.on_refusal = {"Act": lose}

    gateway.world.on_answer = {3: lose_later}
    played = any_bot.join(gateway.address, match.id, "left")

    assert 0 == played.code, played
    assert rounds * OTHER == match.log[: 2 * rounds]
    numbers = list(range(rounds + 1, match.turns + 1))
    assert numbers == [act.question for act, _ in match.answers.values()]
    assert [match.heads()[2 * (n - 1)] for n in numbers] == [
        act.head for act, _ in match.answers.values()
    ]


def test_other_matches_of_the_account_are_left_alone(whole_bot, gateway, opened):
    """A bot plays the seat it was told and no other."""
    gateway.world.accounts["secret"] = "ann"
    other, match = opened(turns=3), opened(turns=3)
    other.seats["left"], other.state = "ann", 2

    played = whole_bot.join(gateway.address, match.id, "left", token="secret")

    assert_played_well(played, match)
    assert not other.log


def test_a_bot_trusts_the_authority_it_was_told(whole_bot, guarded, opened):
    """With --authority the connection is TLS, and the gateway has proved who it is."""
    gateway, certificate = guarded
    match = opened(turns=2, at=gateway)
    authority = {"BREE_AUTHORITY": str(certificate)}

    assert_played_well(whole_bot.join(gateway.address, match.id, "left", env=authority), match)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "say either --match ID --seat NAME or --new GAME --against LEVEL"),
        (("--match", "t-1"), "say either"),
        (("--new", "taking"), "say either"),
        (("--match", "t-1", "--seat", "left", "--new", "taking", "--against", "a"), "say either"),
        (("--new", "chess", "--against", "novice"), "there is no game 'chess'"),
        (("--new", "taking", "--against", "gandalf"), "taking has no bot level 'gandalf'"),
        (("--match", "t-9", "--seat", "left"), "there is no match 't-9'"),
        (("--match", "t-1", "--seat", "left", "--token", "forged"), "a valid token is needed"),
    ],
)
def test_what_cannot_be_done_is_said(whole_bot, gateway, arguments, complaint):
    """One sentence, and an exit code that says that it failed; without waiting."""
    played = whole_bot.run("--gateway", gateway.address, *arguments, timeout=30)

    assert (1, "") == (played.code, played.out.replace("playing t-1 at left\n", ""))
    assert complaint in played.err


@pytest.mark.parametrize("language", ["go", "ts"])
def test_a_bot_is_short_and_knows_no_game(language):
    """Under 150 lines of code, and no name of any game in them."""
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in sources(language)
        if path.suffix in {".go", ".ts"} and not path.name.endswith("_test.go")
    )
    code = [
        line for line in text.splitlines() if line.strip() and not re.match(r"\s*(//|/\*)", line)
    ]

    assert 50 < len(code) < 150
    assert not re.search("confrontation|duel|risk|war.of.the.ring|sauron|frodo", text.lower())


def test_the_lock_file_names_no_registry():
    """Packages are pinned by what is in them, not by where they lie."""
    lock = json.loads((CLIENTS / "ts/package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}

    assert packages
    assert {"integrity"} == {"integrity" for entry in packages.values() if "integrity" in entry}
    assert not [name for name, entry in packages.items() if "integrity" not in entry]
    assert "://" not in json.dumps(
        [{k: v for k, v in entry.items() if k != "funding"} for entry in packages.values()]
    )
