"""What workers are told, what they refuse to be told, and what Celery makes of it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from kombu.exceptions import OperationalError
from pydantic import ValidationError

from bree.process.settings import read
from bree.process.tasks import NEXT_TURN, SCORE
from tests.workers_app.fakes import TOKEN, settings_for
from workers.app import add_tasks, configuration, make_app
from workers.clients import Clients
from workers.levels import LEVELS
from workers.settings import SweeperSettings, WorkerSettings, addresses_of


def test_an_address_given_twice_is_one():
    """It is one replica, and is asked once a round."""
    assert addresses_of("a:1, b:2,a:1") == ("a:1", "b:2")


def test_mistakes_in_the_environment_are_one_sentence_each(monkeypatch, capsys):
    """A person who starts a worker reads which variable is wrong, and no traceback."""
    monkeypatch.setenv("BREE_PLATFORM_TOKEN", TOKEN)
    monkeypatch.setenv("BREE_ENGINES", "confrontation=nowhere")
    monkeypatch.setenv("BREE_QUEUES", "bots,chess")
    monkeypatch.setenv("BREE_BROKER_URL", "amqp://rabbit")

    with pytest.raises(SystemExit) as stopped:
        read(WorkerSettings)

    said = capsys.readouterr().err.splitlines()
    assert stopped.value.code == 2
    assert {line.partition(":")[0] for line in said} == {
        "BREE_ENGINES",
        "BREE_QUEUES",
        "BREE_BROKER_URL",
    }


@pytest.mark.parametrize("name", ["store_url", "broker_url"])
def test_sentinels_are_named_with_whom_they_watch_over(name):
    """For a broker as for a store; Celery is told the same in its own words."""
    right = settings_for("a:1", **{name: "redis+sentinel://:hush@s:1,t:2/bree"})
    with pytest.raises(ValidationError, match="Sentinels are named as"):
        settings_for("a:1", **{name: "redis+sentinel://:hush@s:1,t:2"})

    app = make_app(right)
    assert app.conf.broker_url == "sentinel://:hush@s:1/0;sentinel://:hush@t:2/0"
    assert app.conf.broker_transport_options["master_name"] == "bree"


def test_the_broker_is_the_store_unless_it_is_another():
    """One server is enough on a laptop."""
    one = settings_for("a:1", store_url="redis://store:1/0")
    two = settings_for("a:1", store_url="redis://store:1/0", broker_url="redis://broker:1/0")

    assert one.broker == "redis://store:1/0"
    assert two.broker == "redis://broker:1/0"


def test_a_sweeper_looks_at_all_brokers_and_a_worker_serves_one():
    """A worker that is told of more would have to choose; that is left to the host."""
    told = {"platform_token": TOKEN, "engines": "duel=a:1", "broker_url": "redis://a:1 redis://b:2"}
    sweeper = SweeperSettings(**told)

    assert ("redis://a:1", "redis://b:2") == sweeper.brokers
    assert "redis://b:2" == sweeper.at("redis://b:2").broker
    assert "redis://b:2" == make_app(sweeper.at("redis://b:2")).conf.broker_url
    with pytest.raises(ValidationError, match="a worker serves one broker"):
        WorkerSettings(**told)


def test_tasks_are_safe_with_celery():
    """Late acks, given back when a process dies, none reserved, never given to two at once."""
    settings = settings_for("a:1", task_seconds=20, task_grace_seconds=10)
    celery = configuration(settings)

    assert celery["task_acks_late"]
    assert celery["task_reject_on_worker_lost"]
    assert celery["worker_prefetch_multiplier"] == 0
    assert celery["worker_disable_prefetch"]
    assert celery["broker_connection_retry_on_startup"]
    assert celery["task_soft_time_limit"] < celery["task_time_limit"]
    assert celery["broker_transport_options"]["visibility_timeout"] > 2 * celery["task_time_limit"]


def test_the_way_back_to_the_broker_is_short(monkeypatch):
    """However long it was away, a worker tries again every other second."""
    app, paused = make_app(settings_for("a:1", store_url="redis://127.0.0.1:1/0")), []
    monkeypatch.setattr("kombu.utils.functional.sleep", lambda _: None)
    for clone in (False, True):
        connection = app.connection_for_read()
        connection = connection.clone() if clone else connection
        with pytest.raises(OperationalError):
            connection.ensure_connection(lambda _, pause: paused.append(pause), 20)

    assert max(paused) == 2
    assert len(paused) > 20


def test_an_app_has_the_tasks_that_engines_send(address):
    """Names and queues are what the engines and the sweeper send to; making it opens nothing."""
    settings = settings_for(address)
    app = make_app(settings)
    add_tasks(app, Clients(settings), settings)

    assert {NEXT_TURN, SCORE} <= set(app.tasks)
    assert app.conf.task_routes[NEXT_TURN] == {"queue": "bots"}
    assert app.conf.task_routes[SCORE] == {"queue": "scoring"}


def test_every_game_has_levels():
    """The weakest comes first, and each has a bot."""
    assert LEVELS["confrontation"]
    assert all(next(iter(levels)) == "uniform" for levels in LEVELS.values())


def test_wrong_figures_are_refused():
    """Limits have limits."""
    for wrong in ({"worker_processes": 0}, {"sweep_lease_ms": 10}, {"task_seconds": 0}):
        with pytest.raises(ValidationError):
            settings_for("a:1", **wrong)


def test_reading_the_settings_of_a_worker_makes_no_metric():
    """A metric looks for its folder when it is made, and the worker has none yet then."""
    asked = "import sys, workers.settings; print('bree.process.metrics' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert "False\n" == done.stdout
