"""Ratings over time as pictures: what is drawn, for whom, and what is refused."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import xml.etree.ElementTree as ET

import pytest

from gateway.documents import Rating
from gateway.pictures import curve
from gateway.pictures.artist import BOARDS
from gateway.pictures.curve import Curve, Point
from tests.gateway.played import LIVE, keep, match, people, rating

SVG = "{http://www.w3.org/2000/svg}"
CONVERTS = importlib.util.find_spec("quickjs") and importlib.util.find_spec("resvg_py")
DAY_MS = 86_400_000


@pytest.fixture
def rated(loop, town):
    """A town in which Ann has played twelve matches, every second one with a clock."""

    async def begun():
        await people(town.store)
        for number in range(12):
            ended = match(number, ("Ann", "bot:novice"), (1, 0), clock=LIVE if number % 2 else None)
            both = [rating(name, 25.0 + number, number) for name in ("Ann", "bot:novice")]
            in_pace = [Rating(each.player, 40, 8, 16, 0, number // 2) for each in both]
            assert (await keep(town.store, ended, ratings=both, paced_ratings=in_pace)).now

    loop.run(begun())
    return town


def words(body):
    root = ET.fromstring(body)  # noqa: S314 (our own)
    return [element.text for element in root.iter() if element.tag == f"{SVG}text"]


async def test_whoever_comes_by_sees_it(rated, links):
    """A file that stands alone: no script, nothing fetched, told in words for who sees none."""
    answer = await links.nobody().ask("GET", "/a/ann/hopscotch.svg")
    root = ET.fromstring(answer.body)  # noqa: S314 (our own)
    told = root.find(f"{SVG}desc").text

    assert (200, "image/svg+xml") == (answer.status, answer.headers["content-type"])
    assert "Rating of Ann: Hopscotch" == root.find(f"{SVG}title").text
    assert "img" == root.get("role")
    assert {"t", "d"} == set(root.get("aria-labelledby").split())
    assert told.startswith("12.0 on ")
    assert "after 12 matches" in told
    assert "Ann" in words(answer.body)
    assert "12.0" in words(answer.body)
    assert not re.search(
        rb"<script|javascript:|https?://(?!www\.w3\.org/)|\son\w+=|@import|url\(|href", answer.body
    )
    assert b"prefers-color-scheme:dark" in answer.body
    live = words((await links.nobody().ask("GET", "/a/Ann/hopscotch.svg?pace=live")).body)
    assert {"16.0", "Hopscotch, live"} <= set(live)
    bots = await links.nobody().ask("GET", "/a/bot:novice/hopscotch.svg?width=300&theme=dark")
    assert "bot:novice" in words(bots.body)
    assert "300" == ET.fromstring(bots.body).get("width")  # noqa: S314 (our own)
    assert b"prefers-color-scheme" not in bots.body


async def test_it_is_shielded_and_kept_for_a_minute(rated, links):
    """Any page may show it; who has it is told so until it is another one."""
    link = links.nobody()
    first = await link.ask("GET", "/a/Ann/hopscotch.svg")
    tag = first.headers["etag"]
    again = await link.ask("GET", "/a/Ann/hopscotch.svg", **{"if-none-match": tag})
    head = await link.ask("HEAD", "/a/Ann/hopscotch.svg")
    ended = match(99, ("Ann", "bot:novice"), (1, 0))
    await keep(rated.store, ended, ratings=[rating("Ann", 9.0, 12)])
    other = await link.ask("GET", "/a/Ann/hopscotch.svg", **{"if-none-match": tag})

    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    assert policy == first.headers["content-security-policy"]
    assert "nosniff" == first.headers["x-content-type-options"]
    assert "cross-origin" == first.headers["cross-origin-resource-policy"]
    assert "public, max-age=60" == first.headers["cache-control"]
    assert 'inline; filename="Ann-hopscotch.svg"' == first.headers["content-disposition"]
    assert (304, b"") == (again.status, again.body)
    assert (200, b"") == (head.status, head.body)
    assert (200, True) == (other.status, other.headers["etag"] != tag)


async def test_who_has_not_played_has_an_empty_one(rated, links):
    """It says so; and it is found under the name of now."""
    assert "No match has counted yet." in words(
        (await links.nobody().ask("GET", "/a/Cleo/hopscotch.svg")).body
    )


@pytest.mark.parametrize(
    ("path", "status", "field"),
    [
        ("/a/nobody/hopscotch.svg", 400, "account"),
        ("/a/bot:wizard/hopscotch.svg", 400, "account"),
        ("/a/%3Cscript%3E/hopscotch.svg", 400, "account"),
        ("/a/Ann/chess.svg", 404, "game"),
        ("/a/Ann/Hop%20scotch.svg", 400, "game"),
        ("/a/Ann/hopscotch.svg?width=100", 400, "width"),
        ("/a/Ann/hopscotch.svg?width=2001", 400, "width"),
        ("/a/Ann/hopscotch.svg?width=-1", 400, "width"),
        ("/a/Ann/hopscotch.svg?pace=fast", 400, "pace"),
        ("/a/Ann/hopscotch.svg?theme=pink", 400, "theme"),
        ("/a/Ann/hopscotch.svg?seat=red", 400, "seat"),
        ("/a/Ann/hopscotch.svg?pace=live&pace=free", 400, "field"),
        ("/a/Ann/hopscotch.svg?%ff", 400, "field"),
    ],
)
async def test_what_there_is_not_is_refused(rated, links, path, status, field):
    """With a sentence, as calls are."""
    answer = await links.nobody().ask("GET", path)
    [detail] = json.loads(answer.body)["details"]

    assert status == answer.status
    said = detail["debug"]["metadata"]
    assert field in (*said, *said.values())
    assert b"<" not in answer.body


async def test_it_is_read_and_never_posted(rated, links):
    """And what is no picture is a place of the page."""
    posted = await links.nobody().ask("POST", "/a/Ann/hopscotch.svg")
    assert (405, "GET, HEAD") == (posted.status, posted.headers["allow"])
    for path in ("/a/Ann/hopscotch.gif", "/a/Ann", "/a//hopscotch.svg", "/a/Ann/b/hopscotch.svg"):
        answer = await links.nobody().ask("GET", path)
        assert "image/svg+xml" != answer.headers["content-type"]


@pytest.mark.parametrize("town", [{"calls_burst": 13, "calls_a_second": 0.001}], indirect=True)
async def test_an_address_pays_for_what_it_looks_at(rated, links):
    """Out of a purse like an account's."""
    link = links.nobody()
    statuses = [(await link.ask("GET", "/a/Ann/hopscotch.svg")).status for _ in range(3)]

    assert [200, 200, 429] == statuses


