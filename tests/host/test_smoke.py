from tests.host.engines import *
from tests.host.redis_server import redis_server
from services.host.store import Redis
from services.core.record import Record, replay

@in_loop
async def test_all():
    async with replica() as r:
        print(await r.create())
        v=await r.view("gondor"); print(v)
        s=await r.play_on()
        print(s)
        rec=await r.record()
        print(rec.text)
        replay(Record.parse(rec.text), RULES)
        print(r.told.dues)

@in_loop
async def test_redis():
    with redis_server() as server:
        store=Redis(server.url,"skirmish")
        async with replica(store) as r, replica(store) as q:
            print(await r.create())
            await r.play_on(most=5); await q.play_on()
            rec=await r.record()
            replay(Record.parse(rec.text), RULES)
            async for u in q.watch(): print(u)
        await store.close()
