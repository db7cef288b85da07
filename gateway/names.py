"""Ids that nobody can guess, names for guests, and names that nobody may have."""

from __future__ import annotations

import re
import secrets

from bree.ledger.people import PSEUDONYM

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
"""Letters and digits that are not easily taken for each other."""

FIRST = (
    "able amber ample apt autumn bold brave breezy bright brisk broad calm candid clear clever "
    "cosy crisp daring eager early fair fleet fond frank free gentle glad golden grand green hardy "
    "hazel humble jolly keen kind lively loyal lucky mellow merry mild modest neat nimble noble "
    "patient plucky polite proud quick quiet rapid ready rosy russet sage silver sleek sly smart "
    "snug solid spry stout sturdy subtle sunny swift tidy trusty vivid warm wary wild winter wise"
)
LAST = (
    "acorn ash aspen badger beech birch bramble brook burdock cedar clover crane crow curlew daisy "
    "dormouse eagle elder elm falcon fern finch fir fox gorse hare harebell hawk hawthorn hazel "
    "heath hedgehog heron holly hound ivy jay juniper kestrel lark linden linnet lynx magpie maple "
    "marten martin meadow mole moor moss nettle oak osprey otter owl pine plover poplar raven reed "
    "robin rook rowan rush sorrel sparrow squirrel stag swan thistle thrush vale willow wren yew"
)

OFFICES = {
    "admin", "administrator", "bree", "moderator", "official", "operator", "staff", "support",
    "sysadmin", "sysop", "webmaster",
}  # fmt: skip
"""Who runs a platform, also as one word of several."""

RESERVED = OFFICES | {
    "anonymous", "bot", "chance", "everyone", "gateway", "guest", "host", "mod", "nobody", "owner",
    "platform", "root", "security", "server", "spectator", "system",
}  # fmt: skip
"""These, and who decides under such a name in a record, or would be taken for all or for none."""

LOOK_ALIKES = str.maketrans("013457i", "oleastl")
"""What is easily read as another letter. Both sides of a comparison are read in the same way."""


def random_word(length: int) -> str:
    """Five bits a letter."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def match_id(game: str) -> str:
    """A new match's id: the first letter of its game, and fifty random bits."""
    return f"{game[0]}-{random_word(10)}"


def guest_name() -> str:
    """A name for a guest, such as quick-otter-4711."""
    number = 1000 + secrets.randbelow(9000)
    return f"{secrets.choice(FIRST.split())}-{secrets.choice(LAST.split())}-{number}"


def is_reserved(name: str) -> bool:
    """Whether a name is one that is kept, or is read as one; or has an office among its words.

    Or is one by which those are called who are gone.
    """
    if name.lower().startswith(PSEUDONYM):
        return True
    words = re.split(r"[-_]+", name.lower())
    whole = "".join(words)
    return bool(_readings(whole) & _RESERVED or any(_readings(word) & _OFFICES for word in words))


def _readings(word: str) -> set[str]:
    """How a word is read at a glance, and how without a number behind it."""
    return {_read(word), _read(re.sub(r"[0-9]+$", "", word))}


def _read(word: str) -> str:
    """A word as it is read at a glance."""
    return word.translate(LOOK_ALIKES).replace("rn", "m").replace("vv", "w")


_OFFICES, _RESERVED = ({_read(word) for word in kept} for kept in (OFFICES, RESERVED))
