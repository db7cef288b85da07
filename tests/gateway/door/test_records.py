"""Records at addresses of their own: of matches that are over, for anyone."""

from __future__ import annotations

import pytest

from tests.gateway.town import until


@pytest.fixture
def over(loop, town, links):
    """A match that is over, and one that goes on."""

    async def begun():
        rosie = await links.account()
        ended = await links.running_match(rosie, length=1)
        town.count(ended)
        return ended, await links.running_match(rosie)

    return loop.run(begun())


async def test_whoever_comes_by_reads_it(over, links):
    """As plain text, whole; not again if he has it."""
    match, _ = over
    link = links.nobody()
    path = f"/m/{match}/record.txt"
    await until(lambda: _is_there(link, path))
    answer = await link.ask("GET", path)
    again = await link.ask("GET", path, **{"if-none-match": answer.headers["etag"]})
    head = await link.ask("HEAD", path)

    assert "text/plain; charset=utf-8" == answer.headers["content-type"]
    assert "nosniff" == answer.headers["x-content-type-options"]
    assert "default-src 'none'; frame-ancestors 'none'" == answer.headers["content-security-policy"]
    assert f'inline; filename="{match}.record"' == answer.headers["content-disposition"]
    assert answer.body
    assert (304, b"") == (again.status, again.body)
    assert (200, b"") == (head.status, head.body)
    assert 405 == (await link.ask("POST", path)).status


async def _is_there(link, path):
    return (await link.ask("GET", path)).status == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/m/h-nowhere/record.txt", 404),
        ("/m/%00/record.txt", 400),
        ("/m/h-nowhere/record.txt?seat=red", 400),
    ],
)
async def test_what_there_is_not_is_refused(links, path, status):
    """With a sentence, as calls are."""
    answer = await links.nobody().ask("GET", path)

    assert status == answer.status
    assert answer.json()["message"]


async def test_what_goes_on_tells_nothing(over, links):
    """Not to a spectator, and not to whoever sits there."""
    _, running = over
    answer = await links.nobody().ask("GET", f"/m/{running}/record.txt")

    assert (403, "permission_denied") == (answer.status, answer.json()["code"])
    assert "goes on" in answer.json()["message"]
