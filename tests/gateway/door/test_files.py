"""The page's files: what is sent, how it is kept, and what is not there."""

from __future__ import annotations

import gzip
import os

import pytest

from gateway.door import files
from tests.gateway.door.http_client import Link

INDEX = b"<!doctype html><title>page</title>"
SCRIPT = b"console.log('x');" * 100
SECRET = b"nobody may read this"


@pytest.fixture(autouse=True)
def page(tmp_path, monkeypatch):
    """A built page, and something beside it that is none of it."""
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (tmp_path / "secret.txt").write_bytes(SECRET)
    for name, body in {
        "index.html": INDEX, "icon.svg": b"<svg/>", "manifest.webmanifest": b"{}",
        "assets/main-a1b2c3.js": SCRIPT, "assets/main-a1b2c3.js.gz": gzip.compress(SCRIPT, mtime=0),
        "assets/main-a1b2c3.js.br": b"brotli", "assets/page-d4.css": b"a{}", "sw.js": b"s",
        "assets/font-1.woff2": b"f", "old.txt": b"new",
        "old.txt.gz": gzip.compress(b"older", mtime=0),
    }.items():  # fmt: skip
        (folder / name).write_bytes(body)
    os.utime(folder / "old.txt.gz", (1, 1))
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr(files, "PAGE", folder)
    monkeypatch.setattr(files.Files.__init__, "__defaults__", (folder,))
    return folder


@pytest.fixture
def link(links) -> Link:
    return links.nobody()


@pytest.mark.parametrize(
    "path",
    ["/", "/index.html", "/match/c-7f3k2m9pqa", "/lobby?game=duel", "/a/b/c", "//", "/%C3%A9",
     "/?x=.js"],
)  # fmt: skip
async def test_every_place_within_the_page_is_the_page(link, path):
    """So a link to a match can be shared; and it is asked for again each time."""
    answer = await link.ask("GET", path)

    assert (200, INDEX) == (answer.status, answer.body)
    assert "text/html; charset=utf-8" == answer.headers["content-type"]
    assert "no-cache" == answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/assets/main-a1b2c3.js", "text/javascript; charset=utf-8"),
        ("/assets/page-d4.css", "text/css; charset=utf-8"),
        ("/assets/font-1.woff2", "font/woff2"),
        ("/icon.svg", "image/svg+xml"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ],
)
async def test_what_its_name_says_is_kept_for_ever(link, path, kind):
    """If it has a hash; else it is asked for again."""
    answer = await link.ask("GET", path)
    for_ever = "public, max-age=31536000, immutable"

    assert (200, kind) == (answer.status, answer.headers["content-type"])
    assert (for_ever if "assets" in path else "no-cache") == answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [
        ("gzip, deflate, br", "br", b"brotli"),
        ("gzip", "gzip", gzip.compress(SCRIPT, mtime=0)),
        ("br;q=0, gzip;q=0.5", "gzip", None),
        ("deflate", None, SCRIPT),
        ("", None, SCRIPT),
    ],
)
async def test_the_smallest_that_is_accepted_is_sent(link, accepted, coding, body):
    """Each with a tag of its own."""
    answer = await link.ask("GET", "/assets/main-a1b2c3.js", accept_encoding=accepted)

    assert coding == answer.headers.get("content-encoding")
    assert body is None or len(body) == len(answer.body)
    assert "accept-encoding" == answer.headers["vary"]
    plain = await link.ask("GET", "/assets/main-a1b2c3.js")
    assert (coding is None) == (plain.headers["etag"] == answer.headers["etag"])


async def test_what_was_compressed_before_it_changed_is_not_sent(link):
    assert b"new" == (await link.ask("GET", "/old.txt", accept_encoding="gzip")).body


async def test_what_a_browser_has_is_not_sent_again(link):
    """By its tag, however a proxy may have written it."""
    tag = (await link.ask("GET", "/")).headers["etag"]
    for said in (tag, f'"other", W/{tag}', "*"):
        answer = await link.ask("GET", "/", if_none_match=said)
        assert (304, b"") == (answer.status, answer.body)
        assert tag == answer.headers["etag"]
        assert "content-length" not in answer.headers
    assert 200 == (await link.ask("GET", "/", if_none_match='"other"')).status


async def test_a_head_is_all_but_the_body(link):
    whole, head = await link.ask("GET", "/"), await link.ask("HEAD", "/")

    assert b"" == head.body
    assert whole.headers == head.headers


