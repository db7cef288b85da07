"""Which ways in there are, as the host has configured them; and what he cannot configure."""

from __future__ import annotations

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import mail_pb2 as mail
from bree.gateway.v1 import passkeys_pb2 as passkeys
from bree.gateway.v1 import providers_pb2 as providers
from bree.process.settings import read
from gateway.mail_words import mail_server
from gateway.public_url import public_url
from gateway.settings import GatewaySettings
from tests.gateway.test_sessions import begun
from tests.gateway.town import refusal

MEMORY = pytest.mark.parametrize("store_of", ["memory"], indirect=True)
HERE = {"public_url": "https://bree.example"}
OIDC = HERE | {"oidc_issuer": "https://id.example", "oidc_client_id": "bree"}
MAIL = HERE | {"mail_url": "smtp://mail.example", "mail_from": "bree@bree.example"}
PROOF = pb.ProviderProof(state="x" * 43, code="c", binding="b")
CODE = pb.MailProof(address="rosie@shire.example", code="AAAA-AAAA")

WITHOUT = [
    (passkeys.BeginPasskeyRequest(), "BREE_PUBLIC_URL"),
    (passkeys.AddPasskeyRequest(response="{}", name="a"), "BREE_PUBLIC_URL"),
    (passkeys.ListPasskeysRequest(), "BREE_PUBLIC_URL"),
    (passkeys.RemovePasskeyRequest(passkey="a"), "BREE_PUBLIC_URL"),
    (passkeys.BeginLoginRequest(), "BREE_PUBLIC_URL"),
    (pb.StartSessionRequest(passkey="{}"), "BREE_PUBLIC_URL"),
    (providers.BeginProviderLoginRequest(), "BREE_OIDC_ISSUER"),
    (providers.BeginProviderLinkRequest(), "BREE_OIDC_ISSUER"),
    (providers.LinkProviderRequest(proof=PROOF), "BREE_OIDC_ISSUER"),
    (providers.UnlinkProviderRequest(issuer="i", subject="s"), "BREE_OIDC_ISSUER"),
    (pb.StartSessionRequest(provider=PROOF), "BREE_OIDC_ISSUER"),
    (mail.SetAddressRequest(address="rosie@shire.example"), "BREE_MAIL_URL"),
    (mail.ConfirmAddressRequest(code="AAAA-AAAA"), "BREE_MAIL_URL"),
    (mail.BeginMailLoginRequest(address="rosie@shire.example"), "BREE_MAIL_URL"),
    (pb.StartSessionRequest(mail=CODE), "BREE_MAIL_URL"),
]


@MEMORY
@pytest.mark.parametrize(("request_", "needs"), WITHOUT, ids=lambda one: type(one).__name__)
async def test_what_the_host_has_not_configured_is_not_there(town, request_, needs):
    """With a sentence that names the variable, to whom it may concern."""
    rosie = await town.account()
    denied = await refusal(rosie.ask(request_))

    assert ("NOT_ALLOWED", needs) == (denied.reason, denied.metadata["needs"])
    assert "host" in denied.message


@MEMORY
async def test_what_there_may_always_be_is_always_told(town):
    """That there is no provider, no identity, no address."""
    rosie = await town.account()

    assert providers.GetProviderResponse() == await rosie.ask(providers.GetProviderRequest())
    assert not (await rosie.ask(providers.ListIdentitiesRequest())).identities
    told = await rosie.ask(mail.GetAddressRequest())
    assert ("", False) == (told.address, told.offered)
    assert await rosie.ask(mail.RemoveAddressRequest())
    assert (await begun(town))[1].account.guest


@MEMORY
@pytest.mark.parametrize("town", [{"public_url": "https://10.0.0.5"}], indirect=True)
async def test_a_number_has_no_passkeys(town):
    """Browsers want a name."""
    denied = await refusal(town.nobody().ask(passkeys.BeginLoginRequest()))

    assert "NOT_ALLOWED" == denied.reason
    assert "name" in denied.metadata["needs"]


@pytest.mark.parametrize(
    ("said", "origin", "host"),
    [
        ("https://bree.example", "https://bree.example", "bree.example"),
        ("https://Bree.Example/", "https://bree.example", "bree.example"),
        ("https://bree.example:443", "https://bree.example", "bree.example"),
        ("https://bree.example:8443", "https://bree.example:8443", "bree.example"),
        ("http://localhost:7080", "http://localhost:7080", "localhost"),
        ("http://localhost:80/", "http://localhost", "localhost"),
        ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443", "[2001:db8::1]"),
    ],
)
def test_an_address_is_as_browsers_say_it(said, origin, host):
    assert (origin, host) == public_url(said)


