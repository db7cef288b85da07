"""Signs of life: the Python client asks for them, tells none, and leaves streams without them."""

from __future__ import annotations

import threading
import time

import pytest

from bree.client import beats
from bree.client.client import Client
from tests.clients.test_python_client import against_a_bot
from tests.clients.wire import Wire


@pytest.fixture
def quick(monkeypatch):
    """Beats in a fifteenth of their time."""
    monkeypatch.setattr(beats, "MILLISECONDS", 100)
    monkeypatch.setattr(beats.told, "__defaults__", (0.1,))


@pytest.fixture
def hung(gateway, ann):
    """A client whose gateway can hang, and what it was told of its troubles."""
    wire, told = Wire(gateway.port), []

    def tell(refused):
        told.append(refused and refused.code.name)
        wire.release()

    with Client(wire.address, ann.token, patience=20, tell=tell) as client:
        yield client, wire, told
    wire.close()


def test_a_watch_goes_on_when_its_gateway_hangs(quick, hung, ann):
    """The stream is opened again; no step is missed or told twice."""
    client, wire, told = hung
    match = against_a_bot(ann)
    steps = client.watch(match, "left")
    seen = [next(steps)]
    wire.hold()
    ann.act(match, "left", 1, "take one")
    seen.append(next(steps))

    assert [0, 2] == [step.standing.revision for step in seen]
    assert ["CANCELLED", None] == told


def test_listening_goes_on_when_its_gateway_hangs(quick, hung, ann, gateway):
    """Each question is told once."""
    client, wire, told = hung
    match = against_a_bot(ann)
    news = client.listen()
    numbers = [next(news).question.number]
    wire.hold()
    ann.act(match, "left", 1, "take one")
    numbers.append(next(news).question.number)

    assert [1, 2] == numbers
    assert ["CANCELLED", None] == told
    assert 2 == len(gateway.world.sent("ListenQuestions"))


def test_a_stream_is_kept_while_nothing_happens(quick, ann, gateway):
    """Neither ten silent beats, none of which is told, nor a busy reader end it."""
    match = against_a_bot(ann)
    steps = ann.watch(match, "left")
    assert 0 == next(steps).standing.revision
    time.sleep(1)
    later = threading.Timer(1, ann.act, (match, "left", 1, "take one"))
    later.start()
    after = next(steps).standing.revision
    later.join()

    assert 2 == after
    assert 1 == len(gateway.world.sent("WatchMatch"))
