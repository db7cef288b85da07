"""Lists of matches, page by page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import page_tokens
from gateway.documents import ListEntry, State
from tests.gateway.town import reason, refusal


async def pages_of(caller, **given):
    """The ids on each page, up to the last one."""
    found, token = [], ""
    while True:
        request = pb.ListMatchesRequest(page_token=token, **given)
        answer = await caller.ask(request)
        found.append([match.id for match in answer.matches])
        token = answer.next_page_token
        if not token:
            return found


async def ids(caller, **given):
    return [match for page in await pages_of(caller, **given) for match in page]


async def test_matches_are_listed_newest_first(town):
    """In pages that leave nothing out, whatever is opened meanwhile."""
    rosie, sam = await town.account(), await town.account()
    opened = [await town.open_match(rosie) for _ in range(7)]
    kept = [await town.store.match(match) for match in opened]
    newest = [match.id for match in sorted(kept, key=lambda m: (m.created_ms, m.id), reverse=True)]

    assert newest == await ids(sam)
    assert [newest[:3], newest[3:6], newest[6:]] == await pages_of(sam, page_size=3)
    assert [newest] == await pages_of(sam, page_size=7)
    first = await sam.ask(pb.ListMatchesRequest(page_size=2))
    await town.open_match(rosie)
    request = pb.ListMatchesRequest(page_size=2, page_token=first.next_page_token)
    assert newest[2:4] == [match.id for match in (await sam.ask(request)).matches]


async def test_a_page_has_twenty_matches_unless_asked(town):
    """And then at most a hundred."""
    rosie = await town.account()
    for _ in range(21):
        await town.open_match(rosie)

    assert [20, 1] == [len(page) for page in await pages_of(rosie)]
    assert [21] == [len(page) for page in await pages_of(rosie, page_size=100)]


async def test_matches_are_listed_by_state(town):
    """Each in one list."""
    rosie, sam = await town.account(), await town.account()
    opened, closed = [await town.open_match(rosie) for _ in range(2)]
    await rosie.ask(pb.LeaveMatchRequest(match=closed))
    running, over = [await town.running_match(rosie, sam) for _ in range(2)]
    await sam.ask(pb.ResignMatchRequest(match=over, seat="blue", request_id="r"))
    by_state = {
        pb.MATCH_STATE_OPEN: opened,
        pb.MATCH_STATE_CLOSED: closed,
        pb.MATCH_STATE_RUNNING: running,
        pb.MATCH_STATE_OVER: over,
    }

    for state, match in by_state.items():
        assert [match] == await ids(sam, state=state)
    assert set(by_state.values()) == set(await ids(sam, game="hopscotch"))
    assert "UNKNOWN_GAME" == await reason(sam.ask(pb.ListMatchesRequest(game="chess")))


async def test_mine_are_those_where_one_sits_or_sat(town):
    """Opening a match is not sitting there, and trying to join is not either."""
    rosie, sam, tom = [await town.account() for _ in range(3)]
    left, other = [await town.open_match(rosie) for _ in range(2)]
    await sam.ask(pb.JoinMatchRequest(match=left))
    await sam.ask(pb.LeaveMatchRequest(match=left))
    await rosie.ask(pb.JoinMatchRequest(match=other, seat="red"))
    running = await town.running_match(tom, sam)
    account = sam.token.partition(".")[0]
    await town.store.enter(account, await town.store.match(other), 1, 99)

    assert {left, running} == set(await ids(sam, mine=True))
    assert [other] == await ids(rosie, mine=True)
    assert [running] == await ids(sam, mine=True, state=pb.MATCH_STATE_RUNNING)
    assert {left, other, running} == set(await ids(sam))


async def test_a_match_on_a_list_it_has_outgrown_is_moved(town):
    """A crash came between the match and its lists: whoever looks mends them."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    kept = await town.store.match(match)
    await town.store.list_match(kept, State.OPEN)
    await town.store.unlist_match(kept, State.RUNNING)

    assert [] == await ids(sam, state=pb.MATCH_STATE_OPEN)
    assert [match] == await ids(sam, state=pb.MATCH_STATE_RUNNING)
    assert [] == await town.store.listed("hopscotch", State.OPEN, None, 9)


