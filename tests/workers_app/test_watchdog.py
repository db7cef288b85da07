"""The watchdog: which silence of a worker is its own fault, and what follows."""

from __future__ import annotations

import urllib.error
import urllib.request
from dataclasses import dataclass, field

import pytest

from bree.process import metrics
from tests.redis_server import free_port, redis_server
from tests.workers_app.fakes import settings_for
from workers import watchdog
from workers.app import make_app
from workers.watchdog import READ_SECONDS, STOOD_STILL, Signs, Watchdog, last_asked

IDLE, TASK = 8.0, 45.0


@dataclass
class Worker:
    """A worker as it is seen, with a clock that belongs to the test."""

    now: float = 1000.0
    asked: float = 1000.0
    asks: bool = True
    occupied: bool = False
    answers: bool = True
    ended: list[float] = field(default_factory=list)

    def watched(self) -> Watchdog:
        signs = Signs(
            lambda: self.now, lambda: self.asked, lambda: self.occupied, lambda: self.answers
        )
        return Watchdog(signs, IDLE, TASK, lambda: self.ended.append(self.now))

    def live(self, dog: Watchdog, seconds: float) -> None:
        """Let some seconds pass, and look after each."""
        for _ in range(int(seconds)):
            self.now += 1
            if self.asks:
                self.asked = self.now
            dog.look()


@pytest.fixture
def worker():
    return Worker()


@pytest.fixture
def dog(worker):
    return worker.watched()


def stuck():
    """How many workers have been found stuck."""
    return metrics.WORKERS_STUCK._value.get()


def test_a_worker_that_asks_is_well(worker, dog):
    """An idle worker asks every second, however long it is idle."""
    worker.live(dog, 10 * TASK)

    assert dog.is_well()


def test_a_worker_that_asks_no_longer_is_stuck(worker, dog):
    """Eight seconds of nothing, though the broker answers and there is no task, are too many."""
    before = stuck()
    worker.asks = False
    worker.live(dog, IDLE)
    assert dog.is_well()
    worker.live(dog, 1)

    assert not dog.is_well()
    assert stuck() - before == 1


def test_a_stuck_worker_is_ended_once_that_has_been_read(worker, dog):
    """It stays for as long as Prometheus needs to see it, is counted once, and then ends."""
    before = stuck()
    worker.asks = False
    worker.live(dog, IDLE + READ_SECONDS)
    assert not worker.ended
    worker.live(dog, 1)

    assert worker.ended == [1000 + IDLE + 1 + READ_SECONDS]
    assert stuck() - before == 1


def test_a_broker_that_is_away_is_no_fault_of_the_worker(worker, dog):
    """Time without the broker does not count; from when it answers again it does."""
    worker.asks = worker.answers = False
    worker.live(dog, 600)
    worker.answers = True
    worker.live(dog, IDLE)
    assert dog.is_well()
    worker.live(dog, 1)

    assert not dog.is_well()


def test_who_has_a_task_asks_for_none(worker, dog):
    """While all its processes have tasks a worker asks for nothing; afterwards it has to."""
    worker.asks, worker.occupied = False, True
    worker.live(dog, TASK)
    worker.occupied = False
    worker.live(dog, IDLE)
    assert dog.is_well()
    worker.live(dog, 1)

    assert not dog.is_well()


def test_no_task_takes_for_ever(worker, dog):
    """A worker that seems occupied for longer than any task may take is stuck, too."""
    worker.asks, worker.occupied = False, True
    worker.live(dog, TASK + IDLE)
    assert dog.is_well()
    worker.live(dog, 1)

    assert not dog.is_well()


def test_a_worker_that_was_held_up_is_not_blamed(worker, dog):
    """A process that was stopped as a whole, and goes on, has the whole time anew."""
    worker.now += 600
    dog.look()
    worker.asks = False
    worker.live(dog, IDLE)
    assert dog.is_well()
    worker.live(dog, 1)

    assert not dog.is_well()
    assert STOOD_STILL < IDLE


def test_a_watchdog_that_does_not_look_is_noticed(worker, dog):
    """If the thread that looks is gone, the health page says so on its own."""
    worker.now += TASK + 1

    assert not dog.is_well()


def test_a_worker_that_stops_is_left_alone(worker, dog):
    """Who was asked to end finishes its tasks and asks for no more."""
    dog.stop()
    dog.run()
    worker.now += 600

    assert dog.is_well()
    assert not worker.ended


def test_kombu_notes_when_it_asks():
    """What the watchdog reads is there in the Kombu that is installed, and moves on."""
    with redis_server() as server:
        app = make_app(settings_for("a:1", store_url=server.url))
        with app.connection_for_read() as connection:
            consumer = Consumer(connection, app.amqp.TaskConsumer(connection))
            assert last_asked(consumer) == 0
            consumer.task_consumer.consume()
            with pytest.raises(TimeoutError):
                connection.drain_events(timeout=0.01)
            first = last_asked(consumer)
            with pytest.raises(TimeoutError):
                connection.drain_events(timeout=2)  # the broker answers after one
    assert 0 < first < last_asked(consumer)


@dataclass
class Consumer:
    """What a worker is to its watchdog."""

    connection: object
    task_consumer: object


def test_without_a_connection_it_has_never_asked():
    """On its way back to the broker a worker has nothing to ask on."""
    assert last_asked(Consumer(None, None)) == 0


def test_the_health_page_says_what_the_watchdog_says():
    """The page changes with the worker; the figures beside it are there either way."""
    port, well = free_port(), [True, False]
    metrics.serve(port, is_well=lambda: well.pop(0))

    assert page(port, "healthy") == 200
    assert page(port, "healthy") == 503
    assert page(port, "metrics") == 200


def page(port, name):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{name}", timeout=5) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_a_worker_ends_with_its_processes(monkeypatch):
    """What it has forked would wait for tasks that nobody hands out any more."""

    class Child:
        ended = False

        def terminate(self):
            self.ended = True

    child, codes = Child(), []
    monkeypatch.setattr(watchdog.billiard, "active_children", lambda: [child])
    monkeypatch.setattr(watchdog.os, "_exit", codes.append)
    watchdog.end()

    assert child.ended
    assert codes == [watchdog.STUCK]
