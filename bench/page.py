"""All that is measured of the page: the door, the streams of news, and the page in a browser."""

from __future__ import annotations

from collections.abc import Iterator

from bench import browser, door, news
from bench.measure import Measure


def measures() -> Iterator[Measure]:
    """One after the other."""
    yield from door.measures()
    yield from news.measures()
    yield from browser.measures()