async def test_a_match_on_a_list_that_it_has_yet_to_reach_stays_there(town):
    """Whoever changes it puts it there first."""
    rosie = await town.account()
    match = await town.open_match(rosie)
    kept = await town.store.match(match)
    await town.store.list_match(kept, State.RUNNING)
    await town.store.list_match(replace(kept, id="h-nowhere"), State.OPEN)

    assert [] == await ids(rosie, state=pb.MATCH_STATE_RUNNING)
    assert [match] == await ids(rosie)
    assert 1 == len(await town.store.listed("hopscotch", State.RUNNING, None, 9))


async def test_a_page_may_be_short_and_not_the_last(town):
    """Looking for few among many stops now and then."""
    rosie, sam = await town.account(), await town.account()
    mine = await town.open_match(rosie)
    await sam.ask(pb.JoinMatchRequest(match=mine))
    account = sam.token.partition(".")[0]
    kept = await town.store.match(mine)
    for n in range(600):
        ghost = replace(kept, id=f"h-{n:04}", created_ms=kept.created_ms + n)
        await town.store.enter(account, ghost, 1, 9999)
    found = await pages_of(sam, mine=True)

    assert [[], [mine]] == found


@pytest.mark.parametrize("size", [-1, 101, 2**31 - 1])
async def test_a_page_has_a_size(town, size):
    """From 0, which means the usual one, to 100."""
    rosie = await town.account()
    for kind in (pb.ListMatchesRequest, pb.ListLeadersRequest):
        given = {"game": "hopscotch", "page_size": size}
        assert {"field": "page_size"} == (await refusal(rosie.ask(kind(**given)))).metadata


async def test_a_page_token_is_for_its_own_list(town):
    """For no other game, state, account or kind of list."""
    rosie, sam = await town.account(), await town.account()
    for _ in range(2):
        await town.open_match(rosie)
    answer = await rosie.ask(pb.ListMatchesRequest(page_size=1))
    token = answer.next_page_token

    for request in (
        pb.ListMatchesRequest(page_token=token, state=pb.MATCH_STATE_OPEN),
        pb.ListMatchesRequest(page_token=token, mine=True),
        pb.ListMatchesRequest(page_token=token[:-2]),
        pb.ListLeadersRequest(page_token=token, game="hopscotch"),
    ):
        assert {"field": "page_token"} == (await refusal(rosie.ask(request))).metadata
    assert (await sam.ask(pb.ListMatchesRequest(page_token=token))).matches


BAD_TOKENS = [
    "x",
    "\u00e9",
    "!!!!",
    "A" * 401,
    "e30",  # {}
    "WzEsMl0",  # [1,2]
    "W1tdLCJhIiwiYiJd",  # [[],"a","b"]
    "WzFlOTk5LCJhIiwiYiJd",  # [1e999,"a","b"]
    "bnVsbA",  # null
    "W" * 300,
]


@pytest.mark.parametrize("text", BAD_TOKENS)
def test_a_bad_page_token_is_refused(text):
    """Whatever it is made of."""
    with pytest.raises(Denied) as caught:
        page_tokens.decode(text, "leaders", "hopscotch")

    assert {"field": "page_token"} == caught.value.metadata


@pytest.mark.parametrize("score", [1_700_000_000_123, -7.25, 1 / 3, 0])
def test_a_page_token_gives_its_place_back(score):
    """To the last bit."""
    place = ListEntry(float(score), "h-abc")

    assert place == page_tokens.decode(page_tokens.encode(place, "a", 1), "a", 1)
    assert page_tokens.decode("", "a") is None
    assert "" == page_tokens.encode(None, "a")
