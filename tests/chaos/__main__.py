"""`python -m tests.chaos`: many matches, many faults, and what must be true afterwards."""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bree.local.settings import Trouble
from tests.chaos import ledger
from tests.chaos.journal import Journal, Promise
from tests.chaos.run import Run, note_logs
from tests.chaos.schedule import KINDS
from tests.chaos.world import World


def say(sentence: str) -> None:
    """Tell what happens, as it happens."""
    print(f"chaos: {sentence}", flush=True)


def kinds(text: str) -> list[str]:
    """The kinds of faults in a list with commas, or all; a minus leaves one out of all."""
    names = text.split(",")
    if text == "all" or all(name.startswith("-") for name in names):
        return [kind for kind in KINDS if f"-{kind}" not in names]
    if unknown := set(names) - set(KINDS):
        raise argparse.ArgumentTypeError(f"{unknown} is none of {', '.join(KINDS)}")
    return names


def wanted() -> argparse.Namespace:
    """What the command line asks for."""
    arguments = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument(
        "--faults", type=kinds, default=kinds("all"), help=f"of {','.join(KINDS)}; or -disk,-flood"
    )
    arguments.add_argument("--number", type=int, default=40, help="of faults")
    arguments.add_argument("--matches", type=int, default=0, help="that are to begin at least")
    arguments.add_argument("--tables", type=int, default=24, help="matches at the same time")
    arguments.add_argument("--seconds", type=float, default=270, help="no run takes longer")
    arguments.add_argument("--thinking", type=float, default=0.5, help="seconds before an answer")
    arguments.add_argument("--pieces", type=int, default=1, help="runs, with seeds that follow")
    arguments.add_argument("--ledger", type=Path, help="a file to add the results to")
    arguments.add_argument("--keep", action="store_true", help="keep the logs of a good run too")
    return arguments.parse_args()


async def run(options: argparse.Namespace, home: Path) -> tuple[Run, Journal]:
    """One run on a platform of its own."""
    world, journal = World(home, say), Journal()
    piece = Run(options, world, journal, say)
    try:
        await world.start()
        journal = piece.journal = Journal()
        say(f"the platform runs; its state is in {home}")
        await piece.run()
    except (TimeoutError, Trouble, ExceptionGroup) as error:
        journal.breach(Promise.ENDED, f"{type(error).__name__}: {error}")
    finally:
        await world.stop()
    note_logs(journal, world)
    return piece, journal


def report(piece: Run, journal: Journal, seconds: float) -> None:
    """The figures of a run, then each broken promise."""
    done = ", ".join(f"{kind} {count}" for kind, count in sorted(journal.done().items()))
    games = Counter(played.game for played in piece.played)
    figures = piece.figures()
    for line in (
        f"seed {piece.wanted.seed}, {seconds:.0f} s",
        f"faults: {sum(journal.done().values())} ({done})",
        "games: " + ", ".join(f"{game} {count}" for game, count in sorted(games.items())),
        f"matches finished: {figures.matches}, with {figures.decisions} decisions in their records",
        f"answers acknowledged to people: {figures.acknowledged}",
        f"calls and streams repeated: {figures.repeats}",
        f"longest quiet of a match while nothing was wrong: {figures.longest_quiet:.0f} s",
        "refused: "
        + ", ".join(f"{code} {count}" for code, count in piece.world.heard.codes.most_common()),
    ):
        say(line)
    for breach in sorted(journal.breaches, key=lambda breach: breach.at):
        say(f"BROKEN {breach}")


def kept(piece: Run, journal: Journal, home: Path) -> dict[str, object]:
    """A run as its ledger keeps it."""
    return {
        "seed": piece.wanted.seed,
        "kinds": piece.wanted.faults,
        "seconds": round(journal.age),
        "faults": journal.done(),
        "missed": sum(bool(fault.missed) for fault in journal.faults),
        **piece.figures()._asdict(),
        "breaches": [*journal.told_breaches()],
        "logs": str(home / "state" / "logs"),
    }


def once(options: argparse.Namespace) -> bool:
    """One run, told and kept; whether every promise was."""
    say(f"seed {options.seed}")
    home = Path(tempfile.mkdtemp(prefix="bree-chaos-"))
    piece, journal = asyncio.run(run(options, home))
    report(piece, journal, journal.age)
    if options.ledger:
        ledger.add(options.ledger, kept(piece, journal, home))
    if journal.breaches:
        say(f"{dict(journal.broken())} broken; logs are in {piece.world.logs}")
    elif not options.keep:
        shutil.rmtree(home)
    return not journal.breaches


def main() -> int:
    """Run; the exit code says whether everything survived."""
    options = wanted()
    first, good = options.seed, True
    for number in range(options.pieces):
        options.seed = first + number
        good = once(options) and good
    if options.ledger:
        for sentence in ledger.summary(ledger.read(options.ledger)):
            say(f"together: {sentence}")
    say("everything survived" if good else "not everything survived")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
