"""Mail on its way: to which servers it goes, what they are told, and what they are not."""

from __future__ import annotations

import asyncio
import ssl
from urllib.parse import quote

import pytest

from gateway import mail_words, mailing
from gateway.mail_words import LOGIN, mail_server, written
from tests.certificates import certificate
from tests.gateway.mail_server import MailServer

HERE = "https://bree.example"
ADDRESS = "rosie@shire.example"


@pytest.fixture(autouse=True)
def no_rest(monkeypatch):
    """So that no test waits for a mail."""
    monkeypatch.setattr(mailing, "LONGEST_REST_SECONDS", 0)


async def test_a_fault_of_ours_stops_no_sender(loop, monkeypatch):
    """The mail is lost, and the next one may be sent."""

    async def fault():
        raise RuntimeError("a fault")

    mailer = mailing.Mailer(mail_server("smtp://127.0.0.1:9"))
    monkeypatch.setattr(mailing, "SENDERS", 1)
    mailer.start()
    mailer.put(fault)
    await asyncio.wait_for(mailer._waiting.join(), 10)

    assert not any(task.done() for task in mailer._senders)
    await mailer.close()


USER, PASSWORD = "rosie@shire.example", "p@ss:word/1"
WHO = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}@"


@pytest.fixture
def secured(tmp_path, monkeypatch):
    """What a server of TLS has; its certificate is trusted here."""
    key, trust = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(trust, key)
    monkeypatch.setenv("SSL_CERT_FILE", str(trust))
    return context


async def came(server, kind="smtp", who=WHO):
    """Whether a mail comes by a server that is named so."""
    await server.start()
    mailer = mailing.Mailer(mail_server(f"{kind}://{who}localhost:{server.port}"))
    mailer.start()

    async def work():
        return written("bree@bree.example", ADDRESS, LOGIN, HERE, "AAAA-AAAA")

    mailer.put(work)
    await asyncio.wait_for(mailer._waiting.join(), 10)
    await mailer.close()
    await server.stop()
    return bool(server.mails)


async def test_a_server_is_told_a_password_over_tls(loop, secured):
    """By STARTTLS, or from the first byte on."""
    begun, at_once = MailServer(tls_context=secured), MailServer(auth_require_tls=False)
    at_once.tls = secured

    assert await came(begun)
    assert await came(at_once, "smtps")
    assert [(USER, PASSWORD)] == begun.auths == at_once.auths


async def test_a_password_is_never_said_in_the_open(loop, monkeypatch):
    """But on this machine itself, where nobody hears it."""
    monkeypatch.setattr(mailing, "PAUSE_SECONDS", 0)
    near, far = MailServer(auth_require_tls=False), MailServer(auth_require_tls=False)

    assert await came(near)
    monkeypatch.setattr(mail_words, "LOOPBACK", set())
    assert not await came(far)
    assert ([(USER, PASSWORD)], []) == (near.auths, far.auths)


async def test_a_server_that_is_not_the_one_is_told_nothing(loop, secured, monkeypatch):
    """As its certificate says, which nobody here trusts."""
    monkeypatch.setattr(mailing, "PAUSE_SECONDS", 0)
    monkeypatch.delenv("SSL_CERT_FILE")
    server = MailServer(tls_context=secured)

    assert not await came(server)
    assert not server.auths


async def test_a_server_without_a_password_needs_none(loop):
    server = MailServer()

    assert await came(server, who="")
    assert not server.auths
