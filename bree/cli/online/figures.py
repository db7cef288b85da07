"""What the processes of a platform count, read from their pages for Prometheus.

Design. Counters of processes are added, and how fast they grow is seen between two readings of the
same page; one that has fallen belongs to a process that was started again. What is due is counted
by each engine for all of its game, so of those the highest is taken.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from prometheus_client.parser import text_string_to_metric_families

from bree.cli.trouble import Trouble

FIRST_PORT, PORTS = 9100, 32
"""Where the processes of a local run have their pages."""

PAGE_SECONDS = 1.0
LARGEST_PAGE = 4 << 20
_PLACE = re.compile(r"(?:https?://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})(\+?)", re.ASCII)
_OPENER = build_opener(ProxyHandler({}))

Labels = frozenset[tuple[str, str]]
Page = dict[tuple[str, Labels], float]
"""The samples of one process, by name and labels."""


def pages_at(places: Sequence[str], gateway: str) -> list[str]:
    """The addresses of pages: those named, or where the gateway's machine would have them."""
    if not places:
        host = gateway.rpartition(":")[0]
        return [f"http://{host}:{port}/metrics" for port in range(FIRST_PORT, FIRST_PORT + PORTS)]
    found = []
    for place in places:
        said = _PLACE.fullmatch(place.removesuffix("/metrics"))
        if not said or int(said[2]) > 65535:
            raise Trouble(
                f"--metrics takes HOST:PORT, or HOST:PORT+ for those after it, not {place!r}"
            )
        first = int(said[2])
        last = min(first + PORTS, 65536) if said[3] else first + 1
        found += [f"http://{said[1]}:{port}/metrics" for port in range(first, last)]
    return found


@dataclass(slots=True)
class Reading:
    """All pages at one moment."""

    at: float
    pages: dict[str, Page] = field(default_factory=dict)

    def total(self, name: str, **labels: str) -> float:
        """The sum of a metric over all processes."""
        return sum(_sum(page, name, labels) for page in self.pages.values())

    def highest(self, name: str, **labels: str) -> float:
        """The highest that any process says."""
        return max((_sum(page, name, labels) for page in self.pages.values()), default=0.0)


@dataclass(frozen=True, slots=True)
class Span:
    """The time between two readings."""

    before: Reading
    now: Reading

    def growth(self, name: str, **labels: str) -> float:
        """By how much a counter has grown."""
        grown = 0.0
        for url, page in self.now.pages.items():
            if url not in self.before.pages:
                continue  # what it counted before it was first seen is not new
            new, old = _sum(page, name, labels), _sum(self.before.pages[url], name, labels)
            grown += new - old if new >= old else new
        return grown

    def rate(self, name: str, **labels: str) -> float:
        """How fast a counter has grown, a second."""
        return self.growth(name, **labels) / max(self.now.at - self.before.at, 1e-6)

    def mean(self, name: str, **labels: str) -> float | None:
        """The mean of what a histogram has seen; `None` if it has seen nothing."""
        count = self.growth(f"{name}_count", **labels)
        return self.growth(f"{name}_sum", **labels) / count if count else None


def _sum(page: Page, name: str, labels: dict[str, str]) -> float:
    wanted = labels.items()
    return sum(n for (of, has), n in page.items() if of == name and wanted <= has)


class Reader:
    """Reads all pages at once, again and again."""

    def __init__(self, urls: Iterable[str]) -> None:
        self.urls = list(urls)
        self._pool = ThreadPoolExecutor(len(self.urls), "metrics")

    def read(self) -> Reading:
        """What the processes that answer say now."""
        pages = self._pool.map(_page, self.urls)
        found = {url: page for url, page in zip(self.urls, pages, strict=True) if page is not None}
        return Reading(time.monotonic(), found)

    def close(self) -> None:
        """Read no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _page(url: str) -> Page | None:
    """The samples of one page; `None` if no process of Bree answers there."""
    try:
        with _OPENER.open(url, timeout=PAGE_SECONDS) as answer:
            text = answer.read(LARGEST_PAGE).decode("utf-8", "replace")
        page: Page = {}
        is_ours = False
        for family in text_string_to_metric_families(text):
            is_ours = is_ours or family.name.startswith("bree_")
            for sample in family.samples:
                if sample.name.startswith("bree_") and not sample.name.endswith("_bucket"):
                    page[sample.name, frozenset(sample.labels.items())] = float(sample.value)
    except (URLError, OSError, HTTPException, ValueError):
        return None
    return page if is_ours else None
