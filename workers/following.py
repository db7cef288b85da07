"""Tasks that know which call they follow from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bree.process import traces


def following(name: str, work: Callable[..., None]) -> Callable[..., None]:
    """The same work for a task that is bound, in a trace that is linked to what caused it."""

    def follow(task: Any, **arguments: Any) -> None:
        cause = (task.request.headers or {}).get(traces.PARENT)
        about = {key: str(arguments[key]) for key in ("game", "match") if key in arguments}
        with traces.LinkedTrace(name, cause, **about):
            work(**arguments)

    return follow
