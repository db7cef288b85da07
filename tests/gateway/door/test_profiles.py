"""Profiles and limits over HTTP, as JSON."""

from __future__ import annotations

import json

from tests.gateway.played import LIVE, keep, match, people, rating


async def asked(link, method, said):
    headers = {"content-type": "application/json"}
    path = f"/bree.gateway.v1.{method}"
    answer = await link.ask("POST", path, json.dumps(said).encode(), **headers)
    return answer.status, json.loads(answer.body)


async def test_what_was_played_is_told_as_json(town, links):
    """Names in camel case, numbers of 64 bits as texts, times and enums as words."""
    await people(town.store)
    ratings = [rating("Ann", 26.0), rating("Bob", 24.0)]
    await keep(town.store, match(1, ("Ann", "Bob"), (2, 1), clock=LIVE), 17, ratings, ratings)
    rosie = await links.account()
    wanted = {"account": "ann", "filter": {"pace": "PACE_LIVE", "rated": True}}
    status, said = await asked(rosie, "ProfileService/ListResults", wanted)
    [one] = said["results"]

    assert 200 == status
    assert ("RESULT_KIND_WON", "2", "17") == (one["result"], one["score"], one["length"])
    assert "Ann" == one["match"]["seats"][0]["account"]
    assert one["endTime"].endswith("Z")
    _, found = await asked(rosie, "ProfileService/FindMatches", {"players": ["bob", "Ann"]})
    assert ["h-0001"] == [each["match"]["id"] for each in found["matches"]]
    _, history = await asked(
        rosie,
        "ProfileService/GetRatingHistory",
        {"account": "Ann", "game": "hopscotch", "pace": "PACE_LIVE"},
    )
    assert ["h-0001"] == [point["match"] for point in history["points"]]
    _, two = await asked(rosie, "ProfileService/HeadToHead", {"one": "Ann", "other": "Bob"})
    assert [{"game": "hopscotch", "won": "1"}] == two["games"]
    _, summary = await asked(rosie, "ProfileService/SummarizeResults", {"account": "Bob"})
    assert [{"of": "Ann", "lost": "1"}] == summary["opponents"]


async def test_nobody_is_told_without_an_account(links):
    """But the limits, which whoever writes a client wants to know first."""
    status, said = await asked(links.nobody(), "ProfileService/ListResults", {"account": "Ann"})
    assert (401, "unauthenticated") == (status, said["code"])
    status, said = await asked(links.nobody(), "LimitsService/GetLimits", {})
    assert 200 == status
    assert {"calls_a_second", "page_size"} <= {limit["name"] for limit in said["limits"]}
    assert {"method": "bree.gateway.v1.MatchService/CreateMatch", "price": 3} in said["prices"]
