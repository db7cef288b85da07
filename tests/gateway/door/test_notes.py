"""Notes to team-mates over HTTP: told to the team, and to nobody else in any kind of message."""

from __future__ import annotations

import asyncio

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.door.test_calls import KINDS
from tests.gateway.page import follow, listening

SECRET = "We roll for the hunt first."
SEATS = ("red", "blue", "green", "white")


@KINDS
async def test_a_note_is_told_to_the_team_alone(town, links, kind):
    """Opponents and a spectator, who follow the match and the lobby, hear everything else."""
    people = [await links.account() for _ in SEATS]
    spectator = await links.account()
    chosen = [{"name": "seats", "value": "4"}]
    made = await people[0].tell(pb.CreateMatchRequest(game="hopscotch", options=chosen))
    match = made.match.id
    for person, seat in zip(people, SEATS, strict=True):
        await person.tell(pb.JoinMatchRequest(match=match, seat=seat))
    await people[0].tell(pb.StartMatchRequest(match=match))
    await listening(town.process)
    wanted = pb.ListenNewsRequest(stream="tab", matches=[follow(match)], with_lobby=True)
    streams = [await links.again(who).stream(wanted, kind) for who in (*people[1:], spectator)]
    said = pb.SayNoteRequest(
        match=match, seat="red", channel=pb.NOTE_CHANNEL_TEAM, text=SECRET, request_id="n1"
    )
    await people[0].tell(said)
    told = [await heard(stream) for stream in streams]

    assert [False, True, False, False] == [SECRET in one for one in told]
    assert all(match in one for one in told)
    listed = {"match": match, "seat": "red", "channel": pb.NOTE_CHANNEL_TEAM}
    for who in (people[1], people[3], spectator):
        answer = await who.call(pb.ListNotesRequest(**listed), kind)
        assert (403, "WRONG_SEAT") == (answer.status, answer.reason)
        assert SECRET.encode() not in answer.body
    listed["seat"] = "green"
    own = await people[2].tell(pb.ListNotesRequest(**listed))
    assert [SECRET] == [note.text for note in own.notes]


async def heard(stream):
    """All that a stream tells until it is silent, as text."""
    said = []
    while True:
        try:
            said.append(str(await asyncio.wait_for(stream.next(), 0.7)))
        except TimeoutError:
            return "".join(said)
