"""Matches are opened, joined, left and started."""

from __future__ import annotations

import re

import pytest

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway.documents import State
from tests.gateway.town import reason, refusal, until

CLOCK = engine.Clock(bank_ms=60_000, move_ms=5_000, bot_level="novice")


def seats(match):
    return {seat.seat: seat.account or seat.bot_level for seat in match.seats}


async def match_of(caller, match):
    return (await caller.ask(pb.GetMatchRequest(match=match))).match


async def test_a_match_is_opened(town):
    """Its engine has said what it will be; everyone may see it."""
    rosie, sam = await town.account(), await town.account()
    options = [{"name": "length", "value": "9"}]
    made = await rosie.ask(pb.CreateMatchRequest(game="hopscotch", options=options, clock=CLOCK))
    match = made.match

    assert re.fullmatch(r"h-[a-z2-9]{10}", match.id)
    assert {"red": "", "blue": ""} == seats(match)
    assert {"seats": "2", "length": "9"} == {o.name: o.value for o in match.options}
    assert (rosie.name, pb.MATCH_STATE_OPEN, CLOCK) == (match.creator, match.state, match.clock)
    assert 64 == len(match.commitment)
    assert not match.HasField("outcome")
    assert match == await match_of(sam, match.id)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([{"name": "dice", "value": "1"}], "UNKNOWN_OPTION"),
        ([{"name": "length", "value": "long"}], "OPTION_NOT_ALLOWED"),
    ],
)
async def test_what_the_engine_refuses_is_refused(town, options, why):
    """With its reason and its details, and nothing is kept."""
    rosie = await town.account()
    request = pb.CreateMatchRequest(game="hopscotch", options=options, request_id="r1")
    denied = await refusal(rosie.ask(request))

    assert (why, options[0]["name"]) == (denied.reason, denied.metadata["option"])
    assert [] == await town.store.reserved(rosie.token.partition(".")[0])
    again = pb.CreateMatchRequest(game="hopscotch", request_id="r1")
    assert (await rosie.ask(again)).match.id


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({}, "clock"),
        ({"bank_ms": -1}, "clock.bank_ms"),
        ({"move_ms": 1 << 50}, "clock.move_ms"),
        ({"move_ms": 1, "bot_level": "wizard"}, "clock.bot_level"),
    ],
)
async def test_a_clock_that_cannot_run_is_refused(town, clock, field):
    """Before anybody joins."""
    rosie = await town.account()
    request = pb.CreateMatchRequest(game="hopscotch", clock=engine.Clock(**clock))

    assert {"field": field} == (await refusal(rosie.ask(request))).metadata


async def test_the_same_request_opens_one_match(town):
    """At another gateway, too; other accounts have request ids of their own."""
    rosie, sam = await town.account(), await town.account()
    other = await town.gateway()
    request = pb.CreateMatchRequest(game="hopscotch", request_id="r1")
    first = (await rosie.ask(request)).match

    assert first == (await rosie.ask(request)).match
    assert first == (await town.same(rosie, other).ask(request)).match
    assert first.id != (await sam.ask(request)).match.id


async def test_a_request_id_is_used_once(town):
    """Another content under it is refused, whatever became of the first match."""
    rosie = await town.account()
    first = await rosie.ask(pb.CreateMatchRequest(game="hopscotch", request_id="r1"))
    request = pb.CreateMatchRequest(game="hopscotch", request_id="r1", clock=CLOCK)
    denied = await refusal(rosie.ask(request))

    assert "REQUEST_ID_REUSED" == denied.reason
    assert {"match": first.match.id, "request_id": "r1"} == denied.metadata


async def test_without_a_request_id_every_call_opens_a_match(town):
    """However alike they are."""
    rosie = await town.account()

    assert await town.open_match(rosie) != await town.open_match(rosie)


async def test_a_match_that_a_crash_left_half_open_is_opened_by_the_repetition(town):
    """Room was made for it, and no more."""
    rosie = await town.account()
    request = pb.CreateMatchRequest(game="hopscotch", request_id="r1")
    kept, town.store.add_match = town.store.add_match, None
    assert "BUG" == await reason(rosie.ask(request))
    town.store.add_match = kept
    match = (await rosie.ask(request)).match

    [place] = await town.store.reserved(rosie.token.partition(".")[0])
    assert match.id == place.name


