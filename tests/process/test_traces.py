"""Traces: ids that callers cannot forge, spans of what is kept, and nothing where nothing is."""

from __future__ import annotations

import contextvars

import pytest
from opentelemetry.trace import StatusCode

from bree.engine.v1 import engine_pb2
from bree.process import scripts, traces
from tests.process.tracing import ACT, ASKS, ASKS_NOT, SPAN, TRACE, alone, memory, seen

__all__ = ["alone", "memory"]

# Ids.


def test_a_well_formed_parent_is_taken_over():
    """Its trace is what the call is known by, and is sent on."""
    assert {"trace": TRACE} == seen(ASKS_NOT)
    assert ASKS_NOT == traces.traceparent()


@pytest.mark.parametrize(
    "said",
    [
        "",
        "garbage",
        ASKS.upper(),
        ASKS + "-more",
        ASKS + "\n",
        " " + ASKS,
        ASKS.replace("00-", "ff-", 1),
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[1:]}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-1",
        f"00-{TRACE}-{SPAN}-0x",
        "\N{ARABIC-INDIC DIGIT ZERO}0-" + ASKS[3:],
        '00-"}{"trace":"forged"}-x-01',
        "9" * 100_000,
        b"00-bytes",
        None,
    ],
)
def test_a_malformed_parent_is_replaced_by_a_fresh_one(said):
    """Nothing of it is logged or sent on."""
    fresh = seen(said)["trace"]

    assert traces.read(f"00-{fresh}-{SPAN}-00")
    assert fresh not in {TRACE, "0" * 32}
    assert traces.traceparent().startswith(f"00-{fresh}-")
    assert traces.read(traces.traceparent()), traces.traceparent()


def test_a_call_without_a_parent_has_an_id():
    """Another one each time."""
    ids = {seen()["trace"] for _ in range(100)}

    assert 100 == len(ids)
    assert all(traces.read(f"00-{one}-{SPAN}-00") for one in ids)


def test_what_belongs_to_no_call_has_no_id():
    """Neither in the log nor on the wire."""
    assert {} == contextvars.Context().run(traces.log_ids, None, "", {})
    assert ("", {}, (("a", "b"),)) == contextvars.Context().run(
        lambda: (traces.traceparent(), traces.headers(), traces.with_traceparent([("a", "b")]))
    )


# What is kept.


def test_where_nothing_is_kept_no_span_is_made():
    """Though the caller asks for it."""
    seen(ASKS)

    assert traces.NO_SPAN is traces.span("store append")
    assert traces.NO_SPAN is scripts.span(["HGET", "secret"])
    assert not traces.is_sampled()


def test_only_what_is_asked_for_is_kept_by_default(memory):
    """The share of the others is nothing."""
    seen(ASKS_NOT)
    traces.answered("OK")
    seen()
    traces.answered("OK")

    assert () == memory.get_finished_spans()
    assert traces.traceparent().endswith("-00")


def test_a_share_of_what_nobody_asks_for_is_kept():
    """By chance, which a caller cannot move by the id he chooses."""
    kept = []
    traces.use(traces.Sampler(kept.append, share=0.5, asked_a_second=0))
    for said in 500 * [ASKS_NOT]:
        seen(said)
        traces.answered("OK")

    assert 150 < len(kept) < 350  # one in 10^18 is outside
    assert {""} == {span.above.span for span in kept}, "a span below one that nobody kept"


def test_those_who_ask_cannot_make_us_keep_all(monkeypatch):
    """Three a second, however many ask."""
    now = [100.0]
    monkeypatch.setattr(traces.time, "monotonic", lambda: now[0])
    sampler = traces.Sampler(lambda _: None, asked_a_second=3)

    def asked():
        return [sampler.samples(asked=True) for _ in range(10)].count(True)

    assert 3 == asked()
    now[0] += 1
    assert 3 == asked()
    now[0] += 100
    assert 3 == asked()


