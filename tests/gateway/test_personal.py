"""One's own data: given out as a file, and how an account leaves, and stays after all."""

from __future__ import annotations

import asyncio
import io
import json
import tarfile

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import personal_pb2 as personal
from bree.gateway.v1 import programs_pb2 as programs
from bree.process.statuses import Denied
from gateway import accounts, call_context, personal_export
from gateway import personal as leaving
from gateway.accounts import hash_of
from gateway.documents import Session
from gateway.matches import now_ms
from gateway.tidying import Tidying
from tests.gateway.test_archiving import settlement
from tests.gateway.test_sessions import begun, is_in
from tests.gateway.town import Caller, reason, refusal, until

WHILE_LEAVING = (
    pb.GetAccountRequest(),
    personal.DeleteAccountRequest(),
    personal.KeepAccountRequest(),
    pb.EndSessionRequest(),
    personal.ExportDataRequest(),
)


@pytest.fixture
def week_is_over(monkeypatch):
    """Who leaves is to be deleted at once."""
    monkeypatch.setattr(leaving, "WEEK_MS", -1)


async def exported(caller):
    """The files that somebody is given."""
    pieces = [said.data for said in await caller.stream(personal.ExportDataRequest()).rest()]
    assert all(len(piece) <= 65_536 for piece in pieces)
    with tarfile.open(fileobj=io.BytesIO(b"".join(pieces)), mode="r:gz") as archive:
        names = archive.getnames()
        assert len(names) == len(set(names)), "each once"
        return {name: archive.extractfile(name).read().decode() for name in names}


async def delete(caller, why=""):
    return await caller.ask(personal.DeleteAccountRequest(reason=why))


async def keep(caller):
    return (await caller.ask(personal.KeepAccountRequest())).account


async def account_of(caller):
    return (await caller.ask(pb.GetAccountRequest())).account


def record_of(*names):
    """A record in which these people sat."""
    seats = ("red", "blue", "green")[: len(names)]
    lines = [f"seat {seat} 0{n} aa" for n, seat in enumerate(seats)]
    lines += [f"player {seat} 0{n} {name}" for n, (seat, name) in enumerate(zip(seats, names))]  # noqa: B905
    return "\n".join(["bree record 2", *lines, "1 red count 1", ""])


async def played(town, *players, leave=True):
    """A match that was played, settled and, if so, has left the live store."""
    match = await town.running_match(*players)
    await players[0].ask(pb.ResignMatchRequest(match=match, seat="red", request_id="end"))
    await settled(town, match, *players)
    if leave:
        await town.worker().ask(pb.ArchiveMatchRequest(match=match))
    return match


async def settled(town, match, *players):
    record = record_of(*(player.name for player in players))
    await town.worker().ask(settlement(town, match, record=record, kept=b"kept"))


async def archive_all(town, *players):
    """Have everything that is over or closed leave the live store, as it does after an hour."""
    for match in list(town.world.matches):
        try:
            await settled(town, match, *players)
            await town.worker().ask(pb.ArchiveMatchRequest(match=match))
        except grpc.aio.AioRpcError:
            continue
    await Tidying(town.settings, town.store, town.process.gateway.matches).tidy()


async def see_off(town):
    return await town.process.gateway.farewells.see_off()


# Given out.


async def test_all_that_is_kept_is_given_out(town):
    """The account, each match once with its record, and what he has written; and how to read it."""
    rosie, sam = await town.account("Rosie_1"), await town.account()
    page, _ = await begun(town, token=rosie.token, device="a phone")
    await rosie.ask(programs.SetWishesRequest(wishes={"no_bots": True}))
    over = [await played(town, rosie, sam) for _ in range(3)]
    latest = await played(town, rosie, sam, leave=False)
    running = await town.running_match(sam, rosie)
    opened = await town.open_match(rosie)
    await rosie.ask(pb.JoinMatchRequest(match=opened))
    others = await played(town, sam, await town.account())
    files = await exported(page)
    account = json.loads(files["account.json"])

    assert ["README.txt", "account.json"] == list(files)[:2]
    assert "Rosie_1" in files["README.txt"]
    assert ("Rosie_1", {"no_bots": True}) == (account["account"]["name"], account["wishes"])
    assert ["a phone"] == [session["device"] for session in account["sessions"]]
    matches = {name.split("/")[1][:-5] for name in files if name.startswith("matches/")}
    assert {*over, latest, running, opened} == matches
    assert others not in str(files)
    shown = json.loads(files[f"matches/{running}.json"])["match"]
    assert ("MATCH_STATE_RUNNING", rosie.name) == (shown["state"], shown["seats"][1]["account"])
    assert "hash" not in str(files)
    if type(town.store).__name__ == "LedgerStore":  # one in memory keeps no records
        records = {files[f"records/{match}.txt"] for match in (*over, latest)}
        assert {record_of("Rosie_1", sam.name)} == records
    assert not [match for match in (running, opened) if f"records/{match}.txt" in files]


