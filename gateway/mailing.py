"""Sends mail: from a queue, by a few senders, so that nobody who asks for one waits for it.

Design. What is sent, and whether anything is, is found out by the sender, not by who asks: so an
answer takes as long for an address that somebody has as for one that nobody has. A sender begins
after a while that chance decides, so that the next answer, too, says nothing of whether there is
something to send. What a server does not take at the second try is not sent; whoever waits for it
asks again.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.message import EmailMessage

import aiosmtplib
import structlog

from bree.process.statuses import Denied
from gateway.mail_words import MailServer

log = structlog.get_logger()

SENDERS, MOST_WAITING = 16, 1000
SECONDS = 20.0
"""How long one try may take."""

LONGEST_REST_SECONDS = 2.0
"""How long a sender waits at most before it looks what there is to send."""

TRIES, PAUSE_SECONDS = 2, 2.0
CLOSE_SECONDS = 3.0
"""How long what waits is still sent when the gateway stops."""

Work = Callable[[], Awaitable[EmailMessage | None]]
"""Finds out what is to be sent, if anything is."""


class Mailer:
    """The queue and its senders."""

    def __init__(self, server: MailServer) -> None:
        self.server = server
        self._tls = ssl.create_default_context()  # once, as it takes long
        self._waiting: asyncio.Queue[Work] = asyncio.Queue(MOST_WAITING)
        self._senders: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to send."""
        self._senders = [asyncio.create_task(self._send_all()) for _ in range(SENDERS)]

    def put(self, work: Work) -> None:
        """Have something sent, if there is room for it."""
        try:
            self._waiting.put_nowait(work)
        except asyncio.QueueFull:
            log.warning("mail not sent", why="too many wait")

    async def close(self) -> None:
        """Send what waits, for a moment."""
        if self._senders:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._waiting.join(), CLOSE_SECONDS)
        for task in self._senders:
            task.cancel()
        await asyncio.gather(*self._senders, return_exceptions=True)

    async def _send_all(self) -> None:
        while True:
            work = await self._waiting.get()
            try:
                await self._do(work)
            except Denied as denied:  # the ledger is away; who waits for a mail asks again
                log.warning("mail not sent", why=denied.message)
            except Exception:
                log.exception("mail not sent")
            finally:
                self._waiting.task_done()

    async def _do(self, work: Work) -> None:
        await asyncio.sleep(LONGEST_REST_SECONDS * secrets.randbelow(1000) / 1000)
        message = await work()
        for left in reversed(range(TRIES if message else 0)):
            assert message is not None, "else nothing is tried"
            try:
                async with asyncio.timeout(SECONDS):
                    await self._send(message)
            except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
                log.warning("mail not taken", why=type(error).__name__, again=bool(left))
            else:
                return
            await asyncio.sleep(PAUSE_SECONDS if left else 0)

    async def _send(self, message: EmailMessage) -> None:
        server = self.server
        await aiosmtplib.send(
            message,
            hostname=server.host,
            port=server.port,
            username=server.user or None,
            password=server.password or None,
            use_tls=server.is_tls,
            start_tls=True if server.needs_tls and not server.is_tls else None,
            tls_context=self._tls,
            local_hostname=str(message["From"]).rpartition("@")[2].rstrip(">"),
            timeout=SECONDS,
        )
