"""Limits and prices are told to anyone, all of them, as they are."""

from __future__ import annotations

import re

import pytest

from bree.gateway.v1 import limits_pb2 as limits
from gateway.methods import PRICES, SERVICES
from gateway.published_limits import EVERYWHERE, OF_SETTINGS
from gateway.settings import GatewaySettings

UNMET = {
    *("address_header", "http_listen", "trusted_hops", "admins", "public_url"),
    *("oidc_issuer", "oidc_client_id", "oidc_client_secret", "oidc_name"),
    *("mail_url", "mail_from"),
    *("beat_seconds", "health_seconds", "here_seconds", "rescan_seconds"),
    *("copy_seconds", "keep_closed_seconds", "keep_seconds", "live_seconds", "told_seconds"),
    *("engines", "kept_matches", "picture_bytes", "record_bytes", "store_url"),
}
"""Settings of the gateway that bound nothing which a client meets."""


async def told(town):
    return await town.nobody().ask(limits.GetLimitsRequest())


@pytest.mark.parametrize("town", [{"calls_a_second": 7.5, "most_open": 3}], indirect=True)
async def test_anyone_is_told_the_limits_in_force(town):
    """Those that the host has set, by the names of the settings, with why and what helps."""
    said = {limit.name: limit for limit in (await told(town)).limits}

    assert (7.5, 3) == (said["calls_a_second"].value, said["most_open"].value)
    assert (100, 400) == (said["page_size"].value, said["note"].value)
    assert set(OF_SETTINGS) | set(EVERYWHERE) == set(said)
    assert sorted(said) == list(said)
    for limit in said.values():
        assert re.fullmatch(r"[A-Z][^\n]{5,150}\.", limit.meaning), limit.name
        assert re.fullmatch(r"[A-Z][^\n]{3,80}\.", limit.hint), limit.name


def test_every_setting_is_told_or_concerns_no_client():
    """Whoever adds one decides which."""
    ours = set(GatewaySettings.__annotations__) | {"largest_message"}

    assert ours - UNMET == set(OF_SETTINGS)


async def test_every_price_is_told(town):
    """Of what accounts may call; the platform's own parts pay nothing."""
    said = {price.method: price.price for price in (await told(town)).prices}
    methods = {
        f"{service.full_name}/{name}": PRICES.get(name, 1)
        for service in SERVICES.values()
        for name in service.methods_by_name
        if service.name != "SettlementService"
    }
    shown = {name: said[name] for name in said if re.search(r"\.(Pictures|Records)/", name)}

    assert methods | shown == said
    assert {"GetPicture", "GetReplay", "GetRatingPicture", "GetRecord"} == {
        name.rpartition("/")[2] for name in shown
    }
    assert all(price > 0 for price in said.values())
