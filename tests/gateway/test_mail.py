"""Codes by mail: an address is made one's own, and logs in; and nobody learns whose it is."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import mail_pb2 as mail
from gateway import mail as logic
from gateway import mailing
from gateway.matches import now_ms
from tests.gateway.mail_server import MailServer, read
from tests.gateway.test_sessions import begun
from tests.gateway.town import Town, reason, refusal, until

HERE = "https://bree.example"
ADDRESS = "rosie@shire.example"
WRONG = ("UNAUTHENTICATED", "this code is worth nothing: ask for a new one")


@pytest.fixture(autouse=True)
def no_rest(monkeypatch):
    """So that no test waits for a mail."""
    monkeypatch.setattr(mailing, "LONGEST_REST_SECONDS", 0)


@pytest.fixture
def server(request, loop):
    async def begin():
        return await MailServer(**getattr(request, "param", {})).start()

    made = loop.run(begin())
    yield made
    loop.run(made.stop())


@pytest.fixture
def town(request, loop, store_of, server):
    given = {
        "public_url": HERE,
        "mail_url": f"smtp://127.0.0.1:{server.port}",
        "mail_from": "Bree@bree.example",
        "mails_burst": 1000,
        "wrong_tokens_burst": 1000,
    }
    made = Town(store_of, **(given | getattr(request, "param", {})))
    loop.run(made.open())
    yield made
    loop.run(made.close())


async def set_to(caller, server, address=ADDRESS):
    """Make an address somebody's."""
    number = len(server.mails) + 1
    await caller.ask(mail.SetAddressRequest(address=address))
    code = await server.code(number)
    return (await caller.ask(mail.ConfirmAddressRequest(code=code))).address


async def coded(town, server, address=ADDRESS, process=None):
    """The code that comes to an address by which somebody wants to log in."""
    number = len(server.mails) + 1
    await town.nobody(process).ask(mail.BeginMailLoginRequest(address=address))
    return await server.code(number)


async def come(town, address, code, process=None):
    return await begun(town, process, mail=pb.MailProof(address=address, code=code))


async def refused(trying):
    denied = await refusal(trying)
    return denied.reason, denied.message


async def address_of(caller):
    return (await caller.ask(mail.GetAddressRequest())).address


# What is so.


async def test_who_reads_a_mailbox_comes_in_by_it(town, server):
    """However the address is spelt, and the code typed; at any gateway."""
    other = await town.gateway()
    rosie = await town.account()
    assert "" == await address_of(rosie)
    assert ADDRESS == await set_to(rosie, server, "Rosie@Shire.Example")
    code = await coded(town, server, "ROSIE@shire.example", other)
    _, told = await come(town, "rosie@SHIRE.example", f" {code.lower().replace('-', ' ')} ")

    assert rosie.name == told.account.name
    assert ADDRESS == await address_of(rosie)
    assert (await rosie.ask(mail.GetAddressRequest())).offered


async def test_a_mail_is_plain_and_says_what_it_is(town, server):
    """To the one who wants it, from the host, with nothing that anybody else has written."""
    await set_to(await town.account("Eve_1"), server)
    code = await coded(town, server)
    first, second = [await server.mail(number) for number in (1, 2)]
    for envelope in (first, second):
        said = read(envelope)
        assert [ADDRESS] == envelope.rcpt_tos
        assert "bree@bree.example" == envelope.mail_from
        assert (ADDRESS, "Bree <bree@bree.example>") == (said["to"], said["from"])
        assert "Your code for Bree" == said["subject"], "which shows on locked screens"
        assert "text/plain" == said.get_content_type()
        assert HERE in said.get_content()
        assert "auto-generated" == said["auto-submitted"]
        assert said["message-id"].endswith("@bree.example>")
        assert "Eve_1" not in envelope.content.decode("ascii")
        assert all(len(line) <= 100 for line in envelope.content.splitlines())
    assert code in read(second).get_content()


async def test_a_code_is_used_once(town, server):
    """By one of many, at two gateways; a newer one voids it, and an older one is none."""
    other = await town.gateway()
    rosie = await town.account()
    await set_to(rosie, server)
    older, code = [await coded(town, server) for _ in range(2)]
    assert WRONG == await refused(come(town, ADDRESS, older))
    tries = [come(town, ADDRESS, code, at) for at in (town.process, other) * 2]
    found = await asyncio.gather(*tries, return_exceptions=True)

    assert 1 == sum(isinstance(one, tuple) for one in found)
    assert WRONG == await refused(come(town, ADDRESS, code))


async def test_a_few_wrong_guesses_end_a_code(town, server):
    """From however many addresses they come; the same of a code that confirms."""
    rosie = await town.account()
    await set_to(rosie, server)
    for wrong, allowed in ((4, True), (5, False)):
        code = await coded(town, server)
        for _ in range(wrong):
            assert WRONG == await refused(come(town, ADDRESS, "2222-2222"))
        if allowed:
            await come(town, ADDRESS, code)
        else:
            assert WRONG == await refused(come(town, ADDRESS, code))
    number = len(server.mails) + 1
    await rosie.ask(mail.SetAddressRequest(address="other@shire.example"))
    for _ in range(5):
        assert "UNAUTHENTICATED" == await reason(
            rosie.ask(mail.ConfirmAddressRequest(code="22222222"))
        )
    confirming = mail.ConfirmAddressRequest(code=await server.code(number))
    assert "UNAUTHENTICATED" == await reason(rosie.ask(confirming))
    assert ADDRESS == await address_of(rosie)


