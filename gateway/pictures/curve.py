"""A rating over time as a picture: an SVG that stands alone, made of text without an engine.

Design. Time goes to the right, the rating up; a rating stands until the next match changes it, so
the line has steps. Around it lies how uncertain it was. Colours follow what the reader's machine
prefers, light or dark; whoever sees no pictures is told the same by title and description.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 64, 58, 40
"""What is left free around the curve, for words."""

LINES, DATES = 5, 6
"""How many lines across and how many dates there are, about."""

ALONE = 9
"""How far a single point reaches to both sides."""

DOTS = 60
"""Up to so many points have dots of their own."""

LEAST_SPAN = 2.0
"""A rating that hardly changes is not drawn as if it did."""

LETTERS = (
    'text{font-family:system-ui,"DejaVu Sans","Noto Sans","Liberation Sans",sans-serif;'
    "font-size:13px}.name{font-size:18px;font-weight:600}.now{font-weight:600}"
    ".rule{stroke-width:1}.band{fill-opacity:.28}"
    ".line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
)
COLOURS = {
    "light": ("#fdfaf3", "#6d6458", "#2b2620", "#e3dccd", "#8a4b16", "#d9a066"),
    "dark": ("#1d1b18", "#b3a995", "#f1eadd", "#3a362f", "#f0b36b", "#b07a3c"),
}
COLOURED = (
    ".paper{fill:%s}text{fill:%s}.name{fill:%s}.rule{stroke:%s}"
    ".line{stroke:%s}.band{fill:%s}.dot,.now{fill:%s}"
)

HOUR, DAY = 3600, 86_400
STEPS = (
    *(HOUR // 60, HOUR // 12, HOUR // 4, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR),
    *(DAY, 2 * DAY, 7 * DAY, 14 * DAY),
)
"""Between two dates, in seconds, where it is less than a month."""

MONTHS = (1, 2, 3, 6, 12, 24, 60, 120)


class Point(NamedTuple):
    """What a rating was after a match."""

    at_ms: int
    ordinal: float
    sigma: float


class Curve(NamedTuple):
    """What is drawn, and of whom."""

    name: str
    game: str
    kind: str  # of which matches; empty: of all
    points: Sequence[Point]
    matches: int


def drawn(curve: Curve, width: int = WIDTH, theme: str = "") -> str:
    """The picture, so wide; without a theme, in that which the reader's machine prefers."""
    of = f"{curve.game}, {curve.kind}" if curve.kind else curve.game
    title = f"Rating of {curve.name}: {of}"
    height = round(HEIGHT * width / WIDTH)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" ',
            f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(title)}</title><desc id="d">{escape(_told(curve))}</desc>',
            f"<style>{_style(theme)}</style>",
            f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
            f'<text class="name" x="20" y="31">{escape(curve.name)}</text>',
            f'<text x="{WIDTH - 20}" y="31" text-anchor="end">{escape(of)}</text>',
            *_body(curve),
            "</svg>\n",
        )
    )


def _style(theme: str) -> str:
    if theme:
        return LETTERS + _coloured(theme)
    dark = f"@media(prefers-color-scheme:dark){{{_coloured('dark')}}}"
    return LETTERS + _coloured("light") + dark


def _coloured(theme: str) -> str:
    paper, faint, ink, rule, line, band = COLOURS[theme]
    return COLOURED % (paper, faint, ink, rule, line, band, line)


def _told(curve: Curve) -> str:
    """What there is to see, in words."""
    if not curve.points:
        return "No match has counted yet."
    first, last = curve.points[0], curve.points[-1]
    best = max(curve.points, key=lambda point: point.ordinal)
    matches = "1 match" if curve.matches == 1 else f"{curve.matches:,} matches"
    return (
        f"{last.ordinal:.1f} on {_day(last.at_ms)}, give or take {last.sigma:.1f}, after "
        f"{matches}. It began on {_day(first.at_ms)} with {first.ordinal:.1f}; the highest here is "
        f"{best.ordinal:.1f}, of {_day(best.at_ms)}. Dates are UTC."
    )


def _day(ms: int) -> str:
    at = _date(ms / 1000)
    return f"{at.day} {at:%B %Y}"


