"""Notes of a team: told to team-mates at once, listed, and shown to nobody else ever."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import notes
from tests.gateway.page import follow, listening, opened
from tests.gateway.town import reason, refusal

TEAM = pb.NOTE_CHANNEL_TEAM
SECRET = "We roll for the hunt first."
_ids = itertools.count()


async def table(town, **given):
    """Four people, of whom the first and the third are a team; and their match."""
    people = [await town.account() for _ in range(4)]
    return people, await town.running_match(*people, **given)


async def say(who, match, seat, text=SECRET, request_id=""):
    request_id = request_id or f"n{next(_ids)}"
    said = pb.SayNoteRequest(match=match, seat=seat, channel=TEAM, text=text, request_id=request_id)
    return (await who.ask(said)).note


async def listed(who, match, seat, **page):
    return await who.ask(pb.ListNotesRequest(match=match, seat=seat, channel=TEAM, **page))


def texts(answer):
    return [note.text for note in answer.notes]


async def test_a_note_is_told_to_the_team_at_every_gateway(town):
    """Once to each stream, also that of another tab of its writer; and it is listed."""
    other = await town.gateway()
    await listening(town.process, other)
    (red, _, green, _), match = await table(town)
    mate, _ = await opened(town.same(green, other))
    own, _ = await opened(red, stream="another")
    note = await say(red, match, "red")
    told = [await page.next("note") for page in (mate, own)]
    await say(green, match, "green", "Then I muster.")

    assert [note, note] == told
    assert (match, "warm", 1, "red", red.name, SECRET) == (
        note.match, note.team, note.number, note.seat, note.account, note.text
    )  # fmt: skip
    assert note.create_time.ToMilliseconds() > 0
    for who, seat in ((red, "red"), (green, "green")):
        assert ["Then I muster.", SECRET] == texts(await listed(who, match, seat))


async def overheard(town, match, people, process):
    """Streams of all who are no team-mates: opponents, a spectator, one who plays elsewhere."""
    stranger, elsewhere = await town.account(), await town.account()
    await town.running_match(elsewhere, "novice", people[0], "novice")
    pages = []
    for who in (people[1], people[3], stranger, elsewhere):
        listener = town.same(who, process)
        page, _ = await opened(listener, with_lobby=True, matches=[follow(match)])
        pages.append(page)
    return pages, stranger


async def drained(page):
    """All that a stream tells until it is silent."""
    said = page.heard
    while True:
        try:
            said.append(await page.stream.next(0.6))
        except TimeoutError:
            return said


async def test_nobody_else_hears_a_note(town):
    """Neither opponents, nor spectators, nor a stranger who plays with one of them elsewhere."""
    other = await town.gateway()
    await listening(town.process, other)
    people, match = await table(town)
    pages, _ = await overheard(town, match, people, other)
    mate, _ = await opened(people[2])
    await say(people[0], match, "red")
    assert SECRET == (await mate.next("note")).text
    for page in pages:
        heard = await drained(page)
        assert heard, "it listens"
        assert not [said for said in heard if said.WhichOneof("news") == "note"]
        assert SECRET.encode() not in b"".join(said.SerializeToString() for said in heard)


@pytest.mark.parametrize("over", [False, True])
async def test_nobody_else_lists_notes(town, over):
    """Not even when the match is over and anyone may look through any eyes."""
    people, match = await table(town, length=1)
    stranger = await town.account()
    await say(people[0], match, "red")
    if over:
        town.count(match)
        await people[0].ask(pb.GetMatchRequest(match=match))
        view = await stranger.ask(pb.GetViewRequest(match=match, seat="red"))
        assert view.standing.HasField("outcome")
    for who, seat in itertools.product((people[1], people[3], stranger), ("red", "green")):
        assert "WRONG_SEAT" == await reason(listed(who, match, seat))
        assert "WRONG_SEAT" == await reason(say(who, match, seat))
    for who in (people[1], stranger):
        assert "INVALID_REQUEST" == await reason(listed(who, match, ""))
    assert [] == texts(await listed(people[1], match, "blue"))
    assert [SECRET] == texts(await listed(people[2], match, "green"))
    record = await people[0].ask(pb.GetMatchRecordRequest(match=match, seat="red"))
    assert SECRET.encode() not in record.SerializeToString()


async def test_a_match_that_is_over_takes_no_more_notes(town):
    """Those that there are stay."""
    people, match = await table(town, length=1)
    await say(people[0], match, "red")
    town.count(match)
    await people[0].ask(pb.GetMatchRequest(match=match))
    denied = await refusal(say(people[0], match, "red"))

    assert ("MATCH_OVER", "ENDING_FINISHED") == (denied.reason, denied.metadata["ending"])
    assert [SECRET] == texts(await listed(people[0], match, "red"))


async def test_a_seat_without_team_mates_has_nobody_to_write_to(town):
    """Nor has one in a match that has not started: whoever sits there may yet leave."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    waiting = await town.open_match(rosie, seats=4)
    await rosie.ask(pb.JoinMatchRequest(match=waiting, seat="red"))

    assert "NOT_ALLOWED" == await reason(say(rosie, match, "red"))
    assert "NOT_ALLOWED" == await reason(listed(rosie, match, "red"))
    assert "NOT_ALLOWED" == await reason(say(rosie, waiting, "red"))


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\t", "a\nb", "a\x00b", "bell\x07", "line\u2028here", "\u202egnp.exe", "x" * 401],
    ids=repr,
)
async def test_a_text_that_is_no_note_is_refused(town, text):
    """Empty, too long, on two lines, or with characters that control how it is shown."""
    people, match = await table(town)
    denied = await refusal(say(people[0], match, "red", text))

    assert ("INVALID_REQUEST", "text") == (denied.reason, denied.metadata["field"])
    assert [] == texts(await listed(people[0], match, "red"))


