"""Faults are drawn from a seed, keep out of each other's way, begin and end."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from tests.chaos.journal import Journal, Promise
from tests.chaos.schedule import AT_ONCE, KINDS, Planned, Schedule, draw

PARTS = (
    *(("redis", "redis"), ("postgres", "postgres")),
    *(("gateway", "gateway"), ("gateway-2", "gateway")),
    *((f"{game}-{number}", "engine") for game in ("duel", "risk") for number in (1, 2)),
    *(("worker-1", "worker"), ("worker-2", "worker"), ("sweeper-1", "sweeper")),
)
CALLED = {
    "client": ("gateway",),
    "gateway": ("engine", "store", "postgres"),
    "engine": ("store", "broker", "postgres"),
    "worker": ("broker", "engine", "gateway"),
    "sweeper": ("broker", "engine", "gateway"),
}


def world():
    """The names of a world, with nothing behind them."""
    named = {**dict(PARTS), "store": "store", "broker": "broker"}
    wires = [
        f"{caller}>{called}"
        for caller, kind in {**named, "client": "client"}.items()
        for called, other in named.items()
        if other in CALLED.get(kind, ())
    ]
    parts = [SimpleNamespace(name=name, kind=kind) for name, kind in PARTS]
    return SimpleNamespace(parts=parts, wires=wires, running=lambda: dict.fromkeys(named, 1))


def told(planned):
    return [(round(one.at, 3), str(one.fault)) for one in planned]


def test_the_same_seed_is_the_same_schedule_and_another_seed_another():
    first, again, other = (draw(world(), seed, list(KINDS), 40, 140) for seed in (1, 1, 2))

    assert told(first) == told(again)
    assert told(first) != told(other)


@pytest.mark.parametrize("seed", range(5))
def test_faults_keep_out_of_each_others_way(seed):
    """At no time do more last than may, nor two at one place, nor any beyond the end."""
    planned = draw(world(), seed, list(KINDS), 60, 180)

    for one in planned:
        lasting = [two for two in planned if two.at <= one.at < two.at + two.fault.seconds]
        places = [two.fault.place for two in lasting]
        assert len(lasting) <= AT_ONCE
        assert len(set(places)) == len(places)
        assert one.at + one.fault.seconds <= max(180, one.at + one.fault.least)


def test_each_kind_has_its_turn_before_chance_decides():
    """Within two rounds of all kinds there is each, though some find no place at once."""
    planned = draw(world(), 3, list(KINDS), 2 * len(KINDS), 600)

    assert set(KINDS) == {one.fault.kind for one in planned}


def test_only_the_wanted_kinds_are_drawn():
    planned = draw(world(), 4, ["cut", "pause"], 20, 200)

    assert {"cut", "pause"} == {one.fault.kind for one in planned}


def test_every_kind_of_part_is_killed_and_stands_still():
    """The database among them."""
    there = world()
    planned = draw(there, 5, ["kill", "pause"], 200, 4000)
    kinds = dict(PARTS)
    hurt = {(one.fault.kind, kinds[one.fault.place]) for one in planned}

    assert {(fault, kind) for fault in ("kill", "pause") for kind in kinds.values()} == hurt


class Planted:
    """A fault that notes what is done with it, and may go wrong."""

    kind, seconds = "planted", 0.0

    def __init__(self, place, begin=None, end=None):
        self.place, self.errors, self.seen = place, (begin, end), []

    async def begin(self):
        self._go(0)

    async def end(self):
        self._go(1)

    def _go(self, which):
        self.seen.append(which)
        if self.errors[which]:
            raise self.errors[which]


def carried_out(*faults):
    journal = Journal()
    planned = [Planned(0.0, fault) for fault in faults]
    asyncio.run(Schedule(world(), planned, journal, lambda _: None).run())
    return journal


def test_a_fault_begins_and_ends_and_is_in_the_journal():
    fault = Planted("duel-1")
    journal = carried_out(fault, Planted("client>gateway"))

    assert [0, 1] == fault.seen
    assert ["duel-1", "client>gateway"] == [happened.place for happened in journal.faults]
    assert not journal.active()
    assert {"planted": 2} == journal.done()


def test_a_fault_that_cannot_begin_is_told_and_not_counted():
    fault = Planted("duel-1", begin=KeyError("it has just ended"))
    journal = carried_out(fault)

    assert [0] == fault.seen
    assert "it has just ended" in journal.faults[0].missed
    assert not journal.done()
    assert not journal.active()


def test_a_part_that_does_not_come_back_is_a_breach():
    """The planted breach: an end that waits in vain."""
    journal = carried_out(Planted("duel-1", end=TimeoutError()))

    assert [Promise.BACK] == [breach.promise for breach in journal.breaches]
    assert "duel-1" in journal.breaches[0].told
    assert not journal.active()
