"""`bree` as a program: at a real terminal, into a closed pipe, and when it is interrupted."""

from __future__ import annotations

import subprocess

import pytest

from services.core.reading import parse_record
from tests.cli.terminal import BREE, PATIENCE


def test_a_person_plays_at_a_terminal(terminal, tmp_path):
    """Prompts, colours, a resignation that is asked about again, and the end."""
    at = terminal("play", "confrontation", "--seed", "0b", "--record", "my.record")

    first = at.until("good> ")
    at.type("1\n")
    at.until("good> ")
    at.type("resign\n")
    at.until("y/N")
    at.type("n\n")
    at.until("good> ")
    at.type("resign\n")
    at.until("y/N")
    at.type("y\n")
    last = at.until("END")

    assert "\x1b[" in first
    assert "You lose." in last
    assert 0 == at.process.returncode
    assert parse_record((tmp_path / "my.record").read_text()).scores is not None


@pytest.mark.parametrize("way", ["control-d", "interrupt"])
def test_leaving_keeps_the_game(terminal, tmp_path, way):
    """Control-D and Control-C both leave, say how to go on, and lose nothing."""
    at = terminal("play", "confrontation", "--record", "my.record")
    at.until("good> ")
    at.type("1\n")
    at.until("good> ")

    if way == "control-d":
        at.type("\x04")
        last = at.until("END")
    else:
        last = at.interrupt_until("END")

    assert "To go on: bree play --resume my.record" in last
    assert "Traceback" not in last
    assert 0 == at.process.returncode
    assert 1 == len(parse_record((tmp_path / "my.record").read_text()).entries)


def test_a_game_survives_its_program_being_killed(terminal, tmp_path):
    """After every decision the record is whole, so nothing but the next answer can be lost."""
    at = terminal("play", "confrontation", "--record", "my.record")
    at.until("good> ")
    at.type("1\n")
    at.until("good> ")
    at.process.kill()

    at.process.wait(PATIENCE)
    again = terminal("play", "--resume", "my.record")

    assert "good> " in again.until("good> ")
    assert 1 == len(parse_record((tmp_path / "my.record").read_text()).entries)


def test_two_people_do_not_see_each_others_boards(terminal):
    """The keyboard is handed over on an empty screen."""
    at = terminal("play", "confrontation", "--hotseat", "--record", "two.record")

    at.until("The keyboard is for good. Press Enter. ")
    at.type("\n")
    for _ in range(4):
        at.until("good> ")
        at.type("1\n")
    handed = at.until("The keyboard is for dark. Press Enter. ")
    at.type("\n")
    board = at.until("dark> ")

    assert "\x1b[2J" in handed or "\x1b[H" in handed
    assert "Frodo" not in board
    assert "Balrog" in board


def test_a_reader_that_goes_away_is_no_error(tmp_path, env, finished):
    """`bree record show … | head -1` prints a line and no complaint."""
    pipe = subprocess.Popen(
        [*BREE, "record", "show", str(finished)],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    pipe.stdout.close()
    errors = pipe.stderr.read()
    pipe.stderr.close()

    assert 0 == pipe.wait(PATIENCE)
    assert b"" == errors


def test_bytes_that_are_no_text_are_no_answer(tmp_path, env):
    """What cannot be decoded is asked again, also in a terminal that knows ASCII only."""
    done = subprocess.run(
        [*BREE, "play", "confrontation"],
        cwd=tmp_path,
        env={**env, "PYTHONIOENCODING": "ascii"},
        input=b"\xff\xfe\n1\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (0, b"") == (done.returncode, done.stderr)
    assert b"is no answer here" in done.stdout
    assert b"To go on: bree play --resume" in done.stdout
