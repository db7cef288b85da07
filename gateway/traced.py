"""A client of Redis whose commands are seen in traces."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from typing_extensions import override

from bree.process import scripts


class Traced(Redis):
    """As its base, with a span for each command and each pipeline."""

    @override
    async def execute_command(self, *command: Any, **options: Any) -> Any:
        with scripts.span(command):
            return await super().execute_command(*command, **options)  # type: ignore[no-untyped-call]  # theirs

    @override
    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        kept = self.connection_pool, self.response_callbacks
        return _TracedPipeline(*kept, transaction, shard_hint)


class _TracedPipeline(Pipeline):
    @override
    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        queued = self.command_stack
        if not queued:
            return await super().execute(raise_on_error)
        with scripts.span(queued[0][0], len(queued)):
            return await super().execute(raise_on_error)
