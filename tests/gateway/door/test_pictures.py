"""Pictures of matches over HTTP: who sees what, what is refused, and who draws."""

from __future__ import annotations

import asyncio
import gzip
import importlib
import itertools
import json
import os
import re
import signal
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from google.protobuf import json_format

from bree.gateway.v1 import gateway_pb2 as pb
from gateway.pictures import artist, gallery, studio
from gateway.pictures.artist import BOARDS
from gateway.pictures.frames import MOST_FRAMES, frames_of
from tests.gateway.door.test_calls import bugs, counted
from tests.gateway.town import until

pytest.importorskip("quickjs")
pytestmark = [
    pytest.mark.skipif(not BOARDS.exists(), reason="the drawings are not built: make page"),
    pytest.mark.timeout(180),
]

RECORDED = Path(__file__).resolve().parents[3] / "web/tests/recorded"
GAMES = ("confrontation", "duel", "risk", "warofthering")
IN_TIME = {"picture_seconds": 120}
"""However busy the machine is that tests this."""

OWN_SEAT = {"red": 0, "blue": 1}
"""Which of the recorded seats a seat of the town has."""


def in_town(game="confrontation", **given):
    return pytest.mark.parametrize("town", [{"game": game, **IN_TIME, **given}], indirect=True)


EVERY_GAME = pytest.mark.parametrize(
    "town", [{"game": game, **IN_TIME} for game in GAMES], indirect=True
)


def moments_of(game):
    with gzip.open(RECORDED / f"{game}.json.gz") as file:
        preset = next(iter(json.load(file)["presets"].values()))
    return preset["seats"], [moment["views"] for moment in preset["moments"]]


@pytest.fixture(autouse=True)
def shown(town):
    """The town's engine shows what was recorded, a moment for each revision."""
    game = town.world.game
    if game not in GAMES:
        return None
    seats, moments = moments_of(game)
    board = importlib.import_module(f"bree.{game}.v1.board_pb2").Board

    def view(seat, revision):
        name = seats[OWN_SEAT[seat]] if seat else ""
        return json_format.ParseDict(moments[min(revision, len(moments) - 1)][name], board())

    town.world.view = view
    return moments


def words(svg):
    return " ".join(re.findall(r">([^<>]+)<", svg.split("</style>", 1)[1]))


async def drawn(link, path, **headers):
    answer = await link.ask("GET", path, **headers)
    assert 200 == answer.status, answer
    return answer.body.decode()


@EVERY_GAME
async def test_every_game_has_pictures(town, links):
    """A file that stands alone: its own styles, no script, nothing fetched; and PNG of it."""
    match = await links.running_match(await links.account())
    link = links.nobody()
    answer = await link.ask("GET", f"/m/{match}/picture.svg?width=720&theme=dark")
    root = ET.fromstring(answer.body)  # noqa: S314 (our own)
    png = await link.ask("GET", f"/m/{match}/picture.png?width=360")

    assert (200, "image/svg+xml") == (answer.status, answer.headers["content-type"])
    assert ("{http://www.w3.org/2000/svg}svg", "720") == (root.tag, root.get("width"))
    assert not re.search(
        rb"<script|javascript:|https?://(?!www\.w3\.org/)|\son\w+=|@import|var\(|url\((?!#)",
        answer.body,
    )
    assert (200, "image/png") == (png.status, png.headers["content-type"])
    assert b"\x89PNG\r\n\x1a\n" == png.body[:8]
    assert 360 == int.from_bytes(png.body[16:20], "big")


@in_town()
async def test_a_picture_is_shielded(town, links):
    """Also where it is opened by itself."""
    match = await links.running_match(await links.account())
    said = (await links.nobody().ask("GET", f"/m/{match}/picture.svg")).headers
    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

    assert policy == said["content-security-policy"]
    assert "nosniff" == said["x-content-type-options"]
    assert "DENY" == said["x-frame-options"]
    assert "cross-origin" == said["cross-origin-resource-policy"]
    assert f'inline; filename="{match}-0.svg"' == said["content-disposition"]


# Who sees what.


