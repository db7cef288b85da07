"""A store that is killed and comes back: what callers are told, and what goes on."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.page import follow, opened
from tests.gateway.stores import joined
from tests.gateway.test_watch import revisions
from tests.gateway.town import reason, refusal, until

PATIENT = pytest.mark.parametrize("town", [{"rescan_seconds": 600}], indirect=True)


@pytest.fixture
def store_of(own_redis, ledger_url):
    return joined(own_redis, ledger_url)


async def test_without_a_store_calls_are_refused(town, own_redis):
    """What only reads was not carried out; of the rest nobody knows. Nothing is lost by it."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    own_redis.kill()
    denied = await refusal(rosie.ask(pb.GetMatchRequest(match=match)))
    assert ("UNAVAILABLE", {"part": "store"}) == (denied.reason, denied.metadata)
    denied = await refusal(rosie.ask(pb.CreateMatchRequest(game="hopscotch", request_id="q")))
    assert ("UNAVAILABLE", {"part": "store"}) == (denied.reason, denied.metadata)
    assert (await town.nobody().ask(pb.ListGamesRequest())).games
    own_redis.start()
    shown = await _patiently(rosie, pb.GetMatchRequest(match=match))

    assert pb.MATCH_STATE_RUNNING == shown.match.state
    assert 1 == (await town.act(rosie, match, "red")).standing.revision


async def _patiently(caller, request):
    """Ask again while the store is away, as a client does."""
    async with asyncio.timeout(10):
        while True:
            try:
                return await caller.ask(request)
            except grpc.aio.AioRpcError as refused:
                if refused.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)


async def test_an_answer_counts_though_its_end_cannot_be_noted(town, own_redis):
    """The engine has it; that the match is over is learnt later."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=1)
    play = next(method.logic for method in town.process.gateway.methods if method.name == "Act")
    account = (await town.store.credentials(rosie.token.partition(".")[0])).account
    own_redis.kill()
    act = pb.ActRequest(match=match, seat="red", question=10, action="count 1", request_id="r")
    answer = await play(account, act)
    assert answer.standing.HasField("outcome")
    own_redis.start()
    shown = await _patiently(rosie, pb.GetMatchRequest(match=match))

    assert pb.MATCH_STATE_OVER == shown.match.state


@PATIENT
async def test_a_bot_hears_of_new_matches_after_the_store_was_away(town, own_redis):
    """At once, not when it looks again by itself; and what it played went on meanwhile."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    stream = town.same(rosie, other).stream(pb.ListenQuestionsRequest())
    assert match == (await stream.next()).match
    own_redis.kill()
    town.count(match, 2)
    assert 20 == (await stream.next()).question.number
    await asyncio.sleep(0.3)
    own_redis.start()
    await _patiently(rosie, pb.GetAccountRequest())
    new = await town.running_match(rosie, sam)
    began = time.monotonic()

    assert new == (await stream.next()).match
    assert time.monotonic() - began < 5


@PATIENT
async def test_a_bot_finds_what_started_while_no_news_came(town, own_redis, monkeypatch):
    """Whoever listens again looks for what was missed."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    stream = town.same(rosie, other).stream(pb.ListenQuestionsRequest())
    await until(lambda: other.gateway.bots._listeners)

    async def lose(news):
        """Nobody hears it."""

    monkeypatch.setattr(town.store, "tell", lose)
    match = await town.running_match(rosie, sam)
    assert not other.gateway.hub._feeds
    own_redis.kill()
    own_redis.start()

    assert match == (await stream.next()).match


async def test_a_listener_without_a_store_waits_for_it(town, own_redis):
    """Its first look is made when the store is back."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    bots = town.process.gateway.bots
    account = await town.process.gateway.admission.accounts.prove(rosie.token)
    own_redis.kill()
    told = bots.listen(account, pb.ListenQuestionsRequest())
    first = asyncio.ensure_future(anext(told))
    await asyncio.sleep(0.2)
    assert not first.done()
    own_redis.start()

    assert match == (await first).match
    await told.aclose()
    assert "UNKNOWN_MATCH" == await reason(rosie.ask(pb.GetMatchRequest(match="h-nowhere")))


@PATIENT
async def test_news_go_on_without_a_store(town, own_redis):
    """Steps are told meanwhile; what has changed at another gateway is told when it is back."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    match, open_one = await town.running_match(rosie, sam), await town.open_match(rosie)
    at = town.same(rosie, other)
    page, _ = await opened(at, matches=[follow(match)])
    await page.steps(match, 0)
    own_redis.kill()
    town.count(match)
    assert [1] == revisions(await page.steps(match, 1))
    own_redis.start()
    other.gateway.changes.hear_of, hear = lambda *_: None, other.gateway.changes.hear_of
    await _patiently(sam, pb.JoinMatchRequest(match=open_one))
    other.gateway.changes.hear_of = hear
    await other.gateway.changes.look_again()
    while (shown := await page.next("match")).id != open_one or not shown.seats[0].account:
        """It may be told as it was before, too."""

    assert sam.name == shown.seats[0].account


async def test_a_page_waits_for_the_store(town, own_redis):
    """A match that cannot be looked up is followed when it can be; nobody is sent away."""
    rosie, sam = await town.account(), await town.account()
    matches = [await town.running_match(rosie, sam) for _ in range(2)]
    page, _ = await opened(rosie)
    [stream] = town.process.gateway.news_subscriber.news._open.values()
    town.process.gateway.matches._started.clear()
    own_redis.kill()
    news = town.process.gateway.news_subscriber.news
    request = pb.ChangeNewsRequest(stream="tab", follow=[follow(match) for match in matches])
    await news.change(stream.account, request)
    await asyncio.sleep(0.3)
    own_redis.start()
    told = {(await page.next("step")).match for _ in matches}

    assert set(matches) == told
    assert not [said for said in page.heard if said.HasField("unfollowed")]


async def test_without_a_store_no_session_begins_or_ends(town, own_redis):
    """It is said whether something may have been done; a session that was begun is good."""
    rosie = town.nobody()
    rosie.token = (await rosie.ask(pb.StartSessionRequest())).token
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    own_redis.kill()
    request = pb.StartSessionRequest(code=code)
    assert await reason(town.nobody().ask(request)) in ("UNAVAILABLE", "OUTCOME_UNKNOWN")
    for request in (pb.EndSessionRequest(), pb.ListSessionsRequest()):
        assert await reason(rosie.ask(request)) in ("UNAVAILABLE", "OUTCOME_UNKNOWN")
    own_redis.start()

    assert 1 == len((await _patiently(rosie, pb.ListSessionsRequest())).sessions)
    assert (await _patiently(town.nobody(), pb.StartSessionRequest(code=code))).token


async def test_a_claim_that_the_store_did_not_answer_is_repeated(town, own_redis):
    """It is done once, whatever became of the first attempt."""
    nobody = town.nobody()
    nobody.token = (await nobody.ask(pb.CreateAccountRequest())).token
    request = pb.ClaimNameRequest(name="Rosie6")
    own_redis.kill()
    assert await reason(nobody.ask(request)) in ("UNAVAILABLE", "OUTCOME_UNKNOWN")
    own_redis.start()

    assert "Rosie6" == (await _patiently(nobody, request)).account.name
    assert not (await nobody.ask(pb.GetAccountRequest())).account.guest
