"""A provider of OpenID Connect: what it says of itself, and who somebody is that it sends back.

Design. The one provider is named by the host's configuration, and where its parts are by nothing
but its own description, which has to have exactly that name. A code is exchanged at once, with the
verifier that only this platform has. What an id_token says is read by `joserfc` and checked by
`authlib`: signed with a key that the provider publishes, by an algorithm that takes no shared
secret; from this provider, for this client, for this attempt, and not too late. Keys are fetched
again after an hour, or when one is missing, but for that at most once a minute.
"""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote_plus, urlencode, urlsplit

import structlog
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from bree.process.statuses import Denied
from gateway.fetching import Unreached, fetch
from gateway.refusals import wrong_proof

log = structlog.get_logger()

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
"""All of them take a public key: nobody signs with what he can read."""

SCOPES = "openid profile email"
LEEWAY_SECONDS = 60
FRESH_SECONDS = 3600.0
"""How long a description and keys are believed."""

KEYS_PAUSE_SECONDS = 60.0
"""Between two looks for a key that is missing."""

REST_SECONDS = 2.0
"""How long a provider is left alone that did not answer."""

MOST_KEYS, LONGEST_TOKEN = 50, 32_768
LONGEST_SUBJECT, LONGEST_LABEL = 255, 80
MOST_AT_ONCE = 16
"""Exchanges that one gateway has under way; others wait, as long as their callers do."""


class Client(NamedTuple):
    """What this platform is at the provider."""

    issuer: str
    id: str
    secret: str
    redirect_uri: str


class Person(NamedTuple):
    """Who somebody is at the provider."""

    subject: str
    label: str


class Described(NamedTuple):
    """What the provider says of itself."""

    authorization: str
    token: str
    keys: str
    names_itself: bool  # where it sends people back to
    takes_basic: bool


class Provider:
    """The provider, as one gateway asks it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._described: Described | None = None
        self._keys = KeySet([])
        self._described_at = self._keys_at = self._looked_at = self._failed_at = float("-inf")
        self._lock = asyncio.Lock()
        self._room = asyncio.Semaphore(MOST_AT_ONCE)

    def address(self, described: Described, state: str, nonce: str, verifier: str) -> str:
        """Where a browser goes to log in."""
        asked = {
            "response_type": "code",
            "client_id": self.client.id,
            "redirect_uri": self.client.redirect_uri,
            "scope": SCOPES,
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        joint = "&" if urlsplit(described.authorization).query else "?"
        return described.authorization + joint + urlencode(asked)

    async def person(self, code: str, nonce: str, verifier: str, issuer: str) -> Person:
        """Who came back with a code; `issuer` is what the address said that he came back to."""
        async with self._room:
            described = await self.description()
            if (issuer or described.names_itself) and issuer != self.client.issuer:
                log.info("provider refused", why="it is another issuer")
                raise wrong_proof()
            token = await self._exchanged(described, code, verifier)
            return await self._read(token, nonce)

    # Its description.

    async def description(self) -> Described:
        """What the provider says of itself, lately at least."""
        async with self._lock:
            now = time.monotonic()
            if self._described is None or now - self._described_at > FRESH_SECONDS:
                url = self.client.issuer.removesuffix("/") + "/.well-known/openid-configuration"
                self._described = self._checked(await self._json(url))
                self._described_at = now
            return self._described

    def _checked(self, said: Mapping[str, Any]) -> Described:
        if said.get("issuer") != self.client.issuer:
            raise _away("it calls itself by another name than BREE_OIDC_ISSUER")
        names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        parts = {name: said.get(name) for name in names}
        if not all(self._is_address(part) for part in parts.values()):
            raise _away("it does not say where its parts are")
        methods = said.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        return Described(
            authorization=str(parts["authorization_endpoint"]),
            token=str(parts["token_endpoint"]),
            keys=str(parts["jwks_uri"]),
            names_itself=said.get("authorization_response_iss_parameter_supported") is True,
            takes_basic="client_secret_basic" in methods,
        )

    def _is_address(self, url: object) -> bool:
        """Whether a part of it is spoken to as safely as itself."""
        schemes = {"https", urlsplit(self.client.issuer).scheme}
        if not isinstance(url, str) or not url.isascii() or not url.isprintable() or " " in url:
            return False
        return urlsplit(url).scheme in schemes and bool(urlsplit(url).hostname)

    async def _json(self, url: str) -> Mapping[str, Any]:
        """What it says at an address; those who waited for an answer that failed are told so."""
        if time.monotonic() - self._failed_at < REST_SECONDS:
            raise _away("it did not answer a moment ago")
        try:
            answer = await fetch(url)
            said = json.loads(answer.body) if answer.status == 200 else None
        except (Unreached, ValueError, RecursionError) as error:
            self._failed_at = time.monotonic()
            raise _away(str(error)) from None
        if not isinstance(said, dict):
            self._failed_at = time.monotonic()
            raise _away(f"it answers {answer.status}")
        return said

    # A code.

    async def _exchanged(self, described: Described, code: str, verifier: str) -> str:
        """The id_token for a code."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.client.redirect_uri,
            "code_verifier": verifier,
        }
        proof = ""
        if self.client.secret and described.takes_basic:
            proof = _basic(self.client)
        else:
            form["client_id"] = self.client.id
            form |= {"client_secret": self.client.secret} if self.client.secret else {}
        try:
            answer = await fetch(described.token, form, proof)
        except Unreached as error:
            raise _away(str(error)) from None
        if 400 <= answer.status < 500:
            log.info("provider refused", why=f"its token endpoint answers {answer.status}")
            raise wrong_proof()
        return _id_token(answer.status, answer.body)

    # An id_token.

    async def _read(self, token: str, nonce: str) -> Person:
        try:
            try:
                read = jwt.decode(token, await self._fetched(), ALGORITHMS)
            except InvalidKeyIdError:
                read = jwt.decode(token, await self._fetched(is_missing=True), ALGORITHMS)
            claims = CodeIDToken(
                read.claims,
                read.header,
                {
                    "iss": {"essential": True, "value": self.client.issuer},
                    "aud": {"essential": True, "value": self.client.id},
                },
                {"nonce": nonce, "client_id": self.client.id},
            )
            claims.validate(leeway=LEEWAY_SECONDS)
        except (JoseError, ValueError, TypeError, RecursionError) as error:
            log.info("provider refused", why=f"{type(error).__name__}: {error}"[:200])
            raise wrong_proof() from None
        return _person(read.claims)

    async def _fetched(self, *, is_missing: bool = False) -> KeySet:
        """The provider's keys; a key that is missing is looked for, though not too often."""
        async with self._lock:
            now = time.monotonic()
            looks = is_missing and now - self._looked_at > KEYS_PAUSE_SECONDS
            if looks or now - self._keys_at > FRESH_SECONDS:
                self._looked_at = now if looks else self._looked_at
                assert self._described is not None, "a code was exchanged"
                self._keys = _keys(await self._json(self._described.keys))
                self._keys_at = now
            return self._keys