@in_town()
async def test_a_spectator_sees_nothing_that_is_hidden(town, links):
    """Names of pieces that stand in the picture of their seat are not in his."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    town.count(match, 1)
    own = words(await drawn(rosie, f"/m/{match}/picture.svg?seat=red"))
    others = words(await drawn(links.nobody(), f"/m/{match}/picture.svg"))
    pieces = ("Gandalf", "Aragorn", "Legolas", "Gimli", "Boromir", "Merry")
    mine = [name for name in pieces if re.search(rf"\b{name}\b", own)]

    assert len(mine) >= 5
    assert not [name for name in pieces if re.search(rf"\b{name}\b", others)]
    assert not re.search(r"\b(Balrog|Shelob|Warg|Saruman)\b", others + own)


@EVERY_GAME
async def test_a_picture_is_what_the_view_of_its_viewer_makes_it(town, links, shown):
    """What a spectator cannot know does not change his picture by a letter."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    town.count(match, 2)
    link = links.nobody()
    before = await drawn(link, f"/m/{match}/picture.svg?at=1")
    own = await drawn(rosie, f"/m/{match}/picture.svg?at=1&seat=red")
    town.process.gateway.gallery.kept.__init__(1 << 20)
    for views in shown:
        for name in views:
            if name:
                views[name] = shown[-1][name]

    assert before == await drawn(link, f"/m/{match}/picture.svg?at=1")
    assert own != await drawn(rosie, f"/m/{match}/picture.svg?at=1&seat=red")


@in_town()
async def test_a_seat_is_seen_by_whoever_sits_there(town, links):
    """As a view is: refused to others while the match goes on."""
    rosie, sam = await links.account(), await links.account()
    match = await links.running_match(rosie)
    path = f"/m/{match}/picture.svg?seat="
    own = await rosie.ask("GET", path + "red")

    assert (200, "private, no-cache") == (own.status, own.headers["cache-control"])
    assert "same-origin" == own.headers["cross-origin-resource-policy"]
    assert (403, "WRONG_SEAT") == await why(rosie, path + "blue")
    assert (403, "WRONG_SEAT") == await why(sam, path + "red")
    assert (404, "UNKNOWN_SEAT") == await why(rosie, path + "green")
    for seat in ("red", "blue"):  # at the second a bot sits, which is nobody's account
        assert (401, "UNAUTHENTICATED") == await why(links.nobody(), path + seat)


@in_town(most_alone=5)
async def test_once_a_match_is_over_its_seats_are_seen_by_every_account(town, links):
    rosie, sam = await links.account(), await links.account()
    match = await links.running_match(rosie, length=2)
    town.count(match, 2)
    await rosie.tell(pb.GetViewRequest(match=match))
    await sam.tell(pb.GetViewRequest(match=match))

    assert 200 == (await sam.ask("GET", f"/m/{match}/picture.svg?seat=red&at=1")).status
    assert (401, "UNAUTHENTICATED") == await why(links.nobody(), f"/m/{match}/picture.svg?seat=red")


