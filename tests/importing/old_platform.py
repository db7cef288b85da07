"""A platform as it was before there was a ledger, on a Redis: people, ratings, hundreds of matches.

The commands are those that the gateway of then sent, and the matches those of real engines.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

from redis import Redis

from gateway.documents import Match, Outcome, Seat, State, Team, text_of
from services import rules_of
from services.host import wire
from services.host.main import Engine
from services.host.requests import Abort, Act, Resign
from services.host.serialization import SETUP, LogEntry
from services.host.store import RedisStore
from tests.host.archives import creation
from tests.host.engines import RecordingDispatch, Time, settings

GAMES = ("confrontation", "duel", "risk", "warofthering")
RUN = "0123456789abcdef"


class OldPlatform:
    """Writes what a platform of then has, and remembers it."""

    def __init__(self, url: str, luck: int = 1) -> None:
        self.url, self.luck, self.time = url, random.Random(luck), Time()
        self.redis: Any = Redis.from_url(url, decode_responses=True)
        self.redis.hset("{bree:epoch}", mapping={"run": RUN, "place": 0, "follows": ""})
        self.accounts: dict[str, dict[str, Any]] = {}
        self.names: dict[str, str] = {}
        self.sessions: dict[tuple[str, str], str] = {}
        self.ratings: dict[tuple[str, str], str] = {}
        self.matches: dict[str, Match] = {}
        self.settled: dict[str, str] = {}  # by match, how
        self.olds: list[str] = []
        self.stores = {game: RedisStore(url, game) for game in GAMES}

    # People.

    def add_account(self, number: int) -> str:
        """An account with a name, and some with another name, sessions and a login code."""
        account, name = f"acc{number:05}", f"Žofie_{number}"
        kept = {"name": name, "guest": str(number % 2), "created": str(1000 + number)}
        kept["token"] = "" if number % 7 == 3 else f"{number:064x}"
        if number % 5 == 0:
            kept |= {"first": f"Guest_{number}", "guest": "0"}
            self._name(f"guest_{number}", account)
        if number % 4 == 0:
            kept["code"] = f"{number:032x} {9_999_999_999_999 if number % 8 else 5}"
            self.redis.set(f"bree:g:{{c:{number:032x}}}", account)
        self.redis.hset(f"bree:g:{{a:{account}}}", mapping=kept)
        self._name(name.lower(), account)
        self.accounts[account] = kept
        for n in range(number % 3):
            row = f"{n:064x} {n + 5} {n + 50} a phone, of mine"
            self.redis.hset(f"bree:g:{{a:{account}}}:sessions", f"s{n}", row)
            self.sessions[account, f"s{n}"] = row
        return account

    def _name(self, name: str, account: str) -> None:
        self.redis.set(f"bree:g:{{n:{name}}}", account, nx=True)
        self.names[name] = account

    def rate(self, game: str, player: str) -> None:
        """A rating with every digit that it has."""
        mu, sigma = self.luck.uniform(10, 40), self.luck.uniform(1, 8)
        ordinal = mu - 3 * sigma
        row = f"{self.luck.randint(1, 99)} {self.luck.randint(1, 50)} {mu!r} {sigma!r} {ordinal!r}"
        self.redis.hset(f"bree:g:{{r:{game}}}:ratings", player, row)
        self.redis.zadd(f"bree:g:{{r:{game}}}:leaders", {player: ordinal})
        self.ratings[game, player] = row

    # Matches.

    def engine(self, game: str) -> Engine:
        """An engine on this store, without a server."""
        store = self.stores[game]
        return Engine(rules_of(game), settings(), store, RecordingDispatch(), self.time)

    def open(self, match: str, game: str, state: State, people: list[str]) -> Match:
        """A match of the lobby, which has not begun."""
        rules = rules_of(game)
        names = rules.seats(rules.agree({}))
        seats = [Seat(name, who, f"Label {who}") for name, who in zip(names, people, strict=False)]
        free = [Seat(name) for name in names[len(seats) :]]
        opened = Match(
            id=match,
            game=game,
            options=(),
            seats=tuple(seats + free),
            creator=people[0],
            creator_name=people[0],
            created_ms=self.time.ms,
            commitment="c" * 64,
            state=state,
            left=(people[-1],),
            teams=(Team("all", tuple(names)),),
        )
        request, kept = f"request-{match}", f"{match} digest"
        self.redis.hset(f"bree:g:{{a:{people[0]}}}:asked", request, kept)
        self._keep(opened)
        return opened

    def _keep(self, match: Match) -> None:
        self.redis.hset(
            f"bree:g:{{m:{match.id}}}", mapping={"version": match.version, "doc": text_of(match)}
        )
        self.redis.zadd(f"bree:g:{{i:{match.game}}}:{match.state}", {match.id: match.created_ms})
        for who in {seat.account for seat in match.seats if seat.account} | set(match.left):
            self.redis.zadd(f"bree:g:{{a:{who}}}:seated", {match.id: match.created_ms})
        note = [match.creator, "Label", match.seats[0].name, "žádný", 5, f"n-{match.id}"]
        text = json.dumps(note, ensure_ascii=False, separators=(",", ":"))
        self.redis.zadd(f"bree:g:{{m:{match.id}}}:notes:all", {text: 1})
        self.matches[match.id] = match

    async def play(self, opened: Match, how: str, most: int) -> None:
        """Play a match: to its end, until a seat resigns, until it is broken off, or on."""
        engine, rules, match = self.engine(opened.game), rules_of(opened.game), opened.id
        request = creation(rules, match, {rules.seats(rules.agree({}))[-1]: "greedy"})
        commands = engine.servicer.commands
        await commands.create(match, engine.servicer._setup(match, request))
        cached = await engine.matches.find(match)
        while not cached.state.is_over:
            state, n = cached.state, cached.state.revision
            if n >= most and how != "to the end":
                break
            seat, number = next(iter(state.asked.items()))
            said = self.luck.choice(wire.question(state, seat).choices).action.text
            self.time.ms += self.luck.randint(1, 9000)
            name, asked = state.table.seats[seat], f"bot-{number}-{self.luck.getrandbits(60):x}"
            act = {"match": match, "seat": name, "number": number, "said": said}
            await commands.do(Act.of(rules, **act, request=asked, head="", by=""))
        if how == "resigned":
            await commands.do(Resign(match, cached.state.table.seats[0], "resign-1"))
        if how in ("resigned", "aborted") and not cached.state.is_over:
            await commands.do(Abort(match, "abort-1"))
        self._note(opened, cached.state)

    def _note(self, opened: Match, state: Any) -> None:
        """The gateway hears how far a match has come."""
        if not state.is_over:
            self._change(opened, replace(opened, state=State.RUNNING))
            return
        scores: tuple[tuple[str, int], ...] = ()
        if not state.table.aborted:
            found = state.table.rules.scores(state.table.game)
            scores = tuple(zip(state.table.seats, found, strict=True))
        outcome = Outcome(1 if scores else 2, scores)
        self._change(opened, replace(opened, state=State.OVER, outcome=outcome))

    def _change(self, before: Match, after: Match) -> None:
        self.redis.zrem(f"bree:g:{{i:{before.game}}}:{before.state}", before.id)
        self._keep(replace(after, version=before.version + 1))

    async def settle(self, match: str, mark: str = "counted", *, noted: bool = True) -> None:
        """A match has been scored; whether the gateway has noted that in it."""
        known = self.matches[match]
        self.settled[match] = mark
        self.redis.set(f"bree:g:{{r:{known.game}}}:settled:{match}", mark)
        if noted:
            self._change(known, replace(known, settled=mark))
        await self.engine(known.game).servicer.ends.settle(match)

    # Matches of an older time, and broken ones.

    async def make_old(self, match: str) -> None:
        """A match as engines stored it before histories were bound: no head, draws or salts."""
        head, log = await self._keys(match)
        setup = json.loads(self.redis.hget(head, SETUP))
        setup[4] = [player[:4] for player in setup[4]]
        self.redis.hset(head, SETUP, json.dumps(setup, separators=(",", ":")))
        self.redis.hdel(head, "head")
        lines = [line.rpartition("\t")[0] for line in self.redis.lrange(log, 0, -1)]
        self._put(log, lines)
        self.olds.append(match)

    async def unchain(self, match: str) -> None:
        """A match whose head is another than its history leads to."""
        head, _ = await self._keys(match)
        self.redis.hset(head, "head", "ab" * 32)

    def change_outcome(self, match: str) -> None:
        """A match that ended otherwise, as the gateway has it."""
        known = self.matches[match]
        self._change(known, replace(known, outcome=Outcome(1, (("nobody", 9),))))

    async def tamper(self, match: str) -> None:
        """A match with a decision that nobody made."""
        _, log = await self._keys(match)
        lines = self.redis.lrange(log, 0, -1)
        entry = LogEntry.of(lines[1])
        lines[1] = entry._replace(digest="00000000").text()
        self._put(log, lines)

    def _put(self, log: str, lines: list[str]) -> None:
        self.redis.delete(log)
        self.redis.rpush(log, *lines)

    async def _keys(self, match: str) -> tuple[str, str]:
        head, log, _ = self.stores[self.matches[match].game]._keys_of(match)
        return head, log

    # All of it.

    async def fill(self, people: int, matches: int) -> None:
        """So many people, and matches in every state that there was."""
        accounts = [self.add_account(n) for n in range(people)]
        for n, account in enumerate(accounts):
            for game in GAMES[: n % 5]:
                self.rate(game, self.accounts[account].get("first", self.accounts[account]["name"]))
        self.rate("duel", "bot:greedy")
        hows = ("to the end", "resigned", "aborted", "resigned", "on")
        for n in range(matches):
            game = GAMES[n % 4] if n % 10 < 8 else "confrontation"
            how = hows[n % 5] if game != "warofthering" else hows[1 + n % 4]
            if game == "risk" and how == "to the end":
                how = "aborted"
            await self._match(f"{game[0]}-old{n:04}", game, how, n, self.luck.sample(accounts, 3))
        for store in self.stores.values():
            await store.close()

    async def _match(self, match: str, game: str, how: str, n: int, people: list[str]) -> None:
        if n % 9 == 8:
            self.open(match, game, State.CLOSED if n % 2 else State.OPEN, people)
            return
        await self.play(self.open(match, game, State.OPEN, people), how, 6 + n % 9)
        if how != "on" and n % 12 != 11:  # some are not settled yet
            await self.settle(match, "counted" if n % 3 else "uncounted", noted=n % 13 != 5)
            if n % 4 == 2 and self.matches[match].settled:
                await self.make_old(match)
        self.time.ms += 60_000
