"""Addresses of mail, servers that send it, and what is sent.

Design. An address is of the plain kind that all servers take: letters, digits and a few signs, none
of which a header or a command of SMTP knows. What is sent is plain text with nothing in it that
anybody outside has written, so that nobody sends his own words to others by it.
"""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, localtime, make_msgid
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

LONGEST_ADDRESS, LONGEST_LOCAL = 254, 64
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)+{_LABEL}")
PORTS = {"smtp": 587, "smtps": 465}
LOOPBACK = {"localhost", "127.0.0.1", "::1"}

LOGIN = """\
This is your code to log in at {where}:

    {code}

Type it there, on the page on which you have asked for it. It is good for ten minutes, and once.

If you have not asked for it, do nothing: nobody comes in without it. Give it to nobody, whatever
he says who he is.
"""
CONFIRM = """\
This is the code that makes this your address at {where}:

    {code}

Type it there, where you have given the address. It is good for ten minutes, and once. From then on
you can log in by codes that come here.

If you have not asked for it, do nothing: somebody has mistyped his own address, and learns nothing
of yours.
"""


class MailServer(NamedTuple):
    """Who sends mail for this platform."""

    host: str
    port: int
    user: str
    password: str
    is_tls: bool  # from the first byte on

    @property
    def needs_tls(self) -> bool:
        """Whether nothing is said to it in the open: it would read a password that others hear."""
        return bool(self.user) and self.host not in LOOPBACK


def mail_address(text: str) -> str:
    """An address in lower case; ValueError with a sentence if it is none."""
    address = text.lower()
    local = address.partition("@")[0]
    is_long = len(address) > LONGEST_ADDRESS or len(local) > LONGEST_LOCAL
    if is_long or not text.isascii() or not ADDRESS.fullmatch(address):
        raise ValueError("an address is such as rosie@example.org, in at most 254 plain characters")
    return address


def mail_server(url: str) -> MailServer:
    """What an address of a server says; ValueError with a sentence that tells nothing of it."""
    wrong = "a mail server is smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before it"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(wrong) from None
    beyond = parts.path not in {"", "/"} or parts.query or parts.fragment
    if parts.scheme not in PORTS or not host or beyond or not url.isprintable():
        raise ValueError(wrong)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(host, port or PORTS[parts.scheme], user, password, parts.scheme == "smtps")


def written(sender: str, to: str, text: str, where: str, code: str) -> EmailMessage:
    """One mail; its code is in the text and not in the subject, which shows on locked screens."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = f"Bree <{sender}>", to
    message["Subject"] = "Your code for Bree"
    message["Date"] = format_datetime(localtime())
    message["Message-ID"] = make_msgid(domain=sender.partition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text.format(where=where, code=code), cte="7bit")
    return message
