"""The frames of a game, found where they are defined.

Design. Frames stand in the chapters of the rulebook (`play`) and its exceptions (`cards`), or
beside the rules of a game that is a single module. All modules of these folders are imported, so
none need be named anywhere. What a game saves names its frames, so no two have one name. A question
without a prompt and a procedure without steps are patterns for others.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import walk_packages
from types import ModuleType

from services.core.frames import Frame, Procedure, Question

FOLDERS = ("play", "cards")
"""The folders of a game that have frames."""


def frames_of(home: str) -> tuple[type[Frame], ...]:
    """Every kind of frame that may stand on the stack, of the game whose rules are this module."""
    found: dict[str, type[Frame]] = {}
    for module in (import_module(home), *_chapters_of(home.rpartition(".")[0])):
        for kind in _frames_in(module):
            other = found.setdefault(kind.__name__, kind)
            if other is not kind:
                one, two = other.__module__, kind.__module__
                raise TypeError(f"two frames are called {kind.__name__}: in {one} and in {two}")
    return tuple(found[name] for name in sorted(found))


def _chapters_of(game: str) -> Iterator[ModuleType]:
    """The modules in a game's folders of frames."""
    for name in (f"{game}.{folder}" for folder in FOLDERS):
        if find_spec(name):
            folder = import_module(name)
            yield folder
            for found in walk_packages(getattr(folder, "__path__", ()), f"{name}."):
                yield import_module(found.name)


def _frames_in(module: ModuleType) -> Iterator[type[Frame]]:
    for kind in vars(module).values():
        if isinstance(kind, type) and _is_whole(kind):
            yield kind


def _is_whole(kind: type) -> bool:
    if issubclass(kind, Procedure):
        return bool(kind.script)
    return issubclass(kind, Question) and bool(kind.prompt)
