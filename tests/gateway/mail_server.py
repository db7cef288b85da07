"""A server of SMTP on loopback that keeps what it is sent."""

from __future__ import annotations

import asyncio
import email
import email.policy
import re
from contextlib import suppress

from aiosmtpd.smtp import SMTP, AuthResult


class MailServer:
    """The server, and the mailboxes behind it."""

    def __init__(self, **given):
        self.given = given
        self.tls = None  # spoken from the first byte on
        self.mails = []  # as they came
        self.auths = []
        self.refusals = []  # what the next mails are answered instead
        self.came = asyncio.Condition()
        self._server = None
        self._open = []

    async def start(self):
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def _connection(self):
        made = SMTP(self, authenticator=self._known, loop=asyncio.get_running_loop(), **self.given)
        self._open.append(made)
        return made

    def _known(self, server, session, envelope, mechanism, data):
        self.auths.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=data.password == b"p@ss:word/1")

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 (so aiosmtpd calls it)
        async with self.came:
            if self.refusals:
                return self.refusals.pop(0)
            self.mails.append(envelope)
            self.came.notify_all()
        return "250 taken"

    async def mail(self, number=1, patience=10):
        """The so-many-th mail, once it has come."""
        async with asyncio.timeout(patience), self.came:
            await self.came.wait_for(lambda: len(self.mails) >= number)
        return self.mails[number - 1]

    async def code(self, number=1):
        """The code within it."""
        said = read(await self.mail(number)).get_content()
        [code] = re.findall(r"^ +([A-Z2-9]{4}-[A-Z2-9]{4})\r?$", said, re.MULTILINE)
        return code

    async def stop(self):
        self._server.close()
        for one in self._open:
            with suppress(AttributeError):
                one.transport.abort()
        await self._server.wait_closed()


def read(envelope):
    """A mail as a program of mail reads it."""
    return email.message_from_bytes(envelope.content, policy=email.policy.default)
