"""Changes of matches, told to those whom they concern and to those who look at the lobby."""

from __future__ import annotations

import asyncio

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.page import follow, listening, opened
from tests.gateway.town import until


async def test_changes_of_ones_own_matches_are_told(town):
    """Of those that one opened and of those where one sits: seats, the start, the end."""
    await listening(town.process)
    rosie, sam, tom = [await town.account() for _ in range(3)]
    pages = {who: (await opened(who))[0] for who in (rosie, sam, tom)}
    match = await town.open_match(rosie, length=1)
    assert pb.MATCH_STATE_OPEN == (await pages[rosie].next("match")).state
    await sam.ask(pb.JoinMatchRequest(match=match, seat="red"))
    for who in (rosie, sam):
        assert sam.name == (await pages[who].next("match")).seats[0].account
    await sam.ask(pb.LeaveMatchRequest(match=match))
    for who in (rosie, sam):
        assert "" == (await pages[who].next("match")).seats[0].account
    await rosie.ask(pb.AddBotRequest(match=match, seat="red", level="novice"))
    assert "novice" == (await pages[rosie].next("match")).seats[0].bot_level
    await rosie.ask(pb.JoinMatchRequest(match=match, seat="blue"))
    await rosie.ask(pb.StartMatchRequest(match=match))
    states = []
    while pb.MATCH_STATE_RUNNING not in states:
        states.append((await pages[rosie].next("match")).state)
    town.count(match)
    await rosie.ask(pb.GetMatchRequest(match=match))
    over = await pages[rosie].next("match")

    assert pb.MATCH_STATE_OVER == over.state
    assert town.world.matches[match].outcome() == over.outcome
    assert await pages[sam].quiet()
    assert await pages[tom].quiet()


async def test_the_lobby_is_told_to_those_who_want_it(town):
    """Every change of any match, at every gateway; until it is switched off."""
    other = await town.gateway()
    await listening(town.process, other)
    rosie, sam = await town.account(), await town.account()
    page, _ = await opened(town.same(sam, other), with_lobby=True)
    without, _ = await opened(sam, stream="without")
    match = await town.open_match(rosie)
    assert (match, pb.MATCH_STATE_OPEN) == ((told := await page.next()).id, told.state)
    await rosie.ask(pb.LeaveMatchRequest(match=match))
    assert pb.MATCH_STATE_CLOSED == (await page.next()).state
    await page.change(with_lobby=False)
    await until(lambda: not other.gateway.changes._lobby)
    await town.open_match(rosie)
    await asyncio.sleep(0.3)
    await page.change(with_lobby=True)
    await until(lambda: other.gateway.changes._lobby)
    last = await town.open_match(rosie)

    assert last == (await page.next()).id
    await page.change(follow=[follow(last)])  # which does not switch it off
    await page.next("unfollowed")
    assert other.gateway.changes._lobby
    assert await without.quiet()


async def test_of_many_changes_at_once_the_last_is_told(town, monkeypatch):
    """And read once, for everyone who listens; not at all where nobody does."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie)
    await sam.ask(pb.JoinMatchRequest(match=match, seat="red"))
    changes, account = town.process.gateway.changes, rosie.token.partition(".")[0]
    read, read_some = [], changes._read_some

    async def counted(ids):
        read.append(ids)
        await read_some(ids)

    monkeypatch.setattr(changes, "_read_some", counted)
    changes.hear_of(match, [account])
    assert (None, {}) == (changes._reading, changes._changed)
    pages = [
        (await opened(caller, stream=f"{number}", with_lobby=caller is sam))[0]
        for number, caller in enumerate((rosie, rosie, sam))
    ]
    await until(lambda: changes._lobby)
    for _ in range(4):
        changes.hear_of(match, [account])
    told = [await page.next("match") for page in pages]

    assert [sam.name] * 3 == [shown.seats[0].account for shown in told]
    assert [[match]] == read
    for page in pages:
        assert await page.quiet()


async def test_changes_that_nobody_told_of_are_found(town):
    """Who may have missed news tells again whatever could have changed."""
    await listening(town.process)
    rosie, sam, tom = [await town.account() for _ in range(3)]
    match, closed = await town.open_match(rosie), await town.open_match(tom)
    page, _ = await opened(rosie)
    lobby, _ = await opened(sam, with_lobby=True)
    await tom.ask(pb.JoinMatchRequest(match=closed))
    assert closed == (await lobby.next("match")).id
    changes = town.process.gateway.changes
    hear, changes.hear_of = changes.hear_of, lambda *_: None
    await tom.ask(pb.JoinMatchRequest(match=match, seat="red"))
    await tom.ask(pb.LeaveMatchRequest(match=closed))
    await asyncio.sleep(0.2)
    changes.hear_of = hear
    await changes.look_again()

    assert tom.name == (await page.next("match")).seats[0].account
    told = {(shown := await lobby.next("match")).id: shown for _ in range(2)}
    assert pb.MATCH_STATE_CLOSED == told[closed].state
    assert tom.name == told[match].seats[0].account


async def test_changes_bear_the_names_of_now(town):
    """As everything that is shown does."""
    await listening(town.process)
    nobody = town.nobody()
    made = await nobody.ask(pb.CreateAccountRequest())
    nobody.token, nobody.name = made.token, made.account.name
    match = await town.open_match(nobody)
    await nobody.ask(pb.ClaimNameRequest(name="Rosie"))
    page, _ = await opened(nobody)
    sam = await town.account()
    await sam.ask(pb.JoinMatchRequest(match=match))

    assert "Rosie" == (await page.next("match")).creator
