"""What the gateway knows of each match: read, changed, and brought up to date with its engine.

Design. A change is decided on a match as it was read and is swapped in if nobody was faster; else
it is decided again. Once a match has started its seats never change, so they are kept in memory.
A match that starts is fixed first, then begun in its engine, and then called running: whoever
finds one in between begins it again in the same way, which changes nothing if it had begun.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable
from dataclasses import replace

import grpc
import structlog

from bree.engine.v1 import engine_pb2 as engine
from bree.process.retrieved import retrieve_error
from bree.process.statuses import Denied
from gateway import wire
from gateway.contract import Store
from gateway.documents import Hold, ListEntry, Match, News, Outcome, StandIn, State
from gateway.engines import Engines
from gateway.refusals import not_started, unknown_match

log = structlog.get_logger()

TRIES = 50
"""How often a change is decided because somebody else was faster."""

UNDECIDED = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL)
"""With these an engine does not say whether it has begun a match."""

STALE_MS = 60_000
"""An entry of a list that points nowhere is dropped when it is so old: nobody is still at it."""


def now_ms() -> int:
    """The time as it is kept."""
    return time.time_ns() // 1_000_000


class Matches:
    """All matches, whatever their state."""

    def __init__(self, store: Store, engines: Engines, kept: int) -> None:
        self.store, self.engines, self.kept = store, engines, kept
        self._started: OrderedDict[str, Match] = OrderedDict()
        self._ending: dict[str, asyncio.Task[Match]] = {}

    async def read(self, match_id: str) -> Match:
        """A match as the store has it now."""
        match = await self.store.match(match_id)
        if match is None:
            raise unknown_match(match_id)
        return self._keep(match)

    async def started(self, match_id: str) -> Match:
        """A match that its engine has. Its seats are sure; its state may be an older one."""
        match = self._started.get(match_id)
        if match is not None:
            self._started.move_to_end(match_id)
            return match
        match = await self.read(match_id)
        if match.state is State.STARTING:
            match = await self.start(match)
        if not match.state.has_started:
            raise not_started(match)
        return match

    def _keep(self, match: Match) -> Match:
        if match.state.has_started:
            self._started[match.id] = match
            self._started.move_to_end(match.id)
            if len(self._started) > self.kept:
                self._started.popitem(last=False)
        return match

    async def change(self, match: Match, decide: Callable[[Match], Match]) -> Match:
        """Change a match; `decide` makes another of it, or gives it back to leave it as it is."""
        for _ in range(TRIES):
            new = decide(match)
            if new is match:
                return match
            new = replace(new, version=match.version + 1)
            if await self.store.swap_match(match, new):
                await self.tell(new, match)
                return self._keep(new)
            match = await self.read(match.id)
        raise Denied("UNAVAILABLE", "too many change this match at once", part="store")

    async def tell(
        self, match: Match, before: Match | None = None, *, because_of: str = ""
    ) -> None:
        """Tell who listens that a match is new, or other than it was before.

        Whoever it is because of knows it, if there is somebody.

        What nobody was told is found by whoever looks: no change fails because of it.
        """
        if match.state is State.STARTING:  # nobody sees that
            return
        seats = (*match.seats, *(before.seats if before else ()))
        accounts = {match.creator, *(seat.account for seat in seats if seat.account)}
        accounts.discard(because_of)
        try:
            await self.store.tell(News("changed", match.id, tuple(sorted(accounts))))
        except Denied as denied:
            log.info("change not told", match=match.id, reason=denied.reason)

    # Its beginning.

    async def start(self, match: Match) -> Match:
        """Begin a match whose seats are fixed, unless it has begun."""
        try:
            await self.engines.ask("CreateMatch", match.game, wire.beginning(match))
        except Denied as denied:
            if denied.code in UNDECIDED:
                raise Denied("OUTCOME_UNKNOWN", denied.message, match=match.id) from None
            await self.change(match, _reopened)
            raise
        return await self._run(match)

    async def _run(self, match: Match) -> Match:
        await self.store.list_match(match, State.RUNNING)
        match = await self.change(match, _running)
        accounts = tuple({seat.account for seat in match.seats if seat.account})
        await self.store.tell(News("started", match.id, accounts))
        await self.store.unlist_match(match, State.OPEN)
        await self.free(match)
        return match

    async def free(self, match: Match) -> None:
        """Give its creator room for another open match."""
        entries = await self.store.reserved(match.creator)
        await self.store.unreserve(match.creator, [e for e in entries if e.name == match.id])

    # Its end.

    async def see(self, match: Match, standing: engine.Standing) -> Match:
        """Note what an engine says of a match, if that is news; a store that is away can wait."""
        if standing.stand_ins:
            match = await self._see_stand_ins(match, wire.stand_ins(standing))
        if standing.HasField("hold"):
            match = await self._see_hold(match, wire.hold(standing))
        if not standing.HasField("outcome"):
            return match
        match = self._started.get(match.id, match)
        if match.state is State.OVER:
            return match
        ending = self._ending.get(match.id)
        if ending is None:  # else others have seen the same, and one of us is enough
            ending = asyncio.create_task(self.end(match, wire.outcome(standing.outcome)))
            self._ending[match.id] = ending
            ending.add_done_callback(lambda done: self._forget_ending(match.id, done))
        try:
            return await asyncio.shield(ending)
        except Denied as denied:
            log.warning("end not noted", match=match.id, reason=denied.reason)
            return match

    async def _see_stand_ins(self, match: Match, seen: tuple[StandIn, ...]) -> Match:
        """Note who plays for whom, unless something newer is known."""

        def changed(m: Match) -> Match:
            return replace(m, stand_ins=seen) if _changes(seen) > _changes(m.stand_ins) else m

        return await self._note(match, changed, "stand-in not noted")

    async def _see_hold(self, match: Match, seen: Hold) -> Match:
        """Note whether the host holds a match, unless something newer is known."""

        def changed(m: Match) -> Match:
            return replace(m, hold=seen) if seen.changes > m.hold.changes else m

        return await self._note(match, changed, "hold not noted")

    async def _note(self, match: Match, changed: Callable[[Match], Match], trouble: str) -> Match:
        """Note what is news of a match that is not settled; a store that is away can wait."""
        known = self._started.get(match.id, match)
        if known.settled or changed(known) is known:
            return known
        try:
            return await self.change(known, changed)
        except Denied as denied:
            log.warning(trouble, match=match.id, reason=denied.reason)
            return match

    def _forget_ending(self, match_id: str, ending: asyncio.Task[Match]) -> None:
        del self._ending[match_id]
        retrieve_error(ending)

    async def close(self) -> None:
        """Wait until what was seen to end is noted."""
        await asyncio.gather(*self._ending.values(), return_exceptions=True)

    async def refreshed(self, match: Match) -> Match:
        """A match, with what others know better; as it is, if they are out of reach."""
        try:
            if match.state is State.STARTING:
                match = await self.start(match)
            if match.state is State.RUNNING:
                request = engine.GetSeatViewRequest(match=match.id, viewer=engine.Viewer())
                answer = await self.engines.ask("GetSeatView", match.game, request)
                match = await self.see(match, answer.standing)
            if match.outcome and not match.settled:
                settled = await self.store.settled(match.game, match.id)
                match = await self.end(match, match.outcome, settled) if settled else match
        except Denied as denied:
            log.info("match not refreshed", match=match.id, reason=denied.reason)
        return match

    @staticmethod
    def ended(match: Match, outcome: Outcome, settled: str) -> Match:
        """A match once it is over, and settled if it is; the same one if it was."""
        new = replace(
            match,
            state=State.OVER,
            outcome=match.outcome or outcome,
            settled=match.settled or settled,
        )
        return match if new == match else new

    async def end(self, match: Match, outcome: Outcome, settled: str = "") -> Match:
        """Note that a match is over, and whether its ratings are settled."""

        def ended(m: Match) -> Match:
            return self.ended(m, outcome, settled)

        if ended(match) is not match:  # else it may have left the lists of what is live
            await self.store.list_match(match, State.OVER)
            match = await self.change(match, ended)
        await self.store.finish(match)
        return match

    # Lists that name too much.

    async def tidy_live(self, account: str, known: Container[str] = ()) -> dict[str, Match]:
        """The live matches of an account but for known ones; its list loses those that are not."""
        entries = [entry for entry in await self.store.live(account) if entry.name not in known]
        matches = await self._at(entries)
        live = {m.id: m for m in matches.values() if _is_live(m, account)}
        gone = [entry for entry in entries if entry.name not in live and _is_dead(entry, matches)]
        for match in [m for m in matches.values() if m.state is State.OVER]:
            await self.store.finish(match)  # whoever was at it went away before he had
        await self.store.unlive(account, gone)
        return live

    async def tidy_reserved(self, account: str, kept: Container[State] = (State.OPEN,)) -> None:
        """Take from an account's open matches, or those of other states, what is not, any more."""
        entries = await self.store.reserved(account)
        matches = await self._at(entries)
        gone = [
            entry
            for entry in entries
            if (match := matches.get(entry.name)) is None or match.state not in kept
            if _is_dead(entry, matches)
        ]
        await self.store.unreserve(account, gone)

    async def _at(self, entries: list[ListEntry]) -> dict[str, Match]:
        found = await self.store.matches([entry.name for entry in entries], past=False)
        return {match.id: match for match in found if match}


def _changes(stand_ins: Iterable[StandIn]) -> int:
    return sum(one.changes for one in stand_ins)


def _is_live(match: Match, account: str) -> bool:
    ended = match.state in (State.OVER, State.CLOSED)
    return not ended and any(seat.account == account for seat in match.seats)


def _is_dead(entry: ListEntry, matches: dict[str, Match]) -> bool:
    """Whether an entry will never point to anything again, as far as anyone can tell."""
    match = matches.get(entry.name)
    if match is not None and match.state in (State.RUNNING, State.OVER, State.CLOSED):
        return True
    return entry.score < now_ms() - STALE_MS


def _reopened(match: Match) -> Match:
    return replace(match, state=State.OPEN) if match.state is State.STARTING else match


def _running(match: Match) -> Match:
    return replace(match, state=State.RUNNING) if match.state is State.STARTING else match
