"""The file of a backup: whole, or no backup."""

from __future__ import annotations

import zipfile

import pytest

from bree.backup.file import MANIFEST, Broken, Reader, Writer


def written(path, rows=3):
    with Writer(path) as to:
        with to.part("live/matches") as part:
            for n in range(rows):
                part.add({"n": n, "text": "Žofie\n"})
        with to.part("ledger/accounts") as part:
            part.write(b"\x00\x01" * 500)
            part.rows = 2
        to.finish({"run": "r"})
    return path


def test_what_was_written_is_read(tmp_path):
    path = written(tmp_path / "one.backup")
    with Reader(path) as source:
        source.check()

        assert "r" == source.said["run"]
        assert [{"n": n, "text": "Žofie\n"} for n in range(3)] == list(source.rows("live/matches"))
        assert b"\x00\x01" * 500 == source.open("ledger/accounts").read()
        assert [3, 2] == [part.rows for part in source.parts.values()]
        assert [] == list(source.rows("no/such"))
    assert [path] == list(tmp_path.iterdir())


def test_nobody_else_may_read_it(tmp_path):
    assert 0o600 == written(tmp_path / "one.backup").stat().st_mode & 0o777


def test_what_is_given_up_leaves_nothing(tmp_path):
    """Nor does it stand in the way of the next one."""
    with pytest.raises(ZeroDivisionError), Writer(tmp_path / "one.backup") as to, to.part("a"):
        to.parts[1 // 0]

    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("left", [0, 1, 40, 200, -1, -30])
def test_what_was_cut_off_is_no_backup(tmp_path, left):
    path = written(tmp_path / "one.backup")
    path.write_bytes(path.read_bytes()[:left])

    with pytest.raises(Broken, match="no backup of Bree"):
        Reader(path)


def test_one_byte_is_missed(tmp_path):
    """Wherever it is in a part."""
    data = bytearray(written(tmp_path / "one.backup").read_bytes())
    with zipfile.ZipFile(tmp_path / "one.backup") as kept:
        parts = kept.infolist()[:2]
    # In the middle of what lies between the heading of one part and that of the next.
    starts = [one.header_offset + 50 + len(one.filename) + one.compress_size // 2 for one in parts]
    for at in starts:
        changed = bytearray(data)
        changed[at] ^= 4
        (tmp_path / "two.backup").write_bytes(changed)
        with Reader(tmp_path / "two.backup") as source, pytest.raises(Broken, match="is not what"):
            source.check()


def test_a_part_that_was_exchanged_is_missed(tmp_path):
    """A ZIP that is whole may still be another one."""
    path = written(tmp_path / "one.backup")
    with zipfile.ZipFile(path) as kept:
        parts = {name: kept.read(name) for name in kept.namelist()}
    parts["live/matches"] = parts["live/matches"].replace(b"0", b"7")
    with zipfile.ZipFile(tmp_path / "two.backup", "w") as made:
        for name, data in parts.items():
            made.writestr(name, data)

    with Reader(tmp_path / "two.backup") as source, pytest.raises(Broken, match="live/matches"):
        source.check()


def test_a_later_form_is_said_to_be_one(tmp_path):
    with zipfile.ZipFile(tmp_path / "one.backup", "w") as made:
        made.writestr(MANIFEST, '{"format": 99, "parts": []}')

    with pytest.raises(Broken, match="has form 99"):
        Reader(tmp_path / "one.backup")


def test_what_is_not_there_cannot_be_read(tmp_path):
    with pytest.raises(Broken, match="No such file"):
        Reader(tmp_path / "none.backup")