def refused(capsys, given):
    """The variables that a gateway refuses, each with a sentence."""
    with pytest.raises(SystemExit):
        read(GatewaySettings, platform_token="x" * 16, engines="duel=a:1", **given)
    return dict(line.split(": ", 1) for line in capsys.readouterr().err.splitlines())


WRONG = [
    ({"public_url": url}, "BREE_PUBLIC_URL")
    for url in (
        "bree.example", "http://bree.example", "http://127.0.0.1:7080", "ftp://localhost",
        "https://", "https://bree.example/play", "https://bree.example?x", "https://a@bree.example",
        "https://bree.example:99999", "https://br\u00efe.example", "https://bree .example",
        "javascript:alert(1)", "https://bree.example#x", "https://[::1", "http://localhost.evil.org",
    )
]  # fmt: skip
WRONG += [
    (OIDC | {"oidc_issuer": issuer}, "BREE_OIDC_ISSUER")
    for issuer in (
        "http://id.example", "id.example", "https://", "https://id.example?x", "https://a@id.example",
        "https://id.example/#x", "file:///etc", "https://id .example", "https://id.example:x",
    )
]  # fmt: skip
WRONG += [
    (OIDC | {"public_url": ""}, "BREE_OIDC_ISSUER"),
    (OIDC | {"oidc_client_id": ""}, "BREE_OIDC_CLIENT_ID"),
    (OIDC | {"oidc_client_id": "two words"}, "BREE_OIDC_CLIENT_ID"),
    ({"oidc_client_id": "bree"}, "BREE_OIDC_CLIENT_ID"),
    (OIDC | {"oidc_name": ""}, "BREE_OIDC_NAME"),
    (OIDC | {"oidc_name": "x" * 41}, "BREE_OIDC_NAME"),
    (MAIL | {"mail_from": ""}, "BREE_MAIL_FROM"),
    (MAIL | {"mail_from": "Bree <bree@bree.example>"}, "BREE_MAIL_FROM"),
    (MAIL | {"public_url": ""}, "BREE_MAIL_FROM"),
    ({"mail_from": "bree@bree.example"}, "BREE_MAIL_FROM"),
    (MAIL | {"mails_burst": 0}, "BREE_MAILS_BURST"),
]
WRONG += [
    (MAIL | {"mail_url": url}, "BREE_MAIL_URL")
    for url in (
        "mail.example", "http://mail.example", "smtp://", "smtp://u:hunter2@mail.example:x",
        "smtp://u:hunter2@mail.example/x", "smtp://u:hunter2@mail.example?tls=no",
    )
]  # fmt: skip


@pytest.mark.parametrize(("given", "variable"), WRONG, ids=str)
def test_what_cannot_be_configured_is_told_at_the_start(capsys, given, variable):
    """One sentence that names the variable, and none of its secrets."""
    said = refused(capsys, given)

    assert [variable] == list(said)
    assert "hunter2" not in str(said)


@pytest.mark.parametrize(
    "given", [HERE, OIDC, MAIL, OIDC | MAIL], ids=["url", "oidc", "mail", "all"]
)
def test_what_can_be_configured_is(given):
    settings = GatewaySettings(platform_token="x" * 16, engines="duel=a:1", **given)

    assert "https://bree.example" == settings.public_url
    assert "**" in repr(settings.mail_url) or not given.get("mail_url")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("smtp://mail.example", ("mail.example", 587, "", "", False)),
        ("smtps://mail.example", ("mail.example", 465, "", "", True)),
        ("smtp://a%40b.cd:p%2Fw%3A@m.example:25", ("m.example", 25, "a@b.cd", "p/w:", False)),
    ],
)
def test_a_mail_server_is_what_its_address_says(url, found):
    assert found == mail_server(url)


def test_a_password_wants_tls_but_on_this_machine():
    """Where nobody listens."""
    needs = [mail_server(f"smtp://u:p@{host}").needs_tls for host in ("m.example", "127.0.0.1")]

    assert [True, False] == needs
    assert not mail_server("smtp://m.example").needs_tls
