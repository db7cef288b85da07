"""The tools that check deploy/: found, fetched or missed.

`deploy/checkers/fetch` gets them. Where they have not been fetched a test is skipped, with a word
about it; with BREE_NEED_TOOLCHAINS=1 they are fetched first, and a missing one is a failure.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.clients.toolchains import missing

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
CHECKERS = DEPLOY / "checkers"
PLACES = (CHECKERS / "bin", CHECKERS / "venv/bin")

READ_YAML = """
import json, sys, yaml
quick = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
json.dump(list(yaml.load_all(sys.stdin, quick)), sys.stdout)
"""

OBEYS = """
import json, sys, yaml
from jsonschema import Draft7Validator

def closed(schema):
    if isinstance(schema, dict):
        if "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
        if schema.pop("x-kubernetes-int-or-string", False):
            schema.pop("type", None)
        for one in schema.values():
            closed(one)
    elif isinstance(schema, list):
        for one in schema:
            closed(one)

one = json.load(sys.stdin)
with open(sys.argv[1], encoding="utf-8") as file:
    quick = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    versions = yaml.load(file, quick)["spec"]["versions"]
name = one["apiVersion"].partition("/")[2]
(schema,) = [v["schema"]["openAPIV3Schema"] for v in versions if v["name"] == name]
closed(schema)
json.dump([error.message for error in Draft7Validator(schema).iter_errors(one)], sys.stdout)
"""
"""What of an object a resource's definition does not allow; a field that is unknown is an error."""


def checker(name: str) -> str:
    """The path of a tool."""
    found = _find(name)
    if found is None and os.environ.get("BREE_NEED_TOOLCHAINS") == "1":
        found = _fetch(name)
    if found is None:
        missing(f"{name} has not been fetched: run deploy/checkers/fetch")
    return found


def _find(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join(map(str, PLACES))) or shutil.which(name)


def _fetch(name: str) -> str | None:
    with (CHECKERS / ".fetching").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        if _find(name) is None:
            subprocess.run([CHECKERS / "fetch"], check=False)
        return _find(name)


def disobeys(definition: str, one: dict) -> list[str]:
    """What is wrong with an operator's object by the operator's own definition of it."""
    path = CHECKERS / "crds" / definition
    if not path.exists() and os.environ.get("BREE_NEED_TOOLCHAINS") == "1":
        subprocess.run([CHECKERS / "fetch"], check=False)
    if not path.exists():
        missing(f"{definition} has not been fetched: run deploy/checkers/fetch")
    checker("kubernetes-validate")
    done = subprocess.run(
        [CHECKERS / "venv/bin/python", "-c", OBEYS, path],
        input=json.dumps(one), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def run(tool: str, *arguments, **more):
    """Run a tool and say what it said, if it is not content."""
    done = subprocess.run(
        [checker(tool), *arguments], capture_output=True, text=True, check=False, **more
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def documents(text: str) -> list:
    """The documents of a YAML text, read by the Python that has a reader."""
    checker("kubernetes-validate")
    return json.loads(_read(text))


@cache
def _read(text: str) -> str:
    """The same as JSON; a text that many tests look at is read once."""
    python = CHECKERS / "venv/bin/python"
    return subprocess.run(
        [python, "-c", READ_YAML], input=text, capture_output=True, text=True, check=True
    ).stdout


def document(path: Path):
    """The only document of a YAML file."""
    (only,) = documents(path.read_text(encoding="utf-8"))
    return only