@pytest.mark.parametrize("town", [{"most_open": 2}], indirect=True)
async def test_an_account_has_so_many_open_matches(town):
    """Starting or closing one makes room."""
    rosie, sam = await town.account(), await town.account()
    first, second = [await town.open_match(rosie) for _ in range(2)]
    denied = await refusal(rosie.ask(pb.CreateMatchRequest(game="hopscotch")))
    assert ("LIMIT_REACHED", {"limit": "2", "of": "open matches"}) == (
        denied.reason,
        denied.metadata,
    )
    await rosie.ask(pb.LeaveMatchRequest(match=first))
    await town.open_match(rosie)
    assert "LIMIT_REACHED" == await reason(rosie.ask(pb.CreateMatchRequest(game="hopscotch")))
    for player in (rosie, sam):
        await player.ask(pb.JoinMatchRequest(match=second))
    await rosie.ask(pb.StartMatchRequest(match=second))

    assert await town.open_match(rosie)
    assert await town.open_match(sam)


@pytest.mark.parametrize("town", [{"most_open": 1}], indirect=True)
async def test_room_that_a_crash_kept_is_found_again(town, monkeypatch):
    """A reservation for a match that never came to be is old after a minute."""
    rosie = await town.account()
    kept, town.store.add_match = town.store.add_match, None
    assert "BUG" == await reason(rosie.ask(pb.CreateMatchRequest(game="hopscotch")))
    town.store.add_match = kept
    assert "LIMIT_REACHED" == await reason(rosie.ask(pb.CreateMatchRequest(game="hopscotch")))
    monkeypatch.setattr("gateway.matches.STALE_MS", -1000)

    assert await town.open_match(rosie)


