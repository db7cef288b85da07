"""Files of records: claimed once, replaced whole, never overwritten by mistake."""

from __future__ import annotations

from datetime import date

import pytest

from bree.cli.files import RecordFile, fresh_path, read_record
from bree.cli.log import Log
from bree.cli.trouble import Trouble


def test_a_fresh_name_is_one_that_no_file_has(tmp_path, monkeypatch):
    """Names of one day are numbered."""
    monkeypatch.chdir(tmp_path)
    day = date(2021, 3, 4)
    names = []
    for _ in range(3):
        path = fresh_path("duel", day)
        path.touch()
        names.append(path.name)

    assert [
        "duel-2021-03-04.record",
        "duel-2021-03-04-2.record",
        "duel-2021-03-04-3.record",
    ] == names


def test_a_failed_save_leaves_what_was_there(finished, monkeypatch):
    """The new text replaces the old in one step, or not at all."""
    record, _ = read_record(finished)
    before = finished.read_text()
    file = RecordFile(finished, fresh=False)
    monkeypatch.setattr("os.fsync", _no_room)

    with pytest.raises(Trouble, match="cannot be written: no space left"):
        file.save(record)

    assert {finished: before} == {path: path.read_text() for path in finished.parent.iterdir()}


def _no_room(_):
    raise OSError(28, "No space left on device")


def test_a_record_survives_being_written(finished):
    """What is read is what was saved."""
    record, _ = read_record(finished)
    RecordFile(finished, fresh=False).save(record)

    assert record == read_record(finished)[0]
    assert [finished.name] == [path.name for path in finished.parent.iterdir()]


def test_only_a_file_of_ones_own_is_discarded(finished):
    """A game that was resumed is not removed when nothing more is played."""
    RecordFile(finished, fresh=False).discard()
    fresh = RecordFile(finished.with_name("fresh"), fresh=True)
    fresh.discard()

    assert finished.exists()
    assert not fresh.path.exists()


def test_a_game_that_cannot_be_kept_goes_on_and_complains(bree, tmp_path, monkeypatch):
    """The person is told at once and at the end, and may play on."""
    monkeypatch.setattr("os.fsync", _no_room)

    played = bree("play", "confrontation", "--record", "my.record", says="1\nquit\n")

    assert 2 == played.code
    assert 1 == played.out.count("The game is not kept")
    assert "good> quit" in played.out
    assert played.err.startswith("bree: ")
    assert 1 == played.err.count("\n")


def test_a_log_tells_each_line_once():
    """News are what was not told; taking back forgets lines, told or not."""
    log = Log()
    log.add(1, ["one"])
    log.add(2, ["two", "three"])

    assert ["one", "two", "three"] == log.news()
    assert [] == log.news()

    log.forget_after(1)
    log.add(2, ["four"])

    assert ["four"] == log.news()
    assert [(1, "one"), (2, "four")] == log.lines
