"""`python -m tests.deploy.images`: every image is made in a scratch root, and then run.

Design. Nothing here builds or runs containers, so a Dockerfile is read, its steps are done in a
root of their own (tests/deploy/building.py), and its process is run as its user, who may write to
/tmp alone. At last all images together are a platform, on which two bots play a match to its end.
It takes root, the network and some minutes, so it is a command of its own: `make images`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from pathlib import Path

from tests.deploy import roots
from tests.deploy.building import Builder, Root
from tests.deploy.checkers import DEPLOY, ROOT

IMAGES = sorted((DEPLOY / "images").glob("*.Dockerfile"))
SCRATCH = Path("/var/tmp/bree-images")  # noqa: S108 (outside of what tests read; kept for the next run)

WANTS = {
    "engine": {("confrontation",): "BREE_FATE_KEY"},
    "gateway": {(): "BREE_ENGINES"},
    "worker": {("workers",): "BREE_ENGINES", ("workers.sweeper",): "BREE_ENGINES"},
}
"""What each process asks for that is told nothing but the platform's token."""

PACKAGES = {
    "engine": ("bree", "services"),
    "gateway": ("bree", "gateway"),
    "worker": ("bree", "services", "workers"),
    "commands": ("bree", "services", "workers"),
}
"""What of this project an image has."""

SERVERS = {"redis-server", "valkey-server", "postgres", "initdb"}
"""Programs of wheels for the local run, which have no place in an image."""

IMPORTS = """
import importlib, pkgutil, sys
def wrong(name):
    try:
        module = importlib.import_module(name)
    except Exception as error:
        yield f"{name}: {error!r}"
        return
    for one in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if one.name not in ("__main__", "env"):  # nor what only alembic runs
            yield from wrong(f"{name}.{one.name}")
found = [said for name in sys.argv[1:] for said in wrong(name)]
sys.exit("\\n".join(found) or 0)
"""

LETTERS = """
from gateway.pictures.artist import fonts
assert all(fonts())
"""


def say(sentence: str) -> None:
    """Tell what happens, as it happens."""
    sys.stdout.write(f"images: {sentence}\n")
    sys.stdout.flush()


def complaints(name: str, image: Root) -> list[str]:
    """What is wrong with an image, each as a sentence."""
    found = []
    servers = [path.name for path in image.path.rglob("*") if path.name in SERVERS]
    if servers:
        found.append(f"it has servers: {', '.join(sorted(servers))}")
    told = {"BREE_PLATFORM_TOKEN": "x" * 16}
    imports = image.run("python", "-c", IMPORTS, *PACKAGES[name])
    if imports.returncode:
        found.append(f"not everything can be imported: {imports.stderr.strip()}")
    packages = roots.run(
        image.path, "0:0", "/", ["pip", "--python", "/opt/bree", "check"], image.environment
    )
    if packages.returncode:
        found.append(f"packages are not content: {packages.stdout.strip()}")
    for arguments, wants in WANTS.get(name, {}).items():
        done = image.run(*image.stage.command(*arguments), **told)
        asked = re.findall(r"^(BREE_\w+): Field required$", done.stderr, re.MULTILINE)
        if (done.returncode, asked) != (2, [wants]):
            found.append(f"{arguments} does not ask for {wants}: {done.stderr.strip()[-600:]}")
    return [*found, *_own_complaints(name, image)]


def _own_complaints(name: str, image: Root) -> list[str]:
    if name == "gateway":
        letters = image.run("python", "-c", LETTERS)
        return [f"PNG: {letters.stderr.strip()[-300:]}"] if letters.returncode else []
    if name == "commands":
        done = image.run(*image.stage.command("--help"))
        return [f"bree --help: {done.stderr.strip()[-600:]}"] if done.returncode else []
    return []


def built(scratch: Path) -> tuple[dict[str, Root], bool]:
    """Every image that can be made, by its name, and whether nothing is wrong with any."""
    builder, images, good = Builder(ROOT, scratch), {}, True
    for path in IMAGES:
        name, began = path.name.partition(".")[0], time.monotonic()
        try:
            images[name] = builder.image(path)
            wrong = complaints(name, images[name])
        except roots.Failed as failed:
            wrong = [str(failed)]
        for sentence in wrong:
            say(f"{name}: {sentence}")
        good = good and not wrong
        size = f"{images[name].megabytes()} MB with its base" if name in images else "not made"
        say(f"{name}: {size}, {'WRONG' if wrong else 'well'}; {time.monotonic() - began:.0f} s")
    return images, good


def main() -> int:
    """Build and try all images; the exit code says whether they are well."""
    arguments = argparse.ArgumentParser(prog="python -m tests.deploy.images", description=__doc__)
    arguments.add_argument("--scratch", type=Path, default=SCRATCH, help="where roots are made")
    wanted = arguments.parse_args()
    if lacking := roots.missing():
        say(f"cannot be tried here: {lacking}")
        return 3
    wanted.scratch.mkdir(parents=True, exist_ok=True)
    images, good = built(wanted.scratch)
    if len(images) == len(IMAGES):
        from tests.deploy.housed import a_match_is_played  # noqa: PLC0415

        told = asyncio.run(a_match_is_played(images))
        say(told or "two bots have played a match on the four, and its pictures are drawn")
        good = good and not told
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
