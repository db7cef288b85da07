"""How a store is asked what is left of its past, of which each server of a cluster has its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bree.process.epoch import PLACES, SCRIPT, keys_at
from bree.redis.clients import Client
from bree.redis.script import Script

PROBE = Script.of(SCRIPT)
FIRST_MARKER = 4  # among what a probe is given


class Past:
    """Asks one store. What may be raised is what its client raises."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def look(self, arguments: Sequence[str], place: str = "") -> Sequence[Any]:
        """Ask what is left of it.

        What is remembered of that from now on is what replicas have, too: else a failover without
        any loss would look like one.
        """
        is_remembered = bool(arguments[0]) or len(arguments) == FIRST_MARKER

        async def send(*command: str | int) -> Any:
            return await self.client.read(*command, may_be_lost=lambda _: is_remembered)

        answer = await PROBE.run(send, keys_at(place), arguments)
        assert isinstance(answer, list)
        return answer

    async def places(self) -> dict[str, bool]:
        """Where else there is a past to be looked at, and whether one has begun there."""
        places = await self.client.places()
        if not places:
            return {}
        begun = await self.client.call("SMEMBERS", PLACES)
        assert isinstance(begun, list)
        return {place: place in begun for place in places}

    async def begin(self, place: str) -> None:
        """Note that one has begun there."""
        await self.client.read("SADD", PLACES, place, may_be_lost=lambda _: True)
