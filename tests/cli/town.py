"""A platform for the commands: a gateway and an engine in this process, without workers."""

from __future__ import annotations

import asyncio
import copy
import logging
import threading

import structlog

from gateway.main import Process
from gateway.memory_store import MemoryStore
from gateway.settings import GatewaySettings
from services.confrontation import RULES
from services.host.in_memory_store import InMemoryStore
from services.host.main import Engine
from services.host.settings import HostSettings

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))

TOKEN = "the token of the platform"
PATIENCE = 20
ADMIN = "Gaffer"


class Deaf:
    """Nobody plays the hosted bots."""

    def tell(self, dues):
        """Nothing comes of it."""


class Town:
    """The gateway can go away and come back, at the same address and with all that it knew."""

    def __init__(self, rules=RULES, dispatch=None):
        self.rules, self.dispatch = rules, dispatch or Deaf()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.store = MemoryStore()
        self.memory = InMemoryStore()
        self.port = 0
        self.do(self._open())

    def do(self, coroutine):
        """Let the platform do something, and wait for it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE)

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    async def _open(self):
        settings = HostSettings(
            platform_token=TOKEN, fate_key="ab" * 32, listen="127.0.0.1:0", drain_seconds=0
        )
        self.engine = Engine(self.rules, settings, self.memory, self.dispatch)
        await self.engine.start()
        await self._open_gateway()

    async def _open_gateway(self):
        settings = GatewaySettings(
            platform_token=TOKEN,
            engines=f"confrontation=127.0.0.1:{self.engine.server.port}",
            listen=f"127.0.0.1:{self.port}",
            drain_seconds=0,
            health_seconds=0.1,
            admins=ADMIN,
            new_accounts_burst=1000,
            looks_burst=1000,
        )
        self.gateway = Process(settings, self.store)
        await self.gateway.start()
        self.port = self.gateway.server.port

    def go_away(self):
        """Stop the gateway; what it knew is kept."""
        self.do(self.gateway.stop())

    def come_back(self):
        """Start it again."""
        self.do(self._open_gateway())

    def kept(self, match):
        """A backup of what the engine's store has of a match."""
        return copy.deepcopy(self.memory.matches[match])

    def lose(self, match, backup):
        """Set the store back; the engine hears that its news were interrupted."""

        async def set_back():
            self.memory.matches[match] = backup
            for listener in self.memory._listeners:
                listener.put_nowait(None)

        self.do(set_back())

    def close(self):
        """Stop everything."""
        self.do(self.gateway.stop())
        self.do(self.engine.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE)
        self.loop.close()
