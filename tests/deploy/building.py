"""An image made without a builder: a Dockerfile's steps, done in a scratch root.

Design. Each stage begins with a copy of the base. COPY takes the files that a builder would be sent
and no others; RUN is a shell in the root. What a RUN leaves is kept under a key of all that came
before, as builders keep it, so that images which begin alike are begun once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from tests.deploy import roots
from tests.deploy.dockerfile import Context, Stage, Step, stages, variables

PATH = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Root:
    """A stage that is being built, or an image that was."""

    path: Path
    stage: Stage
    folder: str = "/"
    user: str = "0:0"
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})

    def place(self, target: str) -> Path:
        """Where something lies outside that is called so inside."""
        inside = os.path.normpath(os.path.join(self.folder, target))  # noqa: PTH118 (not of here)
        return self.path / inside.lstrip("/")

    def set(self, rest: str) -> None:
        for name, value in variables(rest).items():
            self.environment[name] = value.replace("$PATH", self.environment["PATH"])

    def run(self, *command: str, **more: str):
        """Run a command as a container would."""
        told = {**self.environment, **more}
        return roots.run(self.path, self.user, self.folder, list(command), told)

    def starts(self, *arguments: str) -> list[str]:
        """How the image's own process is started, with other arguments if some are given."""
        command = self.stage.command(*arguments)
        return roots.arguments(self.path, self.user, self.folder, command, writes=False)

    def megabytes(self) -> int:
        """What all of it takes on a disk."""
        seen = (path.lstat() for path in self.path.rglob("*") if not path.is_dir())
        return sum(one.st_size for one in seen) >> 20


class Builder:
    """Builds images of this repository in a folder of scratch."""

    def __init__(self, repository: Path, scratch: Path) -> None:
        self.repository = repository
        self.scratch = scratch
        self.base = roots.base(scratch / "base")

    def image(self, dockerfile: Path) -> Root:
        """The last stage of a Dockerfile, built."""
        ignored = dockerfile.with_name(f"{dockerfile.name}.dockerignore").read_text("utf-8")
        context = Context.of(self.repository, ignored)
        done: dict[str, Root] = {}
        for stage in stages(dockerfile.read_text("utf-8")):
            at = self.scratch / "images" / dockerfile.stem / stage.name
            done[stage.name] = self._built(Root(at, stage), context, done)
        return next(reversed(done.values()))

    def _built(self, root: Root, context: Context, before: dict[str, Root]) -> Root:
        keys = self._keys(root.stage, context)
        known = [n for n, key in enumerate(keys) if key and (self.scratch / "steps" / key).is_dir()]
        first = known[-1] + 1 if known else 0
        start = self.scratch / "steps" / keys[first - 1] if known else self.base
        roots.copy(start, root.path)
        for number, step in enumerate(root.stage.steps):
            _told(root, step)
            if number >= first:
                self._do(root, step, context, before)
                if step.word == "RUN" and keys[number]:
                    roots.copy(root.path, self.scratch / "steps" / keys[number])
        return root

    def _keys(self, stage: Stage, context: Context) -> list[str]:
        """For each step, a digest of all that leads up to it; none once another stage is used."""
        digest, keys = hashlib.sha256(), []
        for step in stage.steps:
            if step.rest.startswith("--from="):
                return [*keys, *[""] * (len(stage.steps) - len(keys))]
            digest.update(f"{step.word} {step.rest}\n".encode())
            if step.word == "COPY":
                for path in context.files(step.rest.split()[0]):
                    digest.update(path.encode() + (context.root / path).read_bytes())
            keys.append(digest.hexdigest()[:20] if step.word == "RUN" else "")
        return keys

    def _do(self, root: Root, step: Step, context: Context, before: dict[str, Root]) -> None:
        if step.word == "WORKDIR":
            root.place("").mkdir(parents=True, exist_ok=True)
        elif step.word == "RUN":
            roots.build(root.path, root.folder, step.rest, root.environment)
        elif step.word == "COPY" and step.rest.startswith("--from="):
            stage, source, target = step.rest.removeprefix("--from=").split()
            _copied(before[stage].path / source.lstrip("/"), root.place(target))
        elif step.word == "COPY":
            source, target = step.rest.split()
            _sent(context, source, root.place(target))


def _told(root: Root, step: Step) -> None:
    """What a step says of those that follow it, and of the image."""
    if step.word == "WORKDIR":
        root.folder = step.rest
    elif step.word == "ENV":
        root.set(step.rest)
    elif step.word == "USER":
        root.user = step.rest


def _copied(source: Path, to: Path) -> None:
    """The contents of a folder beside what is there, or a file."""
    if not source.exists():
        raise roots.Failed(f"COPY: the stage before has no {source.name}")
    to.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, to, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy(source, to)


def _sent(context: Context, source: str, to: Path) -> None:
    files = list(context.files(source))
    if not files:
        raise roots.Failed(f"COPY: the builder is sent nothing of {source}")
    for path in files:
        inside = Path(path).relative_to(source)
        target = to / inside if str(inside) != "." else to
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(context.root / path, target)
