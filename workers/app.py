"""The Celery app: its queues, its settings, and what a worker does in the life of its processes.

Design. Nothing happens at import: an app is made from settings, by a worker or by a sweeper. Tasks
are acknowledged when they are done and given back when their process dies; no result is kept and no
task waits for another. A broker that is away is waited for.
"""

from __future__ import annotations

import logging
import warnings
from typing import Any

import structlog
from celery import Celery, signals

from bree.process import logs, metrics, traces
from bree.process.tasks import LEAVE, NEXT_TURN, QUEUE_OF, SCORE
from bree.redis.primaries import broker
from workers import leaving, scoring
from workers.broker import Broker
from workers.clients import Clients
from workers.following import following
from workers.queues import Queues
from workers.settings import SweeperSettings, WorkerSettings
from workers.watchdog import watch

log = structlog.get_logger()


def make_app(settings: SweeperSettings) -> Celery:
    """The app that sends and takes tasks at the broker of these settings."""
    url, _ = broker(settings.broker)
    app = Celery("bree", broker=url, set_as_current=False, amqp=Broker)
    app.conf.update(configuration(settings))
    return app


def configuration(settings: SweeperSettings) -> dict[str, Any]:
    """Celery's settings."""
    hard = settings.task_seconds + settings.task_grace_seconds
    return {
        "task_routes": {task: {"queue": queue} for task, queue in QUEUE_OF.items()},
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_ignore_result": True,
        "result_backend": None,
        "task_soft_time_limit": settings.task_seconds,
        "task_time_limit": hard,
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_publish_retry_policy": {
            "max_retries": 3,
            "interval_start": 0,
            "interval_step": 0.2,
            "interval_max": 0.5,
        },
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,  # for ever
        "broker_transport_options": {
            # Were it shorter, a task that still runs would be given to a second worker.
            "visibility_timeout": int(2 * hard) + 30,
            "socket_connect_timeout": 5,
            "socket_timeout": 30,
            "socket_keepalive": True,
            **broker(settings.broker)[1],
        },
        # A place that was reserved at the broker is lost with the connection that should free it.
        "worker_prefetch_multiplier": 0,
        "worker_disable_prefetch": True,
        "worker_enable_remote_control": False,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_redirect_stdouts": False,
        "worker_send_task_events": False,
    }


def add_tasks(app: Celery, clients: Clients, settings: WorkerSettings) -> None:
    """Give an app the tasks that a worker does."""
    queues = Queues(app, settings)

    def play(task: Any) -> None:
        queues.play_next(task.request.id, clients)

    def score(game: str, match: str) -> None:
        scoring.score(clients, game, match)

    def leave(game: str, match: str) -> None:
        leaving.leave(clients, game, match)

    # Of this app alone: else other apps of the process would have them as well.
    app.task(play, name=NEXT_TURN, bind=True, shared=False)
    app.task(following("scoring", score), name=SCORE, bind=True, shared=False)
    app.task(following("leaving", leave), name=LEAVE, bind=True, shared=False)


def run(settings: WorkerSettings) -> int:
    """Be a worker until a signal ends it; its exit code."""
    app, clients = make_app(settings), Clients(settings)
    add_tasks(app, clients, settings)
    _connect(clients, settings)
    worker = app.Worker(
        pool="prefork",
        concurrency=settings.worker_processes,
        queues=",".join(settings.queues),
        loglevel=settings.log_level.upper(),
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


def _connect(clients: Clients, settings: WorkerSettings) -> None:
    """What happens when, in this process and in those that it forks."""

    def set_up_logs(**_: object) -> None:
        logs.set_up("worker", settings.log_level, settings.log_format)
        for noisy in ("celery.app.trace", "celery.worker.strategy"):
            logging.getLogger(noisy).setLevel(logging.WARNING)

    def open_channels(**_: object) -> None:
        clients.open()
        # What is left is sent when the process ends, of which only a signal tells.
        close = traces.set_up("worker", settings)
        signals.worker_process_shutdown.connect(lambda **_: close(), weak=False)

    def ready(sender: Any, **_: object) -> None:
        # It speaks of a setting that has been decided on, whenever the broker goes away.
        warnings.filterwarnings("ignore", r"\s*In Celery 5\.1 we introduced")
        watchdog = watch(sender, settings)
        signals.worker_shutting_down.connect(lambda **_: watchdog.stop(), weak=False)
        metrics.WORKER_PROCESSES.set(settings.worker_processes)
        # Metrics are there from when tasks are taken: whoever sees them knows that they are.
        metrics.serve(settings.metrics_port, settings.metrics_address, watchdog.is_well)

    signals.setup_logging.connect(set_up_logs, weak=False)
    signals.worker_process_init.connect(open_channels, weak=False)
    signals.worker_ready.connect(ready, weak=False)
