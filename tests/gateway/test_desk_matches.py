"""Matches at the host's desk: looked at without secrets, ended, handed over, held; and the log."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from bree.ledger.audit import Chain, Line, unfinished
from bree.process.statuses import Denied
from tests.gateway.desk import TOWN, WHY, acts, admin_of, audit, id_of, notices
from tests.gateway.page import follow, listening, opened
from tests.gateway.town import reason, refusal

DESK = pytest.mark.parametrize("town", [TOWN], indirect=True)


def lines_of(found):
    """Lines of the log, as they are verified."""
    return [Line(x.n, x.at_ms, x.who, x.what, x.why, x.before, x.hash) for x in found]


async def table(town, **options):
    """An admin, two players and their match."""
    admin, rosie, sam = await admin_of(town), await town.account(), await town.account()
    return admin, rosie, sam, await town.running_match(rosie, sam, **options)


async def found(admin, **given):
    return [one.id for one in (await admin.ask(desk.FindMatchesForDeskRequest(**given))).matches]


async def abort(admin, match):
    return (await admin.ask(desk.AbortMatchRequest(match=match, why=WHY))).match


# Looking.


@DESK
async def test_an_admin_sees_what_a_spectator_sees(town):
    """To the byte, also where he sits himself; and no seat's eyes are asked for."""
    admin, rosie, _, match = await table(town)
    await town.act(rosie, match, "red")
    mine = await town.running_match(admin, rosie)
    for one in (match, mine):
        seen = await rosie.ask(pb.GetViewRequest(match=one, with_charts=True))
        shown = await admin.ask(desk.LookAtMatchRequest(match=one))
        assert seen.view.SerializeToString() == shown.view.SerializeToString()
        assert seen.standing.SerializeToString() == shown.standing.SerializeToString()
        assert not seen.HasField("question")
    public = (await rosie.ask(pb.GetMatchRequest(match=match))).match
    shown = await admin.ask(desk.LookAtMatchRequest(match=match))
    assert public == shown.match
    assert [engine.DUE_KIND_CLOCK] == [due.kind for due in shown.due]
    assert {"kind", "seat", "since", "bot_level"} == set(desk.DueThing.DESCRIPTOR.fields_by_name)


@DESK
async def test_a_frozen_match_and_one_that_has_not_begun_are_looked_at(town):
    """As far as there is something to be seen."""
    admin, rosie, _, match = await table(town)
    town.world.matches[match].frozen = "this match is frozen: its record does not replay"
    shown = await admin.ask(desk.LookAtMatchRequest(match=match))
    assert ("this match is frozen: its record does not replay", False) == (
        shown.frozen,
        shown.HasField("view"),
    )
    replay = await admin.ask(desk.ReplayMatchRequest(match=match))
    assert (False, 2, 1, 2) == (
        replay.replays,
        replay.differs_at,
        replay.edition,
        replay.rules_edition,
    )
    waiting = await town.open_match(rosie)

    assert not (await admin.ask(desk.LookAtMatchRequest(match=waiting))).HasField("view")


@DESK
async def test_matches_are_found(town):
    """By who sits there, state, age, and whether they are held."""
    admin, rosie, _, match = await table(town)
    waiting, account = await town.open_match(rosie), await id_of(rosie)
    await rosie.ask(pb.JoinMatchRequest(match=waiting))
    assert [waiting, match] == await found(admin, account=account)
    assert [match] == await found(admin, account=account, state=pb.MATCH_STATE_RUNNING)
    assert match in await found(admin, game="hopscotch", older_than_ms=1)
    assert [] == await found(admin, older_than_ms=10**9)
    assert [] == await found(admin, held=True)
    await admin.ask(desk.HoldMatchRequest(match=match, why=WHY))

    assert [match] == await found(admin, held=True)
    page = await admin.ask(desk.FindMatchesForDeskRequest(account=account, page_size=1))
    token = page.next_page_token
    again = desk.FindMatchesForDeskRequest(account=account, page_size=1, page_token=token)
    assert [match] == [one.id for one in (await admin.ask(again)).matches]
    other = desk.FindMatchesForDeskRequest(held=True, page_token=token)
    assert "INVALID_REQUEST" == await reason(admin.ask(other))


# Acts.


