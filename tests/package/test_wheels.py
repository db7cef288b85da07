"""Both wheels, built from what git keeps and installed in an environment that has nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.local.parts import places
from tests.package.clones import ROOT, clone_into

PAGE = ROOT / "gateway/page"
DRAWINGS = "gateway/pictures/built"
UV = Path(sys.executable).parent / "uv"
CLEAN = {
    name: value for name, value in os.environ.items() if not name.startswith(("BREE_", "PYTHON"))
}

pytestmark = [
    pytest.mark.timeout(300),  # packages may have to be fetched
    pytest.mark.xdist_group("wheels"),  # built once
]


def run(*command, cwd, env=None, **more):
    """What a command prints; it has to succeed."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env={**CLEAN, **(env or {})}, capture_output=True,
        text=True, check=False, **more,
    )  # fmt: skip
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The files that git keeps, as they are now; and the page, which make has built of them."""
    clone = clone_into(tmp_path_factory.mktemp("clone"))
    run("scripts/page", cwd=ROOT)
    shutil.copytree(PAGE, clone / "gateway/page")
    shutil.copytree(ROOT / DRAWINGS, clone / DRAWINGS)
    return clone


def built(clone, project, target):
    """The wheel of a project, by the pinned tools that are here."""
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", target,
        project, cwd=clone)  # fmt: skip
    (wheel,) = target.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def platform(clone, tmp_path_factory):
    return built(clone, ".", tmp_path_factory.mktemp("platform"))


@pytest.fixture(scope="module")
def client(clone, tmp_path_factory):
    return built(clone, "clients/python", tmp_path_factory.mktemp("client"))


def environment(folder, *wanted):
    """The programs of a fresh environment with these requirements."""
    run(UV, "venv", "--python", sys.executable, folder / "venv", cwd=folder)
    programs = folder / "venv/bin"
    for arguments in wanted:
        run(UV, "pip", "install", "--python", programs / "python", *arguments, cwd=folder)
    return programs


@pytest.fixture(scope="module")
def installed(platform, tmp_path_factory):
    """The programs of an environment in which the platform was installed with what is pinned."""
    pinned = ("--require-hashes", "--requirement", ROOT / "requirements/runtime.txt")
    return environment(tmp_path_factory.mktemp("played"), pinned, ("--no-deps", platform))


def contents(wheel):
    """The names that a wheel adds to an environment, and what it says of itself."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (described,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(described).decode())
    added = {name.partition("/")[0] for name in names}
    return {name for name in added if not re.search(r"\.(dist-info|data)$", name)}, metadata, names


def test_the_platform_adds_four_names(platform):
    """The package, and the three folders that the platform's shape asks for."""
    added, metadata, _ = contents(platform)

    assert {"bree", "gateway", "services", "workers"} == added
    assert "bree-platform" == metadata["Name"]


def test_every_module_of_the_clone_is_in_the_wheel(platform, clone):
    """Nothing that somebody wrote is ignored, and what is read at run time is there too."""
    rooms = ("bree", "gateway", "services", "workers")
    wrote = {
        str(path.relative_to(clone)) for room in rooms for path in (clone / room).rglob("*.*")
    }  # fmt: skip
    _, _, names = contents(platform)

    assert wrote <= set(names)
    assert {f"bree/{name}/v1/__init__.py" for name in ("engine", "gateway", "duel")} <= set(names)
    assert "bree/py.typed" in names


def test_the_built_page_is_in_the_wheel(platform):
    """Whoever installs it can play in a browser, and needs no Node."""
    _, _, names = contents(platform)
    built = {f"gateway/page/{path.relative_to(PAGE)}" for path in PAGE.rglob("*.*")}

    assert "gateway/page/index.html" in built
    assert built == {name for name in names if name.startswith("gateway/page/")}
    assert f"{DRAWINGS}/boards.js" in names