def _date(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


class _Frame:
    """Where times and ratings are on the paper."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.first, self.last = points[0].at_ms / 1000, points[-1].at_ms / 1000
        low = min(point.ordinal - point.sigma for point in points)
        high = max(point.ordinal + point.sigma for point in points)
        spare = max(0.0, LEAST_SPAN - (high - low)) / 2
        self.step = _nice((high - low + 2 * spare) / LINES)
        self.low = math.floor((low - spare) / self.step) * self.step
        self.high = math.ceil((high + spare) / self.step) * self.step

    def x(self, seconds: float) -> float:
        """How far to the right a time is; the one there is stands in the middle."""
        span = self.last - self.first
        part = (seconds - self.first) / span if span else 0.5
        return round(LEFT + part * (WIDTH - LEFT - RIGHT), 1)

    def y(self, rating: float) -> float:
        """How far down a rating is."""
        part = (self.high - rating) / (self.high - self.low)
        return round(TOP + part * (HEIGHT - TOP - BOTTOM), 1)


def _nice(step: float) -> float:
    """A step that people count in: 1, 2 or 5, and ten times that."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= step * 0.999)


def _body(curve: Curve) -> Iterator[str]:
    points = curve.points
    if not points:
        middle = f'x="{WIDTH / 2}" y="{HEIGHT / 2 + 10}" text-anchor="middle"'
        yield f"<text {middle}>No match has counted yet.</text>"
        return
    frame = _Frame(points)
    yield from _across(frame)
    yield from _dates(frame)
    yield f'<path class="band" d="{_band(frame, points)}"/>'
    yield f'<path class="line" d="M{_steps(frame, points, 0)}"/>'
    if len(points) <= DOTS:
        for point in points[:-1]:
            yield _dot(frame, point, 2.5)
    last = points[-1]
    yield _dot(frame, last, 4)
    beside = 10 if len(points) > 1 else ALONE + 8
    x, y = frame.x(last.at_ms / 1000) + beside, frame.y(last.ordinal) + 4.5
    yield f'<text class="now" x="{x:g}" y="{y:g}">{_number(last.ordinal, 0.1)}</text>'


def _across(frame: _Frame) -> Iterator[str]:
    for n in range(round((frame.high - frame.low) / frame.step) + 1):
        rating = frame.low + n * frame.step
        y = frame.y(rating)
        yield f'<path class="rule" d="M{LEFT} {y:g}H{WIDTH - RIGHT}"/>'
        said = _number(rating, frame.step)
        yield f'<text x="{LEFT - 8}" y="{y + 4.5:g}" text-anchor="end">{said}</text>'


def _number(rating: float, step: float) -> str:
    digits = max(0, -math.floor(math.log10(step)))
    said = f"{rating:.{digits}f}"
    return said.replace("-", "\u2212") if float(said) else f"{0:.{digits}f}"


def _band(frame: _Frame, points: Sequence[Point]) -> str:
    """There above the line, and back below it."""
    above, below = _steps(frame, points, 1), _steps(frame, points, -1)
    return f"M{above}L{'L'.join(reversed(below.split('L')))}Z"


def _steps(frame: _Frame, points: Sequence[Point], side: int) -> str:
    """A line that goes on level until the next point; above, on or below the ratings."""
    places: list[tuple[float, float]] = []
    for point in points:
        x, y = frame.x(point.at_ms / 1000), frame.y(point.ordinal + side * point.sigma)
        if places:
            places.append((x, places[-1][1]))
        places.append((x, y))
    if len(points) == 1:  # what has one point only has no length, and is given a little
        places = [(places[0][0] + by, places[0][1]) for by in (-ALONE, ALONE)]
    return "L".join(f"{x:g} {y:g}" for x, y in places)


def _dot(frame: _Frame, point: Point, radius: float) -> str:
    x, y = frame.x(point.at_ms / 1000), frame.y(point.ordinal)
    return f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


# Dates.


def _dates(frame: _Frame) -> Iterator[str]:
    y = HEIGHT - BOTTOM + 24
    for at, said in _ticks(frame.first, frame.last):
        x = frame.x(at)
        yield f'<path class="rule" d="M{x:g} {HEIGHT - BOTTOM}v6"/>'
        yield f'<text x="{x:g}" y="{y}" text-anchor="middle">{said}</text>'


def _ticks(first: float, last: float) -> list[tuple[float, str]]:
    """Round times between two, and how they are said."""
    if first == last:
        return [(first, _day(int(first * 1000)))]
    step = next((s for s in STEPS if (last - first) / s <= DATES), 0)
    found = list(_even(first, last, step) if step else _months(first, last))
    if len(found) < 2:
        days = {_day(int(at * 1000)): at for at in (last, first)}
        return [(at, day) for day, at in days.items()]
    at, said = found[0]
    if step and step < DAY and all(at % DAY for at, _ in found):  # no date is said yet
        found[0] = at, f"{_date(at).day} {_date(at):%b}, {said}"
    return found


def _even(first: float, last: float, step: int) -> Iterator[tuple[float, str]]:
    at = math.ceil(first / step) * step
    while at <= last:
        date = _date(at)
        yield at, (f"{date:%H:%M}" if step < DAY and at % DAY else f"{date.day} {date:%b}")
        at += step


def _months(first: float, last: float) -> Iterator[tuple[float, str]]:
    span = (last - first) / (30.44 * DAY)
    centuries = 1200 * math.ceil(span / 1200 / DATES)
    step = next((s for s in MONTHS if span / s <= DATES), centuries)
    date = _date(first)
    number = math.ceil((date.year * 12 + date.month - 1) / step) * step
    while True:
        date = datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
        at = (date - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1)
        if at > last:
            return
        if at >= first:
            yield at, f"{date:%Y}" if step % 12 == 0 else f"{date:%b %Y}"
        number += step
