"""Which picture somebody wants: what an address says, checked."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fields
from gateway.refusals import invalid

ADDRESS = re.compile(r"/m/([^/]+)/(?:(picture)\.(svg|png)|(replay)\.svg)")
LEAST_WIDTH, USUAL_WIDTH, MOST_WIDTH = 200, 1280, 4000
THEMES = ("light", "dark")
LONGEST_NUMBER = 15
MOST_FIELDS = 8
FILM = "film"
"""The form of a whole match as one picture; the others are named as files are."""


class Wanted(NamedTuple):
    """A picture."""

    match: str
    form: str
    seat: str = ""
    at: int | None = None  # a revision; where it is none, the latest
    width: int = USUAL_WIDTH
    theme: str = THEMES[0]

    @property
    def request(self) -> pb.GetViewRequest:
        """The view that it takes."""
        request = pb.GetViewRequest(match=self.match, seat=self.seat)
        if self.at is not None:
            request.revision = self.at
        return request


def is_picture(path: str) -> bool:
    """Whether this is where pictures are."""
    return ADDRESS.fullmatch(path.partition("?")[0]) is not None


def wanted(path: str) -> Wanted:
    """What is wanted of whoever asks for this; refused if it says what there is not."""
    place, _, query = path.partition("?")
    found = ADDRESS.fullmatch(place)
    assert found is not None, "this is no picture"
    form = FILM if found[4] else found[3]
    known = {"width", "theme"} if form == FILM else {"at", "seat", "width", "theme"}
    said = said_in(query, known)
    return Wanted(
        match=fields.match_id(unquote(found[1])),
        form=form,
        seat=fields.optional_word("seat", said.get("seat", "")),
        at=number_of("at", said["at"]) if "at" in said else None,
        width=_width(said.get("width", str(USUAL_WIDTH))),
        theme=_theme(said.get("theme", THEMES[0])),
    )


def said_in(query: str, known: Collection[str]) -> dict[str, str]:
    """What is said behind the question mark, if that is known of this kind of picture."""
    try:
        pairs = parse_qsl(
            query,
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        raise invalid("", "what stands behind the question mark is not understood") from None
    said = dict(pairs)
    if len(said) != len(pairs):
        raise invalid("", "something is said twice")
    for name in said:
        if name not in known:
            raise invalid(name[:40], f"a picture has {', '.join(sorted(known))}, and no {name!r}")
    return said


def number_of(name: str, said: str) -> int:
    """A number that an address says."""
    if not (said.isascii() and said.isdigit() and len(said) <= LONGEST_NUMBER):
        raise invalid(name, f"{name} is a whole number that is not negative")
    return int(said)


def _width(said: str) -> int:
    width = number_of("width", said)
    if not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise invalid("width", f"width is {LEAST_WIDTH} to {MOST_WIDTH}")
    return width


def _theme(said: str) -> str:
    if said not in THEMES:
        raise invalid("theme", f"theme is {' or '.join(THEMES)}")
    return said
