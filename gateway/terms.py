"""What a bot plays: as it says it, as it is kept with its account, and what follows from it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from bree.gateway.v1 import programs_pb2 as pb
from bree.gateway.v1.gateway_pb2 import PACE_FREE, PACE_LIVE, PACE_SLOW
from gateway.catalog import Catalog
from gateway.documents import Account, Match
from gateway.paces import PACES, pace_of
from gateway.refusals import invalid

MOST_BOT_MATCHES = 100
"""More matches with other bots than this on a day are none's to ask for."""

MOST_MATCHES = 1_000_000
"""More matches at once nobody means."""

_PACES = dict(zip((PACE_LIVE, PACE_SLOW, PACE_FREE), PACES, strict=True))
_NUMBERS = {pace: number for number, pace in _PACES.items()}
_OPPONENTS = {
    pb.OPPONENTS_UNSPECIFIED: "",
    pb.OPPONENTS_PEOPLE: "people",
    pb.OPPONENTS_BOTS: "bots",
}
_COMPANY = {said: number for number, said in _OPPONENTS.items()}


@dataclass(frozen=True, slots=True)
class Terms:
    """What a bot plays; what is empty is no limit."""

    games: tuple[str, ...] = ()
    paces: tuple[str, ...] = ()
    opponents: str = ""  # "people" or "bots"
    most_matches: int = 0
    most_bot_matches: int | None = None

    def refused(self, match: Match) -> str:
        """What of a match it does not play, in words that go on after its name; or nothing."""
        if self.games and match.game not in self.games:
            return f"does not play {match.game}"
        pace = pace_of(match.clock)
        if self.paces and pace not in self.paces:
            return f"plays no {pace} matches"
        return ""

    def is_willing(self, other: Account) -> bool:
        """Whether it sits down with somebody."""
        return not self.opponents or (self.opponents == "bots") == other.bot


def terms_of(account: Account) -> Terms:
    """What an account has said that it plays."""
    if not account.terms:
        return Terms()
    kept = json.loads(account.terms)
    for field in ("games", "paces"):
        kept[field] = tuple(kept[field])
    return Terms(**kept)


def text_of(terms: Terms) -> str:
    """Terms as they are kept; nothing, if they limit nothing."""
    return "" if terms == Terms() else json.dumps(asdict(terms), separators=(",", ":"))


def message(terms: Terms) -> pb.Terms:
    """Terms as they are told."""
    return pb.Terms(
        games=terms.games,
        paces=[_NUMBERS[pace] for pace in terms.paces],
        opponents=_COMPANY[terms.opponents],
        most_matches=terms.most_matches,
        most_bot_matches=terms.most_bot_matches,
    )


def read(said: pb.Terms, catalog: Catalog) -> Terms:
    """Terms as they were said; refused if they mean nothing."""
    games = tuple(dict.fromkeys(catalog.game(game) for game in said.games))
    if len(said.games) > len(games):
        raise invalid("terms.games", "each game is named once")
    paces = tuple(_PACES[pace] for pace in said.paces if pace in _PACES)
    if len(set(paces)) < len(said.paces):
        raise invalid("terms.paces", "paces are values of Pace that name something, each once")
    if said.opponents not in _OPPONENTS:
        raise invalid("terms.opponents", "opponents is a value of Opponents")
    if not 0 <= said.most_matches <= MOST_MATCHES:
        raise invalid("terms.most_matches", f"most_matches is 0 to {MOST_MATCHES}")
    most = said.most_bot_matches if said.HasField("most_bot_matches") else None
    if most is not None and not 0 <= most <= MOST_BOT_MATCHES:
        raise invalid("terms.most_bot_matches", f"most_bot_matches is 0 to {MOST_BOT_MATCHES}")
    return Terms(games, paces, _OPPONENTS[said.opponents], said.most_matches, most)
