"""Names that are kept, and those that look like them."""

from __future__ import annotations

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway.names import is_reserved
from tests.gateway.town import refusal

KEPT = (
    "admin Admin ADMIN adm1n 4dmin a-d-m-i-n admin2 Admin_Rosie the-admin rosie-m0derat0r system "
    "5y5tem sys-tem SYSTEM32 syst3m m0d rnoderator host h0st chance bot nobody Bree-Support"
)
FREE = (
    "rosie Hosting modern robot rosie-bot botany last-chance Chancellor solar-system host-of-hosts "
    "adminton quick-otter-4711 corner 007 __ system-of-rosie"
)


@pytest.mark.parametrize("name", KEPT.split())
def test_names_of_the_platform_are_kept(name):
    """In capitals or not, with digits for letters, taken apart, or with a number behind."""
    assert is_reserved(name)


@pytest.mark.parametrize("name", FREE.split())
def test_other_names_are_free(name):
    """Words that merely contain one are no look-alikes."""
    assert not is_reserved(name)


async def test_a_kept_name_is_refused_in_a_sentence(town):
    """And nothing is made of it."""
    denied = await refusal(town.nobody().ask(pb.CreateAccountRequest(name="Adm1n")))

    assert ("INVALID_REQUEST", "name") == (denied.reason, denied.metadata["field"])
    assert "the name 'Adm1n' is kept for the platform" == denied.message
    assert None is await town.store.account_named("Adm1n")