@DESK
async def test_a_match_is_aborted_and_its_people_are_told(town):
    """With why, on their streams and in their lists; the log has what was meant, and what came."""
    admin, rosie, sam, match = await table(town)
    await listening(town.process)
    page, _ = await opened(rosie, matches=[follow(match)])
    shown = await abort(admin, match)

    assert (pb.MATCH_STATE_OVER, types.ENDING_ABORTED) == (shown.state, shown.outcome.ending)
    told = await page.next("notice")
    assert (match, WHY, pb.NOTICE_KIND_MATCH) == (told.match, told.why, told.kind)
    for who in (rosie, sam):
        assert [match] == [one.match for one in await notices(who)]
    assert [] == [one for one in await notices(admin) if one.match]
    done = f"it was ended for nobody's gain, match {match}"
    [(begin, why), (end, _)] = await acts(admin, match)
    assert (f"begin {done}", WHY) == (begin, why)
    assert end.endswith(f" done: {done}")


@DESK
async def test_a_match_that_has_not_begun_is_closed(town):
    """As its creator would; once is enough."""
    admin, rosie = await admin_of(town), await town.account()
    match = await town.open_match(rosie)

    assert pb.MATCH_STATE_CLOSED == (await abort(admin, match)).state
    assert pb.MATCH_STATE_CLOSED == (await abort(admin, match)).state
    assert 2 == len(await acts(admin, match))
    assert "NOT_ALLOWED" == await reason(sam_joins(town, match))


async def sam_joins(town, match):
    sam = await town.account()
    await sam.ask(pb.JoinMatchRequest(match=match))


@DESK
async def test_a_seat_is_ruled_to_have_lost(town):
    """It gives up, for the host; a seat that there is not is refused, and nothing is noted."""
    admin, rosie, _, match = await table(town)
    for given, why in (({"seat": "white"}, "UNKNOWN_SEAT"), ({"team": "warm"}, "INVALID_REQUEST")):
        wrong = desk.AdjudicateMatchRequest(match=match, why=WHY, **given)
        assert why == await reason(admin.ask(wrong))
    assert [] == await acts(admin, match)
    ruling = desk.AdjudicateMatchRequest(match=match, seat="red", why=WHY)
    shown = (await admin.ask(ruling)).match

    assert {"red": -1, "blue": 0} == {one.seat: one.score for one in shown.outcome.scores}
    assert "red" == town.world.matches[match].resigned
    assert ["seat red was ruled to have lost"] == [
        text.partition(": ")[2].rstrip(".") for text in [one.text for one in await notices(rosie)]
    ]


@pytest.mark.parametrize("town", [TOWN], indirect=True)
async def test_a_team_is_ruled_to_have_lost(town):
    """All of its seats give up, as far as the match goes on."""
    admin = await admin_of(town)
    players = [await town.account() for _ in range(4)]
    match = await town.running_match(*players, seats=4)
    ruling = desk.AdjudicateMatchRequest(match=match, team="cold", why=WHY)

    assert pb.MATCH_STATE_OVER == (await admin.ask(ruling)).match.state
    assert "blue" == town.world.matches[match].resigned
    assert 2 == town.engine.calls["Resign"]


@DESK
async def test_a_seat_is_handed_over_and_given_back(town):
    """Everybody sees it, and its person is told."""
    admin, rosie, sam, match = await table(town)
    given = {"match": match, "seat": "red", "why": WHY}
    lent = await admin.ask(desk.HandOverSeatByHostRequest(level="novice", **given))
    assert "novice" == lent.match.seats[0].stand_in
    wrong = desk.HandOverSeatByHostRequest(level="god", **given)
    assert "INVALID_REQUEST" == await reason(admin.ask(wrong))
    back = await admin.ask(desk.GiveBackSeatByHostRequest(**given))

    assert "" == back.match.seats[0].stand_in
    assert 2 == len(await notices(rosie)) == len(await notices(sam))


@DESK
async def test_a_match_is_held_and_released(town):
    """Everybody sees that; and what is refused meanwhile is refused to all."""
    other = await town.gateway()
    admin, rosie, sam, match = await table(town)
    held = await admin.ask(desk.HoldMatchRequest(match=match, why=WHY))
    assert held.match.held
    assert "NOT_ALLOWED" == await reason(town.act(rosie, match, "red"))
    shown = await town.same(sam, other).ask(pb.GetMatchRequest(match=match))
    assert shown.match.held
    view = await sam.ask(pb.GetViewRequest(match=match))
    assert (True, 1) == (view.standing.hold.held, view.standing.hold.changes)
    released = await admin.ask(desk.ReleaseMatchRequest(match=match, why=WHY))

    assert not released.match.held
    assert 1 == (await town.act(rosie, match, "red")).standing.revision