def test_a_span_says_whose_part_it_is_and_how_it_ended(memory):
    """With its game and match; the action and the seat are nobody's business."""
    seen(ASKS, request=ACT)
    with traces.span("store append"):
        within = traces.traceparent()
    traces.answered("UNAVAILABLE")
    traces.answered("OK")  # too late
    store, call = memory.get_finished_spans()

    assert f"{call.context.trace_id:032x}" == f"{store.context.trace_id:032x}" == TRACE
    assert (int(SPAN, 16), call.context.span_id) == (call.parent.span_id, store.parent.span_id)
    assert f"00-{TRACE}-{store.context.span_id:016x}-01" == within
    assert {"method": "Service/Method", "match": "m-1", "status": "UNAVAILABLE"} == call.attributes
    assert StatusCode.ERROR is call.status.status_code
    assert ("engine", "duel") == tuple(
        call.resource.attributes[name] for name in ("service.name", "game")
    )
    assert call.start_time <= store.start_time <= store.end_time <= call.end_time


@pytest.mark.parametrize(
    "match",
    [
        "x" * 41,
        "A secret",
        "m\n",
        "",
        "-m",
        "{}",
        "m" * 1_000_000,
        "\N{FULLWIDTH LATIN SMALL LETTER M}",
    ],
)
def test_a_match_that_cannot_be_one_is_not_kept(memory, match):
    """A caller may say what he likes there."""
    seen(ASKS, request=engine_pb2.ActRequest(match=match))
    traces.answered("OK")
    (call,) = memory.get_finished_spans()

    assert {"method": "Service/Method", "status": "OK"} == call.attributes


def test_what_fails_within_says_by_what_and_no_more(memory):
    """The name of the error; its text may hold anything."""
    seen(ASKS)
    with pytest.raises(ValueError, match="secret"), traces.span("store append"):
        raise ValueError("a secret")
    (store,) = memory.get_finished_spans()

    assert {"status": "ValueError"} == store.attributes
    assert () == store.events
    assert ASKS.split("-")[1] == traces.log_ids(None, "", {})["trace"]


def test_a_span_that_ends_elsewhere_leaves_its_call_alone(memory):
    """Work that nobody waits for is ended in the context of somebody else."""
    seen(ASKS)
    span = traces.span("store append")
    contextvars.copy_context().run(span.__enter__)
    before = traces.traceparent()
    span.__exit__(None)

    assert before == traces.traceparent()
    assert 1 == len(memory.get_finished_spans())


@pytest.mark.parametrize(
    ("command", "called"),
    [
        (("HGET", "bree:g:{a:secret}", "token"), "HGET"),
        (("evalsha", "0" * 40, 1, "secret"), "EVALSHA"),
        (("EVALSHA", "ab" * 20, 1, "secret"), "append"),
        (("EVAL", "return 'secret'", 0), "EVAL"),
        (("a secret", "x"), "?"),
    ],
)
def test_a_store_call_is_named_by_its_command_or_script(command, called):
    """And by nothing that it is given."""
    scripts.name("ab" * 20, "append")

    assert called == scripts.spelt(command)


# What follows from a call.


def test_what_follows_is_a_trace_of_its_own_with_a_link(memory):
    """The log has both ids."""
    with traces.LinkedTrace("bot turn", ASKS, game="duel", match="m-1"):
        said = traces.log_ids(None, "", {})
        sent = traces.read(traces.traceparent())
    (turn,) = memory.get_finished_spans()
    (link,) = turn.links

    assert TRACE == said["cause"] != said["trace"]
    assert said["trace"] == f"{turn.context.trace_id:032x}" == sent.trace
    assert (TRACE, SPAN) == (f"{link.context.trace_id:032x}", f"{link.context.span_id:016x}")
    assert turn.parent is None
    assert {"game": "duel", "match": "m-1"} == turn.attributes
    assert {} == traces.log_ids(None, "", {}), "the next task begins with nothing"


@pytest.mark.parametrize("cause", [ASKS_NOT, None, "garbage"])
def test_what_follows_from_what_is_not_kept_is_not_kept(memory, cause):
    """It has an id all the same."""
    with traces.LinkedTrace("bot turn", cause):
        said = traces.log_ids(None, "", {})

    assert () == memory.get_finished_spans()
    assert traces.read(f"00-{said['trace']}-{SPAN}-00")
    assert (TRACE if cause == ASKS_NOT else None) == said.get("cause")
