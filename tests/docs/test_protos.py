"""Every comment of the protos is a sentence that begins with the name of what it is on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import grpc
import pytest

from bree.engine.v1 import errors_pb2

PROTOS = Path(__file__).resolve().parents[2] / "protos"
FILES = sorted(PROTOS.rglob("*.proto"))
DECLARED = re.compile(
    r"(message|enum|service|rpc|oneof) (\w+)|([A-Z][A-Z0-9_]+) = |.*? (\w+) = \d+;"
)
EXAMPLE = re.compile(r"^    (\w+): (.+)\n    (\{\n.*?^    \})$", re.MULTILINE | re.DOTALL)
REASONS = [
    name
    for name in errors_pb2.ErrorReason.DESCRIPTOR.values_by_name
    if name != "ERROR_REASON_UNSPECIFIED"
]


def comments(text):
    """Everything that is declared in a proto by name, with the comment above it."""
    above = []
    for line in text.splitlines():
        stripped = line.strip()
        found = DECLARED.match(stripped)
        if stripped.startswith("//"):
            above.append(stripped.removeprefix("//").removeprefix(" "))
            continue
        if found and not stripped.startswith(("syntax", "package", "import", "option", "}")):
            yield next(filter(None, found.groups()[1:])), "\n".join(above)
        above = []


def title(name):
    """How a comment calls what is named so: `default_value` is DefaultValue."""
    if name.isupper() or not name.islower():
        return name
    return "".join(word.capitalize() for word in name.split("_"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PROTOS).as_posix())
def test_comments_begin_with_the_name_and_end_a_sentence(file):
    """What a comment is on is its first word."""
    found = list(comments(file.read_text(encoding="utf-8")))
    wrong = [
        (name, comment)
        for name, comment in found
        if comment.split(" ")[0] != title(name) or not comment.rstrip().endswith((".", "}"))
    ]

    assert found
    assert [] == wrong


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_has_an_example_that_a_client_could_receive(reason):
    """A status, a message, and an ErrorInfo in JSON with this reason and the domain of Bree."""
    declared = dict(comments((PROTOS / "bree/engine/v1/errors.proto").read_text(encoding="utf-8")))
    status, message, details = EXAMPLE.search(declared[reason]).groups()
    info = json.loads(details)

    assert status in grpc.StatusCode.__members__
    assert message
    assert (reason, "bree") == (info["reason"], info["domain"])
    assert all(isinstance(value, str) for value in info["metadata"].values())


def test_the_keys_that_a_comment_explains_are_in_its_example():
    """A comment that says what `key` is shows it."""
    declared = dict(comments((PROTOS / "bree/engine/v1/errors.proto").read_text(encoding="utf-8")))
    for reason in REASONS:
        words, _, example = declared[reason].partition("\n\n")
        for key in re.findall(r"`(\w+)`", words):
            assert f'"{key}"' in example, (reason, key)
