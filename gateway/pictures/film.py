"""A film: the pictures of a match in one SVG file that any browser shows, without a script.

Design. The pictures are laid over each other (`layers`). One animation changes the class of the
group that holds them all, frame by frame, and style rules say what is seen in which frames, and
where: so nothing is done between two frames. A frame's class has a word for each stretch of 1, 2,
4, 8 … frames that it is in, so that a rule need not name each. Where nothing moves, because a
program knows no animation or its user wants none, it is the last picture.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from gateway.pictures.layers import MOVED, SVG, Piece, Pieces, Place, laid_over

NAMESPACE = "http://www.w3.org/2000/svg"
FRAME_SECONDS, LAST_SECONDS = 0.6, 4.0
BAR = 5
"""How thick the line is that says how far it has come."""

STRETCHES = "ABCDEFGH"
"""The letters of stretches: of a frame, of two, of four, up to all there may be."""

OPENED = re.compile(r'^<svg\b[^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"')
STYLE = f"{SVG}style"

State = tuple[bool, str]
"""Whether something is seen in a frame, and where it stands if it moves."""


class Film:
    """The pictures so far."""

    def __init__(self) -> None:
        self._pieces = Pieces()
        self._said: Mapping[str, str] = {}
        self._frames: list[Sequence[Piece]] = []
        self._width = self._height = 0.0

    def add(self, text: str) -> None:
        """One more picture, the text of an SVG file."""
        size = OPENED.match(text)
        assert size is not None, "a picture without a size"
        self._width = max(self._width, float(size[1]))
        self._height = max(self._height, float(size[2]))
        root = ET.fromstring(text)  # noqa: S314 (drawn by us a moment ago)
        self._said = self._said or root.attrib
        self._frames.append([self._pieces.of(child) for child in root])

    def text(self) -> str:
        """The film."""
        assert self._frames, "a film without a picture"
        width, height = f"{self._width:g}", f"{self._height:g}"
        said = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
        writing = Writing(len(self._frames))
        places = _with_one_ground(laid_over(list(enumerate(self._frames))))
        writing.places([place for place in places if place.latest.tag == STYLE])
        styles = writing.taken()
        writing.places([place for place in places if place.latest.tag != STYLE])
        return (
            f'<svg xmlns="{NAMESPACE}"{_spelt({**self._said, **said}.items())}>'
            f"{styles}<style>{writing.rules()}</style>"
            f'<g class="{_words(len(self._frames) - 1)}">{writing.turns()}{writing.taken()}</g>'
            f'<rect class="_bar" width="{width}" height="{BAR}" fill="#9b6a1f">'
            f"{writing.passes(self._width)}</rect></svg>\n"
        )


class Writing:
    """Places as text, and the rules that say when they are seen, and where."""

    def __init__(self, frames: int) -> None:
        self.frames = range(frames)
        self.seconds = FRAME_SECONDS * (frames - 1) + LAST_SECONDS
        self._names: dict[tuple[State, ...], str] = {}
        self._written: list[str] = []

    def taken(self) -> str:
        """What was written since it was last asked for."""
        text = "".join(self._written)
        self._written.clear()
        return text

    def places(self, places: Iterable[Place], shown: frozenset[int] | None = None) -> None:
        """Write places that stand in something that is shown in these frames, or in all."""
        shown = frozenset(self.frames) if shown is None else shown
        for place in places:
            if place.is_still:
                self._whole(place.latest, place.frames, shown)
            else:
                self._group(place, shown)

    def _group(self, place: Place, shown: frozenset[int]) -> None:
        where = dict.fromkeys(piece.stands for _, piece in place.times)
        moves = {frame: piece.stands for frame, piece in place.times} if len(where) > 1 else {}
        self._opened(place.latest, self._named(place.frames, shown, moves))
        self.places(laid_over([(k, piece.children) for k, piece in place.times]), place.frames)
        self._closed(place.latest)

    def _whole(self, piece: Piece, when: frozenset[int], shown: frozenset[int]) -> None:
        self._opened(piece, self._named(when, shown, {}))
        self._written.append(escape(piece.text))
        for child, tail in zip(piece.children, piece.tails, strict=True):
            self._whole(child, when, when)
            self._written.append(escape(tail))
        self._closed(piece)

    def _opened(self, piece: Piece, named: str) -> None:
        said = dict(piece.attributes)
        if named:
            said["class"] = f"{said.get('class', '')} {named}".strip()
        self._written.append(f"<{_local(piece.tag)}{_spelt(said.items())}>")

    def _closed(self, piece: Piece) -> None:
        self._written.append(f"</{_local(piece.tag)}>")

    # When it is seen, and where.

    def _named(self, when: frozenset[int], shown: frozenset[int], moves: Mapping[int, str]) -> str:
        """The class of what is so; none is needed where it is always seen with what it is in."""
        if when == shown and not moves:
            return ""
        states, stands = [], next(iter(moves.values()), "")
        for frame in self.frames:
            stands = moves.get(frame, stands)
            states.append((frame in when, stands))
        return self._names.setdefault(tuple(states), f"_{len(self._names)}")

    def turns(self) -> str:
        """What changes the class of all, frame by frame."""
        return self._animated("class", [_words(frame) for frame in self.frames])

    def passes(self, width: float) -> str:
        """What says how far the film has come."""
        last = len(self.frames) - 1 or 1
        return self._animated("width", [_short(width * k / last, 1) for k in self.frames])

    def _animated(self, attribute: str, values: Sequence[str]) -> str:
        times = ";".join(_short(FRAME_SECONDS * k / self.seconds, 5) for k in self.frames)
        return (
            f'<animate attributeName="{attribute}" values="{";".join(values)}"'
            f' keyTimes="{times}" calcMode="discrete" dur="{self.seconds:g}s"'
            ' repeatCount="indefinite"/>'
        )

    def rules(self) -> str:
        """How things are in the last frame, and in which others they are otherwise."""
        still: list[str] = []
        moving: list[str] = []
        for states, name in self._names.items():
            still.append(f".{name}{{{_rule(states[-1])}}}")
            others = dict.fromkeys(state for state in states if state != states[-1])
            for state in others:
                when = [frame for frame in self.frames if states[frame] == state]
                named = ",".join(f".{word} .{name}" for word in _covering(when))
                moving.append(f"{named}{{{_rule(state)}}}")
        wanted = "@media (prefers-reduced-motion:no-preference)"
        unwanted = "@media (prefers-reduced-motion:reduce){._bar{visibility:hidden}}"
        return f"{''.join(still)}{wanted}{{{''.join(moving)}}}{unwanted}"


def _words(frame: int) -> str:
    """The stretches that a frame is in, one of each length."""
    return " ".join(f"{letter}{frame >> n}" for n, letter in enumerate(STRETCHES))


def _covering(frames: Sequence[int]) -> list[str]:
    """The stretches that make up these frames, as few as there can be."""
    words, left = [], set(frames)
    for n in range(len(STRETCHES) - 1, -1, -1):
        for first in sorted({frame >> n for frame in left}):
            stretch = range(first << n, (first + 1) << n)
            if left.issuperset(stretch):
                words.append(f"{STRETCHES[n]}{first}")
                left.difference_update(stretch)
    return words


def _rule(state: State) -> str:
    is_seen, stands = state
    said = f"visibility:{'visible' if is_seen else 'hidden'}"
    moved = MOVED.fullmatch(stands)
    return f"{said};transform:translate({moved[1]}px,{moved[2]}px)" if moved else said


def _short(number: float, digits: int) -> str:
    return f"{number:.{digits}f}".rstrip("0").rstrip(".") or "0"


def _with_one_ground(places: list[Place]) -> list[Place]:
    """With the largest sheet of paper under all of it, as some pictures are longer than others."""
    styles = [place for place in places if place.latest.tag == STYLE]
    papers = [place for place in places if ("class", "paper") in place.latest.attributes]
    others = [place for place in places if place not in styles and place not in papers]
    always = [frame for place in styles for frame, _ in place.times]
    ground = max((place.latest for place in papers), key=_height, default=None)
    under = [Place([(frame, ground) for frame in always])] if ground else []
    return [*styles, *under, *others]


def _height(piece: Piece) -> float:
    return float(dict(piece.attributes).get("height", 0))


def _local(tag: str) -> str:
    return tag.removeprefix(SVG)


def _spelt(said: Iterable[tuple[str, str]]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in said)
