"""The keys of the gateway in Redis.

Design. Each entity has a hash tag, so that a cluster may spread them: an account with its lists
`{a:…}`, a match with its notes `{m:…}`, the lists of a game's matches `{i:…}`, who is here
`{h:all}`, and what is worth something once `{o:…}`. Names `{n:…}`, login codes `{c:…}` and ratings
`{r:…}` were kept there before there was a ledger; whoever moves an older platform to one finds them
by these. News go over channels `{news:…}` in a cluster, each of which is on one server of it.
"""

from __future__ import annotations

from binascii import crc_hqx

from gateway.documents import State

PREFIX = "bree:g:"
NEWS = PREFIX + "news"
"""The channel on which gateways tell each other news, on one server."""

NEWS_CHANNELS = tuple(f"{PREFIX}{{news:{number:02}}}" for number in range(16))
"""Those in a cluster, which spreads them."""

TURNS = PREFIX + "{h:all}:turn:"
"""Before the name of what one gateway at a time does: the key of who does it."""

HERE = PREFIX + "{h:all}"
"""The key of until when each account is here."""


def account_key(account: str, part: str = "") -> str:
    """The key of an account's copy, or of one of its lists: open, asked, live, ended, seated."""
    return f"{PREFIX}{{a:{account}}}{part and ':' + part}"


def name_key(name: str) -> str:
    """The key that says whose name this is."""
    return f"{PREFIX}{{n:{name.lower()}}}"


def code_key(code: str) -> str:
    """The key that says for which account a login code was made."""
    return f"{PREFIX}{{c:{code}}}"


def match_key(match: str) -> str:
    """The key of a match."""
    return f"{PREFIX}{{m:{match}}}"


def list_key(game: str, state: State) -> str:
    """The key of the list of a game's matches in one state."""
    return f"{PREFIX}{{i:{game}}}:{state}"


def notes_key(match: str, team: str) -> str:
    """The key of the notes that a team of a match has written."""
    return f"{match_key(match)}:notes:{team}"


def once_key(owner: str, part: str = "") -> str:
    """The key of what is worth something once, of all that was made for somebody."""
    return f"{PREFIX}{{o:{owner}}}{part and ':' + part}"


def news_channel(about: str) -> str:
    """Where a cluster has news about a match, or an account; the same for ever."""
    return NEWS_CHANNELS[crc_hqx(about.encode(), 0) % len(NEWS_CHANNELS)]


def rating_key(game: str, part: str) -> str:
    """The key of a game's ratings, its leaders, or that a match is settled."""
    return f"{PREFIX}{{r:{game}}}:{part}"