def _basic(client: Client) -> str:
    both = f"{quote_plus(client.id)}:{quote_plus(client.secret)}"
    return "Basic " + base64.b64encode(both.encode("ascii")).decode("ascii")


def _id_token(status: int, body: bytes) -> str:
    try:
        said = json.loads(body) if status == 200 else None
    except (ValueError, RecursionError):
        said = None
    token = said.get("id_token") if isinstance(said, dict) else None
    if not isinstance(token, str) or not 1 <= len(token) <= LONGEST_TOKEN:
        raise _away("it gives no id_token")
    return token


def _keys(said: Mapping[str, Any]) -> KeySet:
    """The public keys of a set; secrets, and kinds that nobody knows, are left out."""
    rows = said.get("keys")
    if not isinstance(rows, list) or len(rows) > MOST_KEYS:
        raise _away("it has no keys, or too many")
    found = []
    for row in rows:
        if isinstance(row, dict) and row.get("kty") in {"RSA", "EC"}:
            try:
                found += KeySet.import_key_set({"keys": [row]}).keys
            except (JoseError, ValueError, TypeError) as error:
                log.info("key of the provider left out", why=type(error).__name__)
    return KeySet(found)


def _person(claims: Mapping[str, Any]) -> Person:
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 1 <= len(subject) <= LONGEST_SUBJECT:
        raise wrong_proof()
    if not subject.isascii() or not subject.isprintable():
        raise wrong_proof()
    names = (claims.get(claim) for claim in ("preferred_username", "email", "name"))
    label = next((name for name in names if isinstance(name, str) and name), "")
    return Person(subject, "".join(c for c in label if c.isprintable())[:LONGEST_LABEL])


def _away(why: str) -> Denied:
    log.warning("provider away", why=why)
    return Denied("UNAVAILABLE", "the provider does not answer as it should", part="provider")
