"""Multiplexed calls are answered, refused and ended as calls of their own are."""

from __future__ import annotations

import asyncio
from collections import deque

import grpc
import pytest
from grpc.aio import EOF
from typing_extensions import override

from bree.engine.v1 import engine_pb2, engine_pb2_grpc
from bree.line.v1 import line_pb2, line_pb2_grpc
from bree.process import multiplexer
from bree.process.demultiplexer import Demultiplexer
from bree.process.multiplexer import BATCH_BYTES, Multiplexer, batch
from bree.process.server import Server, channel, platform_metadata, platform_only
from bree.process.settings import ProcessSettings, read
from bree.process.statuses import Denied, denied_by

TOKEN = "a token of sixteen or more"
SERVICE = "bree.engine.v1.EngineService"
ACT, WATCH = f"/{SERVICE}/Act", f"/{SERVICE}/Watch"


class Engine(engine_pb2_grpc.EngineServiceServicer):
    """Does what its requests ask for, and notes how calls ended."""

    def __init__(self):
        self.waiting = asyncio.Event()  # a call of "wait" has come
        self.cancelled = asyncio.Event()
        self.go_on = asyncio.Event()
        self.remaining = None
        self.told = 0

    @override
    async def Act(self, request, context):
        if request.match == "wait":
            self.remaining = context.time_remaining()
            await self._wait()
        elif request.match == "broken":
            raise ValueError("a secret that nobody may see")
        elif request.match != "echo":
            raise Denied(request.match, "refused", said="this")
        return engine_pb2.ActResponse(
            question={"prompt": request.action, "number": request.question}
        )

    @override
    async def Watch(self, request, context):
        try:
            while self.told < request.after_revision:
                self.told += 1
                yield engine_pb2.WatchResponse(standing={"revision": self.told})
            if request.match == "wait":
                await self._wait()
            elif request.match:
                raise Denied(request.match, "refused", revision=3)
        except GeneratorExit:
            self.cancelled.set()
            raise

    async def _wait(self):
        self.waiting.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


def act(match="echo", number=1, action="x"):
    """A request."""
    return engine_pb2.ActRequest(match=match, question=number, action=action)


class Talk:
    """A server, and a multiplexer of calls to it."""

    def __init__(self, token=TOKEN, **given):
        self.settings = read(ProcessSettings, platform_token=TOKEN, drain_seconds=5, **given)
        self.theirs = read(ProcessSettings, platform_token=token, **given)

    async def __aenter__(self):
        await self.serve()
        self.connection = channel(f"localhost:{self.server.port}", self.theirs)
        metadata = platform_metadata(self.theirs)
        self.multiplexer = Multiplexer(self.connection, metadata, self.theirs.largest_message)
        coders = engine_pb2.ActRequest.SerializeToString, engine_pb2.ActResponse.FromString
        self.act = self.multiplexer.unary(ACT, *coders)
        coders = engine_pb2.WatchRequest.SerializeToString, engine_pb2.WatchResponse.FromString
        self.watch = self.multiplexer.stream(WATCH, *coders)
        self.stub = line_pb2_grpc.LineServiceStub(self.connection)
        self.metadata = metadata
        return self

    async def serve(self, port=0):
        self.engine = Engine()
        settings = self.settings.model_copy(update={"listen": f"localhost:{port}"})
        self.server = Server(settings, platform_only(TOKEN))
        engine_pb2_grpc.add_EngineServiceServicer_to_server(self.engine, self.server.services)
        self.server.offer_multiplexing()
        await self.server.start([SERVICE])

    async def __aexit__(self, *_):
        self.multiplexer.close()
        await self.connection.close()
        await self.server.stop()


def with_a_multiplexer(test, **given):
    """Run a test with multiplexed calls to a server."""

    async def run():
        async with Talk(**given) as talk:
            await asyncio.wait_for(test(talk), 20)

    asyncio.run(run())