@pytest.mark.parametrize(
    "text", ["x" * 400, "<b>now</b> & then", "Mûmakil 👩\u200d🚀", "السلام", "{m:1} % |"]
)
async def test_a_text_is_kept_as_it_is(town, text):
    """It is text in any script, and never markup."""
    people, match = await table(town)
    await say(people[0], match, "red", text)

    assert [text] == texts(await listed(people[2], match, "green"))


async def test_a_note_that_is_sent_again_is_one(town):
    """With other words under the same id it is refused."""
    people, match = await table(town)
    first = await say(people[0], match, "red", request_id="r1")
    again = await say(people[0], match, "red", request_id="r1")
    theirs = await say(people[2], match, "green", request_id="r1")

    assert first == again
    assert [1, 2] == [first.number, theirs.number]
    assert "REQUEST_ID_REUSED" == await reason(say(people[0], match, "red", "No.", "r1"))


async def test_the_latest_notes_are_kept_and_paged(town, monkeypatch):
    """Without gaps and without repeats, also when more are written meanwhile."""
    monkeypatch.setattr(notes, "MOST_KEPT", 7)
    people, match = await table(town)
    for number in range(10):
        await say(people[0], match, "red", f"note {number}")
    page = await listed(people[2], match, "green", page_size=3)
    await say(people[2], match, "green", "late")
    found = texts(page)
    while page.next_page_token:
        page = await listed(people[2], match, "green", page_size=3, page_token=page.next_page_token)
        found += texts(page)

    assert [f"note {number}" for number in range(9, 3, -1)] == found[:6]
    assert "INVALID_REQUEST" == await reason(
        listed(people[1], match, "blue", page_token=(
            await listed(people[0], match, "red", page_size=1)).next_page_token)
    )  # fmt: skip


@pytest.mark.parametrize("town", [{"notes_burst": 2, "notes_a_minute": 6}], indirect=True)
async def test_nobody_floods_his_team_mates(town):
    """He is told when he may write again; they may write meanwhile."""
    people, match = await table(town)
    for _ in range(2):
        await say(people[0], match, "red")
    denied = await refusal(say(people[0], match, "red"))

    assert ("RATE_LIMITED", "6 notes a minute") == (denied.reason, denied.metadata["limit"])
    assert 0 < int(denied.metadata["retry_after_ms"]) <= 10_000
    await say(people[2], match, "green")


async def test_a_note_is_in_the_name_that_its_writer_has_now(town):
    """A guest who has taken a name since."""
    guest = town.nobody()
    made = await guest.ask(pb.CreateAccountRequest())
    guest.token = made.token
    sam = await town.account()
    match = await town.running_match(guest, "novice", sam, "novice")
    note = await say(guest, match, "red")
    await guest.ask(pb.ClaimNameRequest(name="Elanor"))
    await asyncio.sleep(0.2)

    assert made.account.name == note.account
    assert ["Elanor"] == [one.account for one in (await listed(sam, match, "green")).notes]
