"""`python -m bench.plan`: the plan again, from what has been measured before."""

from __future__ import annotations

from rich.console import Console

from bench.__main__ import keep, table
from bench.plan.report import measures

if __name__ == "__main__":
    found = list(measures())
    Console().print(table(found))
    keep([one.as_json() for one in found])
