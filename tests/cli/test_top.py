"""`bree top`: what it reads, what it makes of it, and the screen."""

from __future__ import annotations

import http.server
import threading

import pytest

from bree.cli.online.figures import Reader, Reading, Span, pages_at
from bree.cli.trouble import Trouble
from tests.cli.test_lobby import opened

ENGINE = """
# TYPE bree_decisions_total counter
bree_decisions_total{game="confrontation",prompt="battle.card"} %(cards)s
bree_decisions_total{game="confrontation",prompt="turn.move"} 10.0
# TYPE bree_due gauge
bree_due{game="confrontation",kind="bot_turn"} %(due)s
bree_due{game="confrontation",kind="score"} 2.0
bree_due_age_seconds{game="confrontation",kind="bot_turn"} 1.5
# TYPE bree_append_seconds histogram
bree_append_seconds_bucket{game="confrontation",le="0.001"} 1.0
bree_append_seconds_count{game="confrontation"} %(cards)s
bree_append_seconds_sum{game="confrontation"} %(seconds)s
# TYPE bree_bugs_total counter
bree_bugs_total{service="EngineService"} 1.0
"""


class Pages:
    """Processes that tell whatever a test wants, at one port each."""

    def __init__(self):
        self.servers = []
        self.said = {}

    def add(self, text, status=200):
        """Another process; its place."""
        pages = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.end_headers()
                self.wfile.write(pages.said[self.server.server_port])

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.say(server.server_port, text)
        return f"127.0.0.1:{server.server_port}"

    def say(self, place, text):
        """What a process tells from now on."""
        self.said[int(str(place).rpartition(":")[2])] = (
            text if isinstance(text, bytes) else text.encode()
        )


@pytest.fixture
def pages():
    pages = Pages()
    yield pages
    for server in pages.servers:
        server.shutdown()
        server.server_close()


def engine(cards=0, due=0, seconds=0):
    return ENGINE % {"cards": float(cards), "due": float(due), "seconds": float(seconds)}


def read(reader, at):
    """A reading at a time of the test's own."""
    return Reading(at, reader.read().pages)


def test_figures_of_many_processes_are_one(pages):
    """Counters are added and their growth is seen; of what is due the highest counts."""
    places = [pages.add(engine(5, due=7)), pages.add(engine(1, due=4))]
    reader = Reader(pages_at(places, "h:1"))
    before = read(reader, 100.0)
    pages.say(places[0], engine(25, due=3, seconds=0.1))
    span = Span(before, read(reader, 102.0))
    reader.close()

    assert 7 == before.highest("bree_due", game="confrontation", kind="bot_turn")
    assert 4 == span.now.highest("bree_due", game="confrontation", kind="bot_turn")
    assert 26 == before.total("bree_decisions_total", game="confrontation")
    assert 10 == span.rate("bree_decisions_total", game="confrontation")
    assert 0 == span.rate("bree_decisions_total", game="duel")
    assert 0.005 == pytest.approx(span.mean("bree_append_seconds"))
    assert span.mean("bree_bot_think_seconds") is None


def test_a_process_that_began_again_or_came_late_makes_no_false_speed(pages):
    """A counter that fell counts from zero; one that was not seen before has not grown yet."""
    old = pages.add(engine(1000))
    late = pages.add("")
    reader = Reader(pages_at([old, late], "h:1"))
    before = read(reader, 0.0)
    pages.say(old, engine(4))
    pages.say(late, engine(5000))
    span = Span(before, read(reader, 1.0))
    reader.close()

    assert 4 == span.growth("bree_decisions_total", prompt="battle.card")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("# TYPE node_load1 gauge\nnode_load1 1\n", 200),
        ("<html>nothing here</html>", 200),
        (b"\xff\xfe", 200),
        (engine(), 404),
    ],
)
def test_what_is_no_process_of_bree_is_passed_over(pages, text, status):
    """Other exporters like the same ports."""
    reader = Reader(pages_at([pages.add(text, status), "127.0.0.1:1"], "h:1"))

    assert {} == reader.read().pages
    reader.close()


def test_where_pages_are_looked_for():
    """Where a local run has them, or where one says; with + at the ports after it too."""
    assert "http://bree.example:9100/metrics" == pages_at((), "bree.example:7000")[0]
    assert "http://[::1]:9101/metrics" == pages_at((), "[::1]:7000")[1]
    named = pages_at(("a:1", "http://b:2/metrics"), "h:1")
    assert ["http://a:1/metrics", "http://b:2/metrics"] == named
    assert "http://a:7/metrics" == pages_at(("a:5+",), "h:1")[2]
    assert 1 == len(pages_at(("a:65535+",), "h:1"))
    for wrong in ("a", "a:", ":5", "a:99999", "a:5+6", "https://"):
        with pytest.raises(Trouble, match="--metrics takes HOST:PORT"):
            pages_at((wrong,), "h:1")


def test_the_screen_has_matches_speed_and_what_waits(bree, ann, pages):
    """Into a pipe it is drawn once, within eighty columns."""
    match = opened(bree, "--against", "greedy")
    place = pages.add(engine(5, due=7))
    drawn = bree("top", "--every", "0.1", "--metrics", place)

    assert (0, "") == (drawn.code, drawn.err)
    heading, figures = (line.split() for line in drawn.out.splitlines()[2:4])
    assert ["game", "open", "running", "moves/s", "bots/s", "queue"] == heading[:6]
    assert ["confrontation", "0.0", "0.0", "7", "1.5", "s", "0", "2"] == figures[:1] + figures[3:]
    assert "1 process ·" in drawn.out
    assert "bugs: 1" in drawn.out
    assert match in drawn.out
    assert 80 >= max(map(len, drawn.out.splitlines()))


def test_figures_that_are_nowhere_are_missed_and_the_rest_is_drawn(bree, ann):
    """A player need not be able to reach them."""
    drawn = bree("top", "--every", "0.1", "--metrics", "127.0.0.1:1")

    assert 0 == drawn.code
    assert "No process tells its figures at 127.0.0.1:1; --metrics says where." in drawn.out
    assert "confrontation" in drawn.out


def test_the_screen_is_left_by_control_c(ann, pages, terminal):
    """It is drawn again and again, gives the terminal back, and is no error."""
    place = pages.add(engine(5, due=7))
    at = terminal("top", "--every", "0.1", "--metrics", place)
    at.until("queue")
    pages.say(place, engine(5, due=4321))
    at.until("4321")
    told = at.interrupt_until("END")

    assert "\x1b[?1049l" in told
    assert "Traceback" not in told
    assert 0 == at.process.returncode
