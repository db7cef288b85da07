"""A missing toolchain is said; and where all are insisted on, it is a failure."""

from __future__ import annotations

import pytest

from tests.clients import toolchains


def test_a_missing_tool_is_said_and_skipped(monkeypatch):
    """A machine need not have every toolchain."""
    monkeypatch.delenv("BREE_NEED_TOOLCHAINS", raising=False)

    with pytest.raises(pytest.skip.Exception, match="no-such-tool is not installed"):
        toolchains.need("no-such-tool")


def test_a_missing_tool_fails_where_all_are_insisted_on(monkeypatch):
    """Continuous integration skips nothing."""
    monkeypatch.setenv("BREE_NEED_TOOLCHAINS", "1")

    with pytest.raises(pytest.fail.Exception, match="no-such-tool is not installed"):
        toolchains.need("no-such-tool")


def test_a_client_is_built_anew_when_a_file_of_it_changes(tmp_path, monkeypatch):
    """What is newer than the program makes it old; what the build made itself does not."""
    monkeypatch.setattr(toolchains, "CLIENTS", tmp_path)
    monkeypatch.setitem(toolchains.MADE, "odd", {"bin"})
    program, source = tmp_path / "odd/bin/bot", tmp_path / "odd/bot.odd"
    program.parent.mkdir(parents=True)
    source.touch()

    assert toolchains._is_old(program, "odd")
    program.touch()
    assert not toolchains._is_old(program, "odd")
    source.write_text("changed")
    stamp = program.stat().st_mtime
    toolchains.os.utime(source, (stamp + 1, stamp + 1))
    assert toolchains._is_old(program, "odd")
