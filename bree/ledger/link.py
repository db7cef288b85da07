"""How the ledger is asked: bounded in time, repeated where that is safe, and found again.

Design. Whoever changes something gives a function that does it on a connection; it runs in a
transaction, and may run twice: so what it does must be the same the second time. Only where the
answer to a commit was lost, and the second try fails too, is the outcome unknown. A server that is
away is left alone for a moment after each failure, so that those who can do without it are not kept
waiting; one call after that moment finds out whether it is back. Before anything else it is looked
at whether it is a ledger that this process can use, and every few seconds again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import asyncpg
import structlog

from bree.ledger import refusals, schema
from bree.ledger.schema import Found
from bree.process import metrics, traces
from bree.process.statuses import Denied

log = structlog.get_logger()

T = TypeVar("T")
Work = Callable[[Any], Awaitable[T]]
"""What is done on a connection. It may be done twice."""

Kin = Callable[[Any, Found], Awaitable[str]]
"""Looks whether a ledger is the one that belongs here; why not, in a sentence, or nothing."""

REST_SECONDS = 0.5
"""How long a ledger that was away is left alone."""

LOOK_SECONDS = 2.0
"""After how long it is looked at again whether it is the one that is known."""

TIDY_SECONDS = 1.0


class Undo(Exception):
    """Raised within a transaction that is to change nothing; `value` is what comes of it."""

    def __init__(self, value: Any) -> None:
        self.value = value
        super().__init__("nothing is changed")


class _LostCommit(Exception):
    """The answer to a commit did not come, for the reason that it is raised from."""


class _Transaction:
    """How far a transaction has come."""

    is_committing = False
    is_settled = False  # done or undone, as the server itself has said


class _Connection(asyncpg.Connection):
    """A connection that needs no tidying between two uses: nothing is set in its session."""

    def get_reset_query(self) -> str:
        return ""


class Ledger:
    """One ledger, as one process asks it."""

    def __init__(
        self,
        url: str,
        connections: int = 16,
        seconds: float = 5.0,
        schemas: tuple[int, int] = (schema.OLDEST, schema.NEWEST),
    ) -> None:
        self.trouble = ""  # why it cannot be used though it is there, in a sentence
        self.found = Found()
        self.kin: Kin | None = None
        self._url, self._most, self._seconds, self._schemas = url, connections, seconds, schemas
        self._pool: Any = None
        self._away = ""
        self._again_at = 0.0
        self._look_at = 0.0
        self._looking: asyncio.Lock | None = None

    # Asking.

    async def read(self, what: str, query: str, *values: Any) -> Sequence[Any]:
        """The rows that a query finds."""
        return await self._asked(what, lambda c: c.fetch(query, *values), self._plainly)

    async def row(self, what: str, query: str, *values: Any) -> Any:
        """The first row that a query finds, or nothing."""
        return await self._asked(what, lambda c: c.fetchrow(query, *values), self._plainly)

    async def write(self, what: str, work: Work[T]) -> T:
        """Do something in one transaction, all of it or nothing; it may be done twice."""
        return await self._asked(what, work, self._in_a_transaction)

    async def look(self) -> Found:
        """What there is; refuses if it is of no use."""
        await self._ensure(at_once=True)
        return self.found

    async def close(self) -> None:
        """Let go of connections."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool = None

    async def _asked(self, what: str, work: Work[T], how: Callable[[Work[T]], Awaitable[T]]) -> T:
        with traces.span(f"ledger {what}"):
            await self._ensure()
            with metrics.LEDGER_SECONDS.labels(what).time():
                return await self._twice(work, how)

    async def _twice(self, work: Work[T], how: Callable[[Work[T]], Awaitable[T]]) -> T:
        is_unsure = False
        for is_last in (False, True):
            try:
                done = await how(work)
            except Undo as undo:
                return undo.value  # type: ignore[no-any-return]
            except _LostCommit as lost:
                is_unsure, error = True, lost.__cause__ or lost
            except refusals.TROUBLES as caught:
                error = caught
            else:
                self._away = ""
                return done
            if is_last or not _may_be_repeated(error):
                raise self._refused(error, is_unsure=is_unsure)
            if self._pool is not None:
                await self._pool.expire_connections()  # others may have died with it
        raise AssertionError(how)

    def _refused(self, error: BaseException, *, is_unsure: bool) -> BaseException:
        """What to raise for an error; what is nobody's fault but ours stays as it is."""
        code = refusals.code_of(error)
        metrics.LEDGER_ERRORS.labels(code or type(error).__name__).inc()
        if not refusals.is_away(error) and not refusals.known(code):
            return error
        said = refusals.sentence(error)
        log.warning("ledger refuses", why=said, code=code, error=str(error))
        self._look_at = 0.0
        if refusals.is_away(error):
            self._away, self._again_at = said, time.monotonic() + REST_SECONDS
            metrics.LEDGER_USABLE.set(0)
        return Denied("OUTCOME_UNKNOWN", said) if is_unsure else unavailable(said)

    # Whether it is of use.

    async def _ensure(self, *, at_once: bool = False) -> None:
        """Refuse if the ledger is away or not the right one, as far as is known by now."""
        now = time.monotonic()
        if self._away:
            if now < self._again_at:
                raise unavailable(self._away)
            self._again_at = now + self._seconds + REST_SECONDS  # others go by what this one finds
            at_once = True
        if at_once or now >= self._look_at:
            self._looking = self._looking or asyncio.Lock()
            async with self._looking:
                if self._away and not at_once:
                    raise unavailable(self._away)
                if at_once or time.monotonic() >= self._look_at:
                    await self._twice(self._find, self._plainly)
        if self.trouble:
            raise unavailable(self.trouble)

    async def _find(self, connection: Any) -> None:
        found = await schema.find(connection)
        trouble = schema.trouble(found, *self._schemas)
        if not trouble and self.kin is not None:
            trouble = await self.kin(connection, found)
        if trouble != self.trouble:
            log.warning("ledger", trouble=trouble or "none any more", schema=found.schema)
        self.found, self.trouble = found, trouble
        self._look_at = time.monotonic() + LOOK_SECONDS
        metrics.LEDGER_USABLE.set(not trouble)

    # Connections.

    async def _plainly(self, work: Work[T]) -> T:
        async with asyncio.timeout(self._seconds):
            connection = await self._taken()
            try:
                done = await work(connection)
            except BaseException:
                connection.terminate()
                raise
            finally:
                await self._given_back(connection)
        return done

    async def _in_a_transaction(self, work: Work[T]) -> T:
        state = _Transaction()
        try:
            async with asyncio.timeout(self._seconds):
                connection = await self._taken()
                try:
                    return await self._committed(connection, work, state)
                except (asyncpg.PostgresError, Undo, Denied) as error:
                    is_away = refusals.is_away(error)
                    state.is_settled = not is_away and await self._undone(connection)
                    raise
                finally:
                    if not state.is_settled:
                        connection.terminate()
                    await self._given_back(connection)
        except refusals.TROUBLES as error:
            if state.is_committing and refusals.is_away(error):
                raise _LostCommit from error
            raise

    async def _committed(self, connection: Any, work: Work[T], state: _Transaction) -> T:
        await connection.execute("BEGIN")
        done = await work(connection)
        state.is_committing = True
        await connection.execute("COMMIT")
        state.is_settled = True
        return done

    async def _undone(self, connection: Any) -> bool:
        """Whether what was begun is certainly undone, and the connection good for more."""
        try:
            async with asyncio.timeout(TIDY_SECONDS):
                await connection.execute("ROLLBACK")
        except refusals.TROUBLES:
            return False
        return True

    async def _taken(self) -> Any:
        if self._pool is None:
            self._pool = await asyncpg.create_pool(
                self._url,
                min_size=0,
                max_size=self._most,
                connection_class=_Connection,
                timeout=self._seconds,
                server_settings=self._session(),
            )
        return await self._pool.acquire()

    def _session(self) -> dict[str, str]:
        """So that what takes too long ends there, and before it is taken for a silent server."""
        ms = str(int(self._seconds * 800))
        return {
            "application_name": "bree",
            "statement_timeout": ms,
            "idle_in_transaction_session_timeout": ms,
        }

    async def _given_back(self, connection: Any) -> None:
        await self._pool.release(connection)
        metrics.LEDGER_CONNECTIONS.set(self._pool.get_size() - self._pool.get_idle_size())


def unavailable(why: str) -> Denied:
    """The refusal of what needs the ledger; nothing was changed."""
    return Denied("UNAVAILABLE", why, part="ledger")


def _may_be_repeated(error: BaseException) -> bool:
    if isinstance(error, TimeoutError | asyncio.CancelledError):
        return False  # it has lasted long enough
    code = refusals.code_of(error)
    return code in refusals.AGAIN or refusals.is_away(error)
