import asyncio, pytest, gc
from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.town import *
from tests.gateway.conftest import *

@pytest.mark.parametrize("n", range(40))
@pytest.mark.parametrize("store_of", ["memory"], indirect=True)
async def test_x(town, n):
    rosie, sam = await town.account(), await town.account()
    matches = {await town.running_match(rosie, sam) for _ in range(3)}
    for _ in range(3):
        stream = rosie.stream(pb.ListenQuestionsRequest())
        told = [await stream.next() for _ in matches]
        stream.cancel()
    try:
        await until(lambda: not town.engine.watches.total(), 2)
    except TimeoutError:
        g = town.process.gateway
        print("LEAK", town.engine.watches, len(g.hub), g.hub._tasks, g.bots._listeners, g.streams.accounts())
        for f in g.hub._feeds.values(): print(f.users, f.ears)
        for t in asyncio.all_tasks(): print(t)
        raise