async def test_seats_are_joined(town):
    """The first free one, unless one is named; joining again changes nothing."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match = await town.open_match(rosie, seats=3)
    first = await rosie.ask(pb.JoinMatchRequest(match=match, seat="blue", nonce=b"n"))
    second = await sam.ask(pb.JoinMatchRequest(match=match))
    again = await rosie.ask(pb.JoinMatchRequest(match=match))
    named = await rosie.ask(pb.JoinMatchRequest(match=match, seat="blue", nonce=b"other"))

    assert ("blue", "red") == (first.seat, second.seat)
    assert {"red": sam.name, "blue": rosie.name, "green": ""} == seats(second.match)
    assert ("blue", "blue") == (again.seat, named.seat)
    assert second.match == again.match == named.match
    kept = await town.store.match(match)
    assert b"n".hex() == kept.seat("blue").nonce
    assert 16 <= len(bytes.fromhex(kept.seat("red").nonce))
    assert "WRONG_SEAT" == await reason(tom.ask(pb.JoinMatchRequest(match=match, seat="red")))
    denied = await refusal(tom.ask(pb.JoinMatchRequest(match=match, seat="pink")))
    assert ("UNKNOWN_SEAT", "red blue green") == (denied.reason, denied.metadata["seats"])
    await tom.ask(pb.JoinMatchRequest(match=match))
    assert "NOT_ALLOWED" == await reason(
        (await town.account()).ask(pb.JoinMatchRequest(match=match))
    )


async def test_a_seat_may_be_left_to_chance(town):
    """Any free one; whoever sits there already stays where it is."""
    rosie, got = await town.account(), set()
    while len(got) < 3:  # by chance: so it ends, with three seats
        match = await town.open_match(rosie, seats=3)
        got.add((await rosie.ask(pb.JoinMatchRequest(match=match, seat="random"))).seat)
        await rosie.ask(pb.LeaveMatchRequest(match=match))
    match = await town.open_match(rosie, seats=3)
    mine = await rosie.ask(pb.JoinMatchRequest(match=match, seat="random"))

    assert mine == await rosie.ask(pb.JoinMatchRequest(match=match, seat="random"))
    bots = [pb.AddBotRequest(match=match, seat="random", level="novice") for _ in range(2)]
    assert {"red", "blue", "green"} == {mine.seat, *[(await rosie.ask(bot)).seat for bot in bots]}
    sam = await town.account()
    none = pb.JoinMatchRequest(match=match, seat="random")
    assert "NOT_ALLOWED" == await reason(sam.ask(none))


async def test_options_may_be_left_to_chance(town):
    """Any value that the option has; the match says which, and the same request is one match."""
    rosie, got = await town.account(), set()
    options = [{"name": "seats", "value": "random"}, {"name": "length", "value": "random"}]
    while not {"2", "3"} <= got:
        made = await rosie.ask(pb.CreateMatchRequest(game="hopscotch", options=options))
        drawn = {option.name: option.value for option in made.match.options}
        got.add(drawn["seats"])

        assert int(drawn["seats"]) == len(made.match.seats)
        assert 1 <= int(drawn["length"]) <= 99
        await rosie.ask(pb.LeaveMatchRequest(match=made.match.id))
    again = pb.CreateMatchRequest(game="hopscotch", options=options, request_id="r1")
    assert await rosie.ask(again) == await rosie.ask(again)
    unknown = [{"name": "dice", "value": "random"}]
    refused = pb.CreateMatchRequest(game="hopscotch", options=unknown)
    assert "UNKNOWN_OPTION" == await reason(rosie.ask(refused))


async def test_an_account_may_ask_for_several_seats(town):
    """To practise against itself."""
    rosie = await town.account()
    match = await town.open_match(rosie)
    await rosie.ask(pb.JoinMatchRequest(match=match))
    both = await rosie.ask(pb.JoinMatchRequest(match=match, seat="blue"))

    assert {"red": rosie.name, "blue": rosie.name} == seats(both.match)


@pytest.mark.parametrize("town", [{"most_matches": 2}], indirect=True)
async def test_an_account_sits_in_so_many_matches(town):
    """A match that is over, or that it has left, makes room."""
    rosie, sam = await town.account(), await town.account()
    left = await town.open_match(rosie)
    await sam.ask(pb.JoinMatchRequest(match=left))
    running = await town.running_match(rosie, sam)
    third = await town.open_match(rosie)
    join = pb.JoinMatchRequest(match=third)
    denied = await refusal(sam.ask(join))
    assert "LIMIT_REACHED" == denied.reason
    assert {"limit": "2", "of": "matches that are not over"} == denied.metadata
    await sam.ask(pb.ResignMatchRequest(match=running, seat="blue", request_id="r"))

    assert "red" == (await sam.ask(join)).seat
    await rosie.ask(pb.LeaveMatchRequest(match=left))
    assert "red" == (await sam.ask(pb.JoinMatchRequest(match=await town.open_match(rosie)))).seat


async def test_bots_are_seated_by_the_creator(town):
    """Asked twice for a named seat, there is one."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie, seats=3)
    first = await rosie.ask(pb.AddBotRequest(match=match, level="master"))
    named = pb.AddBotRequest(match=match, seat="green", level="novice")
    second = await rosie.ask(named)

    assert ("red", "green") == (first.seat, second.seat)
    assert second == await rosie.ask(named)
    assert {"red": "master", "blue": "", "green": "novice"} == seats(second.match)
    denied = await refusal(sam.ask(pb.AddBotRequest(match=match, level="master")))
    assert ("NOT_ALLOWED", "the creator of the match") == (denied.reason, denied.metadata["needs"])
    for level in ("wizard", "", "Master"):
        request = pb.AddBotRequest(match=match, level=level)
        assert {"field": "level"} == (await refusal(rosie.ask(request))).metadata
    taken = pb.AddBotRequest(match=match, seat="red", level="novice")
    assert "WRONG_SEAT" == await reason(rosie.ask(taken))
    assert "WRONG_SEAT" == await reason(sam.ask(pb.JoinMatchRequest(match=match, seat="red")))


