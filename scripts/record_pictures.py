"""`scripts/pictures MATCH.record`: a recorded game as a film, or one position of it, as a file.

It is drawn as the gateway draws it (`gateway/pictures`), with what `scripts/page` has made.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from gateway.pictures.artist import Artist, Missing, Refused
from gateway.pictures.frames import frames_of
from services import rules_of
from services.core.errors import Refused as RecordRefused
from services.core.reading import parse_record
from services.core.replaying import Replay
from services.host.boards import codec_of

CHARTS = "charts"
"""What a view has for those who want to read all cards; no picture shows it."""


def main() -> None:
    """Write what is wanted to standard output."""
    try:
        picture = _drawn(_asked())
    except (Missing, Refused, RecordRefused, OSError, UnicodeDecodeError) as error:
        sys.exit(f"scripts/pictures: {error}")
    sys.stdout.buffer.write(picture)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/pictures", description=__doc__)
    parser.add_argument("record", type=Path, help="the file of a record")
    parser.add_argument("--to", type=int, help="one picture, after this number of decisions")
    parser.add_argument("--viewer", default="", help="a seat; a spectator if it is left out")
    parser.add_argument("--width", type=int, default=960, help="200 to 4000")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--png", action="store_true", help="of one picture, PNG and not SVG")
    asked = parser.parse_args()
    if not 200 <= asked.width <= 4000:
        parser.error("a width is a whole number from 200 to 4000")
    if asked.png and asked.to is None:
        parser.error("only one picture can be PNG: say --to")
    return asked


def _drawn(asked: argparse.Namespace) -> bytes:
    record = parse_record(asked.record.read_text("utf-8"))
    replay = Replay(record, rules_of(record.game))
    last = len(record.entries)
    if asked.to is not None and not 0 <= asked.to <= last:
        raise Refused(f"--to takes a number from 0 to {last}")
    if asked.viewer and asked.viewer not in record.seats:
        raise Refused(f"--viewer takes {' or '.join(record.seats)}")
    artist = Artist()
    wanted: dict[str, Any] = {"game": record.game, "width": asked.width, "theme": asked.theme}
    wanted |= {"viewer": asked.viewer, "form": "png" if asked.png else "svg"}
    seat = record.seats.index(asked.viewer) if asked.viewer else None
    if asked.to is not None:
        picture = artist.answer(wanted, _view(replay, asked.to, seat))
        return picture if asked.png else gzip.decompress(picture)
    for at in frames_of(last):
        artist.answer({**wanted, "film": "it"}, _view(replay, at, seat))
    return gzip.decompress(artist.answer({"film": "it", "last": True}, b""))


def _view(replay: Replay, at: int, seat: int | None) -> bytes:
    """What a viewer sees after a number of decisions, as the gateway is told it."""
    while replay.table.revision < at:
        replay.replay_entry()
    rules = replay.table.rules
    view = dict(rules.view(replay.table.game, seat))
    if CHARTS in view:
        view[CHARTS] = {}
    packed = AnyMessage()
    packed.Pack(codec_of(rules.name).encode(view))
    return packed.SerializeToString()


if __name__ == "__main__":
    main()
