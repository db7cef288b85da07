"""Whoever says nothing of a store that lost something is found."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from tests.chaos.journal import Journal, Promise
from tests.chaos.lost import Loss
from tests.chaos.wire import HOST

TIMES = {"before": "2026-01-31T12:00:00Z", "after": "2026-01-31T12:02:00Z"}
LOST_AT = 60.0


def loss(**world):
    """A loss a minute after a run began at noon."""
    made = Loss("emptied", 1, SimpleNamespace(**world))
    made.journal = Journal(began_at=1_769_860_800.0)
    made.journal.begin("emptied", "redis").began = LOST_AT
    return made


class Seat(SimpleNamespace):
    """One that can be a key."""

    __hash__ = object.__hash__


def test_a_seat_that_goes_on_after_its_moves_were_lost_is_a_breach():
    """One answer may have been on its way; the second was given to a board that was gone."""
    made = loss()
    lost = {
        Seat(seat="good", match=f"c-{more}", acknowledged=list(range(3 + more))): 3
        for more in (0, 1, 2)
    }

    made._see_who_went_on(lost)

    assert [(Promise.TOLD, "c-2")] == [(one.promise, one.match) for one in made.journal.breaches]


def log_of(level, when, event):
    return json.dumps({"level": level, "timestamp": TIMES[when], "event": event}) + "\n"


@pytest.mark.parametrize(
    ("line", "silent"),
    [
        (log_of("error", "after", "the store is not what it was"), 1),
        (log_of("error", "before", "the store is not what it was"), 2),
        (log_of("info", "after", "the store is well"), 2),
        (log_of("error", "after", "bug"), 2),
        ("the store said something without a form\n", 2),
    ],
)
def test_a_kind_of_part_that_logs_no_error_after_the_loss_is_silent(tmp_path, line, silent):
    """Of two gateways one is enough; that an engine says so does not speak for them."""
    parts = [SimpleNamespace(name=name, kind=kind) for name, kind in PARTS]
    for part in parts:
        (tmp_path / f"{part.name}.log").write_text(line if part.name == "gateway-2" else "\n")

    told = list(loss(parts=parts, logs=tmp_path)._silent_logs())

    assert silent == len(told)
    assert "engine" in told[-1]


PARTS = (("gateway", "gateway"), ("gateway-2", "gateway"), ("duel-1", "engine"))


@asynccontextmanager
async def page(text):
    """A page of metrics, and its port."""

    async def answer(reader, writer):
        await reader.readline()
        await reader.readline()
        writer.write(b"HTTP/1.0 200 OK\r\n\r\n" + text.encode())
        writer.close()

    server = await asyncio.start_server(answer, HOST, 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("bree_store_in_doubt 1.0\n", 0),
        ('bree_histories_changed_total{game="duel"} 3.0\n', 0),
        ("bree_store_in_doubt 0.0\n", 2),
        ("bree_calls_total 7.0\n", 2),
        ("", 2),
    ],
)
def test_a_kind_of_part_whose_metrics_are_as_ever_is_silent(text, silent):
    async def look():
        async with page(text) as port:
            parts = [SimpleNamespace(name=n, kind=kind, metrics=port) for n, kind in PARTS]
            return await loss(parts=parts)._silent_metrics()

    assert silent == len(asyncio.run(look()))
