"""An end that was missed is told, however its match ended and whoever was away meanwhile."""

from __future__ import annotations

import asyncio
import gc

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import endings
from gateway.documents import News, State
from tests.gateway.town import until


def listen(caller):
    return caller.stream(pb.ListenQuestionsRequest())


async def ended(town, caller):
    """The ends that are kept for somebody."""
    account = caller.token.partition(".")[0]
    return [place.name for place in await town.store.ended(account)]


async def noted(town, match):
    """Wait until a gateway has noted an end."""

    async def is_over():
        return (await town.store.match(match)).state is State.OVER

    await until(is_over)


async def told(stream, match):
    """The seats whose end is told next, and that it is no question."""
    said = await stream.next()
    assert match == said.match
    assert not said.HasField("question")
    assert "hopscotch" == said.game
    return said.seat, said.outcome


async def test_who_was_away_hears_of_the_end(town):
    """A bot needs no memory: it listens again, and is told what came of its match."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    away = listen(rosie)
    await away.next()
    away.cancel()
    town.count(match, 2)
    await sam.ask(pb.GetViewRequest(match=match, seat="blue"))
    await noted(town, match)
    outcome = town.world.matches[match].outcome()

    assert ("red", outcome) == await told(listen(rosie), match)
    assert ("blue", outcome) == await told(listen(sam), match)


async def test_an_end_that_nobody_saw_is_told(town):
    """Neither a person nor a gateway looked at the match when it ended."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    town.count(match, 2)

    assert "red" == (await told(listen(rosie), match))[0]


async def test_every_seat_is_told(town):
    """An account at both seats hears of both."""
    rosie = await town.account()
    match = await town.open_match(rosie, length=2)
    for seat in ("red", "blue"):
        await rosie.ask(pb.JoinMatchRequest(match=match, seat=seat))
    await rosie.ask(pb.StartMatchRequest(match=match))
    town.count(match, 2)
    await rosie.ask(pb.GetViewRequest(match=match))
    await noted(town, match)
    stream = listen(rosie)

    assert {"red", "blue"} == {(await told(stream, match))[0] for _ in range(2)}
    assert await stream.silent()


async def test_an_end_is_told_once_to_one_listener(town):
    """Though it comes by its match and from the list, which is looked at again and again."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    stream = listen(rosie)
    await stream.next()
    town.count(match, 2)
    assert "red" == (await told(stream, match))[0]

    assert await stream.silent(1.5)  # three looks
    assert [match] == await ended(town, rosie)


async def test_a_stream_that_broke_at_once_may_not_have_brought_it(town):
    """So it is told again, to the next one."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    town.count(match, 2)
    for _ in range(3):
        stream = listen(rosie)
        assert "red" == (await told(stream, match))[0]
        stream.cancel()


async def test_a_stream_that_lasts_has_brought_it(town, monkeypatch):
    """From then on nobody is told again."""
    monkeypatch.setattr(endings, "LASTED_SECONDS", 0.3)
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    stream = listen(rosie)
    await stream.next()
    town.count(match, 2)
    await told(stream, match)
    await until(lambda: ended(town, sam))  # what is told is noted soon
    await until(lambda: _none_kept(town, rosie))
    again = listen(rosie)

    assert await again.silent(0.3)
    assert [match] == await ended(town, sam)


async def test_an_end_is_let_go_however_many_matches_start_meanwhile(town, monkeypatch):
    """Whoever always begins another match is looked after in his time all the same."""
    monkeypatch.setattr(endings, "LASTED_SECONDS", 0.3)
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    stream = listen(rosie)
    await stream.next()
    town.count(match, 2)
    await told(stream, match)
    await until(lambda: ended(town, rosie))
    starting = asyncio.create_task(_start_on_and_on(town, rosie))
    await until(lambda: _none_kept(town, rosie))
    starting.cancel()

    assert [match] == await ended(town, sam)


async def _start_on_and_on(town, caller):
    """Tell of starts more often than anyone looks for what was missed."""
    account = caller.token.partition(".")[0]
    while True:
        await town.store.tell(News("started", "hopscotch-gone", (account,)))
        await asyncio.sleep(0.02)


async def _none_kept(town, caller):
    return not await ended(town, caller)


async def test_an_end_that_is_noted_twice_is_one(town):
    """As when its ratings are settled long after it was told."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    town.count(match, 2)
    await rosie.ask(pb.GetViewRequest(match=match))
    await noted(town, match)
    account = rosie.token.partition(".")[0]
    await until(lambda: ended(town, rosie))
    await town.store.unended(account, await town.store.ended(account))
    await town.store.finish(await town.store.match(match))

    assert [] == await ended(town, rosie)


async def test_a_gateway_that_died_over_an_end_leaves_it_to_the_next(town, monkeypatch):
    """It had called the match over, and not taken it from the lists."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)

    async def die(_):
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(town.store, "finish", die)
        town.count(match, 2)
        view = asyncio.ensure_future(rosie.ask(pb.GetViewRequest(match=match), timeout=1))
        await noted(town, match)
        await asyncio.wait([view])
        view.exception()
    assert [] == await ended(town, rosie)

    assert "red" == (await told(listen(rosie), match))[0]


@pytest.mark.parametrize("seats", [1, 3])
async def test_only_those_who_sat_there_are_told(town, seats):
    """Bots and others have no ends to hear of."""
    rosie, tom = await town.account(), await town.account()
    others = ["novice"] * seats if seats == 1 else [await town.account(), await town.account()]
    match = await town.running_match(rosie, *others, length=3)
    town.count(match, 3)
    await rosie.ask(pb.GetViewRequest(match=match))
    await noted(town, match)

    assert await listen(tom).silent()
    assert "red" == (await told(listen(rosie), match))[0]


async def test_an_end_that_could_not_be_noted_troubles_nobody_who_is_gone(town, monkeypatch):
    """The caller hangs up while the store is slow to fail; no error is left unretrieved."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    failing, said = asyncio.Event(), []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context))

    async def fail(_):
        failing.set()
        await asyncio.sleep(0.1)
        raise Denied("UNAVAILABLE", "the store went away", part="store")

    with monkeypatch.context() as patch:
        patch.setattr(town.store, "finish", fail)
        town.count(match, 2)
        view = asyncio.ensure_future(rosie.ask(pb.GetViewRequest(match=match)))
        await failing.wait()
        view.cancel()
        await asyncio.sleep(0.2)
        gc.collect()

    assert [] == said
    assert not town.process.gateway.matches._ending
