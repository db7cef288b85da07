"""How often, how much: buckets, and who is who."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import limits
from gateway.admission import _host, network
from gateway.limits import TokenBuckets
from tests.gateway.town import Caller, reason, refusal


class Clock:
    """A time that passes when it is told to."""

    now = 1000.0

    def __call__(self):
        return self.now


def wait_of(buckets, key):
    """How long the bucket says to wait; 0 if it gives a token."""
    try:
        buckets.take(key)
    except Denied as denied:
        return int(denied.metadata["retry_after_ms"])
    return 0


def test_a_bucket_gives_a_burst_and_then_a_rate():
    """Each caller has his own."""
    clock = Clock()
    buckets = TokenBuckets(2, 3, "2 requests a second", clock)

    assert [0, 0, 0, 500] == [wait_of(buckets, "a") for _ in range(4)]
    assert 0 == wait_of(buckets, "b")
    clock.now += 0.25
    assert 250 == wait_of(buckets, "a")
    clock.now += 0.25
    assert [0, 500] == [wait_of(buckets, "a") for _ in range(2)]
    clock.now += 100
    assert [0, 0, 0, 500] == [wait_of(buckets, "a") for _ in range(4)]


@pytest.mark.parametrize("rate", [0.3, 3, 7, 200, 333.3])
def test_who_waits_as_long_as_he_is_told_gets_a_token(rate):
    """To the millisecond, however often one asks before."""
    clock = Clock()
    buckets = TokenBuckets(rate, 5, "", clock)
    for _ in range(300):
        wait = wait_of(buckets, "a")
        while wait:
            wait_of(buckets, "a")
            clock.now += wait / 1000
            assert 0 == wait_of(buckets, "a")
            wait = 0


def test_buckets_do_not_grow_without_bound(monkeypatch):
    """The one that was least recently used is full again."""
    monkeypatch.setattr(limits, "MOST_BUCKETS", 3)
    buckets = TokenBuckets(1, 1, "", Clock())
    for key in "abcd":
        buckets.take(key)

    assert 3 == len(buckets._full_at)
    assert wait_of(buckets, "b")
    assert 0 == wait_of(buckets, "a")


@pytest.mark.parametrize("town", [{"calls_a_second": 5, "calls_burst": 4}], indirect=True)
async def test_an_account_that_calls_too_often_is_told_when_to_come_back(town):
    """Others are not concerned, and waiting for the time that was told is enough."""
    rosie, sam = await town.account(), await town.account()
    for _ in range(4):
        await rosie.ask(pb.GetAccountRequest())
    denied = await refusal(rosie.ask(pb.GetAccountRequest()))

    assert ("RATE_LIMITED", "5 requests a second") == (denied.reason, denied.metadata["limit"])
    assert 0 < int(denied.metadata["retry_after_ms"]) <= 200
    assert await sam.ask(pb.GetAccountRequest())
    stream = rosie.stream(pb.ListenQuestionsRequest())
    assert "RATE_LIMITED" == await reason(stream.rest())
    await asyncio.sleep(int(denied.metadata["retry_after_ms"]) / 1000)
    assert await rosie.ask(pb.GetAccountRequest())


@pytest.mark.parametrize("town", [{"new_accounts_burst": 2}], indirect=True)
async def test_an_address_makes_so_many_accounts(town):
    """However many connections it has; a name that is taken counts."""
    await town.account()
    await town.account()
    denied = await refusal(town.nobody().ask(pb.CreateAccountRequest()))

    assert ("RATE_LIMITED", "20 accounts a minute") == (denied.reason, denied.metadata["limit"])
    assert (await town.nobody().ask(pb.ListGamesRequest())).games


@pytest.mark.parametrize(
    "town", [{"new_accounts_burst": 1, "address_header": "x-forwarded-for"}], indirect=True
)
async def test_behind_a_proxy_its_header_says_who_calls(town):
    """The last address in it; what a caller wrote before is not believed."""

    async def create(header):
        call = town.nobody().channel.unary_unary(
            "/bree.gateway.v1.AccountService/CreateAccount",
            response_deserializer=pb.CreateAccountResponse.FromString,
        )
        return await call(b"", metadata=[("x-forwarded-for", header)])

    await create("10.0.0.1")
    await create("10.0.0.1, 10.0.0.2")
    assert "RATE_LIMITED" == await reason(create("10.0.0.3, 10.0.0.2"))


@pytest.mark.parametrize("town", [{"looks_burst": 2}], indirect=True)
async def test_an_address_looks_so_often_without_an_account(town):
    """Into the catalogue."""
    for _ in range(2):
        await town.nobody().ask(pb.ListGamesRequest())

    assert "RATE_LIMITED" == await reason(town.nobody().ask(pb.ListGamesRequest()))


async def test_a_forged_token_uses_up_nobodys_calls(town):
    """Only who has the token has the account's rate."""
    rosie = await town.account()
    forged = Caller(rosie.channel, rosie.token[:-1] + ("A" if rosie.token[-1] != "A" else "B"))
    for _ in range(20):
        assert "UNAUTHENTICATED" == await reason(forged.ask(pb.GetAccountRequest()))

    assert [] == list(town.process.gateway.admission.calls._full_at)


@pytest.mark.parametrize(
    ("peer", "who"),
    [
        ("ipv4:10.1.2.3:5000", "10.1.2.3"),
        ("ipv6:%5B::1%5D:5000", "::/64"),
        ("ipv6:[2001:db8:1:2:3::4]:5000", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:10.1.2.3]:5000", "10.1.2.3"),
        ("unix:", "unix:"),
    ],
)
def test_an_address_is_whom_it_stands_for(peer, who):
    """One machine, or in IPv6 the network that a caller commands."""
    assert who == network(_host(peer))