def test_a_wheel_without_the_page_is_made_on_purpose_only(clone, tmp_path):
    """A page that cannot be built is an error, unless whoever builds says that he wants none."""
    broken = tmp_path / "broken"
    shutil.copytree(clone, broken, ignore=shutil.ignore_patterns("page"))
    (broken / "scripts/page").write_text("#!/bin/sh\nexit 1\n")
    (broken / "scripts/page").chmod(0o755)
    build = (sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w",
             tmp_path, ".")  # fmt: skip
    failed = subprocess.run(build, cwd=broken, capture_output=True, text=True, check=False)
    run(*build, cwd=broken, env={"BREE_WITHOUT_PAGE": "1"})
    (wheel,) = tmp_path.glob("*.whl")

    assert 0 != failed.returncode
    assert "the page cannot be built" in failed.stdout + failed.stderr
    assert [] == [name for name in contents(wheel)[2] if name.startswith("gateway/page/")]


def test_a_game_is_played_where_nothing_else_is(installed, tmp_path):
    """The command, its version and a whole game against a bot, kept and verified."""
    answers = "1\n" * 3000
    said = run(installed / "bree", "--version", cwd=tmp_path)
    played = run(
        installed / "bree", "play", "duel", "--seed", "01", "--record", "game.record",
        cwd=tmp_path, input=answers,
    )  # fmt: skip
    verified = run(installed / "bree", "verify", "game.record", cwd=tmp_path)

    assert re.fullmatch(r"bree \d+\.\d+\.\d+\n", said)
    assert re.search(r"^(You win|You lose|It is a draw)\.$", played, re.MULTILINE)
    assert verified.startswith("game.record holds.\n")


def test_the_manual_page_comes_with_it(installed):
    """Where `man` looks for the pages of an environment."""
    page = installed.parent / "share/man/man1/bree.1"

    assert page.read_text("utf-8") == (ROOT / "docs/man/bree.1").read_text("utf-8")


def test_an_installed_platform_plays_rates_and_verifies_a_match(installed, tmp_path):
    """`bree run --check` needs no clone and no make."""
    given = {f"BREE_{name.upper()}": str(value) for name, value in places(tmp_path).items()}
    said = run(installed / "bree", "run", "--check", cwd=tmp_path, env=given)

    assert re.search(r"^bree: checked: a match of \w+ .* verified and scored$", said, re.MULTILINE)


def test_the_client_needs_two_packages(client):
    """It is for authors of bots, whose programs have dependencies of their own."""
    added, metadata, names = contents(client)
    needs = {re.match(r"[\w-]+", each)[0] for each in metadata.get_all("Requires-Dist")}

    assert {"bree"} == added
    assert {"grpcio", "protobuf"} == needs
    assert not [name for name in names if re.match(r"bree/(cli|local|process)/", name)]


def test_the_client_works_with_nothing_but_them(client, tmp_path):
    """A bot comes as far as a gateway that is not there, and says so in a sentence."""
    programs = environment(tmp_path, ("--constraint", ROOT / "requirements/runtime.txt", client))
    listed = run(UV, "pip", "list", "--python", programs / "python", cwd=tmp_path)
    program = (
        "from bree.client import Client, Refused\n"
        "try:\n"
        "    Client('127.0.0.1:9', patience=0).register()\n"
        "except Refused as refused:\n"
        "    print('refused', refused.code.name, refused.reason or 'without a reason')\n"
    )

    assert {"bree-client", "grpcio", "protobuf", "typing-extensions"} == {
        line.split()[0] for line in listed.splitlines()[2:]
    }
    assert "refused UNAVAILABLE without a reason\n" == run(
        programs / "python", "-c", program, cwd=tmp_path
    )


def test_both_wheels_say_the_same_of_the_client(client, platform):
    """The platform contains the client: one may stand for the other."""
    with zipfile.ZipFile(client) as small, zipfile.ZipFile(platform) as large:
        shared = [name for name in small.namelist() if re.match(r"bree/", name)]

        assert len(shared) > 20
        assert [small.read(name) for name in shared] == [large.read(name) for name in shared]
