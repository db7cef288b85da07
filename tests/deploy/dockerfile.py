"""A Dockerfile's stages and steps, and what a builder is sent: as much as the images here use.

An instruction that is not known is an error: what is not done here was not tried.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

SAID = frozenset({"EXPOSE", "HEALTHCHECK"})
"""Instructions that change nothing in the image."""

KNOWN = SAID | {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD"}


@dataclass(frozen=True)
class Step:
    """One instruction, with its argument on one line."""

    word: str
    rest: str


@dataclass
class Stage:
    """The steps between two FROMs; its name, or its number."""

    name: str
    steps: list[Step] = field(default_factory=list)

    def last(self, word: str) -> str:
        """What an instruction says that counts once."""
        return next((step.rest for step in reversed(self.steps) if step.word == word), "")

    def health(self) -> list[str]:
        """The command that asks for the health of a container."""
        return json.loads(self.last("HEALTHCHECK").partition("CMD ")[2])

    def command(self, *arguments: str) -> list[str]:
        """What a container runs, with other arguments than its own if there are any."""
        own = json.loads(self.last("CMD") or "[]")
        return [*json.loads(self.last("ENTRYPOINT")), *(arguments or own)]


def stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile, in their order."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    found: list[Stage] = []
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        word, _, rest = line.partition(" ")
        assert word in KNOWN, f"{word} is not known here"
        if word == "FROM":
            named = re.search(r" AS (\w+)$", rest)
            found.append(Stage(named[1] if named else str(len(found))))
        elif found:
            found[-1].steps.append(Step(word, rest.strip()))
    return found


def variables(rest: str) -> dict[str, str]:
    """What ENV sets."""
    pairs = (word.partition("=") for word in shlex.split(rest))
    return {name: value for name, _, value in pairs}


@dataclass(frozen=True)
class Context:
    """The files that a builder is sent: all that a .dockerignore does not keep back."""

    root: Path
    patterns: tuple[str, ...]

    @classmethod
    def of(cls, root: Path, ignored: str) -> Context:
        lines = (line.strip() for line in ignored.splitlines())
        return cls(root, tuple(line for line in lines if line and not line.startswith("#")))

    def sends(self, path: str) -> bool:
        """Whether a file is sent; the last pattern that fits it, or a folder of it, decides."""
        sent = True
        for pattern in self.patterns:
            if _fits(pattern.removeprefix("!"), path):
                sent = pattern.startswith("!")
        return sent

    def files(self, source: str) -> Iterator[str]:
        """The files that COPY finds here, by their paths from the root."""
        start = self.root / source
        if start.is_file():
            yield from [source] if self.sends(source) else []
            return
        for folder, folders, names in os.walk(start):
            folders.sort()
            for name in sorted(names):
                path = (Path(folder) / name).relative_to(self.root).as_posix()
                if self.sends(path):
                    yield path


def _fits(pattern: str, path: str) -> bool:
    """Whether a pattern fits a path or one of the folders that it is in."""
    whole = PurePosixPath(path)
    return any(_matches(pattern, str(part)) for part in (whole, *whole.parents) if str(part) != ".")


def _matches(pattern: str, path: str) -> bool:
    if pattern.startswith("**/"):
        return fnmatch.fnmatchcase(PurePosixPath(path).name, pattern.removeprefix("**/"))
    return pattern.count("/") == path.count("/") and fnmatch.fnmatchcase(path, pattern)
