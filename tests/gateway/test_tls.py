"""TLS with an authority of one's own: from client to gateway, and from gateway to engine."""

from __future__ import annotations

import asyncio

import pytest

from bree.client.client import Client
from bree.client.patience import Refused
from tests.certificates import authority, signed
from tests.gateway.fake_engine import FakeEngine
from tests.gateway.town import Town


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """An authority, what it has signed, and an authority that nobody here has asked."""
    folder, elsewhere = tmp_path_factory.mktemp("ours"), tmp_path_factory.mktemp("elsewhere")
    made = authority(folder)
    return made, signed(folder, made), authority(elsewhere)


async def guarded(town, ours, trusted):
    """A town in which all parts speak TLS, and the gateway trusts this authority."""
    key, certificate = ours[1]
    pair = {"tls_certificate": str(certificate), "tls_key": str(key)}
    town.engines = [await FakeEngine(town.world).start(**pair)]
    return await town.gateway(**pair, tls_authority=str(trusted.certificate))


def play(address, ours):
    """What a client that trusts our authority gets to see."""
    with Client(address, authority=ours[0].certificate, patience=5) as client:
        client.register()
        match = client.create("hopscotch")
        client.join(match.id, "red")
        client.add_bot(match.id, "novice")
        client.start(match.id)
        return client.view(match.id, "red").question.number


async def test_all_parts_speak_tls(loop, store_of, ours):
    """A client, the gateway and an engine, each by the file of the authority alone."""
    town = Town(store_of)
    process = await guarded(town, ours, ours[0])
    address = f"localhost:{process.server.port}"

    assert 10 == await asyncio.to_thread(play, address, ours)
    by_number = f"127.0.0.1:{process.server.port}"
    assert 10 == await asyncio.to_thread(play, by_number, ours)
    await town.close()


async def test_a_stranger_is_not_trusted(loop, store_of, ours):
    """Neither by a gateway, nor by a client; and nobody is spoken to without TLS."""
    town = Town(store_of)
    process = await guarded(town, ours, ours[2])
    replicas = process.gateway.engines.replicas["hopscotch"]
    address = f"localhost:{process.server.port}"

    assert not replicas[0].is_healthy
    for trusted in (ours[2].certificate, None):
        with pytest.raises(Refused):
            await asyncio.to_thread(games, address, trusted)
    await town.close()


def games(address, trusted):
    with Client(address, authority=trusted, patience=0.3) as client:
        return client.games()
