"""The process that draws: `python -m gateway.pictures.artist`, told what to draw on standard input.

Design. A request is a line of JSON and a body, and so is the answer; one after the other, and the
end of the input ends the process. Nothing is read but the script of the boards, and nothing is
written but answers. Its memory is bounded by the kernel and by the engine; who asked bounds the
time, and ends it. What fails in the engine ends it, too: who knows what is left of it then.
"""

from __future__ import annotations

import gzip
import importlib
import json
import os
import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from google.protobuf import descriptor_pool, json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message_factory import GetMessageClass

from gateway.pictures.film import Film

BOARDS = Path(__file__).with_name("built") / "boards.js"
"""What `scripts/page` builds beside the page."""

ENGINE_BYTES, PROCESS_BYTES = 256 << 20, 2 << 30
STACK_BYTES = 4 << 20
ENGINE_SECONDS = 20
"""Of processor time, for one picture."""

MOST_PIXELS = 40_000_000
NICENESS = 10
PACKED = 6

FONT_TEST = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    '<text x="2" y="16" font-size="16" font-family="{}">{}</text></svg>'
)
SANS = ("DejaVu Sans", "Noto Sans", "Liberation Sans", "Arial", "Helvetica", "Roboto")
SERIFS = ("DejaVu Serif", "Noto Serif", "Liberation Serif", "Times New Roman", "Georgia")
"""What a machine may have; the converter does not look which of them stands for a kind."""
SIZE = re.compile(r'<svg\b[^>]*? width="(\d+(?:\.\d+)?)" height="(\d+(?:\.\d+)?)"')
REFUSED = "Refused: "
"""How the boards' script begins what it says of what cannot be drawn."""


class Missing(Exception):
    """Something is not installed or not built, and what."""


class Refused(Exception):
    """This cannot be drawn, and why."""


class Artist:
    """Draws, with the page's components in an embedded engine."""

    def __init__(self, boards: Path = BOARDS) -> None:
        self._draw = _engine(boards)
        self._films: dict[str, Film] = {}

    def answer(self, asked: dict[str, Any], body: bytes) -> bytes:
        """What was asked for: a picture, or a piece of work on a film."""
        if asked.get("svg"):  # drawn elsewhere
            return _png(body.decode())
        film: str = asked.get("film", "")
        if asked.get("last"):
            return _packed(self._films.pop(film).text())
        text = self._drawn(asked, body)
        if film:
            self._films.setdefault(film, Film()).add(text)
            return b""
        return _png(text) if asked["form"] == "png" else _packed(text)

    def _drawn(self, asked: dict[str, Any], body: bytes) -> str:
        game: str = asked["game"]
        said = _json(game, body)
        try:
            drawn: str = self._draw(game, said, asked["viewer"], asked["width"], asked["theme"])
        except Exception as error:
            message = str(error)
            if message.startswith(REFUSED):
                raise Refused(message.removeprefix(REFUSED).partition("\n")[0][:200]) from None
            raise
        return drawn


def _engine(boards: Path) -> Any:
    """The function that draws."""
    try:
        import quickjs  # noqa: PLC0415 (it may not be there)
    except ImportError:
        raise Missing("no JavaScript engine is installed: pip install quickjs-ng") from None
    try:
        script = boards.read_text("utf-8")
    except OSError:
        raise Missing("the drawings are not built: make page") from None
    context = quickjs.Context()
    context.set_memory_limit(ENGINE_BYTES)
    context.set_max_stack_size(STACK_BYTES)
    context.set_time_limit(ENGINE_SECONDS)
    try:
        context.eval(script)
    except quickjs.JSException as error:
        # Another package of this name has an engine that is older than the script.
        raise Missing(f"this JavaScript engine does not run the drawings: {error}") from None
    return context.get("draw")


def _json(game: str, body: bytes) -> str:
    """A view as JSON; the messages of a game are found by its name."""
    try:
        importlib.import_module(f"bree.{game}.v1.board_pb2")
    except ImportError:
        raise Refused(f"there is no picture of {game}") from None
    return json_format.MessageToJson(_unpacked(AnyMessage.FromString(body)), indent=None)


def _unpacked(view: AnyMessage) -> Any:
    name = view.type_url.rpartition("/")[2]
    kind = GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))
    return kind.FromString(view.value)


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), PACKED, mtime=0)


def _png(text: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 (it may not be there)
    except ImportError:
        raise Missing("no converter to PNG is installed: pip install resvg-py") from None
    size = SIZE.match(text)
    assert size is not None, "a picture without a size"
    if float(size[1]) * float(size[2]) > MOST_PIXELS:
        raise Refused("this would be too large as PNG: ask for less width, or for SVG")
    sans, serif = fonts()
    drawn = resvg_py.svg_to_bytes(text, sans_serif_family=sans, serif_family=serif)
    return bytes(drawn)


@cache
def fonts() -> tuple[str, str]:
    """What stands for letters with and without serifs on this machine."""
    sans = next(filter(_is_here, SANS), "")
    serif = next(filter(_is_here, SERIFS), "")
    if not sans and not serif:
        raise Missing("this machine has no fonts, so there would be no letters on a PNG")
    return sans or serif, serif or sans


def _is_here(family: str) -> bool:
    """Whether letters of a family are drawn: boards without a letter on them are none."""
    import resvg_py  # noqa: PLC0415 (it may not be there)

    letter, blank = FONT_TEST.format(family, "M"), FONT_TEST.format(family, "")
    return bool(resvg_py.svg_to_bytes(letter) != resvg_py.svg_to_bytes(blank))


# The process.


def serve(source: BinaryIO, to: BinaryIO) -> None:
    """Answer until there is no more to answer."""
    try:
        artist = Artist()
    except Missing as missing:
        _tell(to, {"missing": str(missing)})
        return
    _tell(to, {"ready": True})
    while line := source.readline():
        asked = json.loads(line)
        body = source.read(asked["bytes"])
        try:
            answer = artist.answer(asked, body)
        except Refused as refused:
            _tell(to, {"refused": str(refused)})
        except Missing as missing:
            _tell(to, {"missing": str(missing)})
        else:
            _tell(to, {}, answer)


def _tell(to: BinaryIO, said: dict[str, Any], body: bytes = b"") -> None:
    to.write(json.dumps({**said, "bytes": len(body)}).encode() + b"\n" + body)
    to.flush()


def _bound() -> None:
    """Take no more memory than one should, and no time from those who play."""
    with suppress(OSError):
        os.nice(NICENESS)
    try:
        import resource  # noqa: PLC0415 (not everywhere)

        resource.setrlimit(resource.RLIMIT_AS, (PROCESS_BYTES, PROCESS_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):  # where the system knows no such bound
        pass


if __name__ == "__main__":
    _bound()
    # What others print must not get between the answers.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, out)
