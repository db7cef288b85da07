"""Draws the picture of the README: a game as `bree` shows it in a terminal.

The game is played with these answers against a bot, by a seed, so it is the same each time; when
the rules or the bot have changed it is another game, and other answers may have to be found.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/pictures/game.svg"

COMMAND = ("play", "confrontation", "--bot", "greedy", "--seed", "52")
ANSWERS = "3 8 5 3 3 5 3 1 7 8 2 4 5"
WIDTH = 80

FIRST, AFTER, PROMPT = "Dark: hand", "The game is kept", "good> "
"""The screen goes from the last place of the one to the other, which is said when input ends."""

SHAPE = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width;
}}
.{unique_id}-title {{ font: bold 18px sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""As rich draws it, but with the reader's own fonts: nothing is fetched to look at it."""


def played() -> str:
    """What the terminal shows when the last of the answers has been given."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(  # noqa: S603  # our own program
            [sys.executable, "-m", "bree", *COMMAND, "--record", f"{folder}/game"],
            input="\n".join(ANSWERS.split()) + "\n",
            env={**os.environ, "COLUMNS": str(WIDTH), "FORCE_COLOR": "1", "TERM": "xterm-256color"},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    said = re.sub(r"\x1b\[[0-9;?]*[A-Zhl]", "", done.stdout)  # what moves the cursor draws nothing
    return said[said.rindex(FIRST) : said.rindex(AFTER)].rstrip() + "\n" + PROMPT


def main() -> None:
    """Play, and keep the picture."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False)
    console.print(Text.from_ansi(played()))
    title = "bree " + " ".join(COMMAND[:2])
    svg = console.export_svg(title=title, theme=MONOKAI, code_format=SHAPE, unique_id="bree")
    PICTURE.write_text(svg, encoding="utf-8")
    sys.stdout.write(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
