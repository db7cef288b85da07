"""`make bench`: measure, print a table, and keep the results in `bench/results.json`."""

from __future__ import annotations

import json
import platform
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from bench import play
from bench.measure import Measure

RESULTS = Path(__file__).with_name("results.json")


def main() -> None:
    """Run every measurement, one after the other."""
    console, done = Console(), []
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), console=console) as progress:
        task = progress.add_task("measuring")
        for measure in play.measures():
            done.append(measure)
            progress.update(task, description=f"measured {measure.name}")
    console.print(table(done))
    RESULTS.write_text(json.dumps([m.as_json() for m in done], indent=1) + "\n", "utf-8")
    console.print(f"Kept in bench/{RESULTS.name}; {machine()}.")


def table(measures: list[Measure]) -> Table:
    """The measurements for people."""
    lines = Table(box=None, pad_edge=False)
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
