"""A hosted bot's turn: imagine a world, choose in it, answer. Safe to run twice.

Design. The number of the question is what makes a repetition harmless: an answer to a question that
has been answered is stale, and then there is nothing left to do. A turn waits for no other task. As
long as its own answers lead to further questions for the same seat it goes on by itself, up to a
bound; what is left then is a new turn, so that every match gets its share. Neutral questions are
answered in a time of their own, see `workers.pace`.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable
from typing import NamedTuple

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from bree.engine.v1.engine_pb2 import (
    DECIDER_BOT,
    ActRequest,
    ActResponse,
    ImagineRequest,
    ImagineResponse,
)
from bree.process import metrics
from services import rules_of
from services.core.errors import Invalid, Refused
from workers.bots.contract import Bot
from workers.bots.uniform import Uniform
from workers.calls import Failed
from workers.clients import Clients
from workers.levels import bot_for
from workers.pace import THINKING, Clock, hold_back

log = structlog.get_logger()

FAILED = "failed"
"""A turn that failed for a reason of its own: the next one who tries may fail as well."""

UNFIT = "unfit"
"""A turn that this worker cannot play, because it is older or newer than the match."""

LONGEST_RUN = 40
"""How many questions are answered in one turn at most."""

SETTLED = {
    "STALE_QUESTION": "stale",
    "NOT_ASKED": "stale",
    "REQUEST_ID_REUSED": "stale",
    "MATCH_OVER": "over",
    "MATCH_FROZEN": "frozen",
}
"""Refusals that are nobody's mistake, and what a turn that meets one is counted as."""


class Unfit(Invalid):
    """A world that this worker cannot read."""


class Turn(NamedTuple):
    """A question put to a seat that a hosted bot plays."""

    game: str
    match: str
    seat: str
    question: int
    level: str


Choosing = Callable[[bool], Bot]
"""Who chooses, where a question is neutral and where it is not."""


class Thought(NamedTuple):
    """What a bot chose, where, and whether it had to be stopped to make it choose."""

    action: str
    neutral: bool
    stopped: bool = False


CLOCK = Clock()


def always(_: Turn) -> bool:
    """Nobody else waits."""
    return True


def play(
    clients: Clients,
    turn: Turn,
    seconds: float,
    hand_on: Callable[[Turn], None],
    clock: Clock = CLOCK,
    may_go_on: Callable[[Turn], bool] = always,
) -> str:
    """Answer the question and those that follow from the answer; how it ended, in a word.

    After `seconds`, or `LONGEST_RUN` questions, or when others wait, the next one is handed on.
    """
    until = time.monotonic() + seconds
    try:
        bot = bot_for(turn.game, turn.level, seconds)
    except Refused as refused:
        return _note(turn, UNFIT, refused=str(refused))
    for _ in range(LONGEST_RUN):
        try:
            answer, stopped = _answer(clients, turn, bot, clock)
        except Failed as failed:
            return _give_up(turn, failed)
        except Unfit as unfit:
            return _note(turn, UNFIT, refused=str(unfit))
        except Refused as refused:
            return _note(turn, FAILED, refused=str(refused))
        _note(turn, "stopped" if stopped else "played")
        if not answer.HasField("question"):
            return "waits"
        turn = turn._replace(question=answer.question.number)
        if stopped or time.monotonic() > until or not may_go_on(turn):
            break
    hand_on(turn)
    return "handed on"


def _answer(clients: Clients, turn: Turn, bot: Bot, clock: Clock) -> tuple[ActResponse, bool]:
    began = clock.now()
    request = ImagineRequest(match=turn.match, seat=turn.seat, question=turn.question)
    imagined = clients.engine(turn.game, turn.match, lambda stub: stub.Imagine, request)
    thought = think(bot, turn, imagined)
    if thought.neutral:
        hold_back(turn.level, began, clock)
    answer = ActRequest(
        match=turn.match,
        seat=turn.seat,
        question=turn.question,
        action=thought.action,
        # Of two turns that answer the same question only one may believe that it did.
        request_id=f"bot-{turn.question}-{uuid.uuid4().hex[:16]}",
        by=DECIDER_BOT,
    )
    return clients.engine(turn.game, turn.match, lambda stub: stub.Act, answer), thought.stopped


def think(bot: Bot, turn: Turn, imagined: ImagineResponse) -> Thought:
    """The bot's choice. A bot that fails or takes too long must not hold up a match: then any."""

    def choosing(neutral: bool) -> Bot:
        return bot_for(turn.game, turn.level, THINKING) if neutral else bot

    with metrics.BOT_THINK_SECONDS.labels(turn.game, turn.level).time():
        try:
            return _choose(choosing, turn, imagined)
        except SoftTimeLimitExceeded:
            log.warning("bot stopped", **turn._asdict())
        except Refused:
            raise
        except Exception:  # whatever a bot may do wrong
            metrics.BUGS.labels("workers").inc()
            log.exception("bot failed", **turn._asdict())
        return _choose(lambda _: Uniform(), turn, imagined)._replace(stopped=True)


def _choose(choosing: Choosing, turn: Turn, imagined: ImagineResponse) -> Thought:
    rules = rules_of(turn.game)
    if (imagined.game, imagined.edition) != (rules.name, rules.edition):
        said = f"{imagined.game} edition {imagined.edition}"
        raise Unfit(f"this worker plays {rules.name} edition {rules.edition}", said=said)
    world = rules.load(imagined.world)
    neutral = rules.ask(world, imagined.seat_number).neutral
    pick = random.Random(uuid.uuid4().int).randrange  # noqa: S311  # a bot's chance is no secret
    action = choosing(neutral).choose(rules, world, imagined.seat_number, pick)
    return Thought(rules.spell(action), neutral)


def _give_up(turn: Turn, failed: Failed) -> str:
    if failed.reason in SETTLED or failed.is_away:
        return _note(turn, SETTLED.get(failed.reason, "unavailable"))
    result = UNFIT if failed.reason == "UNKNOWN_GAME" else FAILED
    return _note(turn, result, refused=str(failed))


def _note(turn: Turn, result: str, **more: str) -> str:
    metrics.BOT_TURNS.labels(turn.game, turn.level, result).inc()
    say = log.error if more else log.debug
    say("bot turn", result=result, **turn._asdict(), **more)
    return result
