"""The door as a whole: health, drain, addresses behind a proxy, and one that is kept shut."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.door.http_client import PROTO
from tests.gateway.door.test_calls import GET_ACCOUNT
from tests.gateway.town import until


async def test_a_balancer_may_ask_whether_it_is_well(town, links):
    """Anyone may, as often as he likes."""
    link = links.nobody()
    answer = await link.ask("GET", "/healthy")
    assert (200, b"well\n") == (answer.status, answer.body)
    assert 200 == (await link.ask("HEAD", "/healthy")).status
    town.process.door.is_well = False

    assert 503 == (await link.ask("GET", "/healthy")).status


@pytest.mark.parametrize("town", [{"drain_seconds": 5}], indirect=True)
async def test_a_call_that_is_being_answered_is_finished(town, links):
    """Then its connection is closed; idle ones are closed at once, and who comes is told so."""
    rosie, idle = await links.account(), links.nobody()
    assert 200 == (await idle.ask("GET", "/healthy")).status
    match = await links.running_match(rosie)
    town.engine.before["GetSeatView"].append(asyncio.sleep(0.4))
    calling = asyncio.ensure_future(rosie.call(pb.GetViewRequest(match=match, seat="red")))
    await asyncio.sleep(0.1)
    stopping = asyncio.ensure_future(town.process.stop())
    assert await idle.is_closed()
    health = await links.nobody().ask("GET", "/healthy")
    assert (503, "close") == (health.status, health.headers["connection"])
    refused = await links.again(rosie).call(pb.GetAccountRequest())
    assert (503, "UNAVAILABLE") == (refused.status, refused.reason)
    answer = await calling

    assert (200, "close") == (answer.status, answer.headers["connection"])
    assert await rosie.is_closed()
    await stopping
    with pytest.raises(ConnectionRefusedError):
        await links.nobody().open()
    town.processes.clear()


@pytest.mark.parametrize("town", [{"drain_seconds": 0.2}], indirect=True)
async def test_a_call_that_takes_too_long_is_cut_off(town, links):
    """The gateway goes in time, and nothing of it is left."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    town.engine.before["GetSeatView"].append(asyncio.sleep(20))
    calling = asyncio.ensure_future(rosie.call(pb.GetViewRequest(match=match, seat="red")))
    await asyncio.sleep(0.1)
    house = town.process.door._listener.house
    async with asyncio.timeout(4):
        await town.process.stop()
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await calling

    await until(lambda: not house.connections)
    town.processes.clear()


ONE_LOOK = {"looks_burst": 1, "looks_a_second": 0.01}
BEHIND = ONE_LOOK | {"address_header": "x-forwarded-for"}


@pytest.mark.parametrize(
    ("town", "said", "shared"),
    [
        (ONE_LOOK, ["1.1.1.1", "2.2.2.2"], True),
        (BEHIND, ["1.1.1.1", "2.2.2.2"], False),
        (BEHIND, ["9.9.9.9, 1.1.1.1", "8.8.8.8,1.1.1.1"], True),
        (BEHIND | {"trusted_hops": 2}, ["1.1.1.1, 7.7.7.7", "2.2.2.2, 7.7.7.7"], False),
        (BEHIND | {"trusted_hops": 2}, ["7.7.7.7", "8.8.8.8"], True),
    ],
    indirect=["town"],
)
async def test_addresses_behind_a_proxy_are_those_of_grpc(links, said, shared):
    """Callers without an account share a limit with their address, and with nobody else."""
    statuses = [
        (await links.nobody().call(pb.ListGamesRequest(), **{"x-forwarded-for": address})).status
        for address in said
    ]

    assert [200, 429 if shared else 200] == statuses


@pytest.mark.parametrize(
    "town", [{"address_header": "x-forwarded-for", "most_connections": 1}], indirect=True
)
async def test_a_proxy_may_have_as_many_connections_as_it_needs(town, links):
    """All callers come from its address."""
    for link in [links.nobody() for _ in range(5)]:
        assert 200 == (await link.ask("GET", "/healthy")).status


@pytest.mark.parametrize("town", [{"http_listen": ""}], indirect=True)
async def test_a_gateway_may_have_no_door(town):
    """Then gRPC is all there is."""
    assert 0 == town.process.door.port
    assert (await town.account()).token


async def test_the_boards_of_games_are_known(town, links):
    """JSON has to look into them; a board of a kind that nobody knows is refused with a reason."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    view = await rosie.call(pb.GetViewRequest(match=match, seat="red"), "application/json")
    assert "red at 0" == view.json()["view"]["value"]
    call = town.process.door.calls["/bree.gateway.v1.MatchService/GetView"].__self__
    strange = pb.GetViewResponse()
    strange.view.type_url, strange.view.value = "type.googleapis.com/bree.chess.v1.Board", b"x"

    async def answered(account, request):
        return strange

    call.method = call.method._replace(logic=answered)
    refused = await rosie.call(pb.GetViewRequest(match=match), "application/json")
    assert (503, "UNAVAILABLE") == (refused.status, refused.reason)
    told = await rosie.call(pb.GetViewRequest(match=match), PROTO)
    assert strange == pb.GetViewResponse.FromString(told.body)


async def test_an_address_may_be_absolute_in_a_request(town, links):
    """As proxies write it: what is asked for is the same."""
    rosie = await links.account()
    for path in (f"http://localhost{GET_ACCOUNT}", f"{GET_ACCOUNT}?encoding=json"):
        answer = await rosie.ask("POST", path, b"{}", content_type="application/json")
        assert 200 == answer.status, path
