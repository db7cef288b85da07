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
    """The figures of all runs, then each broken promise."""
    runs = list(runs)
    faults, broken, missed = Counter(), Counter(), 0
    for run in runs:
        faults.update(run["faults"])
        for breach in run["breaches"]:
            broken[breach["promise"]] += breach["times"]
        missed += run["missed"]
    total = {name: round(sum(run[name] for run in runs)) for name in SUMMED}
    yield f"runs: {len(runs)}, with the seeds {', '.join(str(run['seed']) for run in runs)}"
    yield ", ".join(f"{name}: {count}" for name, count in total.items())
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items()))
    yield f"faults: {sum(faults.values())} ({kinds}); {missed} more could not begin"
    for promise in Promise:
        yield f"{broken[promise.name]:6}  times it was not so that {promise}"
    for run in runs:
        for breach in run["breaches"]:
            where = f"{breach['match']}: " if breach["match"] else ""
            yield (
                f"seed {run['seed']}, {breach['at']:.0f} s, {breach['promise']}: {where}"
                f"{breach['told']} ({breach['times']} times); {breach['faults']}; logs: {run['logs']}"
            )


if __name__ == "__main__":
    for sentence in summary(read(Path(sys.argv[1]))):
        print(sentence)
