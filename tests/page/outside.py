"""A provider of OpenID Connect and a mail server for the tests of the page, until nobody listens.

`python -m tests.page.outside FOLDER REDIRECT_URI` says in one line of JSON where they are. FOLDER
has `who`, the subject and the name of whoever comes to the provider next (nothing: he refuses), and
gets `mails`: a line for each mail that has come, with the address and the code in it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.gateway.mail_server import MailServer, read
from tests.gateway.openid_provider import CLIENT, SECRET, OpenIdProvider, new_key

CODE = re.compile(r"^ +([A-Z2-9]{4}-[A-Z2-9]{4})\r?$", re.MULTILINE)


class Provider(OpenIdProvider):
    """One where a test says who is logged in."""

    def __init__(self, folder: Path, redirect_uri: str) -> None:
        super().__init__(redirect_uri, [new_key()])
        self.folder = folder

    def _authorized(self, query: dict[str, str]) -> Any:
        who = (self.folder / "who").read_text("utf-8").split(maxsplit=1)
        if not who:
            back = urlencode({"error": "access_denied", "state": query["state"]})
            return 302, {}, [f"location: {query['redirect_uri']}?{back}"]
        self.subject, self.more = who[0], {"preferred_username": who[1]}
        return super()._authorized(query)


class Mail(MailServer):
    """One that tells of each mail."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 (so aiosmtpd calls it)
        said: str = await super().handle_DATA(server, session, envelope)
        [code] = CODE.findall(read(envelope).get_content())
        with (self.folder / "mails").open("a", encoding="utf-8") as mails:
            mails.write(f"{envelope.rcpt_tos[0]} {code}\n")
        return said


async def main(folder: Path, redirect_uri: str) -> None:
    """Serve until standard input ends."""
    (folder / "who").write_text("s-1 Rosie Cotton", "utf-8")
    (folder / "mails").touch()
    provider, mail = await Provider(folder, redirect_uri).start(), await Mail(folder).start()
    where = {"issuer": provider.issuer, "client": CLIENT, "secret": SECRET, "smtp": mail.port}
    sys.stdout.write(json.dumps(where) + "\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await provider.stop()
    await mail.stop()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
