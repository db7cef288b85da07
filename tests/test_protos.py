"""The promise of `v1`: what a client was built on stays, as `make lint` checks."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUF = ROOT / ".venv/bin/buf"


def breaks(protos: Path) -> str:
    """What buf says of protos that break the promise; nothing of those that do not."""
    said = subprocess.run(
        [BUF, "breaking", protos, "--against", ROOT / "protos/released.binpb"],
        capture_output=True,
        text=True,
        check=False,
    )
    return said.stdout + said.stderr


@pytest.fixture
def protos(tmp_path):
    return shutil.copytree(ROOT / "protos", tmp_path / "protos")


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("  string request_id = 5;\n", "", 'field "5" with name "request_id"'),
        ("int64 question = 3;", "string question = 3;", 'changed type from "int64" to "string"'),
        ("  rpc Act(ActRequest) returns (ActResponse);\n", "", '"Act"'),
    ],
)
def test_a_broken_promise_is_found(protos, before, after, complaint):
    """A field, a type or a method that clients may use."""
    path = protos / "bree/gateway/v1/gateway.proto"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")

    assert re.search(re.escape(complaint), breaks(protos))


def test_what_is_added_breaks_nothing(protos):
    """And neither does what stands here now."""
    path = protos / "bree/gateway/v1/gateway.proto"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n// More is new.\nmessage More {{}}\n", encoding="utf-8")

    assert "" == breaks(protos)