async def test_ones_data_is_given_out_once_an_hour(town):
    """On all gateways together; it is said when again, and others are not concerned."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    assert await exported(rosie)
    for caller in (rosie, town.same(rosie, other)):
        denied = await refusal(caller.stream(personal.ExportDataRequest()).rest())
        assert "LIMIT_REACHED" == denied.reason
        assert 3_500_000 < int(denied.metadata["retry_after_ms"]) <= 3_600_000

    assert await exported(sam)


async def test_a_ledger_that_is_away_costs_no_hour(town, monkeypatch):
    """It may be asked again in a moment."""
    rosie = await town.account()

    async def away(_):
        raise Denied("UNAVAILABLE", "the ledger is away", part="ledger")

    with monkeypatch.context() as broken:
        broken.setattr(town.store, "kept_of", away)
        assert "UNAVAILABLE" == await reason(rosie.stream(personal.ExportDataRequest()).rest())

    assert await exported(rosie)


async def test_of_two_who_ask_at_once_one_is_given_it(town):
    """However fast they are."""
    rosie = await town.account()
    asked = [rosie.stream(personal.ExportDataRequest()).rest() for _ in range(6)]
    done = await asyncio.gather(*asked, return_exceptions=True)

    assert 1 == sum(isinstance(one, list) for one in done)


async def test_whoever_is_shut_out_reads_no_further(town, monkeypatch):
    """The token with which it began is looked at again."""
    monkeypatch.setattr(personal_export, "LOOK_EVERY", 1)
    monkeypatch.setattr(personal_export, "PIECE", 1)
    rosie = await town.account()
    found = town.store.kept_pages

    async def pages(account, kept):
        await rosie.ask(pb.RotateTokenRequest())
        yield "reports", [{"text": "x"}]
        async for page in found(account, kept):
            yield page

    monkeypatch.setattr(town.store, "kept_pages", pages)

    assert "UNAUTHENTICATED" == await reason(rosie.stream(personal.ExportDataRequest()).rest())


async def test_large_records_come_in_small_pieces(town, monkeypatch):
    """And no more than one of them is in memory; what comes together is a whole archive."""
    rosie, sam = await town.account(), await town.account()
    match = await played(town, rosie, sam)
    found = town.store.kept_match
    text = "".join(f"{n * 7919 % 100_003:x} " for n in range(200_000))

    async def kept_match(name):
        shown, _ = await found(name)
        return shown, text

    monkeypatch.setattr(town.store, "kept_match", kept_match)

    assert text == (await exported(rosie))[f"records/{match}.txt"]


# Leaving.


async def test_who_leaves_may_do_little_else(town):
    """Everything is refused but what undoes it, gives his data out, or ends his session."""
    rosie, told = await begun(town)
    match = await town.open_match(rosie)
    answer = await delete(rosie, "I have no time.")
    account = await account_of(rosie)
    when = account.leave_time.ToMilliseconds()

    assert answer.leave_time == account.leave_time
    assert abs(when - now_ms() - 7 * 86_400_000) < 60_000
    for asked in (
        pb.ListMatchesRequest(),
        pb.JoinMatchRequest(match=match),
        pb.RotateTokenRequest(),
        pb.CreateLoginCodeRequest(),
        programs.DeclareBotRequest(),
    ):
        denied = await refusal(rosie.ask(asked))
        assert ("NOT_ALLOWED", "an account that stays") == (denied.reason, denied.metadata["needs"])
        assert account.leave_time.ToJsonString()[:19] == denied.metadata["when"][:19]
    assert (await exported(rosie))["account.json"]
    sam = await town.account()
    profile = await sam.ask(pb.GetProfileRequest(account=told.account.name))
    assert not profile.account.HasField("leave_time"), "others see nothing of it"
    await rosie.ask(pb.EndSessionRequest())
    assert not await is_in(rosie)


async def test_every_other_way_in_ends(town):
    """The account's own token, tokens, sessions, codes and streams; what asked for it stays."""
    program = await town.account()
    one, told = await begun(town, token=program.token)
    two, _ = await begun(town, token=program.token)
    code = (await two.ask(pb.CreateLoginCodeRequest())).code
    streams = [who.stream(pb.ListenQuestionsRequest()) for who in (program, one, two)]
    await until(lambda: len(town.process.gateway.streams._open[told.account.id]) == 3)
    await delete(one)

    assert [False, True, False] == [await is_in(who) for who in (program, one, two)]
    assert "UNAUTHENTICATED" == await reason(begun(town, code=code))
    for stream in streams:
        assert "NOT_ALLOWED" == await reason(stream.rest())
    assert [told.session.id] == [s.id for s in await town.store.sessions(told.account.id)]