async def test_seats_are_left(town):
    """All of the caller's. Leaving twice is leaving once; what one never joined cannot be left."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie, seats=3)
    for seat in ("red", "green"):
        await sam.ask(pb.JoinMatchRequest(match=match, seat=seat))
    await rosie.ask(pb.JoinMatchRequest(match=match))
    left = (await sam.ask(pb.LeaveMatchRequest(match=match))).match

    assert {"red": "", "blue": rosie.name, "green": ""} == seats(left)
    assert pb.MATCH_STATE_OPEN == left.state
    assert left == (await sam.ask(pb.LeaveMatchRequest(match=match))).match
    assert "red" == (await sam.ask(pb.JoinMatchRequest(match=match))).seat


async def test_a_match_whose_creator_leaves_is_closed(town):
    """For everyone and for ever."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    await sam.ask(pb.JoinMatchRequest(match=match))
    closed = (await rosie.ask(pb.LeaveMatchRequest(match=match))).match

    assert pb.MATCH_STATE_CLOSED == closed.state
    for request in (
        pb.JoinMatchRequest(match=match),
        pb.JoinMatchRequest(match=match, seat="blue"),
        pb.AddBotRequest(match=match, level="novice"),
        pb.StartMatchRequest(match=match),
        pb.GetViewRequest(match=match),
    ):
        assert "NOT_ALLOWED" == await reason(rosie.ask(request))
    assert closed == (await rosie.ask(pb.LeaveMatchRequest(match=match))).match
    assert closed == (await sam.ask(pb.LeaveMatchRequest(match=match))).match


async def test_a_match_starts_with_all_its_seats(town):
    """Its engine gets the players, their names, their nonces and the clock."""
    rosie, sam = await town.account(), await town.account()
    made = await rosie.ask(pb.CreateMatchRequest(game="hopscotch", clock=CLOCK))
    match = made.match.id
    await sam.ask(pb.JoinMatchRequest(match=match, seat="red", nonce=b"\xff\x00"))
    denied = await refusal(rosie.ask(pb.StartMatchRequest(match=match)))
    assert ("SEATS_NOT_FILLED", "blue") == (denied.reason, denied.metadata["seat"])
    await rosie.ask(pb.AddBotRequest(match=match, level="master"))
    assert "NOT_ALLOWED" == await reason(sam.ask(pb.StartMatchRequest(match=match)))
    assert {} == town.world.matches
    started = (await rosie.ask(pb.StartMatchRequest(match=match))).match
    begun = town.world.matches[match].request

    assert pb.MATCH_STATE_RUNNING == started.state
    assert [("red", sam.name, ""), ("blue", "bot:master", "master")] == [
        (player.seat, player.label, player.bot_level) for player in begun.players
    ]
    assert b"\xff\x00" == begun.players[0].nonce
    assert 16 == len(begun.players[1].nonce)
    assert CLOCK == begun.clock


async def test_a_match_starts_once(town):
    """Starting it again gets the same answer."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    again = await rosie.ask(pb.StartMatchRequest(match=match))

    assert pb.MATCH_STATE_RUNNING == again.match.state
    assert 1 == town.world.creations[match]
    assert 1 == town.engine.calls["CreateMatch"]


async def test_seats_of_a_started_match_are_fixed(town):
    """Who leaves is told to resign instead; who sits there already may join again."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)

    for request in (
        pb.JoinMatchRequest(match=match),
        pb.JoinMatchRequest(match=match, seat="red"),
    ):
        assert "NOT_ALLOWED" == await reason((await town.account()).ask(request))
    assert "NOT_ALLOWED" == await reason(rosie.ask(pb.AddBotRequest(match=match, level="novice")))
    denied = await refusal(sam.ask(pb.LeaveMatchRequest(match=match)))
    assert "NOT_ALLOWED" == denied.reason
    assert "resign" in denied.message
    assert "blue" == (await sam.ask(pb.JoinMatchRequest(match=match))).seat


