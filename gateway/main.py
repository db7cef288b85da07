"""The gateway's process: its parts joined, started, and stopped again."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any

import structlog
import uvloop

from bree.process import garbage, logs, metrics, traces
from bree.process.server import Server
from bree.process.settings import read
from bree.process.store_monitor import StoreMonitor
from gateway import servicers
from gateway.accounts import Accounts
from gateway.admission import Admission
from gateway.archiving import Archiving
from gateway.bot_quota import BotQuota
from gateway.bots import Bots
from gateway.catalog import Catalog
from gateway.company import Companies
from gateway.contract import Store
from gateway.current_names import CurrentNames
from gateway.desk.acts import Acts
from gateway.desk.desk import Desk
from gateway.desk.notices import Notices
from gateway.desk.shut_out import ShutOut
from gateway.door import pictures, rating_pictures, records
from gateway.door.door import Door
from gateway.engines import Engines
from gateway.farewells import Farewells
from gateway.kin import Kin
from gateway.ledger_store import LedgerStore
from gateway.limits import Streams, TokenBuckets
from gateway.listing import Listing
from gateway.lobby import Lobby
from gateway.match_changes import MatchChanges
from gateway.matches import Matches
from gateway.methods import Access, Parts, methods
from gateway.news import NewsStreams
from gateway.news_subscriber import Hearers, NewsSubscriber
from gateway.notes import Notes
from gateway.outbox import Outbox
from gateway.personal import Personal
from gateway.personal_export import Exports
from gateway.pictures.curves import Curves
from gateway.pictures.gallery import Gallery
from gateway.play import Play
from gateway.presence import Presence
from gateway.profiles import Profiles
from gateway.programs import Programs
from gateway.published_limits import PublishedLimits
from gateway.quota import Quota
from gateway.rating_histories import RatingHistories
from gateway.ratings import Ratings, Settlement
from gateway.recovery import Recovery
from gateway.refusals import stopping
from gateway.result_filters import ResultFilters
from gateway.result_lists import ResultLists
from gateway.results_filling import ResultsFilling
from gateway.retention import Retention
from gateway.sessions import Sessions
from gateway.settings import GatewaySettings
from gateway.stand_ins import StandIns
from gateway.tallies import Tallies
from gateway.tidying import Tidying
from gateway.tokens import Tokens
from gateway.visitors import Visitors
from gateway.watch import Hub
from gateway.ways_in import ways_in

log = structlog.get_logger()


class Gateway:
    """Everything that is asked once a caller is admitted, for whatever transport."""

    def __init__(self, settings: GatewaySettings, store: Store) -> None:
        self.store = store
        self.engines = Engines(settings)
        self.matches = Matches(store, self.engines, settings.kept_matches)
        self.streams = Streams(settings.most_streams)
        self.hub = Hub(self.matches, settings.call_seconds)
        rate = settings.calls_a_second
        calls = TokenBuckets(rate, settings.calls_burst, f"{rate:g} requests a second")
        quota = Quota(calls)
        self.presence = Presence(store, self.matches, settings.here_seconds)
        self.bots = Bots(settings, self.matches, self.hub, self.streams, quota, self.presence)
        accounts, catalog = Accounts(store), Catalog(self.engines)
        visitors, names = Visitors(settings, accounts), CurrentNames(store)
        self.ways_in = ways = ways_in(settings, store, visitors)
        play = Play(settings, self.matches, self.hub, self.streams, quota, self.presence)
        self.changes = MatchChanges(store, names, settings.replicas)
        news = NewsStreams(settings, store, play, self.bots, self.streams, self.changes)
        notes = Notes(settings, store, self.matches, names, self.changes)
        bot_quota = BotQuota(settings, store, self.matches)
        recovery = Recovery(settings, store)
        companies = Companies(settings, store, self.matches)
        lobby = Lobby(settings, self.matches, catalog, names, bot_quota, companies)
        self.farewells = Farewells(store, self.matches, lobby, tuple(settings.replicas))
        listing = Listing(store, catalog, names)
        acts, shut_out = Acts(store, Notices(store, self.changes)), ShutOut(store)
        self.news_subscriber = NewsSubscriber(
            store,
            Hearers(self.bots, news, self.changes, names, notes, acts.notices, shut_out),
            self.streams,
            settings.rescan_seconds,
        )
        ratings = Ratings(store, catalog, names)
        filters = ResultFilters(store, catalog, names)
        lists, limits = ResultLists(store, filters), PublishedLimits(settings)
        histories = RatingHistories(store, ratings)
        self.methods = methods(
            Parts(
                accounts=accounts,
                sessions=Sessions(settings, store, accounts, visitors, recovery, ways.proofs),
                catalog=catalog,
                lobby=lobby,
                listing=listing,
                play=play,
                stand_ins=StandIns(self.matches, catalog, bot_quota),
                notes=notes,
                bots=self.bots,
                news=news,
                profiles=Profiles(store, catalog),
                ratings=ratings,
                settlement=Settlement(store, self.matches),
                archiving=Archiving(store, self.matches),
                tokens=Tokens(store, accounts),
                recovery=recovery,
                ways_in=ways,
                lists=lists,
                tallies=Tallies(store, filters, lists),
                histories=histories,
                limits=limits,
                desk=Desk.of(settings, acts, accounts, self.matches, (listing, lobby, catalog)),
                fenced=store.fenced,
                programs=Programs(store, accounts, self.matches, catalog),
                personal=Personal(store, accounts, self.farewells),
                exports=Exports(store),
            )
        )
        self.gallery = Gallery(settings, play, quota)
        self.curves = Curves(histories, self.gallery)
        looked_at = (
            *pictures.methods(self.gallery),
            *rating_pictures.methods(self.curves),
            *records.methods(play),
        )
        admitted = (*self.methods, *looked_at)
        limits.publish((m.path[1:], m.price) for m in admitted if m.access is not Access.PLATFORM)
        self.admission = Admission(settings, accounts, admitted, calls, visitors, shut_out)

    async def start(self) -> None:
        """Look for the engines, and listen for news."""
        await self.engines.start()
        self.news_subscriber.start()
        self.presence.start()
        self.ways_in.start()

    def end_streams(self) -> None:
        """Send those who listen to another gateway."""
        self.streams.end_all(stopping())

    async def close(self) -> None:
        """Let go of everything."""
        self.end_streams()
        await self.news_subscriber.close()
        await self.presence.close()
        await self.changes.close()
        await self.gallery.close()
        await self.ways_in.close()
        await self.hub.close()
        await self.matches.close()
        await self.engines.close()
        await self.store.close()


class Process:
    """A gateway behind its gRPC server and its door."""

    def __init__(self, settings: GatewaySettings, store: Store) -> None:
        self.gateway = Gateway(settings, store)
        self.server = Server(settings, self.gateway.admission.guard, self.gateway.admission.visit)
        self.services = servicers.add_to(self.server.services, self.gateway.methods)
        self.door = Door(
            settings,
            self.gateway.admission,
            self.gateway.methods,
            self.gateway.gallery,
            self.gateway.curves,
            self.gateway.gallery.play,
        )
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Serve."""
        await self.gateway.start()
        await self.server.start(self.services)
        await self.door.start()
        for work in (self._end_streams(), garbage.collect()):
            self.keep_doing(work)

    def keep_doing(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something until the process stops."""
        self._tasks.append(asyncio.create_task(work))

    async def _end_streams(self) -> None:
        await self.server.stopping.wait()
        self.gateway.end_streams()

    async def stop(self) -> None:
        """Drain, and let go of everything."""
        self.server.stopping.set()
        await asyncio.gather(self.server.stop(), self.door.stop())
        await self.close()

    async def run(self) -> None:
        """Serve until told to stop, then drain and let go of everything."""
        await self.server.told_to_stop()
        await self.stop()

    async def close(self) -> None:
        """Let go of everything, once nobody is served any more."""
        for task in self._tasks:
            task.cancel()
        await self.gateway.close()


async def serve(settings: GatewaySettings) -> str:
    """Serve until told to stop; why that cannot be, if so."""
    safely = (settings.store_replicas, settings.store_replica_ms)
    store = LedgerStore(settings.store_url, settings.ledger(), settings.copy_seconds, *safely)
    if why := await store.misnamed():
        await store.close()
        return f"BREE_STORE_URL: {why}"
    store.monitor = StoreMonitor(settings, settings.epoch(), store, "gateway")
    store.ledger.kin = Kin(store)
    process = Process(settings, store)
    process.keep_doing(store.monitor.run())
    told_ms = round(1000 * settings.told_seconds)
    process.keep_doing(Outbox(store, process.gateway.matches, told_ms).run())
    process.keep_doing(Retention(settings, store).run())
    process.keep_doing(ResultsFilling(settings, store).run())
    process.keep_doing(Tidying(settings, store, process.gateway.matches).run())
    process.keep_doing(process.gateway.farewells.run())
    await process.start()
    log.info(
        "serving",
        port=process.server.port,
        http_port=process.door.port,
        services=process.services,
    )
    await process.run()
    return ""


def main(**given: Any) -> None:
    """Run a gateway with the settings of the environment."""
    settings = read(GatewaySettings, **given)
    if not settings.ledger_url:
        sys.stderr.write("BREE_LEDGER_URL: Field required\n")
        raise SystemExit(2)
    logs.set_up("gateway", settings.log_level, settings.log_format)
    traces.set_up("gateway", settings)
    metrics.serve(settings.metrics_port, settings.metrics_address)
    garbage.freeze()
    if why := uvloop.run(serve(settings)):
        sys.stderr.write(f"{why}\n")
        raise SystemExit(2)