@pytest.mark.skipif(not CONVERTS or not BOARDS.exists(), reason="the pictures are not installed")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("town", [{"picture_seconds": 120}], indirect=True)
async def test_it_is_there_as_png(rated, links):
    """As wide as was asked for; made once."""
    link = links.nobody()
    first = await link.ask("GET", "/a/Ann/hopscotch.png?width=360")
    process = rated.process.gateway.gallery.studio.process_id
    rated.process.gateway.gallery.studio.seconds = 0
    again = await link.ask("GET", "/a/Ann/hopscotch.png?width=360")

    assert (200, "image/png") == (first.status, first.headers["content-type"])
    assert b"\x89PNG\r\n\x1a\n" == first.body[:8]
    assert 360 == int.from_bytes(first.body[16:20], "big")
    assert process
    assert (200, first.body) == (again.status, again.body)


# What is drawn.


def points(*ordinals, step=DAY_MS, sigma=2.0):
    return [Point(1_700_000_000_000 + n * step, each, sigma) for n, each in enumerate(ordinals)]


def drawn(*ordinals, name="Ann", **given):
    found = points(*ordinals, **given)
    return curve.drawn(Curve(name, "Duel", "live", found, len(found)))


def places(svg, kind):
    [path] = re.findall(rf'class="{kind}" d="M([^"]*)"', svg)
    return [tuple(map(float, place.split())) for place in path.strip("Z").split("L")]


def test_a_rating_stands_until_it_changes():
    """So the line has steps: never a slope; higher is further up, later further to the right."""
    line = places(drawn(0, 5, 3), "line")

    assert all(x == x2 or y == y2 for (x, y), (x2, y2) in itertools.pairwise(line))
    assert [x for x, _ in line] == sorted(x for x, _ in line)
    assert line[2][1] < line[-1][1] < line[0][1]


def test_the_band_lies_around_the_line():
    """As far above as below it."""
    svg = drawn(0, 5, 3, 9)
    band, line = places(svg, "band"), places(svg, "line")
    above, below = band[: len(line)], band[len(line) :][::-1]

    for (x, y), (x1, y1), (x2, y2) in zip(line, above, below, strict=True):
        assert x == x1 == x2
        assert abs((y - y1) - (y2 - y)) <= 0.2
        assert y1 < y < y2


@pytest.mark.parametrize(
    "given",
    [(), (3,), (3, 3), (-20, 40), tuple(range(200)), (1e-9, 0), (1e6, -1e6)],
    ids=lambda given: f"{len(given)} points",
)
@pytest.mark.parametrize("step", [0, 1, 1000, 3_600_000, DAY_MS, 40 * DAY_MS, 900 * DAY_MS])
def test_whatever_it_was_it_is_on_the_paper(given, step):
    """All of it, with few dates and few lines, none twice."""
    svg = drawn(*given, step=step)
    root = ET.fromstring(svg)  # noqa: S314 (our own)
    for kind in ("line", "band") if given else ():
        for x, y in places(svg, kind):
            assert 0 <= x <= curve.WIDTH
            assert curve.TOP - 0.1 <= y <= curve.HEIGHT - curve.BOTTOM + 0.1
    texts = [text for text in root.iter(f"{SVG}text") if text.get("class") != "now"]
    said = [text.text for text in texts]
    assert len(said) == len(set(said)) or step <= 1
    assert 2 <= len(said) <= 22
    assert "nan" not in svg


def test_names_are_words_and_no_code():
    """Whoever may take which name one day."""
    svg = drawn(1, 2, name='<img src="x">&')

    assert "<img" not in svg
    assert '<img src="x">&' in [t.text for t in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314


async def test_a_token_pays_as_its_account(rated, links):
    """Who shows one that is wrong is refused."""
    rosie = await links.account()
    assert 200 == (await rosie.ask("GET", "/a/Ann/hopscotch.svg")).status
    rosie.token = "x.y"
    assert 401 == (await rosie.ask("GET", "/a/Ann/hopscotch.svg")).status