@in_town()
async def test_a_cookie_counts_where_no_other_page_has_sent_its_owner(town, links):
    """And only for a seat: what everyone sees is the same for everyone."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    link, cookie = links.nobody(), f"bree_session={rosie.token}"
    path = f"/m/{match}/picture.svg?seat=red"
    for site, status in {
        "same-origin": 200,
        "none": 200,
        "same-site": 401,
        "cross-site": 401,
    }.items():
        answer = await link.ask("GET", path, cookie=cookie, sec_fetch_site=site)
        assert status == answer.status, site
    page = {"connect_protocol_version": "1"}

    assert 200 == (await link.ask("GET", path, cookie=cookie, **page)).status
    other = page | {"sec_fetch_site": "cross-site"}
    assert 401 == (await link.ask("GET", path, cookie=cookie, **other)).status
    assert 401 == (await link.ask("GET", path, cookie=cookie)).status
    worthless = await link.ask(
        "GET", f"/m/{match}/picture.svg", cookie="bree_session=x", sec_fetch_site="none"
    )
    assert 200 == worthless.status


async def why(link, path):
    answer = await link.ask("GET", path)
    assert "no-store" == answer.headers["cache-control"]
    return answer.status, answer.reason


# What may be asked.


@pytest.mark.parametrize(
    "query",
    ["width=abc", "width=199", "width=4001", "width=", "width=-720", "width=1e3",
     "width=%C2%B2%C2%B2%C2%B2", "at=-1", "at=x", "at=", "at=9999999999999999", "theme=blue",
     "theme=", "seat=Red", "seat=../x", "colour=red", "width=720&width=720", "width", "width=%ff",
     "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9"],
)  # fmt: skip
@in_town()
async def test_what_there_is_not_is_refused(town, links, query):
    """With a reason, before anything is drawn; and nobody pays more than for a call."""
    answer = await links.nobody().ask("GET", f"/m/c-aaaaaaaaaa/picture.svg?{query}")

    assert (400, "INVALID_REQUEST") == (answer.status, answer.reason)
    assert not town.process.gateway.gallery.studio.process_id


@in_town()
async def test_places_that_are_none(town, links):
    rosie = await links.account()
    link = links.nobody()
    running = await links.running_match(rosie)
    made = await rosie.tell(pb.CreateMatchRequest(game="confrontation"))

    assert (404, "UNKNOWN_MATCH") == await why(link, "/m/c-aaaaaaaaaa/picture.svg")
    assert (400, "INVALID_REQUEST") == await why(link, "/m/%2e%2e/picture.svg")
    assert (403, "NOT_ALLOWED") == await why(link, f"/m/{made.match.id}/picture.svg")
    assert (400, "UNKNOWN_REVISION") == await why(link, f"/m/{running}/picture.svg?at=1")
    assert (403, "NOT_ALLOWED") == await why(link, f"/m/{running}/replay.svg")
    assert (400, "INVALID_REQUEST") == await why(link, f"/m/{running}/replay.svg?seat=red")
    assert 404 == (await link.ask("GET", f"/m/{running}/picture.gif")).status
    for method in ("POST", "PUT", "DELETE"):
        answer = await link.ask(method, f"/m/{running}/picture.svg")
        assert (405, "GET, HEAD") == (answer.status, answer.headers["allow"])


# What is kept.


@in_town()
async def test_what_has_been_drawn_is_not_drawn_again(town, links):
    """Nor sent to whoever has it; a position of the past never changes, the latest does."""
    match = await links.running_match(await links.account())
    town.count(match, 1)
    link, asks = links.nobody(), town.engine.calls
    then = await link.ask("GET", f"/m/{match}/picture.svg?at=0")
    looked = asks["GetSeatView"]
    again = await link.ask(
        "GET", f"/m/{match}/picture.svg?at=0", if_none_match=then.headers["etag"]
    )
    now = await link.ask("GET", f"/m/{match}/picture.svg")
    named = await link.ask("GET", f"/m/{match}/picture.svg?at=1")

    assert "public, max-age=86400, immutable" == then.headers["cache-control"]
    assert (304, b"", looked) == (again.status, again.body, looked)
    assert then.headers["etag"] == again.headers["etag"]
    assert "no-cache" == now.headers["cache-control"]
    assert now.body == named.body != then.body
    assert now.headers["etag"] == named.headers["etag"] != then.headers["etag"]
    other = await link.ask("GET", f"/m/{match}/picture.svg?at=1&theme=dark")
    assert other.headers["etag"] != named.headers["etag"]


@in_town()
async def test_it_is_compressed_for_who_accepts_that_and_a_head_is_all_but_the_body(town, links):
    match = await links.running_match(await links.account())
    link, path = links.nobody(), f"/m/{match}/picture.svg"
    plain = await link.ask("GET", path)
    packed = await link.ask("GET", path, accept_encoding="gzip")
    head = await link.ask("HEAD", path)

    assert ("gzip", plain.body) == (
        packed.headers["content-encoding"],
        gzip.decompress(packed.body),
    )
    assert (200, b"", plain.headers) == (head.status, head.body, head.headers)


@in_town(picture_bytes=0)
async def test_those_who_want_the_same_at_once_get_the_same(town, links, monkeypatch):
    """One picture is drawn."""
    rosie, sam = await links.account(), await links.account()
    match = await links.running_match(rosie)
    asked, ask = [], town.process.gateway.gallery.studio.ask

    async def counting(body, **given):
        asked.append(given)
        return await ask(body, **given)

    monkeypatch.setattr(town.process.gateway.gallery.studio, "ask", counting)
    path = f"/m/{match}/picture.svg"
    answers = await asyncio.gather(
        *(link.ask("GET", path) for link in (rosie, sam, links.nobody()))
    )

    assert {200} == {answer.status for answer in answers}
    assert 1 == len({answer.body for answer in answers}) == len(asked)


# Limits.


@in_town(calls_a_second=0.01, calls_burst=90)
async def test_a_picture_costs_what_it_takes_to_draw_it(town, links):
    """One that is kept costs a call; an address without an account has a purse of its own."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    link = links.nobody()
    for width in (400, 401, 402):
        assert 200 == (await link.ask("GET", f"/m/{match}/picture.svg?width={width}")).status
    refused = await link.ask("GET", f"/m/{match}/picture.svg?width=403")

    assert (429, "RATE_LIMITED") == (refused.status, refused.reason)
    assert int(refused.info.metadata["retry_after_ms"]) > 0
    assert 200 == (await rosie.ask("GET", f"/m/{match}/picture.svg?at=0&width=400")).status


