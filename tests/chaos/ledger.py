"""What many runs have shown together: `python -m tests.chaos.ledger FILE`.

Design. Each run adds one line of JSON to a ledger, whatever came of it. So a thousand faults may be
done in pieces, on as many days and machines as it takes, and summed up at any time.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.chaos.journal import Promise

SUMMED = ("matches", "decisions", "acknowledged", "repeats", "seconds")


def add(ledger: Path, run: dict[str, Any]) -> None:
    """Keep what came of a run."""
    with ledger.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run, sort_keys=True) + "\n")


def read(ledger: Path) -> list[dict[str, Any]]:
    """All runs that are kept."""
    return [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]


def summary(runs: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The figures of all runs, then how often each promise was broken, and near which faults."""
    runs = list(runs)
    faults: Counter[str] = Counter()
    for run in runs:
        faults.update(run["faults"])
    total = {name: round(sum(run[name] for run in runs)) for name in SUMMED}
    missed = sum(run["missed"] for run in runs)
    yield f"runs: {len(runs)}, with the seeds {', '.join(str(run['seed']) for run in runs)}"
    yield ", ".join(f"{name}: {count}" for name, count in total.items())
    yield f"faults: {faults.total()} ({_listed(faults)}); {missed} more could not begin"
    broken = [breach for run in runs for breach in run["breaches"]]
    for promise in Promise:
        of_it = [breach for breach in broken if breach["promise"] == promise.name]
        near = Counter(kind for breach in of_it for kind in breach["kinds"])
        times = sum(breach["times"] for breach in of_it)
        yield f"{times:6}  {promise.name}: {promise}" + (f"; near {_listed(near)}" if near else "")


def details(runs: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Each broken promise: which, where, after what, and where its logs are."""
    for run in runs:
        for breach in run["breaches"]:
            where = f"{breach['match']}: " if breach["match"] else ""
            often = f" ({breach['times']} times)" if breach["times"] > 1 else ""
            yield (
                f"seed {run['seed']}, {breach['at']:.0f} s, {breach['promise']}: {where}"
                f"{breach['told']}{often}; {breach['faults']}; logs: {run['logs']}"
            )


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


if __name__ == "__main__":
    kept = read(Path(sys.argv[1]))
    for sentence in (*details(kept), *summary(kept)):
        print(sentence)
