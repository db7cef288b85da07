"""Scripts that run in Redis: what they are called by, and how one is told again once forgotten."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources.abc import Traversable
from typing import NamedTuple

from bree.process import scripts
from bree.redis.resp import Argument, Reply, ReplyError

Send = Callable[..., Awaitable[Reply]]
"""Sends one command, and gives its reply or raises the refusal."""

UNKNOWN = "NOSCRIPT"
"""What Redis says of a script that it has not been told since it was started."""


class Script(NamedTuple):
    """The text of a script, and what Redis calls it by."""

    text: str
    digest: str

    @classmethod
    def of(cls, text: str) -> Script:
        """A script with this text."""
        # SHA-1 is what Redis calls scripts by.
        return cls(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())

    @classmethod
    def read(cls, folder: Traversable, name: str) -> Script:
        """The script of this name in a folder; traces call it by its name."""
        script = cls.of((folder / f"{name}.lua").read_text("utf-8"))
        scripts.name(script.digest, name)
        return script

    def briefly(self, keys: Sequence[str], arguments: Sequence[Argument]) -> tuple[Argument, ...]:
        """The command that runs it, if Redis knows it."""
        return ("EVALSHA", self.digest, len(keys), *keys, *arguments)

    def wholly(self, keys: Sequence[str], arguments: Sequence[Argument]) -> tuple[Argument, ...]:
        """The command that tells it and runs it."""
        return ("EVAL", self.text, len(keys), *keys, *arguments)

    async def run(self, send: Send, keys: Sequence[str], arguments: Sequence[Argument]) -> Reply:
        """Run it; Redis forgets scripts when it starts, and is then told the text again."""
        try:
            return await send(*self.briefly(keys, arguments))
        except ReplyError as error:
            if error.kind != UNKNOWN:
                raise
        return await send(*self.wholly(keys, arguments))


def is_unknown(reply: Reply) -> bool:
    """Whether a reply says that Redis has not been told the script."""
    return isinstance(reply, ReplyError) and reply.kind == UNKNOWN