@in_town(looks_a_second=0.01, looks_burst=3)
async def test_an_address_looks_only_so_often(town, links):
    """Pictures count as looking around does."""
    link = links.nobody()
    seen = [(await link.ask("GET", "/m/c-aaaaaaaaaa/picture.svg")).status for _ in range(4)]

    assert [404, 404, 404, 429] == seen


@in_town()
async def test_pictures_are_counted_as_calls_are(town, links):
    """With how they ended."""
    labels = {"service": "Pictures", "method": "GetPicture"}
    ok, gone = ({**labels, "code": code} for code in ("OK", "NOT_FOUND"))
    before = counted("bree_calls_total", **ok), counted("bree_calls_total", **gone)
    match = await links.running_match(await links.account())
    await links.nobody().ask("GET", f"/m/{match}/picture.svg")
    await links.nobody().ask("GET", "/m/c-aaaaaaaaaa/picture.svg")

    assert (before[0] + 1, before[1] + 1) == (
        counted("bree_calls_total", **ok),
        counted("bree_calls_total", **gone),
    )


# The artist.

WITHOUT = (
    "import runpy, sys; sys.modules[{name!r}] = None;"
    " runpy.run_module('gateway.pictures.artist', run_name='__main__')"
)


def instead(town, program):
    """Another program in the artist's place."""
    town.process.gateway.gallery.studio.command = (sys.executable, "-c", program)


async def test_a_game_that_nobody_has_drawn_has_no_picture(town, links):
    match = await links.running_match(await links.account())
    answer = await links.nobody().ask("GET", f"/m/{match}/picture.svg")

    assert (501, "unimplemented") == (answer.status, answer.json()["code"])
    assert "there is no picture of hopscotch" == answer.json()["message"]
    assert "no-store" == answer.headers["cache-control"]


@in_town()
async def test_without_an_engine_there_are_no_pictures_and_all_else_works(town, links):
    """It is said what to install; nothing of it is a bug."""
    before = bugs()
    rosie = await links.account()
    match = await links.running_match(rosie)
    instead(town, WITHOUT.format(name="quickjs"))
    for _ in range(2):
        answer = await links.nobody().ask("GET", f"/m/{match}/picture.svg")
        assert (501, "unimplemented") == (answer.status, answer.json()["code"])
        assert "quickjs-ng" in answer.json()["message"]

    assert await rosie.tell(pb.GetViewRequest(match=match, seat="red"))
    assert before == bugs()


@in_town()
async def test_without_a_converter_there_is_svg(town, links):
    match = await links.running_match(await links.account())
    instead(town, WITHOUT.format(name="resvg_py"))
    answer = await links.nobody().ask("GET", f"/m/{match}/picture.png")

    assert 501 == answer.status
    assert "resvg-py" in answer.json()["message"]
    assert 200 == (await links.nobody().ask("GET", f"/m/{match}/picture.svg")).status


def test_letters_are_of_a_family_that_is_here(monkeypatch):
    """The converter knows a kind of letters by one name only, which few machines have."""
    resvg = pytest.importorskip("resvg_py")
    monkeypatch.setattr(artist, "SANS", ("No Such Letters", *artist.SANS))
    artist.fonts.cache_clear()
    sans, serif = artist.fonts()
    letter = artist.FONT_TEST.format("sans-serif", "M")
    given = {"sans_serif_family": sans, "serif_family": serif}

    assert "No Such Letters" not in {sans, serif}
    assert resvg.svg_to_bytes(letter, **given) != resvg.svg_to_bytes(letter.replace(">M<", "><"))


def test_without_any_letters_it_is_said(monkeypatch):
    monkeypatch.setattr(artist, "SANS", ("No Such Letters",))
    monkeypatch.setattr(artist, "SERIFS", ("Nor These",))
    artist.fonts.cache_clear()

    with pytest.raises(artist.Missing, match="no fonts"):
        artist.fonts()
    artist.fonts.cache_clear()


