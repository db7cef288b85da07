"""Bad files, paths and options: one sentence on stderr, exit code 2, nothing left behind."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from services.core.reading import parse_record
from tests.cli.terminal import ROOT

PLAY = ("play", "confrontation")

BAD = {
    "no such command": ("frobnicate",),
    "no such record command": ("record", "frobnicate"),
    "no game": ("play",),
    "an unknown game": ("play", "chess"),
    "an unknown seat": (*PLAY, "--seat", "sam"),
    "an unknown bot": (*PLAY, "--bot", "gandalf"),
    "an option without a value": (*PLAY, "--option", "conceal"),
    "an unknown option": (*PLAY, "--option", "colour=red"),
    "a value that is not allowed": (*PLAY, "--option", "conceal=never"),
    "options that do not go together": (*PLAY, "--option", "announce_draft=off"),
    "an unknown preset": (*PLAY, "--preset", "chess"),
    "a seed that is not hexadecimal": (*PLAY, "--seed", "xyz"),
    "an empty seed": (*PLAY, "--seed", ""),
    "a seed that is too long": (*PLAY, "--seed", "00" * 65),
    "a record where no folder is": (*PLAY, "--record", "no/where"),
    "a record that is there": (*PLAY, "--record", "game.record"),
    "a folder as record": (*PLAY, "--record", "."),
    "two people and a bot": (*PLAY, "--hotseat", "--bot", "greedy"),
    "two people and a seat": (*PLAY, "--hotseat", "--seat", "good"),
    "an unknown switch": (*PLAY, "--colour"),
    "too many games": (*PLAY, "chess"),
    "nothing to resume": ("play", "--resume", "nothing"),
    "a finished game to resume": ("play", "--resume", "game.record"),
    "another game to resume": ("play", "chess", "--resume", "game.record"),
    "a resumed game with options": ("play", "--resume", "game.record", "--option", "a=b"),
    "a resumed game with chance": ("play", "--resume", "game.record", "--seed", "00"),
    "no file to show": ("record", "show"),
    "a missing file to show": ("record", "show", "nothing"),
    "a missing file to verify": ("verify", "nothing"),
    "a folder to verify": ("verify", "."),
    "what is no record": ("verify", "junk"),
    "what is no text": ("verify", "bytes"),
    "an empty file": ("verify", "empty"),
    "a torn record": ("verify", "torn"),
    "a record of an unknown game": ("verify", "chess"),
    "a position after the end": ("record", "replay", "game.record", "--to", "9999"),
    "a position before the start": ("record", "replay", "game.record", "--to", "-1"),
    "a position that is no number": ("record", "replay", "game.record", "--to", "end"),
    "an unknown viewer": ("record", "replay", "game.record", "--seat", "sam"),
    "one viewer and all": ("record", "replay", "game.record", "--seat", "good", "--open"),
    "an open game laid open": ("record", "replay", "left.record", "--open"),
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_in_a_sentence(bree, finished, left, tmp_path, arguments):
    """No traceback, nothing on stdout, no file made or changed."""
    text = finished.read_text()
    (tmp_path / "junk").write_text("not a record\n")
    (tmp_path / "bytes").write_bytes(b"bree record 1\n\xff\xfe\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / "torn").write_text(text[: len(text) // 2])
    (tmp_path / "chess").write_text(text.replace("game confrontation", "game chess"))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    outcome = bree(*arguments, says="1\n")

    assert 2 == outcome.code
    assert "" == outcome.out
    assert outcome.err.startswith("bree: ")
    assert outcome.err.endswith(".\n")
    assert 1 == outcome.err.count("\n")
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_a_record_that_does_not_replay_cannot_be_resumed(bree, left):
    """A game is not gone on with from a position that it cannot have reached."""
    left.write_text(left.read_text().replace("place frodo", "place pippin", 1))

    outcome = bree("play", "--resume", left)

    assert 2 == outcome.code
    assert "that game cannot be resumed: entry" in outcome.err


def test_a_record_without_players_is_resumed_by_whom_one_says(bree, left):
    """The header may leave out who plays; then the command line must not."""
    named = parse_record(left.read_text())
    left.write_text(replace(named, sitting=(), claimed_head="").text())

    refused = bree("play", "--resume", left)
    resumed = bree("play", "--resume", left, "--seat", "good", says="board\n")

    assert (2, 0) == (refused.code, resumed.code)
    assert "does not say who plays" in refused.err


def test_bree_alone_says_what_it_can(bree):
    """Without a command there is help, and the exit code of a command that was not given."""
    outcome = bree()

    assert (2, "") == (outcome.code, outcome.err)
    for command in ("games", "play", "verify", "record"):
        assert command in outcome.out


def test_games_are_listed_with_all_that_can_be_chosen(bree):
    """Options, allowed values and presets; every preset that is listed can be played."""
    listed = bree("games")

    assert (0, "") == (listed.code, listed.err)
    words = set(listed.out.replace(",", " ").split())
    assert {"confrontation", "dark_eighth", "warg", "9999", "deluxe_draft", "greedy"} <= words
    assert "without Sam" in listed.out
    assert 80 >= max(map(len, listed.out.splitlines()))


def test_a_newcomer_is_told_what_is_played_by_default(bree):
    """A variant that nobody chose is explained; where options are one's own, nothing is said."""
    by_default = bree("play", "confrontation", says="quit\n")
    one_changed = bree("play", "confrontation", "--option", "inference=on", says="quit\n")

    assert "Eight against eight" in by_default.out
    assert "Eight against eight" not in one_changed.out


def test_offline_games_wait_for_nothing_that_platforms_need():
    """Neither gRPC nor generated code is loaded, so a fresh clone can play."""
    program = """
import sys
from bree.cli.main import main
main(["games"])
main(["play", "chess"])
sys.exit(any(name in {"grpc", "google"} or ".v1" in name for name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=30, check=False
    )

    assert 0 == done.returncode


def test_code_that_is_not_generated_is_said(bree, monkeypatch):
    """A clone that is not set up says what to do."""

    def missing(name):
        raise ModuleNotFoundError(name="bree.gateway")

    monkeypatch.setattr("bree.cli.late.import_module", missing)
    refused = bree("matches")

    assert (2, "") == (refused.code, refused.out)
    assert "not generated yet; run: make protos" in refused.err
