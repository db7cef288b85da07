"""The page `man bree`, from the texts that `--help` shows; `make derived` keeps it in docs/man."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from bree import __version__
from bree.cli import main

HEAD = """\
.TH BREE 1 "" "Bree {version}" "Bree"
.SH NAME
bree \\- play Middle\\-earth board games, and host them
.SH SYNOPSIS
.B bree
.I COMMAND
[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]
.SH DESCRIPTION
"""

TAIL = """\
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
A record was read and does not hold, or something on this machine is not well.
.TP
.B 2
A file, a path, an option or a wish does not do.
.TP
.B 3
The platform is away; the same may succeed later.
.SH ENVIRONMENT
Variables that begin with BREE_ are the settings of a platform. docs/configuration.md lists them.
"""


def page() -> str:
    """The whole page."""
    command: Any = typer.main.get_command(main.app)
    lines = [HEAD.format(version=__version__) + _escaped(command.help)]
    lines += [".SH COMMANDS", *_group(command, ())]
    return "\n".join(lines) + "\n" + TAIL


def _group(group: Any, path: tuple[str, ...]) -> Iterator[str]:
    """Every command of a group, each below its own line."""
    for name, command in group.commands.items():
        here = (*path, name)
        if hasattr(command, "commands"):
            yield from _group(command, here)
        else:
            yield from _command(command, here)


def _command(command: Any, path: tuple[str, ...]) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    names = " ".join(f"\\fI{_escaped(_metavar(each))}\\fR" for each in arguments)
    yield f".SS {' '.join(path)} {names}".rstrip()
    yield _escaped(command.help)
    for each in command.params:
        if not each.help or getattr(each, "hidden", False):
            continue
        yield ".TP"
        yield f"\\fB{_escaped(_spelt(each))}\\fR"
        yield _escaped(each.help)


def _spelt(parameter: Any) -> str:
    """What a parameter is called on a command line."""
    if parameter.param_type_name == "argument":
        return _metavar(parameter)
    names = ", ".join((*parameter.opts, *parameter.secondary_opts))
    return names if parameter.is_flag else f"{names} {_metavar(parameter)}"


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name).upper().replace("_", "-")


def _escaped(text: str) -> str:
    """Text that roff takes for nothing but text."""
    lines = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{lines}" if lines[:1] in {".", "'"} else lines