async def test_a_code_lasts_for_minutes(town, server, monkeypatch):
    """As it says."""
    rosie = await town.account()
    await set_to(rosie, server)
    told = await town.nobody().ask(mail.BeginMailLoginRequest(address=ADDRESS))
    assert abs(told.expire_time.ToMilliseconds() - now_ms() - 600_000) < 30_000
    await server.mail(2)
    monkeypatch.setattr(logic, "CODE_MS", 1)
    code = await coded(town, server)

    assert WRONG == await refused(come(town, ADDRESS, code))


async def test_a_code_is_good_for_what_it_was_asked_for(town, server):
    """What confirms logs nobody in, what logs in confirms nothing, and for nobody else."""
    rosie, sam = await town.account(), await town.account()
    await set_to(rosie, server)
    login = await coded(town, server)
    number = len(server.mails) + 1
    await sam.ask(mail.SetAddressRequest(address=ADDRESS))
    confirming = await server.code(number)
    for caller, code in ((sam, login), (rosie, confirming)):
        asking = caller.ask(mail.ConfirmAddressRequest(code=code))
        assert "UNAUTHENTICATED" == await reason(asking)
    assert WRONG == await refused(come(town, ADDRESS, confirming))
    assert (await come(town, ADDRESS, login))[1].account.name == rosie.name


async def test_an_address_has_one_account(town, server):
    """Who has no longer had it for himself may give it to another; a new one goes before an old."""
    rosie, sam = await town.account(), await town.account()
    await set_to(rosie, server)
    denied = await refusal(set_to(sam, server))
    assert "NOT_ALLOWED" == denied.reason
    assert ["", ADDRESS] == [await address_of(sam), await address_of(rosie)]
    await set_to(rosie, server, "new@shire.example")
    await set_to(sam, server)

    assert [ADDRESS, "new@shire.example"] == [await address_of(sam), await address_of(rosie)]
    assert sam.name == (await come(town, ADDRESS, await coded(town, server)))[1].account.name


async def test_an_address_that_is_removed_is_no_way_in(town, server):
    """The last way goes only if that is said."""
    rosie = await town.account()
    await set_to(rosie, server)
    code = await coded(town, server)
    denied = await refusal(rosie.ask(mail.RemoveAddressRequest()))
    assert ("NOT_ALLOWED", "even_if_last") == (denied.reason, denied.metadata["needs"])
    await rosie.ask(mail.RemoveAddressRequest(even_if_last=True))
    await rosie.ask(mail.RemoveAddressRequest())

    assert WRONG == await refused(come(town, ADDRESS, code))
    assert "" == await address_of(rosie)


# Who is known.


async def test_nobody_learns_whose_an_address_is(town, server):
    """An address that nobody has is answered as another one, and gets no mail."""
    rosie = await town.account()
    await set_to(rosie, server)
    known = await town.nobody().ask(mail.BeginMailLoginRequest(address=ADDRESS))
    await server.mail(2)
    unknown = await town.nobody().ask(mail.BeginMailLoginRequest(address="no@shire.example"))
    assert abs(known.expire_time.ToMilliseconds() - unknown.expire_time.ToMilliseconds()) < 30_000
    await coded(town, server)

    assert [ADDRESS] * 3 == [envelope.rcpt_tos[0] for envelope in server.mails]
    for address in (ADDRESS, "no@shire.example", "never@shire.example"):
        assert WRONG == await refused(come(town, address, "2222-2222"))


@pytest.mark.parametrize("known", [True, False])
async def test_an_answer_waits_for_no_mail(town, server, monkeypatch, known):
    """Nor for the ledger: who is known is found out behind it."""
    if known:
        await set_to(await town.account(), server)
    looked, may_look = asyncio.Event(), asyncio.Event()
    look = town.store.account_at

    async def account_at(address):
        looked.set()
        await may_look.wait()
        return await look(address)

    monkeypatch.setattr(town.store, "account_at", account_at)
    assert await town.nobody().ask(mail.BeginMailLoginRequest(address=ADDRESS))
    await asyncio.wait_for(looked.wait(), 10)
    may_look.set()
    await asyncio.wait_for(town.process.gateway.ways_in.mail.mailer._waiting.join(), 10)

    assert (2 if known else 0) == len(server.mails)


async def test_a_mailbox_gets_few_mails_an_hour(town, server):
    """Whoever asks; the answer is the same, and the last code stands."""
    rosie = await town.account()
    await set_to(rosie, server)
    codes = [await coded(town, server) for _ in range(4)]
    for _ in range(5):
        assert await town.nobody().ask(mail.BeginMailLoginRequest(address=ADDRESS))
    assert "RATE_LIMITED" == await reason(rosie.ask(mail.SetAddressRequest(address=ADDRESS)))
    await town.process.gateway.ways_in.mail.mailer._waiting.join()

    assert 5 == len(server.mails) == logic.MOST_AN_HOUR
    assert await come(town, ADDRESS, codes[-1])