@in_town()
async def test_an_artist_who_is_killed_is_replaced(town, links):
    """Nobody notices."""
    match = await links.running_match(await links.account())
    link, drawing = links.nobody(), town.process.gateway.gallery.studio
    assert 200 == (await link.ask("GET", f"/m/{match}/picture.svg")).status
    first = drawing.process_id
    os.kill(first, signal.SIGKILL)

    assert 200 == (await link.ask("GET", f"/m/{match}/picture.svg?width=500")).status
    assert drawing.process_id not in (0, first)


@pytest.mark.parametrize(
    "program",
    ["import sys; sys.exit(3)", "print('{\"ready\": true, \"bytes\": 0}', flush=True); input()",
     "import os; os.kill(os.getpid(), 9)"],
)  # fmt: skip
@in_town()
async def test_an_artist_who_always_dies_is_told_of(town, links, program):
    """As a part that is away; the next one may live."""
    before = bugs()
    match = await links.running_match(await links.account())
    drawing = town.process.gateway.gallery.studio
    command = drawing.command
    instead(town, program)
    answer = await links.nobody().ask("GET", f"/m/{match}/picture.svg")
    drawing.command = command

    assert (503, "UNAVAILABLE") == (answer.status, answer.reason)
    assert "pictures" == answer.info.metadata["part"]
    assert 200 == (await links.nobody().ask("GET", f"/m/{match}/picture.svg")).status
    assert before == bugs()


@in_town(picture_seconds=1)
async def test_nobody_waits_for_an_artist_who_takes_too_long(town, links):
    """Others play on meanwhile, and he is ended."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    instead(town, "import time; time.sleep(100)")
    link = links.nobody()
    waiting = asyncio.create_task(link.ask("GET", f"/m/{match}/picture.svg"))
    drawing = town.process.gateway.gallery.studio
    await until(lambda: drawing.process_id)
    slow = drawing.process_id
    began = time.monotonic()
    await rosie.tell(pb.GetViewRequest(match=match, seat="red"))
    taken = time.monotonic() - began
    answer = await waiting

    assert taken < 0.9
    assert (503, "UNAVAILABLE") == (answer.status, answer.reason)
    with pytest.raises(ProcessLookupError):
        os.kill(slow, 0)


@in_town()
async def test_who_goes_away_leaves_no_answer_to_the_next(town, links):
    """What he asked for is finished, and is not taken for another picture."""
    match = await links.running_match(await links.account())
    for width in range(400, 404):
        link = links.nobody()
        await link.send(link.request("GET", f"/m/{match}/picture.svg?width={width}"))
        await asyncio.sleep(0.02)
        link.close()
    answer = await links.nobody().ask("GET", f"/m/{match}/picture.svg?width=777")

    assert b'width="777"' in answer.body[:300]


@in_town(picture_seconds=2)
async def test_only_so_many_wait(town, links, monkeypatch):
    """The others are told to come again."""
    monkeypatch.setattr(studio, "MOST_WAITING", 2)
    match = await links.running_match(await links.account())
    instead(town, "import time; time.sleep(100)")
    asking = [
        links.nobody().ask("GET", f"/m/{match}/picture.svg?width={w}") for w in range(400, 404)
    ]
    answers = await asyncio.gather(*asking)

    assert [503] * 4 == [answer.status for answer in answers]
    assert 2 == sum("retry_after_ms" in answer.info.metadata for answer in answers)


@in_town()
async def test_an_artist_whom_nobody_asks_goes_home(town, links):
    """And another comes when he is wanted."""
    match = await links.running_match(await links.account())
    drawing = town.process.gateway.gallery.studio
    drawing.idle_seconds = 0.05
    await links.nobody().ask("GET", f"/m/{match}/picture.svg")
    await until(lambda: not drawing.process_id)

    assert 200 == (await links.nobody().ask("GET", f"/m/{match}/picture.svg?width=500")).status


def environment_of(number):
    path = Path(f"/proc/{number}/environ")
    if not path.exists():
        pytest.skip("this system does not tell")
    return path.read_bytes()


@in_town()
async def test_an_artist_is_given_no_secret(town, links, monkeypatch):
    """Nothing of the gateway's environment that he has no use for."""
    monkeypatch.setenv("BREE_PLATFORM_TOKEN", "a secret of sixteen letters")
    match = await links.running_match(await links.account())
    await links.nobody().ask("GET", f"/m/{match}/picture.svg")
    number = town.process.gateway.gallery.studio.process_id

    assert b"BREE_" not in environment_of(number)


