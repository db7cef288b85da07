"""The methods as a document, over HTTP."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

WRITTEN = (Path(__file__).resolve().parents[3] / "gateway/door/openapi.json").read_bytes()


async def test_anyone_has_the_document(links):
    """As it is written; packed for those who take that, and not again to those who have it."""
    link = links.nobody()
    plain = await link.ask("GET", "/openapi.json")
    packed = await link.ask("GET", "/openapi.json?now", **{"accept-encoding": "gzip"})
    tag = plain.headers["etag"]
    again = await link.ask("GET", "/openapi.json", **{"if-none-match": f'"x", {tag}'})
    head = await link.ask("HEAD", "/openapi.json")
    posted = await link.ask("POST", "/openapi.json")

    assert (200, WRITTEN) == (plain.status, plain.body)
    assert "application/json" == plain.headers["content-type"]
    assert "nosniff" == plain.headers["x-content-type-options"]
    assert "default-src 'none'; frame-ancestors 'none'" == plain.headers["content-security-policy"]
    assert WRITTEN == gzip.decompress(packed.body)
    assert (304, b"") == (again.status, again.body)
    assert (200, b"") == (head.status, head.body)
    assert (405, "GET, HEAD") == (posted.status, posted.headers["allow"])


@pytest.mark.parametrize("town", [{"looks_burst": 1000}], indirect=True)
async def test_every_path_of_it_is_a_method(links):
    """Whatever is sent there is understood as a call of it, or refused as one."""
    link = links.nobody()
    for path, said in json.loads(WRITTEN)["paths"].items():
        if "application/json" in said["post"]["requestBody"]["content"]:
            headers = {"content-type": "application/json"}
            answer = await link.ask("POST", path, b"[", **headers)
            assert answer.status in (400, 401), path