@pytest.mark.parametrize(
    "path",
    ["/nothing.js", "/assets/none-1.js", "/assets/none", "/.env", "/index.html.gz", "/link.txt",
     "/assets/main-a1b2c3.js.gz", "/secret.txt", "/../secret.txt", "/assets/../../secret.txt",
     "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..\\secret.txt", "/%00.txt", "/assets/.",
     "//etc/passwd.txt", "/./index.html", "/%ff.txt", "/favicon.ico"],
)  # fmt: skip
async def test_what_is_not_there_is_404(link, path):
    """And no path leads out of the folder."""
    answer = await link.ask("GET", path)

    assert 404 == answer.status
    assert SECRET not in answer.body
    assert "nosniff" == answer.headers["x-content-type-options"]


async def test_a_place_with_a_full_stop_is_the_page_for_a_person_and_no_file_for_a_script(link):
    person = "text/html,application/xhtml+xml,*/*;q=0.8"
    answer = await link.ask("GET", "/m/c-7f3k.", accept=person)

    assert (200, INDEX) == (answer.status, answer.body)
    assert 404 == (await link.ask("GET", "/m/c-7f3k.")).status
    assert 404 == (await link.ask("GET", "/assets/none.js", accept=person)).status


async def test_files_are_only_read(link):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = await link.ask(method, "/index.html")
        assert (405, "GET, HEAD") == (answer.status, answer.headers["allow"])


POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'",
    "img-src": "'self' data:", "connect-src": "'self'", "font-src": "'self'",
    "media-src": "'self'", "worker-src": "'self'", "manifest-src": "'self'",
    "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'",
}  # fmt: skip


@pytest.mark.parametrize("path", ["/", "/match/x", "/icon.svg"])
async def test_the_page_is_shielded(link, path):
    """Nothing inline, nothing of others, in nobody's frame, known to nobody by its address."""
    said = (await link.ask("GET", path)).headers
    policy = dict(one.strip().split(" ", 1) for one in said["content-security-policy"].split(";"))

    assert POLICY == policy
    assert "unsafe" not in said["content-security-policy"]
    assert "DENY" == said["x-frame-options"]
    assert "nosniff" == said["x-content-type-options"]
    assert "no-referrer" == said["referrer-policy"]
    assert "same-origin" == said["cross-origin-opener-policy"]
    assert "same-origin" == said["cross-origin-resource-policy"]
    assert "camera=()" in said["permissions-policy"]
    assert not [name for name in said if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/assets/main-a1b2c3.js", "/sw.js"])
async def test_a_script_is_shielded_where_it_runs_as_a_worker(link, path):
    """There it is its own policy that counts, and not that of the page."""
    said = (await link.ask("GET", path)).headers
    policy = dict(one.strip().split(" ", 1) for one in said["content-security-policy"].split(";"))

    assert {"default-src": "'none'", "script-src": "'self'", "connect-src": "'self'"} == policy
    assert ("nosniff", "same-origin") == _part(said)


@pytest.mark.parametrize("path", ["/assets/page-d4.css", "/assets/font-1.woff2"])
async def test_what_is_only_a_part_is_what_it_says_and_no_other_page_has_it(link, path):
    assert ("nosniff", "same-origin") == _part((await link.ask("GET", path)).headers)


def _part(said):
    return said["x-content-type-options"], said["cross-origin-resource-policy"]


async def test_a_page_that_is_built_anew_is_there_at_once(link, page):
    """Without a new start of the gateway."""
    (page / "index.html").write_bytes(b"newer")
    os.utime(page / "index.html", (2_000_000_000, 2_000_000_000))
    (page / "assets/next-e5.js").write_bytes(b"next")

    assert b"newer" == (await link.ask("GET", "/")).body
    assert b"next" == (await link.ask("GET", "/assets/next-e5.js")).body


async def test_without_a_page_it_is_told_how_to_build_one(link, page):
    """In a sentence, wherever one looks; and it is there as soon as it is built."""
    (page / "index.html").unlink()
    answer = await link.ask("GET", "/match/x")
    assert 200 == answer.status
    assert b"make page" in answer.body
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert 404 == (await link.ask("GET", "/assets/main-a1b2c3.js")).status
    (page / "index.html").write_bytes(INDEX)

    assert INDEX == (await link.ask("GET", "/")).body