# Replays.


@EVERY_GAME
async def test_a_match_that_is_over_has_a_replay(town, links):
    """One file without a script, which begins with the first position and holds the last."""
    rosie = await links.account()
    match = await links.running_match(rosie, length=5)
    town.count(match, 5)
    answer = await links.nobody().ask("GET", f"/m/{match}/replay.svg?width=600")
    root = ET.fromstring(answer.body)  # noqa: S314 (our own)
    [turns] = [one for one in root.iter() if one.get("attributeName") == "class"]

    assert "image/svg+xml" == answer.headers["content-type"]
    assert "public, max-age=86400, immutable" == answer.headers["cache-control"]
    assert 6 == len(turns.get("values").split(";"))
    assert "600" == root.get("width")
    assert b"<script" not in answer.body
    asked = town.engine.calls["GetSeatView"]
    assert answer.body == (await links.nobody().ask("GET", f"/m/{match}/replay.svg?width=600")).body
    assert town.engine.calls["GetSeatView"] <= asked + 2


@in_town()
async def test_a_replay_shows_what_a_spectator_sees(town, links):
    """To whoever asks for it, also if he has sat there."""
    rosie = await links.account()
    match = await links.running_match(rosie, length=3)
    town.count(match, 3)
    film = words(await drawn(rosie, f"/m/{match}/replay.svg"))
    _, moments = moments_of("confrontation")
    known = json.dumps([views[""] for views in moments[:4]]).lower()

    for name in ("Gandalf", "Aragorn", "Legolas", "Gimli", "Balrog", "Shelob", "Saruman", "Warg"):
        if name.lower() not in known:
            assert not re.search(rf"\b{name}\b", film), name


@in_town(most_alone=5)
async def test_a_replay_that_nobody_waits_for_is_finished(town, links):
    """The next who asks has it at once; and pictures are drawn meanwhile."""
    rosie = await links.account()
    match = await links.running_match(rosie, length=4)
    town.count(match, 4)
    link = links.nobody()
    await link.send(link.request("GET", f"/m/{match}/replay.svg"))
    shown = town.process.gateway.gallery
    await until(lambda: shown._films)
    link.close()
    assert 200 == (await links.nobody().ask("GET", f"/m/{match}/picture.svg")).status
    await until(lambda: not shown._films, 120)
    asked = town.engine.calls["GetSeatView"]
    answer = await links.nobody().ask("GET", f"/m/{match}/replay.svg")

    assert 200 == answer.status
    assert town.engine.calls["GetSeatView"] <= asked + 2


@in_town()
async def test_only_so_many_replays_are_made_at_once(town, links, monkeypatch):
    monkeypatch.setattr(gallery, "MOST_FILMS", 1)
    rosie = await links.account()
    match = await links.running_match(rosie, length=3)
    town.count(match, 3)
    first, second = await asyncio.gather(
        rosie.ask("GET", f"/m/{match}/replay.svg"),
        links.nobody().ask("GET", f"/m/{match}/replay.svg?theme=dark"),
    )

    assert [200, 503] == sorted((first.status, second.status))


@in_town(calls_a_second=100, calls_burst=100)
async def test_a_replay_is_made_as_fast_as_it_can_be_paid(town, links):
    """Six frames cost more than there is at once."""
    rosie = await links.account()
    match = await links.running_match(rosie, length=5)
    town.count(match, 5)
    link = links.nobody()
    began = time.monotonic()
    answer = await link.ask("GET", f"/m/{match}/replay.svg")

    assert 200 == answer.status
    assert time.monotonic() - began > (6 * 40 - 40 - 100) / 100


@pytest.mark.parametrize("last", [0, 1, 2, 118, 119, 120, 121, 1000, 54321])
def test_the_frames_of_a_replay_are_chosen_evenly(last):
    """All of them if there are few, and never more than so many."""
    frames = frames_of(last)
    steps = {after - before for before, after in itertools.pairwise(frames)}

    assert (0, last) == (frames[0], frames[-1])
    assert min(last + 1, MOST_FRAMES) == len(frames)
    assert not steps or max(steps) - min(steps) <= 1
    assert 0 not in steps
