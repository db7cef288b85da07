"""A small provider of OpenID Connect on loopback, with its evil twins.

Design. It does what the protocol says: describes itself, logs one person in without asking, gives a
code to an address that its client has registered, and exchanges that once, for the client whose it
is, against the verifier. What a test changes of it (`claims`, `sign`, `replies`, `says`) makes it a
twin that does the same but for one thing.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import secrets
import time
from contextlib import suppress
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, RSAKey

CLIENT, SECRET = "bree", "a secret: of/ours & nobody's"


def new_key(alg="RS256"):
    """A key that signs, with a name."""
    named = {"kid": secrets.token_hex(4), "use": "sig", "alg": alg}
    if alg.startswith("ES"):
        return ECKey.generate_key("P-256", named)
    return RSAKey.generate_key(2048, named)


class OpenIdProvider:
    """The provider, and who is logged in there."""

    def __init__(self, redirect_uri, keys):
        self.redirect_uris = {CLIENT: redirect_uri, "another": "https://another.example/back"}
        self.secrets = {CLIENT: SECRET, "another": "theirs"}
        self.keys = list(keys)
        self.subject, self.more = "s-1", {"preferred_username": "Rosie Cotton"}
        self.codes = {}
        self.claims = {}  # what an id_token says otherwise; None: not at all
        self.sign = self.signed
        self.says = {}  # what its description says otherwise
        self.replies = {}  # what it does at a path instead, with the writer
        self.asked = []  # the paths
        self.names_itself = True
        self._server = None
        self._tasks = set()

    async def start(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.issuer = f"http://127.0.0.1:{self.port}"
        return self

    async def stop(self):
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    # HTTP.

    async def _serve(self, reader, writer):
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._one(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _one(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        method, target, _ = first.split(" ")
        path = urlsplit(target).path
        query = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        self.asked.append(path)
        if path in self.replies:
            await self.replies[path](writer)
            return
        status, said, more = self._answer(method, path, query, form, headers)
        data = json.dumps(said).encode()
        lines = [f"HTTP/1.1 {status} X", f"content-length: {len(data)}", *more, "", ""]
        writer.write("\r\n".join(lines).encode() + data)
        await writer.drain()
        writer.write_eof()
        await reader.read()

    def _answer(self, method, path, query, form, headers):
        match method, path:
            case "GET", "/.well-known/openid-configuration":
                return 200, self.description(), []
            case "GET", "/jwks":
                return 200, KeySet(self.keys).as_dict(), []
            case "GET", "/authorize":
                return self._authorized(query)
            case "POST", "/token":
                return *self._exchanged(form, headers.get("authorization", "")), []
        return 404, {}, []

    # The protocol.

    def description(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "authorization_response_iss_parameter_supported": self.names_itself,
        } | self.says

    def _authorized(self, query):
        if query.get("redirect_uri") != self.redirect_uris.get(query.get("client_id")):
            return 400, {"error": "invalid_request"}, []  # and nobody is sent anywhere
        if query.get("code_challenge_method") != "S256" or query.get("response_type") != "code":
            return 400, {"error": "invalid_request"}, []
        code = secrets.token_urlsafe(16)
        self.codes[code] = query | {"sub": self.subject} | self.more
        back = {"code": code, "state": query["state"]}
        back |= {"iss": self.issuer} if self.names_itself else {}
        return 302, {}, [f"location: {query['redirect_uri']}?{urlencode(back)}"]

    def _exchanged(self, form, authorization):
        client, secret = form.get("client_id", ""), form.get("client_secret", "")
        if authorization.startswith("Basic "):
            both = base64.b64decode(authorization.removeprefix("Basic ")).decode()
            client, secret = (unquote_plus(part) for part in both.split(":"))
        if not client or self.secrets.get(client) != secret:
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form.get("code"), None)
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
        is_right = (
            asked
            and form.get("grant_type") == "authorization_code"
            and asked["client_id"] == client
            and asked["redirect_uri"] == form.get("redirect_uri")
            and asked["code_challenge"] == challenge
        )
        if not is_right:
            return 400, {"error": "invalid_grant"}
        token = self.sign(self.said(asked))
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": token}

    def said(self, asked):
        """What an id_token says."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": asked["client_id"],
            "sub": asked["sub"],
            "nonce": asked.get("nonce"),
            "iat": now,
            "exp": now + 300,
            "preferred_username": asked.get("preferred_username"),
        } | self.claims
        return {name: value for name, value in claims.items() if value is not None}

    def signed(self, claims, key=None, **header):
        key = key or self.keys[-1]
        alg = header.get("alg") or key.get("alg")
        return jwt.encode({"kid": key.kid, **header, "alg": alg}, claims, key, [alg])


async def visited(url):
    """Where a browser is sent that goes to an address; nothing if it is sent nowhere."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    lines = (f"GET {parts.path}?{parts.query} HTTP/1.1", f"host: {parts.netloc}")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    writer.transport.abort()
    found = [line for line in head.split("\r\n") if line.lower().startswith("location: ")]
    return found[0].partition(": ")[2] if found else ""
