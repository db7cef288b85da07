"""An engine, a gateway, and a worker's channels to them."""

from __future__ import annotations

import pytest

from tests.workers_app.fakes import FakeEngine, FakeGateway, serving, settings_for
from workers.clients import Clients


@pytest.fixture
def engine():
    return FakeEngine()


@pytest.fixture
def gateway():
    return FakeGateway()


@pytest.fixture
def address(engine, gateway):
    with serving(engine, gateway) as where:
        yield where


@pytest.fixture
def clients(address):
    clients = Clients(settings_for(address))
    clients.open()
    yield clients
    clients.close()