@DESK
async def test_what_is_settled_is_not_touched(town):
    """Nor a match that there is not."""
    admin, _, _, match = await table(town, length=1)
    town.count(match)
    store = town.process.gateway.matches
    await store.refreshed(await store.read(match))
    await store.end(await store.read(match), (await store.read(match)).outcome, "counted")
    seat = {"match": match, "seat": "red", "why": WHY}
    for request in (
        desk.AbortMatchRequest(match=match, why=WHY),
        desk.AdjudicateMatchRequest(**seat),
        desk.HandOverSeatByHostRequest(level="novice", **seat),
        desk.GiveBackSeatByHostRequest(**seat),
        desk.HoldMatchRequest(match=match, why=WHY),
        desk.ReleaseMatchRequest(match=match, why=WHY),
    ):
        assert "MATCH_OVER" == await reason(admin.ask(request))
        request.match = "h-0000000000"
        assert "UNKNOWN_MATCH" == await reason(admin.ask(request))

    assert not [what for what, _ in await acts(admin, match) if " done: " in what]


# What is interrupted.


@DESK
async def test_what_was_interrupted_is_unfinished_until_it_is_repeated(town):
    """Whether the engine had done it or not; it is done once."""
    admin, rosie, _, match = await table(town)
    for method in ("after", "before"):
        gone = Denied("OUTCOME_UNKNOWN", "gone", match=match, request_id="x")
        getattr(town.engine, method)["HoldMatch"].append(gone)
        assert "OUTCOME_UNKNOWN" == await reason(
            admin.ask(desk.HoldMatchRequest(match=match, why=WHY))
        )
        mine = [line.n for line in await audit(admin) if match in line.what]
        assert mine[-1] in unfinished(lines_of(await audit(admin)))
        assert [] == [one for one in await notices(rosie) if one.match]
    await admin.ask(desk.HoldMatchRequest(match=match, why=WHY))

    assert 1 == town.world.matches[match].holds
    assert not {line.n for line in await audit(admin) if match in line.what} & set(
        unfinished(lines_of(await audit(admin)))
    )
    assert 1 == len([one for one in await notices(rosie) if one.match])


@DESK
async def test_an_act_that_is_killed_in_between_is_seen(town, monkeypatch):
    """The engine has done it, the note of that was not written; to repeat it ends it."""
    admin, rosie, _, match = await table(town)
    give, store = town.store.give, town.store

    async def fail(deed, told):
        if deed.what.startswith("end "):
            raise Denied("UNAVAILABLE", "the ledger is away", part="ledger")
        return await give(deed, told)

    monkeypatch.setattr(store, "give", fail)
    assert "UNAVAILABLE" == await reason(abort(admin, match))
    assert town.world.matches[match].aborted
    monkeypatch.undo()
    [begun] = [line.n for line in await audit(admin) if match in line.what]
    assert begun in unfinished(lines_of(await audit(admin)))
    assert pb.MATCH_STATE_OVER == (await abort(admin, match)).state

    assert begun not in unfinished(lines_of(await audit(admin)))
    assert [match] == [one.match for one in await notices(rosie)]


@DESK
async def test_what_an_engine_refuses_is_noted_as_refused(town):
    """And nobody is told."""
    admin, rosie, _, match = await table(town)
    refused = Denied("NOT_ALLOWED", "it was held too often", match=match, needs="fewer holds")
    town.engine.before["HoldMatch"].append(refused)
    denied = await refusal(admin.ask(desk.HoldMatchRequest(match=match, why=WHY)))

    assert "it was held too often" == denied.message
    [_, (end, why)] = await acts(admin, match)
    assert ("refused: it is held", "NOT_ALLOWED") == (" ".join(end.split()[2:6])[:19], why)
    assert [] == [one for one in await notices(rosie) if one.match]


@DESK
async def test_nobody_can_use_up_the_request_of_the_host(town):
    """Its id cannot be guessed from the match and the seat."""
    _, _, _, match = await table(town)
    [method] = [one for one in town.process.gateway.methods if one.name == "AdjudicateMatch"]
    matches = method.logic.__self__
    red, again, blue = [
        matches._request_id(await matches._read(match), seat) for seat in ("red", "red", "blue")
    ]

    assert (40, red) == (len(red), again)
    assert blue not in (red, match)


@DESK
async def test_two_admins_end_one_match_at_once(town):
    """One way or the other; the log says what each was told, in one chain."""
    other = await town.gateway()
    admin, _, _, match = await table(town)
    at = town.same(admin, other)
    ruling = desk.AdjudicateMatchRequest(match=match, seat="red", why=WHY)
    done = await asyncio.gather(abort(admin, match), at.ask(ruling), return_exceptions=True)
    refused = [one for one in done if isinstance(one, grpc.aio.AioRpcError)]

    assert 1 == len(refused)
    ends = [what for what, _ in await acts(admin, match) if what.startswith("end ")]
    assert [1, 1] == [sum(word in end for end in ends) for word in (" done: ", " refused: ")]
    chain = Chain()
    assert [] == list(filter(None, map(chain.trouble, lines_of(await audit(admin)))))
