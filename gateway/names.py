"""Ids that nobody can guess, and names for guests."""

from __future__ import annotations

import secrets

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
