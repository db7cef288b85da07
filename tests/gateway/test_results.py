"""What was played, listed, found and counted."""

from __future__ import annotations

from itertools import pairwise

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles
from gateway import ledger_results, results
from tests.gateway.played import LIVE, PAIRS, SLOW, keep, match, people
from tests.gateway.test_ratings import over, settle, settled, settlement
from tests.gateway.town import reason, refusal

WON, LOST, DRAWN, ABORTED = (profiles.ResultKind.Value(f"RESULT_KIND_{kind.upper()}") for kind in
                             results.RESULTS)  # fmt: skip


# Settled.


async def test_a_settlement_writes_what_came_of_it(town):
    """For each seat, with the match as everyone may see it; once, however often it is settled."""
    rosie = await town.account()
    played = await over(town, rosie, "novice")
    request = settled(played, await settlement(town, played))
    request.revision = 17
    for _ in range(2):
        await town.worker().ask(request)
    [mine] = (await rosie.ask(profiles.ListResultsRequest())).results
    asked = profiles.ListResultsRequest(account="bot:novice", filter={"game": "hopscotch"})
    [bots] = (await rosie.ask(asked)).results

    assert (played, "red", "red", WON, 1) == (
        *(mine.match.id, mine.seat, mine.side, mine.result, mine.score),
    )
    assert ("length=1 seats=2", pb.PACE_FREE, 17) == (mine.options, mine.pace, mine.length)
    assert mine.match == (await rosie.ask(pb.GetMatchRequest(match=played))).match
    assert (played, "blue", LOST, -1) == (bots.match.id, bots.seat, bots.result, bots.score)


async def test_a_match_that_does_not_count_has_results_too(town):
    """It says that it was not rated."""
    rosie = await town.account()
    played = await over(town, rosie, rosie)
    request = pb.SettleRatingsRequest(
        match=played, outcome=types.Outcome(ending=types.ENDING_ABORTED), record="a record"
    )
    await town.worker().ask(request)
    found = (await rosie.ask(profiles.ListResultsRequest())).results

    assert [("red", ABORTED), ("blue", ABORTED)][::-1] == sorted(
        (one.seat, one.result) for one in found
    )
    assert not any(one.match.rated for one in found)


# Asked.

MATCHES = (
    (("Ann", "Bob"), (1, 0), {"clock": LIVE}),
    (("Bob", "Ann"), (1, 0), {"clock": LIVE}),
    (("Ann", "bot:novice"), (1, 0), {}),
    (("Ann", "bot:novice"), (0, 0), {}),
    (("bot:master", "Ann"), (0, 1), {"clock": SLOW, "counted": False}),
    (("Ann", "Bob"), (), {}),
    (("Ann", "Bob", "Cleo"), (0, 1, 0), {}),
    (("Ann", "Bob", "Cleo", "bot:novice"), (1, 0, 1, 0), {"teams": PAIRS}),
    (("Ann", "Ann"), (1, 0), {"counted": False}),
    (("Bob", "Cleo"), (0, 0), {"clock": LIVE}),
)


@pytest.fixture
def past(loop, town):
    """A town with these matches, and somebody who looks at them."""

    async def begun():
        await people(town.store)
        for number, (players, scores, more) in enumerate(MATCHES):
            await keep(town.store, match(number, players, scores, **more), 10 + number)
        return await town.account()

    return loop.run(begun())


async def numbers(caller, kind=profiles.ListResultsRequest, pages=None, **asked):
    """The numbers of the matches that are listed, page after page."""
    found, token = [], ""
    while True:
        answer = await caller.ask(kind(page_token=token, **asked))
        entries = answer.results if kind is profiles.ListResultsRequest else answer.matches
        found += [int(one.match.id[2:]) for one in entries]
        if pages is not None:
            pages.append(len(entries))
        token = answer.next_page_token
        if not token:
            return found


