"""One's own account from a terminal: its data as a file, and leaving for good, or not after all."""

from __future__ import annotations

import json
import stat
import tarfile


def files(path):
    with tarfile.open(path) as archive:
        return {name: archive.extractfile(name).read().decode() for name in archive.getnames()}


def test_all_that_is_kept_is_written_into_a_file(bree, ann, tmp_path):
    """For its owner's eyes only, under the account's name or where one says."""
    written = bree("account", "export", "--to", "mine.tar.gz")
    path = tmp_path / "mine.tar.gz"
    found = files(path)

    assert (0, "") == (written.code, written.err)
    assert f"mine.tar.gz: all that is kept of {ann}, {path.stat().st_size} bytes" in written.out
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert ann == json.loads(found["account.json"])["account"]["name"]
    again = bree("account", "export")
    assert 2 == again.code
    assert "once an hour" in again.err
    assert not (tmp_path / f"{ann}.tar.gz").exists(), "a refusal leaves nothing behind"


def test_a_file_that_is_there_is_left(bree, ann, tmp_path):
    """Whatever it is."""
    (tmp_path / "mine").write_text("dear diary")
    refused = bree("account", "export", "--to", "mine")

    assert (2, "bree: mine cannot be written: File exists.\n") == (refused.code, refused.err)
    assert "dear diary" == (tmp_path / "mine").read_text()


def test_an_account_is_deleted_in_a_week_or_kept(bree, ann):
    """It is asked for first; what else it may do is said."""
    unsure = bree("account", "delete")
    going = bree("account", "delete", "--yes")
    matches = bree("matches")
    stays = bree("account", "keep")

    assert 2 == unsure.code
    assert "Say --yes if that is meant" in unsure.err
    assert 0 == going.code
    assert f"{ann} is deleted on " in going.out
    assert "bree account keep undoes it" in going.out
    assert 2 == matches.code
    assert "this account is deleted on" in matches.err
    assert (0, f"{ann} stays.\n") == (stays.code, stays.out)
    assert 0 == bree("matches").code


def test_after_the_week_it_is_too_late(bree, ann, monkeypatch):
    """And that is said."""
    monkeypatch.setattr("gateway.personal.WEEK_MS", -1)
    assert 0 == bree("account", "delete", "--yes").code
    late = bree("account", "keep")

    assert 2 == late.code
    assert "the week in which this account could be kept is over" in late.err


def test_who_is_nobody_has_no_data(bree):
    """Nor an account to delete."""
    for command in ("export", "delete", "keep"):
        assert "you have no account on a platform yet" in bree("account", command).err
