"""What of the contracts travels to a page: what players say and hear, and no more."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

ROOT = Path(__file__).parents[2]
PROTOS = ROOT / "protos"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    made = tmp_path_factory.mktemp("sets") / "all"
    named = [path.relative_to(PROTOS) for path in PROTOS.glob("bree/*/v1/*.proto")]
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", PROTOS, "--include_imports"]
    subprocess.run([*command, f"--descriptor_set_out={made}", *named], check=True)
    found = FileDescriptorSet.FromString(made.read_bytes())
    runpy.run_path(str(ROOT / "scripts" / "page_messages.py"))["prune"](found)
    return found


def names(files, package):
    return {
        one.name
        for file in files.file
        if file.package == package
        for one in (*file.message_type, *file.enum_type, *file.service)
    }


def test_what_remains_is_whole(files):
    """No message speaks of one that was left out."""
    pool = DescriptorPool()
    for file in files.file:
        pool.Add(file)
        pool.FindFileByName(file.name)


def test_what_players_say_and_hear_remains(files):
    kept = names(files, "bree.gateway.v1")

    assert {"MatchService", "NewsService", "ActRequest", "ListenNewsResponse", "Note"} <= kept
    assert {"Question", "Standing", "ErrorReason"} <= names(files, "bree.engine.v1")


def test_what_workers_and_gateways_say_is_left_out(files):
    assert not {"SettlementService", "SettleRatingsRequest"} & names(files, "bree.gateway.v1")
    assert not {"EngineService", "ClaimDueRequest", "ImagineRequest"} & names(
        files, "bree.engine.v1"
    )