FILTERS = [
    ({}, [8, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
    ({"game": "hopscotch"}, [8, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
    ({"options": "length=6 seats=3"}, [6]),
    ({"options": "seats=3 length=6"}, [6]),
    ({"pace": pb.PACE_LIVE}, [1, 0]),
    ({"pace": pb.PACE_SLOW, "game": "hopscotch"}, [4]),
    ({"side": "blue"}, [8, 4, 1]),
    ({"side": "warm"}, [7]),
    ({"side": "red", "result": WON}, [8, 7, 2, 0]),
    ({"opponent": "bob"}, [7, 6, 5, 1, 0]),
    ({"opponent": "Cleo"}, [6]),
    ({"opponent": "bot:novice"}, [7, 3, 2]),
    ({"result": LOST}, [8, 6, 1]),
    ({"result": DRAWN}, [3]),
    ({"result": ABORTED}, [5]),
    ({"rated": True}, [7, 6, 3, 2, 1, 0]),
    ({"rated": False}, [8, 8, 5, 4]),
    ({"least_length": 13, "most_length": 15}, [5, 4, 3]),
    ({"opponent": "Bob", "result": WON, "pace": pb.PACE_LIVE}, [0]),
]


FOUND = [
    ([], {"game": "hopscotch", "result": DRAWN}, [9, 3]),
    ([], {"game": "hopscotch", "result": ABORTED}, [5]),
    ([], {"game": "hopscotch", "pace": pb.PACE_LIVE, "most_length": 10}, [0]),
    ([], {"game": "hopscotch", "options": "length=6 seats=4"}, [7]),
    (["Ann"], {}, [8, 7, 6, 5, 4, 3, 2, 1, 0]),
    (["Ann", "Bob"], {}, [7, 6, 5, 1, 0]),
    (["Cleo", "Ann", "cleo"], {}, [7, 6]),
    (["Bob", "Cleo", "Ann"], {"result": WON}, [6]),
    (["Ann", "Bob"], {"result": WON}, [7, 0]),
    (["Bob", "Ann"], {"result": WON}, [6, 1]),
    (["bot:novice", "Ann"], {"game": "hopscotch"}, [7, 3, 2]),
]


@pytest.mark.parametrize(("asked", "wanted"), FILTERS)
async def test_results_are_listed_as_they_are_wanted(past, asked, wanted):
    """The newest first, anybody's to anybody."""
    assert wanted == await numbers(past, account="ann", filter=asked)


@pytest.mark.parametrize("town", [{"calls_burst": 1_000_000}], indirect=True)
@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("looked_at", [2, 3, 5000])
async def test_pages_leave_nothing_out(past, monkeypatch, size, looked_at):
    """However many are looked at for each: not one of two seats in the same match either."""
    monkeypatch.setattr(ledger_results, "LOOKED_AT", looked_at)
    for asked, wanted in FILTERS:
        given = {"account": "Ann", "filter": asked, "page_size": size}
        pages = []

        assert wanted == await numbers(past, pages=pages, **given), asked
        assert max(pages) <= size
    for players, asked, wanted in (*FOUND, ([], {"game": "hopscotch"}, [*range(9, -1, -1)])):
        given = {"players": players, "filter": asked, "page_size": size}
        assert wanted == await numbers(past, profiles.FindMatchesRequest, **given), asked


async def test_a_time_has_a_beginning_and_an_end(past):
    """What was over at the one is in it, what was over at the other is not."""
    found = (await past.ask(profiles.ListResultsRequest(account="Ann"))).results
    times = sorted({one.end_time.ToMilliseconds() for one in found})
    for first, until in pairwise([0, *times, times[-1] + 1]):
        asked = profiles.ResultFilter(from_time=at(first), until_time=at(until))
        wanted = [one for one in found if first <= one.end_time.ToMilliseconds() < until]
        answer = await past.ask(profiles.ListResultsRequest(account="Ann", filter=asked))
        assert wanted == list(answer.results)


def at(ms):
    time = Timestamp()
    time.FromMilliseconds(ms)
    return time


@pytest.mark.parametrize(("players", "asked", "wanted"), FOUND)
async def test_matches_are_found(past, players, asked, wanted):
    """Each once; a result is that of the first who is named."""
    given = {"players": players, "filter": asked}

    assert wanted == await numbers(past, profiles.FindMatchesRequest, **given)


def told(tallies):
    return [(t.of or t.pace or t.game, t.won, t.lost, t.drawn, t.aborted) for t in tallies]


async def test_results_are_counted(past):
    """By game, side, options, pace and opponent; the largest first."""
    said = await past.ask(profiles.SummarizeResultsRequest(account="Ann"))

    assert [("hopscotch", 5, 3, 1, 1)] == told(said.games)
    assert [("red", 3, 1, 1, 1), ("blue", 1, 2, 0, 0), ("warm", 1, 0, 0, 0)] == told(said.sides)
    assert [
        ("length=6 seats=2", 4, 2, 1, 1),
        ("length=6 seats=3", 0, 1, 0, 0),
        ("length=6 seats=4", 1, 0, 0, 0),
    ] == told(said.options)
    assert [
        (pb.PACE_FREE, 3, 2, 1, 1),
        (pb.PACE_LIVE, 1, 1, 0, 0),
        (pb.PACE_SLOW, 1, 0, 0, 0),
    ] == told(said.paces)
    assert [
        ("Bob", 2, 2, 0, 1),
        ("bot:novice", 2, 0, 1, 0),
        ("Cleo", 0, 1, 0, 0),
        ("bot:master", 1, 0, 0, 0),
    ] == told(said.opponents)
    assert not said.HasField("since_time")
    few = await past.ask(profiles.SummarizeResultsRequest(account="Ann", most=1))
    assert [1, 1, 3] == [len(few.options), len(few.opponents), len(few.sides)]
    live = profiles.SummarizeResultsRequest(account="Ann", filter={"pace": pb.PACE_LIVE})
    assert [("hopscotch", 1, 1, 0, 0)] == told((await past.ask(live)).games)


async def test_two_players_are_compared(past):
    """As the one sees it; team-mates are no opponents."""
    both = await past.ask(profiles.HeadToHeadRequest(one="Ann", other="bob"))
    back = await past.ask(profiles.HeadToHeadRequest(one="Bob", other="ann"))
    friends = await past.ask(profiles.HeadToHeadRequest(one="Ann", other="Cleo"))

    assert [("hopscotch", 2, 2, 0, 1)] == told(both.games)
    assert [("hopscotch", 2, 2, 0, 1)] == told(back.games)
    assert [7, 6, 5, 1, 0] == [int(one.match.id[2:]) for one in both.latest]
    assert [WON, LOST, ABORTED, LOST, WON] == [one.result for one in both.latest]
    assert [(pb.PACE_FREE, 1, 1, 0, 1), (pb.PACE_LIVE, 1, 1, 0, 0)] == told(both.paces)
    assert [("hopscotch", 0, 1, 0, 0)] == told(friends.games)


async def test_it_is_told_where_the_counting_has_ended(past, monkeypatch, request):
    """More than are looked at are not counted, and that is said."""
    monkeypatch.setattr(ledger_results, "LOOKED_AT", 4)
    said = await past.ask(profiles.SummarizeResultsRequest(account="Ann"))
    if request.node.callspec.params["store_of"] == "memory":
        assert not said.HasField("since_time")  # what is in memory is counted in whole
        return
    listed = await past.ask(profiles.ListResultsRequest(account="Ann", page_size=4))

    assert 4 == sum(sum(row[1:]) for row in told(said.games))
    assert listed.results[-1].end_time == said.since_time


NAMELESS = "filter.game"
REFUSED = [
    (profiles.ListResultsRequest(account="nobody"), "account"),
    (profiles.ListResultsRequest(account="bot:wizard", filter={"game": "hopscotch"}), "account"),
    (profiles.ListResultsRequest(account="bot:novice"), NAMELESS),
    (profiles.ListResultsRequest(account="x" * 100), "account"),
    (profiles.ListResultsRequest(page_size=101), "page_size"),
    (profiles.ListResultsRequest(page_token="x"), "page_token"),
    (profiles.ListResultsRequest(filter={"pace": 9}), "pace"),
    (profiles.ListResultsRequest(filter={"result": 9}), "filter.result"),
    (profiles.ListResultsRequest(filter={"side": "No Side"}), "filter.side"),
    (profiles.ListResultsRequest(filter={"opponent": "nobody"}), "filter.opponent"),
    (profiles.ListResultsRequest(filter={"options": "usual"}), NAMELESS),
    (profiles.ListResultsRequest(filter={"options": "x", "game": "hopscotch"}), "filter.options"),
    (profiles.ListResultsRequest(filter={"options": "x=" + "y" * 500}), "filter.options"),
    (profiles.ListResultsRequest(filter={"least_length": -1}), "filter.least_length"),
    (profiles.ListResultsRequest(filter={"least_length": 5, "most_length": 4}),
     "filter.least_length"),
    (profiles.ListResultsRequest(filter={"from_time": {"seconds": -1}}), "filter.from_time"),
    (profiles.ListResultsRequest(filter={"from_time": {"nanos": -1}}), "filter.from_time"),
    (profiles.ListResultsRequest(filter={"until_time": {"seconds": 2**62}}), "filter.until_time"),
    (profiles.ListResultsRequest(filter={"from_time": {"seconds": 9}, "until_time": {}}),
     "filter.from_time"),
    (profiles.SummarizeResultsRequest(most=51), "most"),
    (profiles.SummarizeResultsRequest(most=-1), "most"),
    (profiles.SummarizeResultsRequest(account="bot:novice"), NAMELESS),
    (profiles.HeadToHeadRequest(), "other"),
    (profiles.HeadToHeadRequest(one="nobody", other="Ann"), "one"),
    (profiles.HeadToHeadRequest(one="Ann", other="ann"), "other"),
    (profiles.HeadToHeadRequest(one="bot:novice", other="bot:master"), NAMELESS),
    (profiles.HeadToHeadRequest(other="Ann", filter={"opponent": "Bob"}), "filter.opponent"),
    (profiles.FindMatchesRequest(), NAMELESS),
    (profiles.FindMatchesRequest(filter={"pace": "PACE_LIVE"}), NAMELESS),
    (profiles.FindMatchesRequest(players=["bot:novice", "Ann"]), NAMELESS),
    (profiles.FindMatchesRequest(players=["Ann", ""]), "players"),
    (profiles.FindMatchesRequest(players=["nobody"]), "players"),
    (profiles.FindMatchesRequest(players=[f"p{n}" for n in range(5)]), "players"),
    (profiles.FindMatchesRequest(filter={"game": "hopscotch", "side": "red"}), "players"),
    (profiles.FindMatchesRequest(filter={"game": "hopscotch", "opponent": "Ann"}), "players"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "field"), REFUSED)
async def test_what_makes_no_sense_is_refused(past, request_, field):
    """With the field that is wrong; what no index answers as well."""
    denied = await refusal(past.ask(request_))

    assert ("INVALID_REQUEST", {"field": field}) == (denied.reason, denied.metadata)


async def test_what_is_asked_of_no_game_of_ours_is_refused(past):
    """And page tokens are for their own list; nobody looks without an account."""
    for kind in (profiles.ListResultsRequest, profiles.FindMatchesRequest):
        assert "UNKNOWN_GAME" == await reason(past.ask(kind(filter={"game": "chess"})))
    first = await past.ask(profiles.ListResultsRequest(account="Ann", page_size=1))
    token = first.next_page_token
    other = profiles.ListResultsRequest(account="Bob", page_size=1, page_token=token)
    assert {"field": "page_token"} == (await refusal(past.ask(other))).metadata
    past.token = "x.y"
    assert "UNAUTHENTICATED" == await reason(past.ask(profiles.ListResultsRequest(account="Ann")))


async def test_names_are_those_of_now(town):
    """A guest's results are found by both of his names, and shown under the new one."""
    guest = town.nobody()
    made = await guest.ask(pb.CreateAccountRequest())
    guest.token, old = made.token, made.account.name
    sam = await town.account()
    await settle(town, await over(town, guest, sam))
    await guest.ask(pb.ClaimNameRequest(name="Rosie7"))
    for name in (old, "Rosie7"):
        [one] = (await sam.ask(profiles.ListResultsRequest(account=name))).results
        assert "Rosie7" == one.match.seats[0].account
    said = await sam.ask(profiles.SummarizeResultsRequest())

    assert ["Rosie7"] == [tally.of for tally in said.opponents]