@pytest.mark.parametrize("town", [{"mails_burst": 2}], indirect=True)
async def test_an_address_asks_for_few_mails(town, server):
    """And an account likewise; to whomever they go."""
    asking = [
        town.nobody().ask(mail.BeginMailLoginRequest(address=f"a{n}@shire.example"))
        for n in range(3)
    ]
    found = await asyncio.gather(*asking, return_exceptions=True)
    assert 2 == sum(isinstance(one, mail.BeginMailLoginResponse) for one in found)
    rosie = await town.account()
    for n in range(2):
        await rosie.ask(mail.SetAddressRequest(address=f"b{n}@shire.example"))
    assert "RATE_LIMITED" == await reason(rosie.ask(mail.SetAddressRequest(address=ADDRESS)))


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 2}], indirect=True)
async def test_an_address_guesses_few_codes(town):
    said = [await reason(come(town, ADDRESS, "2222-2222")) for _ in range(3)]

    assert ["UNAUTHENTICATED"] * 2 + ["RATE_LIMITED"] == said


# What is no address.

BAD = [
    "",
    "rosie",
    "rosie@",
    "@shire.example",
    "rosie@shire",
    "rosie@shire..example",
    "rosie@-shire.example",
    "rosie..c@shire.example",
    ".rosie@shire.example",
    "rosie@shire.example\r\nBcc: all@example.org",
    "rosie@shire.example\nX: y",
    "rosie\r\nDATA@shire.example",
    "rosie@shire.example>",
    "<rosie@shire.example>",
    "rosie@shire.example, sam@shire.example",
    "rosie@shire.example sam",
    "rosie shire@shire.example",
    '"rosie"@shire.example',
    "rosie(a)@shire.example",
    "rosie@[127.0.0.1]",
    "rosie@shire.example\0",
    "ros\u0131e@shire.example",
    "rosie@sh\u00efre.example",
    "x" * 65 + "@shire.example",
    "rosie@" + "x" * 64 + ".example",
    "rosie@" + "shire." * 42 + "example",
]


@pytest.mark.parametrize("address", BAD, ids=repr)
async def test_what_is_no_address_is_told(town, server, address):
    """And nothing is sent, nor any header written."""
    rosie = await town.account()
    for asking in (
        town.nobody().ask(mail.BeginMailLoginRequest(address=address)),
        rosie.ask(mail.SetAddressRequest(address=address)),
        come(town, address, "2222-2222"),
    ):
        denied = await refusal(asking)
        assert ("INVALID_REQUEST", "address") == (denied.reason, denied.metadata["field"])
    assert not server.mails


@pytest.mark.parametrize(
    "address", ["a@b.cd", "A.b+c_d-e@x-y.Z9.example", "o'hara=x@shire.example"]
)
async def test_plain_addresses_of_every_kind_are_taken(town, server, address):
    assert address.lower() == await set_to(await town.account(), server, address)


# The server.


async def test_a_server_that_is_busy_is_asked_again(town, server, monkeypatch):
    """Once; what it does not take then is not sent, and the next mail is."""
    monkeypatch.setattr(mailing, "PAUSE_SECONDS", 0)
    server.refusals = ["451 later"]
    rosie = await town.account()
    await set_to(rosie, server)
    server.refusals = ["451 later", "554 never"]
    assert await town.nobody().ask(mail.BeginMailLoginRequest(address=ADDRESS))
    await until(lambda: not server.refusals)

    assert await come(town, ADDRESS, await coded(town, server))


@pytest.mark.parametrize("town", [{"mail_url": "smtp://127.0.0.1:9"}], indirect=True)
async def test_a_server_that_is_away_keeps_nobody_waiting(town, monkeypatch):
    """Whoever asks is answered, and the senders go on."""
    monkeypatch.setattr(mailing, "PAUSE_SECONDS", 0)
    rosie = await town.account()
    assert await rosie.ask(mail.SetAddressRequest(address=ADDRESS))
    mailer = town.process.gateway.ways_in.mail.mailer
    await asyncio.wait_for(mailer._waiting.join(), 10)

    assert not any(task.done() for task in mailer._senders)


async def test_what_waits_is_bounded(town, server, monkeypatch):
    """What is too much is not sent, and whoever asks is answered all the same."""
    mailer = town.process.gateway.ways_in.mail.mailer
    held = asyncio.Event()

    async def hold():
        await held.wait()

    for _ in range(mailing.SENDERS):
        mailer.put(hold)
    await until(mailer._waiting.empty)
    for _ in range(mailing.MOST_WAITING + 50):
        mailer.put(hold)
    assert await town.nobody().ask(mail.BeginMailLoginRequest(address=ADDRESS))
    assert mailing.MOST_WAITING == mailer._waiting.qsize()
    held.set()
    await asyncio.wait_for(mailer._waiting.join(), 10)
