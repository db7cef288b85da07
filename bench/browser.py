"""The page in a real Chromium: how soon a question stands there, and how soon an answer is drawn.

`web/bench/page.ts` does the looking; each time stands beside one of the same browser and the same
door: a single sentence that is sent, and a call that changes nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.measure import Measure
from bench.town import platform

ROOT = Path(__file__).parents[1]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
KIB = 1024
PATIENCE = 1800


def measures() -> Iterator[Measure]:
    """What a visitor waits for, and what he has to fetch."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        raise SystemExit("no Chromium was found: the page cannot be measured")
    subprocess.run([str(ROOT / "scripts/page")], check=True)  # noqa: S603  # this project's own
    with platform() as town:
        looked = _looked(f"http://{town.http}", program)
    yield _beside(
        "page: a visitor's first question, cold", looked["firstQuestion"],
        looked["oneSentence"], "one sentence, cold", "<= 1000 ms",
    )  # fmt: skip
    yield _beside(
        "page: press to drawn answer", looked["answers"], looked["calls"], "a call", "<= 100 ms"
    )
    yield _beside(
        "page: a call with ten tabs open", looked["tabs"]["ten"], looked["tabs"]["one"],
        "with one", "",
    )  # fmt: skip
    size = looked["bytesBeforeBoard"] / KIB
    yield Measure("page: bytes before a board", round(size, 1), "KiB", wanted="<= 150")
    for game, steps in looked["steps"].items():
        yield _drawing(f"page: a step drawn, {game}", steps)
    yield from _boards(looked)


def _boards(looked: dict[str, Any]) -> Iterator[Measure]:
    """What each game's board asks of a browser, and its map."""
    for game, steps in looked["largest"].items():
        yield _drawing(f"page: the step to the largest position drawn, {game}", steps)
    for game, times in looked["firstBoard"].items():
        told = f"the slowest of {len(times)} in {max(times):.0f} ms"
        yield Measure(
            f"page: a first board, cold, {game}", round(median(times)), "ms", told, None, "<= 1500"
        )
    for game, frames in looked["frames"].items():
        told = f"the slowest of {len(frames)} drags at {min(frames):.0f}"
        yield Measure(
            f"page: a map dragged, {game}", round(median(frames)), "frames/s", told, None, ">= 20"
        )
    for game, size in looked["boards"].items():
        for form, name in (("gzip", "gzip"), ("br", "Brotli")):
            yield Measure(
                f"page: bytes of a board by {name}, {game}", round(size[form] / KIB, 1), "KiB"
            )


def _looked(address: str, program: str) -> dict[str, Any]:
    command = [str(ROOT / "scripts/node"), "node", "--experimental-strip-types", "bench/page.ts"]
    done = subprocess.run(  # noqa: S603  # this project's own program
        [*command, address, program], cwd=ROOT / "web", capture_output=True, text=True,
        check=False, timeout=PATIENCE,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"the page could not be measured: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _beside(
    name: str, ours: Sequence[float], theirs: Sequence[float], what: str, wanted: str
) -> Measure:
    middle, reference = median(ours), median(theirs)
    told = f"{what}, {reference:.0f} ms"
    return Measure(name, round(middle), "ms", told, middle / reference, wanted)


def _drawing(name: str, steps: Sequence[float]) -> Measure:
    late = quantiles(steps, n=20)[-1]
    told = f"95 of 100 in {late:.1f} ms, the slowest of {len(steps)} in {max(steps):.1f}"
    return Measure(name, round(median(steps), 1), "ms", told, None, "<= 16")