@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize(
    "heals",
    [pb.StartMatchRequest, pb.GetMatchRequest, pb.GetViewRequest],
    ids=lambda kind: kind.__name__,
)
async def test_a_start_that_broke_off_heals(town, where, heals):
    """Whether or not its engine had begun the match: by starting again, or by looking at it."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    for player in (rosie, sam):
        await player.ask(pb.JoinMatchRequest(match=match))
    lost = Denied("OUTCOME_UNKNOWN", "lost", match=match, request_id=match)
    getattr(town.engine, where)["CreateMatch"].append(lost)
    denied = await refusal(rosie.ask(pb.StartMatchRequest(match=match)))
    assert "OUTCOME_UNKNOWN" == denied.reason
    assert State.STARTING is (await town.store.match(match)).state
    assert "NOT_ALLOWED" == await reason(sam.ask(pb.LeaveMatchRequest(match=match)))
    assert pb.MATCH_STATE_OPEN == (await _listed(rosie)).state
    await rosie.ask(heals(match=match))

    assert pb.MATCH_STATE_RUNNING == (await match_of(sam, match)).state
    assert 1 == town.world.creations[match]
    assert (await town.act(rosie, match, "red")).standing.revision == 1


async def _listed(caller):
    [match] = (await caller.ask(pb.ListMatchesRequest())).matches
    return match


async def test_a_start_that_its_engine_refuses_leaves_the_match_open(town):
    """With the engine's reason; its seats may change again."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    for player in (rosie, sam):
        await player.ask(pb.JoinMatchRequest(match=match))
    town.engine.before["CreateMatch"].append(Denied("EDITION_UNSUPPORTED", "too old", edition=1))

    assert "EDITION_UNSUPPORTED" == await reason(rosie.ask(pb.StartMatchRequest(match=match)))
    assert pb.MATCH_STATE_OPEN == (await match_of(rosie, match)).state
    await sam.ask(pb.LeaveMatchRequest(match=match))
    await sam.ask(pb.JoinMatchRequest(match=match))
    assert (await rosie.ask(pb.StartMatchRequest(match=match))).match.state


async def test_how_a_match_ends_is_learnt_from_its_engine(town):
    """By looking at it, though nobody plays through this gateway."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    town.count(match, 2)
    seen = await match_of(rosie, match)

    assert pb.MATCH_STATE_OVER == seen.state
    assert town.world.matches[match].outcome() == seen.outcome
    assert not seen.rated
    account = rosie.token.partition(".")[0]
    assert [] == await town.store.live(account)


@pytest.mark.parametrize("how", ["act", "view", "record", "resign", "watch", "listen"])
async def test_how_a_match_ends_is_learnt_from_what_passes(town, how):
    """From every answer that tells it; the list of matches shows it."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=1)
    seat = {"match": match, "seat": "red"}
    stream = None
    if how in ("watch", "listen"):
        request = (
            pb.WatchMatchRequest(match=match) if how == "watch" else pb.ListenQuestionsRequest()
        )
        stream = rosie.stream(request)
        await stream.next()
    if how == "act":
        await town.act(rosie, match, "red")
    elif how == "resign":
        await rosie.ask(pb.ResignMatchRequest(**seat, request_id="r"))
    else:
        town.count(match)
    if how in ("view", "record"):
        kind = pb.GetViewRequest if how == "view" else pb.GetMatchRecordRequest
        await rosie.ask(kind(**seat))
    if stream:
        await stream.next()

    async def is_over():
        return (await _listed(sam)).state == pb.MATCH_STATE_OVER

    await until(is_over)
    assert town.world.matches[match].outcome() == (await _listed(sam)).outcome


async def test_a_match_is_shown_though_its_engine_is_away(town):
    """As far as it is known."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    await town.engine.stop()

    assert pb.MATCH_STATE_RUNNING == (await match_of(rosie, match)).state


async def test_a_bot_is_sent_away_before_the_start(town):
    """By the creator alone; what is free stays so, people stay, and another bot may come."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    await rosie.ask(pb.AddBotRequest(match=match, seat="red", level="novice"))
    gone = pb.RemoveBotRequest(match=match, seat="red")
    assert "NOT_ALLOWED" == await reason(sam.ask(gone))
    for _ in range(2):
        assert {"red": "", "blue": ""} == seats((await rosie.ask(gone)).match)
    await sam.ask(pb.JoinMatchRequest(match=match, seat="red"))
    assert "WRONG_SEAT" == await reason(rosie.ask(gone))
    await rosie.ask(pb.AddBotRequest(match=match, seat="blue", level="master"))
    await rosie.ask(pb.StartMatchRequest(match=match))
    late = rosie.ask(pb.RemoveBotRequest(match=match, seat="blue"))

    assert "NOT_ALLOWED" == await reason(late)


async def test_a_match_tells_its_teams(town):
    """As its engine does; where each plays for itself there are none."""
    rosie = await town.account()
    four = await match_of(rosie, await town.open_match(rosie, seats=4))
    two = await match_of(rosie, await town.open_match(rosie))

    teams = {team.name: list(team.seats) for team in four.teams}
    assert {"warm": ["red", "green"], "cold": ["blue", "white"]} == teams
    assert not two.teams
