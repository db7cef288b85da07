"""What the pages tell people to type is what `bree` takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from bree.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TYPED = re.compile(r"(?:^    (?:\S*/)?|`(?:\S*/)?|--from \. )bree (\w[^`\n#]*)", re.MULTILINE)
EVERYWHERE = {"--help", "--at", "--authority"}


def told():
    """Every command line of the pages, with its page."""
    for page in PAGES:
        for line in TYPED.findall(page.read_text(encoding="utf-8")):
            yield page.relative_to(ROOT).as_posix(), line.strip()


LINES = [*told()]


@pytest.mark.parametrize(("page", "line"), LINES)
def test_a_command_on_a_page_can_be_typed(page, line):
    """Its words are commands, and its options are those of that command."""
    words = shlex.split(line)
    command = typer.main.get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    if words and command.name == "record" and "-" in words[0]:
        command = command.commands["fetch"]
    known = {option for parameter in command.params for option in parameter.opts} | EVERYWHERE

    assert command.name != "bree", f"{page}: there is no such command: {line}"
    assert [] == [w for w in words if w.startswith("-") and w.partition("=")[0] not in known]


def test_there_are_commands_on_the_pages():
    """A pattern that finds none would find no wrong one."""
    assert len(LINES) > 20
    assert {"README.md", "docs/terminal.md", "docs/write-a-bot.md"} <= {page for page, _ in LINES}
