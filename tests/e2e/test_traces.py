"""A call is known by one id in all parts, and what it caused is known by it, too."""

from __future__ import annotations

import json
import random
import time

import pytest

from bree.client.client import Client
from bree.client.patience import Refused
from bree.client.traces import fresh

pytestmark = pytest.mark.xdist_group("platform")


class Asking:
    """A client that says for each call which trace it belongs to, and whether to keep it."""

    def __init__(self, platform):
        self.flag = "00"
        self.said = ""
        self.client = Client(platform.gateway, parent=self.parent)

    def parent(self):
        self.said = fresh().removesuffix("00") + self.flag
        return self.said

    @property
    def last(self):
        """The trace and the span of the last call."""
        return tuple(self.said.split("-")[1:3])


@pytest.fixture
def asking(platform):
    asking = Asking(platform)
    with asking.client as client:
        client.register()
        yield asking


def lines(platform, name, seconds=20, **wanted):
    """The lines of a part's log that say all this, as soon as there are any."""
    ends = time.monotonic() + seconds
    while True:
        said = []
        for path in (platform.state / "logs").glob(f"{name}*.log"):
            for text in path.read_text(encoding="utf-8").splitlines():
                line = json.loads(text) if text.startswith("{") else {}
                said += [line] if wanted.items() <= line.items() else []
        if said:
            return said
        assert time.monotonic() < ends, (name, wanted)
        time.sleep(0.05)


def against_a_bot(client):
    """A match with a hosted bot, where it is the caller's turn."""
    match = client.create("confrontation")
    first, second = (seat.seat for seat in match.seats)
    client.join(match.id, first)
    client.add_bot(match.id, "uniform", second)
    client.start(match.id)
    return match.id, first


def test_a_move_is_one_trace_and_the_bots_answer_another_one(asking, platform, collector):
    """From the client to the store; and from the worker, linked to the move that caused it."""
    client, chances = asking.client, random.Random(1)
    match, seat = against_a_bot(client)
    asking.flag = "01"
    moves, is_cause = [], False
    while not is_cause:  # a bot that is waited for already goes on by itself
        step = next(step for step in client.watch(match, seat) if step.question.number)
        action = chances.choice(step.question.choices).action.text
        done = client.act(match, seat, step.question.number, action)
        moves.append(asking.last)
        is_cause = set(done.standing.waiting) - {seat} > set(step.standing.waiting) - {seat}

    for trace, span in moves:
        found = collector.of(
            trace, "MatchService/Act", "engine Act", "EngineService/Act", "store append"
        )
        gateway, call, engine, store = (
            found[name]
            for name in ("MatchService/Act", "engine Act", "EngineService/Act", "store append")
        )

        assert ("gateway", "gateway", "engine", "engine") == (
            gateway.part, call.part, engine.part, store.part,
        )  # fmt: skip
        assert (span, gateway.span, call.span) == (gateway.above, call.above, engine.above)
        assert engine.span == store.above
        assert {"method": "MatchService/Act", "match": match, "status": "OK"} == gateway.notes
        assert match == engine.notes["match"]

    traces = {trace for trace, _ in moves}
    turn = collector.until(
        lambda spans: [
            span
            for span in spans
            if span.name == "bot turn" and any(trace in traces for trace, _ in span.links)
        ]
    )[0]

    assert ("worker", {"game": "confrontation", "match": match}) == (turn.part, turn.notes)
    (cause,) = [link for link in turn.links if link[0] in traces]
    assert cause[1] == collector.of(cause[0], "EngineService/Act")["EngineService/Act"].span
    done = collector.of(turn.trace, "call Imagine", "call Act", "EngineService/Act", "store append")
    assert {turn.span} == {done[name].above for name in ("call Imagine", "call Act")}


def test_a_refusal_has_the_id_of_its_call_in_every_log(asking, platform):
    """The client can name it, though it has not asked to keep anything."""
    match, seat = against_a_bot(asking.client)
    with pytest.raises(Refused) as refused:
        asking.client.act(match, seat, 1, "fly to Mordor")

    assert asking.last[0] == refused.value.trace
    for part in ("gateway", "confrontation"):
        (line,) = lines(platform, part, trace=refused.value.trace)
        assert ("refused", "Act") == (line["event"], line["method"]), part


def test_what_a_call_has_caused_has_its_id_in_the_log(asking, platform):
    """The worker that scores a match says which call ended it."""
    match, seat = against_a_bot(asking.client)
    asking.client.resign(match, seat)
    trace, _ = asking.last
    (over,) = lines(platform, "confrontation", event="match over", match=match)
    (scored,) = lines(platform, "worker", event="scored", match=match)

    assert trace == over["trace"]
    assert trace == scored["cause"]
    assert trace != scored["trace"]


def test_no_span_says_more_than_it_may(asking, platform, collector):
    """The method, the game, the match and the status; no token, no key, no action."""
    asking.flag = "01"
    match, seat = against_a_bot(asking.client)
    asking.client.view(match, seat)
    collector.of(asking.last[0], "MatchService/GetView", "EngineService/GetSeatView")
    said = "".join(map(str, collector.spans))

    assert {name for span in collector.spans for name in span.notes} <= {
        "method", "game", "match", "status",
    }  # fmt: skip
    assert asking.client.token not in said
    assert not [name for name in ("platform_token", "fate_key") if platform.secret(name) in said]
