"""A client of HTTP/1.1 that does as it is told, right or wrong."""

from __future__ import annotations

import asyncio
import base64
import json
import zlib
from typing import NamedTuple

from google.protobuf import json_format
from google.rpc.error_details_pb2 import ErrorInfo

from bree.process.statuses import PREFIX
from tests.gateway.town import PATHS, PATIENCE, RESPONSES

PROTO, JSON = "application/proto", "application/json"
FROM_OWN_PAGE = {"sec-fetch-site": "same-origin", "connect-protocol-version": "1"}


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes
    cookies: list[str]

    def json(self):
        return json.loads(self.body)

    @property
    def info(self):
        return info_of(self.json())

    @property
    def reason(self):
        return self.info.reason.removeprefix(PREFIX)


def info_of(error):
    """The reason within an error of Connect, as a client of any language finds it."""
    [detail] = error["details"]
    assert "google.rpc.ErrorInfo" == detail["type"]
    value = detail["value"]
    return ErrorInfo.FromString(base64.b64decode(value + "=" * (-len(value) % 4)))


class Link:
    """One connection."""

    def __init__(self, port, tls=None, token=None):
        self.port, self.tls, self.token = port, tls, token
        self.reader = self.writer = None

    async def open(self):
        given = {"ssl": self.tls, "server_hostname": "localhost"} if self.tls else {}
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, **given)
        return self

    async def send(self, data):
        if self.writer is None:
            await self.open()
        self.writer.write(data)

    async def ask(self, method="GET", path="/", body=b"", **headers):
        """Ask, and read the whole answer."""
        await self.send(self.request(method, path, body, headers))
        return await self.answer(is_bare=method == "HEAD")

    def request(self, method, path, body=b"", headers=()):
        said = {"host": "localhost"}
        if self.token is not None:
            said["authorization"] = f"Bearer {self.token}"
        if body or method == "POST":
            said["content-length"] = str(len(body))
        said |= {name.replace("_", "-"): value for name, value in dict(headers).items()}
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in said.items() if value is not None]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body

    async def head(self):
        """The status and the headers of an answer."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        pairs = [line.split(": ", 1) for line in lines]
        cookies = [value for name, value in pairs if name == "set-cookie"]
        return Answer(int(first.split()[1]), dict(pairs), b"", cookies)

    async def answer(self, *, is_bare=False):
        answer = await self.head()
        length = int(answer.headers.get("content-length", 0))
        if answer.headers.get("transfer-encoding") == "chunked":
            body = b"".join([piece async for piece in self.pieces()])
        else:
            read = self.reader.readexactly(0 if is_bare else length)
            body = await asyncio.wait_for(read, PATIENCE)
        return answer._replace(body=body)

    async def pieces(self):
        """What comes in chunks, up to the end."""
        while size := int(await asyncio.wait_for(self.reader.readline(), PATIENCE), 16):
            yield await self.reader.readexactly(size)
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)

    async def is_closed(self):
        """Whether nothing more comes, and the other end has closed."""
        return not await asyncio.wait_for(self.reader.read(), PATIENCE)

    def close(self):
        if self.writer is not None:
            self.writer.close()

    # Methods.

    async def call(self, request, kind=PROTO, **headers):
        """Call the method that takes this request; the answer as it comes."""
        name = request.DESCRIPTOR.full_name
        body = request.SerializeToString()
        if kind == JSON:
            body = json_format.MessageToJson(request).encode()
        return await self.ask("POST", PATHS[name], body, content_type=kind, **headers)

    async def tell(self, request, kind=PROTO, **headers):
        """The same; the message that is answered."""
        answer = await self.call(request, kind, **headers)
        assert 200 == answer.status, answer
        return read(request, answer, kind)

    async def stream(self, request, kind=PROTO, **headers):
        """Begin a stream."""
        data = request.SerializeToString()
        if kind == JSON:
            data = json_format.MessageToJson(request).encode()
        said = {"content-type": f"application/connect+{kind.rpartition('/')[2]}", **headers}
        body = b"\0" + len(data).to_bytes(4, "big") + data
        await self.send(self.request("POST", PATHS[request.DESCRIPTOR.full_name], body, said))
        return Told(self, request, kind, await self.head())


def read(request, answer, kind):
    """The message in an answer."""
    body = answer.body
    if answer.headers.get("content-encoding") == "gzip":
        body = zlib.decompress(body, 31)
    return parsed(request, body, kind)


def parsed(request, data, kind):
    """The response to a request of this kind."""
    response = RESPONSES[request.DESCRIPTOR.full_name]
    return json_format.Parse(data, response()) if kind == JSON else response.FromString(data)


class Told:
    """A stream: its messages, and how it ended."""

    def __init__(self, link, request, kind, head):
        self.link, self.request, self.kind, self.head = link, request, kind, head
        self.flags = []
        self.last = None  # what the end says
        self._pieces = link.pieces()
        self._data = b""

    async def next(self):
        """The next message; None at the end."""
        flags = (await self._take(1))[0]
        data = await self._take(int.from_bytes(await self._take(4), "big"))
        self.flags.append(flags)
        if flags & 1:
            data = zlib.decompress(data, 31)
        if flags & 2:
            self.last = json.loads(data)
            assert not [piece async for piece in self._pieces], "something comes after the end"
            return None
        return parsed(self.request, data, self.kind)

    async def _take(self, size):
        while len(self._data) < size:
            self._data += await anext(self._pieces)
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    async def rest(self):
        told = []
        while (message := await self.next()) is not None:
            told.append(message)
        return told

    @property
    def reason(self):
        return info_of(self.last["error"]).reason.removeprefix(PREFIX)