async def test_who_asks_with_the_accounts_own_token_keeps_that(town):
    """All sessions end."""
    program = await town.account()
    page, _ = await begun(town, token=program.token)
    await delete(program)

    assert [True, False] == [await is_in(who) for who in (program, page)]


async def test_it_is_undone_with_whatever_way_in_he_has(town):
    """He plays on; what had ended stays so."""
    program = await town.account()
    page, told = await begun(town, token=program.token)
    await delete(page)
    token = f"{told.account.id}.anotherx.{'A' * 43}"
    came = Session("anotherx", hash_of(token), now_ms(), now_ms(), "by a passkey")
    assert await town.store.add_session(told.account.id, came, 20)
    other = Caller(page.channel, token, page.name)
    kept = await keep(other)

    assert kept == await account_of(other) == await account_of(page)
    assert not kept.HasField("leave_time")
    assert await town.running_match(other, "novice")
    assert not await is_in(program)
    fresh = (await page.ask(pb.RotateTokenRequest())).token
    assert await is_in(Caller(page.channel, fresh))
    assert kept == await keep(page), "of an account that stays it changes nothing"


async def test_asking_again_leaves_the_day_as_it_is(town):
    """The answer to the first may have been lost."""
    rosie, _ = await begun(town)
    first = await delete(rosie)
    await asyncio.sleep(0.01)

    assert first == await delete(rosie)


async def test_a_token_that_ends_at_this_moment_deletes_nothing(town, monkeypatch):
    """Of two that take each other's worth away, one does it."""
    rosie, told = await begun(town)
    leave = town.store.leave

    async def late(account, proof, until_ms):
        await town.store.end_sessions(account, [proof.session])
        return await leave(account, proof, until_ms)

    monkeypatch.setattr(town.store, "leave", late)

    assert "UNAUTHENTICATED" == await reason(delete(rosie))
    [account] = await town.store.accounts([told.account.id])
    assert 0 == account.leaving_ms


@pytest.mark.parametrize("why", ["two\nlines", "x" * 401, "\u202e"])
async def test_a_bad_reason_changes_nothing(town, why):
    """And it is said which field is wrong."""
    rosie = await town.account()
    denied = await refusal(delete(rosie, why))

    assert ("INVALID_REQUEST", "reason") == (denied.reason, denied.metadata["field"])
    assert not (await account_of(rosie)).HasField("leave_time")


async def test_no_token_with_a_scope_deletes_an_account(town, monkeypatch):
    """Nor does it read what is kept of it."""
    rosie = await town.account()
    admitted = town.process.gateway.admission.accounts
    prove = admitted.prove

    async def scoped(token):
        account = await prove(token)
        call_context.scope.set("play")
        return account

    monkeypatch.setattr(admitted, "prove", scoped)
    monkeypatch.setattr(admitted, "believed", lambda _: None)
    for asked in (personal.DeleteAccountRequest(), personal.KeepAccountRequest()):
        assert "NOT_ALLOWED" == await reason(rosie.ask(asked))

    assert "NOT_ALLOWED" == await reason(rosie.stream(personal.ExportDataRequest()).rest())