async def refusal(call):
    """The status of a call that is refused, and its reason."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return refused.value.code(), denied_by(refused.value)


def test_each_of_many_calls_gets_its_own_answer():
    """However many are under way."""

    async def test(talk):
        calls = [talk.act(act(number=n, action=f"a{n}"), timeout=9) for n in range(1, 301)]

        answers = await asyncio.gather(*calls)

        said = [(answer.question.number, answer.question.prompt) for answer in answers]
        assert [(n, f"a{n}") for n in range(1, 301)] == said

    with_a_multiplexer(test)


class Counter(line_pb2_grpc.LineServiceServicer):
    """Notes how many calls came in each message; answers them, but for those it holds back."""

    def __init__(self, held=0):
        self.sizes = []
        self.held = held  # how many of the first calls
        self.is_full = asyncio.Event()

    @override
    async def OpenLine(self, requests, context):
        held = []
        async for said in requests:
            self.sizes.append(len(said.calls))
            answers = [line_pb2.Answer(id=call.id, message=b"") for call in said.calls]
            if sum(self.sizes) <= self.held:
                held += answers
                if len(held) == self.held:
                    self.is_full.set()
            else:
                yield line_pb2.OpenLineResponse(answers=[*held, *answers])
                held = []


def with_a_counter(test, counter):
    """Run a test with a method that a counter answers."""

    async def run():
        server = grpc.aio.server()
        line_pb2_grpc.add_LineServiceServicer_to_server(counter, server)
        port = server.add_insecure_port("localhost:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"localhost:{port}") as connection:
            method = Multiplexer(connection, None, 1 << 20).unary(
                ACT, lambda _: b"", lambda _: None
            )
            await test(lambda: method(None, timeout=9))
        await server.stop(0)

    asyncio.run(run())


def test_calls_made_together_are_batched():
    """In far fewer messages than calls; here all of them come before the stream is open."""
    counter = Counter()

    async def test(call):
        await asyncio.gather(*(call() for _ in range(50)))

    with_a_counter(test, counter)

    assert 50 == sum(counter.sizes)
    assert 2 >= len(counter.sizes)


def test_where_many_calls_wait_a_batch_waits_for_more(monkeypatch):
    """They go out in one message when the moment is over, though they were not made together."""
    counter, sleep = Counter(held=multiplexer.BATCHING_CALLS), asyncio.sleep
    over = asyncio.Event()

    async def moment(seconds):
        await (over.wait() if seconds == multiplexer.BATCHING_SECONDS else sleep(seconds))

    monkeypatch.setattr(asyncio, "sleep", moment)

    async def test(call):
        over.set()
        calls = [asyncio.create_task(call()) for _ in range(multiplexer.BATCHING_CALLS)]
        await counter.is_full.wait()
        over.clear()
        for _ in range(3):
            calls.append(asyncio.create_task(call()))
            await sleep(0.02)
        over.set()
        await asyncio.gather(*calls)

    with_a_counter(test, counter)

    assert multiplexer.BATCHING_CALLS == sum(counter.sizes[:-1])
    assert 3 == counter.sizes[-1]


def test_where_few_calls_wait_nobody_waits_for_a_batch(monkeypatch):
    """Neither alone nor beside a few others; streams that stay open do not count."""
    monkeypatch.setattr(multiplexer, "BATCHING_SECONDS", 3600)

    async def test(talk):
        streams = []
        for number in range(1, multiplexer.BATCHING_CALLS + 1):
            request = engine_pb2.WatchRequest(match="wait", after_revision=number)
            streams.append(talk.watch(request))
            await streams[-1].read()
        for _ in range(3):
            await asyncio.gather(
                *(talk.act(act(), timeout=9) for _ in range(multiplexer.BATCHING_CALLS - 1))
            )

    with_a_multiplexer(test)


def test_a_batch_is_bounded():
    """What is too much for one batch goes into the next; what alone is too much goes alone."""
    calls = deque(line_pb2.Call(request=b"x" * (BATCH_BYTES // 2)) for _ in range(3))
    calls.append(line_pb2.Call(request=b"x" * (3 * BATCH_BYTES)))
    calls.append(line_pb2.Call(request=b"x"))

    taken = [len(batch(calls)) for _ in range(3)]

    assert [2, 2, 1] == taken


def test_a_refusal_of_a_multiplexed_call_is_the_same():
    """With its code, its reason and what it says besides."""

    async def test(talk):
        code, denied = await refusal(talk.act(act("STALE_QUESTION"), timeout=9))

        assert (grpc.StatusCode.ABORTED, "STALE_QUESTION") == (code, denied.reason)
        assert ("refused", {"said": "this"}) == (denied.message, denied.metadata)

    with_a_multiplexer(test)


def test_a_bug_in_a_multiplexed_call_shows_nothing_of_itself():
    """And other calls do not notice."""

    async def test(talk):
        code, denied = await refusal(talk.act(act("broken"), timeout=9))

        assert (grpc.StatusCode.INTERNAL, "BUG") == (code, denied.reason)
        assert "secret" not in denied.message
        assert 7 == (await talk.act(act(number=7), timeout=9)).question.number

    with_a_multiplexer(test)


def test_without_the_platforms_token_there_is_no_multiplexing():
    """Each call on it is refused, as it would be alone."""

    async def test(talk):
        code, denied = await refusal(talk.act(act(), timeout=9))

        assert (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED") == (code, denied.reason)
        code, denied = await refusal(talk.watch(engine_pb2.WatchRequest()).read())
        assert (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED") == (code, denied.reason)

    with_a_multiplexer(test, token="another one of sixteen")


def test_a_deadline_ends_a_call_and_is_known_to_its_handler():
    """The handler is stopped, too."""

    async def test(talk):
        code, _ = await refusal(talk.act(act("wait"), timeout=0.2))

        assert grpc.StatusCode.DEADLINE_EXCEEDED == code
        assert 0 < talk.engine.remaining <= 0.2
        await talk.engine.cancelled.wait()

    with_a_multiplexer(test)


def test_a_handler_is_stopped_when_its_caller_goes_away():
    """As gRPC stops the handlers of calls that are cancelled."""

    async def test(talk):
        calling = asyncio.create_task(talk.act(act("wait"), timeout=9))
        await talk.engine.waiting.wait()

        calling.cancel()

        await talk.engine.cancelled.wait()

    with_a_multiplexer(test)


def test_who_goes_away_before_he_was_heard_leaves_nothing():
    """A call that is cancelled in the message that it comes in is forgotten."""

    async def test(talk):
        call = talk.stub.OpenLine(metadata=talk.metadata)
        request = act("wait").SerializeToString()
        said = [line_pb2.Call(id=n, method=ACT, request=request) for n in (1, 2)]
        await call.write(line_pb2.OpenLineRequest(calls=said, cancelled=[1]))
        await talk.engine.waiting.wait()
        await call.write(line_pb2.OpenLineRequest(cancelled=[2]))
        await talk.engine.cancelled.wait()

        await call.done_writing()

        assert EOF == await call.read()

    with_a_multiplexer(test)


def test_a_multiplexed_stream_tells_all_in_order_and_ends():
    """Its end is the end of the stream and not of the others."""

    async def test(talk):
        stream = talk.watch(engine_pb2.WatchRequest(after_revision=100))
        revisions = [(await stream.read()).standing.revision for _ in range(100)]

        assert list(range(1, 101)) == revisions
        assert EOF == await stream.read()
        assert EOF == await stream.read()
        assert (await talk.act(act(), timeout=9)).question.number

    with_a_multiplexer(test)


def test_a_multiplexed_stream_is_refused_like_a_call():
    """What was sent before the refusal arrives, then the reason."""

    async def test(talk):
        stream = talk.watch(engine_pb2.WatchRequest(match="WATCH_LAGS", after_revision=1))
        assert 1 == (await stream.read()).standing.revision

        code, denied = await refusal(stream.read())

        assert (grpc.StatusCode.RESOURCE_EXHAUSTED, "3") == (code, denied.metadata["revision"])

    with_a_multiplexer(test)


def test_a_stream_ends_at_the_server_when_its_reader_goes_away():
    """Other calls go on."""

    async def test(talk):
        stream = talk.watch(engine_pb2.WatchRequest(match="wait"))
        await talk.engine.waiting.wait()

        stream.cancel()

        await talk.engine.cancelled.wait()
        assert (await talk.act(act(), timeout=9)).question.number

    with_a_multiplexer(test)


def test_methods_that_stream_wait_while_too_much_is_not_on_its_way(monkeypatch):
    """Little piles up for who reads slowly, and it goes on when it is read."""
    monkeypatch.setattr("bree.process.demultiplexer.BUFFER_BYTES", 60)
    monkeypatch.setattr("bree.process.multiplexer.BATCH_BYTES", 20)  # else all would go at once
    most = 40  # of these messages; each has two bytes at least

    async def test(talk):
        exchange = Demultiplexer(talk.server._guarded.find, asyncio.Event(), 1 << 20)
        request = engine_pb2.WatchRequest(after_revision=500).SerializeToString()

        async def requests():
            calls = [line_pb2.Call(id=1, method=WATCH, request=request)]
            yield line_pb2.OpenLineRequest(calls=calls)
            await asyncio.Event().wait()

        class Opened:
            def invocation_metadata(self):
                return talk.metadata

        heard = 0
        async for response in exchange.OpenLine(requests(), Opened()):
            heard += len(response.answers)
            for _ in range(200):
                await asyncio.sleep(0)
            assert talk.engine.told <= heard + most
            if response.answers[-1].HasField("end"):
                break
        assert heard == 501

    with_a_multiplexer(test)


@pytest.mark.parametrize(
    ("method", "request_", "code"),
    [
        (f"/{SERVICE}/Cheat", b"", grpc.StatusCode.UNIMPLEMENTED),
        ("", b"", grpc.StatusCode.UNIMPLEMENTED),
        ("/bree.line.v1.LineService/OpenLine", b"", grpc.StatusCode.UNIMPLEMENTED),
        (ACT, b"\xff\xff", grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
def test_what_is_not_understood_is_refused(method, request_, code):
    """And other calls go on."""

    async def test(talk):
        call = talk.multiplexer.unary(method, lambda _: request_, lambda answer: answer)

        found, _ = await refusal(call(None, timeout=9))

        assert code == found
        assert (await talk.act(act(), timeout=9)).question.number

    with_a_multiplexer(test)


def test_a_number_that_is_in_use_is_refused():
    """The call that has it is answered all the same."""

    async def test(talk):
        call = talk.stub.OpenLine(metadata=talk.metadata)
        said = line_pb2.Call(id=1, method=ACT, request=act("wait").SerializeToString())
        await call.write(line_pb2.OpenLineRequest(calls=[said, said]))

        refused = await call.read()
        talk.engine.go_on.set()
        answered = await call.read()

        assert [grpc.StatusCode.INVALID_ARGUMENT.value[0]] == [a.end.code for a in refused.answers]
        assert [True] == [a.HasField("message") for a in answered.answers]

    with_a_multiplexer(test)


def test_what_is_too_large_is_refused_alone():
    """A request or an answer that would break the stream ends its own call."""

    async def test(talk):
        other = asyncio.create_task(talk.act(act("wait", number=5), timeout=9))
        await talk.engine.waiting.wait()
        large = act(action="x" * 5000)

        code, _ = await refusal(talk.act(large, timeout=9))

        assert grpc.StatusCode.RESOURCE_EXHAUSTED == code
        talk.engine.go_on.set()
        assert 5 == (await other).question.number
        exchange = Demultiplexer(talk.server._guarded.find, asyncio.Event(), 2048)
        call = line_pb2.Call(id=1, method=ACT, request=large.SerializeToString())

        async def requests():
            yield line_pb2.OpenLineRequest(calls=[call])

        class Opened:
            def invocation_metadata(self):
                return talk.metadata

        said = [response async for response in exchange.OpenLine(requests(), Opened())]
        codes = [answer.end.code for response in said for answer in response.answers]
        assert [grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]] == codes
        assert (await talk.act(act(), timeout=9)).question.number

    with_a_multiplexer(test, largest_message=4096)


def test_a_server_that_stops_answers_what_it_has_begun():
    """New calls are told that it is stopping; then the stream is over."""

    async def test(talk):
        begun = asyncio.create_task(talk.act(act("wait"), timeout=9))
        await talk.engine.waiting.wait()
        stopping = asyncio.create_task(talk.server.stop())
        await asyncio.sleep(0)

        code, denied = await refusal(talk.act(act(), timeout=9))
        talk.engine.go_on.set()

        assert (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE") == (code, denied.reason)
        assert "this process is stopping" == denied.message
        assert 1 == (await begun).question.number
        await stopping

    with_a_multiplexer(test)


def test_what_waits_ends_with_the_stream_and_the_next_call_opens_another():
    """Nobody knows what became of a call; a stream is told the same."""

    async def test(talk):
        calling = asyncio.create_task(talk.act(act("wait"), timeout=9))
        stream = talk.watch(engine_pb2.WatchRequest(match="wait"))
        await talk.engine.waiting.wait()
        port = talk.server.port
        await talk.server.grpc.stop(0)

        for waiting in (calling, stream.read()):
            code, denied = await refusal(waiting)
            assert (code, denied) in [
                (grpc.StatusCode.UNAVAILABLE, None),
                (grpc.StatusCode.CANCELLED, None),
            ]
        code, _ = await refusal(talk.act(act(), timeout=9))
        assert grpc.StatusCode.UNAVAILABLE == code

        await talk.serve(port)
        while True:
            try:
                answer = await talk.act(act(number=9), timeout=9)
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.05)
            else:
                break
        assert 9 == answer.question.number

    with_a_multiplexer(test)


def test_a_multiplexer_that_is_closed_ends_its_calls():
    """As a channel that is closed does."""

    async def test(talk):
        calling = asyncio.create_task(talk.act(act("wait"), timeout=9))
        await talk.engine.waiting.wait()

        talk.multiplexer.close()

        code, _ = await refusal(calling)
        assert grpc.StatusCode.UNAVAILABLE == code
        await talk.engine.cancelled.wait()

    with_a_multiplexer(test)
