"""Boxes of text with exact widths, and how they stand beside and below each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

Lines = list[Text]
"""A block: lines that are all equally wide."""


def fit(line: Text, width: int) -> Text:
    """The line, cut or padded to exactly this width."""
    fitted = line.copy()
    fitted.truncate(width, overflow="ellipsis", pad=True)
    return fitted


def block(lines: Iterable[Text], width: int, height: int) -> Lines:
    """The lines as a block of exactly this size; what does not fit is left out."""
    fitted = [fit(line, width) for line in lines][:height]
    return fitted + [Text(" " * width)] * (height - len(fitted))


def box(
    title: Text,
    body: Sequence[Text],
    *,
    width: int,
    height: int,
    edge: str,
    feet: tuple[str, str] = ("", ""),
) -> Lines:
    """A frame with a title in its upper edge and up to two notes in its lower one."""
    inner = width - 2
    top = Text("╭", edge) + Text(" ") + title + Text(" ")
    top = Text.assemble(top, ("─" * (width - 1 - top.cell_len), edge), ("╮", edge))
    left, right = (f" {foot} " if foot else "" for foot in feet)
    line = "─" * (inner - len(left) - len(right))
    bottom = Text(f"╰{left}{line}{right}╯", edge)
    middle = [
        Text.assemble(("│", edge), line, ("│", edge)) for line in block(body, inner, height - 2)
    ]
    return [top, *middle, bottom]


def beside(blocks: Sequence[Lines], gap: str = " ") -> Lines:
    """Blocks of one height, left to right."""
    return [Text(gap).join(row) for row in zip(*blocks, strict=True)]


def flow(words: Iterable[Text], width: int, between: str = " ") -> Lines:
    """Words one after the other, broken between words only."""
    lines: Lines = []
    for word in words:
        if lines and lines[-1].cell_len + len(between) + word.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], between, word)
        else:
            lines.append(Text.assemble(word))  # so that what fills the line has no style
    return lines