# What becomes of his seats.


async def test_open_matches_are_left_and_others_run_on(town):
    """At once; those that he opened are closed, though he may not sit there."""
    rosie, sam = await town.account(), await town.account()
    joined, own = await town.open_match(sam), await town.open_match(rosie)
    empty = await town.open_match(rosie)
    running = await town.running_match(sam, rosie)
    await rosie.ask(pb.JoinMatchRequest(match=joined))
    await rosie.ask(pb.JoinMatchRequest(match=own))
    await delete(rosie)
    shown = [
        (await sam.ask(pb.GetMatchRequest(match=match))).match
        for match in (joined, own, empty, running)
    ]

    assert [
        pb.MATCH_STATE_OPEN,
        pb.MATCH_STATE_CLOSED,
        pb.MATCH_STATE_CLOSED,
        pb.MATCH_STATE_RUNNING,
    ] == [match.state for match in shown]
    assert [["", ""], ["", ""], ["", ""], [sam.name, rosie.name]] == [
        [seat.account for seat in match.seats] for match in shown
    ]
    assert 0 == await see_off(town), "the week is not over"
    assert not town.world.matches[running].resigned


async def test_a_seat_that_was_missed_is_left_later(town, monkeypatch):
    """By whoever has the turn, should the gateway that was asked have died."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(sam)
    await rosie.ask(pb.JoinMatchRequest(match=match))

    async def dies(_):
        raise Denied("UNAVAILABLE", "gone", part="store")

    monkeypatch.setattr(town.process.gateway.farewells, "leave_open", dies)
    assert "UNAVAILABLE" == await reason(delete(rosie))
    monkeypatch.undo()
    await see_off(town)
    shown = (await sam.ask(pb.GetMatchRequest(match=match))).match

    assert ["", ""] == [seat.account for seat in shown.seats]


@pytest.mark.parametrize("town", [{"live_seconds": 0}], indirect=True)
async def test_when_the_week_is_over_he_resigns_and_goes(town, week_is_over):
    """He is gone when nothing live has him any more; it cannot be undone then."""
    rosie, sam = await town.account(), await town.account()
    running = await town.running_match(sam, rosie)
    await delete(rosie)
    denied = await refusal(keep(rosie))
    assert ("NOT_ALLOWED", "an account that may yet be kept") == (
        denied.reason,
        denied.metadata["needs"],
    )
    gone = [await see_off(town)]
    assert "blue" == town.world.matches[running].resigned
    gone += [await see_off(town)]
    await archive_all(town, sam, rosie)
    gone += [await see_off(town), await see_off(town)]
    shown = (await sam.ask(pb.GetMatchRequest(match=running))).match

    assert [0, 0, 1, 0] == gone
    await asyncio.sleep(2 * accounts.BELIEVED_SECONDS)
    assert not await is_in(rosie)
    assert shown.seats[1].account.startswith("gone-")
    assert "INVALID_REQUEST" == await reason(sam.ask(pb.GetProfileRequest(account=rosie.name)))
    taken = await refusal(sam.ask(pb.CreateAccountRequest(name=rosie.name)))
    assert ("INVALID_REQUEST", "name") == (taken.reason, taken.metadata["field"])


async def test_others_are_seen_off_though_one_cannot_be(town, week_is_over, monkeypatch):
    """Whose engine is away, say."""
    callers = [await town.account() for _ in range(3)]
    for caller in callers:
        await delete(caller)
    begin, broken = town.store.begin_erasing, (await town.store.leaving(None, 9))[0].name

    async def fails(account, now):
        if account == broken:
            raise Denied("UNAVAILABLE", "gone", part="ledger")
        return await begin(account, now)

    monkeypatch.setattr(town.store, "begin_erasing", fails)
    assert 2 == await see_off(town)
    monkeypatch.undo()
    assert 1 == await see_off(town)


async def test_one_gateway_at_a_time_has_the_turn(town):
    """As with all that is tidied."""
    farewells = town.process.gateway.farewells
    taken = await town.store.take_turn("farewells", "another", 60_000)
    assert taken
    if type(town.store).__name__ == "LedgerStore":  # in memory there is one
        assert not await town.store.take_turn("farewells", farewells.holder, 60_000)
