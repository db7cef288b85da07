"""`make bench`: measure, print a table, and keep the results in `bench/results.json`.

`python -m bench rules` measures one part, and so do `load`, `crowd`, `store`, `durable`,
`thoughts`, `traces`, `fair`, `page`, `archive`, `ledger`, `full`, `profiles`, `brokers`
and `plan`; others are kept. `many` takes most of an hour and is measured only if it is named.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table as Grid

from bench import (
    archive,
    brokers,
    crowd,
    durable,
    fair,
    full,
    ledger,
    load,
    many,
    page,
    play,
    profiles,
    store,
    thoughts,
    traces,
)
from bench.measure import Measure
from bench.plan import calibrate, report

RESULTS = Path(__file__).with_name("results.json")
PARTS = {
    "rules": play.measures,
    "load": load.measures,
    "crowd": crowd.measures,
    "store": store.measures,
    "durable": durable.measures,
    "thoughts": thoughts.measures,
    "traces": traces.measures,
    "fair": fair.measures,
    "page": page.measures,
    "archive": archive.measures,
    "ledger": ledger.measures,
    "full": full.measures,
    "profiles": profiles.measures,
    "brokers": brokers.measures,
    "plan": calibrate.measures,
    "many": many.measures,
}
LONG = {"many"}
FROM_RESULTS = {"plan": report.measures}
"""What follows from what was measured, once that is kept."""


def main() -> None:
    """Run the measurements that are asked for, one after the other."""
    wanted = sys.argv[1:] or [part for part in PARTS if part not in LONG]
    if not set(wanted) <= set(PARTS):
        raise SystemExit(f"the parts are {', '.join(PARTS)}")
    console, done = Console(), []
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), console=console) as progress:
        task = progress.add_task("measuring")
        for part in wanted:
            for measure in PARTS[part]():
                done.append(measure)
                progress.update(task, description=f"measured {measure.name}")
    keep([m.as_json() for m in done])
    for part in filter(FROM_RESULTS.__contains__, wanted):
        found = list(FROM_RESULTS[part]())
        keep([m.as_json() for m in found])
        done += found
    console.print(table(done))
    console.print(f"Kept in bench/{RESULTS.name}; {machine()}.")


def keep(new: list[dict[str, object]]) -> None:
    """Replace what was measured again; what was not stays."""
    names = {result["name"] for result in new}
    old = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []
    kept = [result for result in old if result["name"] not in names]
    RESULTS.write_text(json.dumps([*kept, *new], indent=1) + "\n", "utf-8")


def table(measures: list[Measure]) -> Grid:
    """The measurements for people."""
    lines = Grid(box=None, pad_edge=False)
    for heading in ("measure", "value", "unit", "reference", "ratio", "wanted"):
        lines.add_column(heading, justify="right" if heading in ("value", "ratio") else "left")
    for m in measures:
        ratio = "" if m.ratio is None else f"{m.ratio:.2f}"
        lines.add_row(m.name, f"{m.value:,.6g}", m.unit, m.reference, ratio, m.wanted)
    return lines


def machine() -> str:
    """What was measured on, as far as it matters and may be told."""
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"


if __name__ == "__main__":
    main()
