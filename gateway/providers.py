"""Identities at a provider: linked with an account, and the proof by which somebody comes in.

Design. Whoever begins is given a state, which goes to the provider and back through addresses that
others may see, and a binding, which stays where he is. What the platform keeps of the attempt is
the hash of the binding, with the nonce and the verifier that nobody else ever has; it is taken once
and for one thing. So an answer that somebody else began, or that was seen on the way, is worth
nothing: neither to log in, nor to log somebody in as another, nor to link what is not his. Where
the browser comes back to is fixed, and nothing that anybody says changes it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import providers_pb2 as providers
from bree.process.statuses import Denied
from gateway import call_context, wire
from gateway.accounts import GUEST_TRIES, hash_of, new_token
from gateway.documents import Account
from gateway.keyring import ANYHOW, Identity, Kept
from gateway.matches import now_ms
from gateway.means import Means
from gateway.names import guest_name, random_word
from gateway.openid import Person, Provider
from gateway.refusals import invalid, last_way, limit_reached, unauthenticated, wrong_proof

MOST_IDENTITIES = 10
ATTEMPT_MS = 10 * 60_000
"""How long somebody may take at the provider."""

LONGEST_CODE, LONGEST_WORD, LONGEST_ISSUER = 2048, 64, 2048
LOGIN = "log in by the provider"
BEGIN_PRICE = 4
"""What beginning costs an address besides, as it writes something down."""


class Attempt(NamedTuple):
    """What somebody is given who begins."""

    url: str
    state: str
    binding: str


Keep = Callable[[Mapping[str, str]], Awaitable[str]]
"""Keeps what belongs to an attempt; gives its state."""


class Providers:
    """The methods of ProviderService, and the proof that they lead to."""

    def __init__(self, provider: Provider | None, name: str, means: Means) -> None:
        self.provider, self.name = provider, name
        self.store, self.visitors, self.once, self.usable = means

    def _there(self) -> Provider:
        if self.provider is None:
            message = "nobody logs in by a provider here: the host has configured none"
            raise Denied("NOT_ALLOWED", message, needs="BREE_OIDC_ISSUER")
        return self.provider

    async def show(self, _: providers.GetProviderRequest) -> providers.GetProviderResponse:
        said = providers.GetProviderResponse(passkeys=self.usable.passkeys, mail=self.usable.mail)
        if self.provider is not None:
            said.name, said.issuer = self.name, self.provider.client.issuer
        return said

    # Beginning.

    async def begin_login(
        self, _: providers.BeginProviderLoginRequest
    ) -> providers.BeginProviderLoginResponse:
        self._there()
        address = call_context.address.get()()
        await self.visitors.let_in(self.visitors.looks, address, BEGIN_PRICE)

        async def keep(said: Mapping[str, str]) -> str:
            return await self.once.for_address(LOGIN, address, ATTEMPT_MS, said)

        return providers.BeginProviderLoginResponse(**(await self._begun(keep))._asdict())

    async def begin_link(
        self, account: Account, _: providers.BeginProviderLinkRequest
    ) -> providers.BeginProviderLinkResponse:
        async def keep(said: Mapping[str, str]) -> str:
            return await self.once.for_account(_linking(account), account.id, ATTEMPT_MS, said)

        return providers.BeginProviderLinkResponse(**(await self._begun(keep))._asdict())

    async def _begun(self, keep: Keep) -> Attempt:
        provider = self._there()
        described = await provider.description()  # else nothing is kept of what cannot go on
        nonce, verifier, binding = (secrets.token_urlsafe(32) for _ in range(3))
        state = await keep({"nonce": nonce, "verifier": verifier, "binding": _hash_of(binding)})
        return Attempt(provider.address(described, state, nonce, verifier), state, binding)

    # What came back.

    async def _person(self, purpose: str, proof: pb.ProviderProof) -> Person:
        """Who came back; an attempt is over by this, whatever comes of it."""
        provider = self._there()
        _check(proof)
        kept = await self.once.take(purpose, proof.state)
        if kept is None or not hmac.compare_digest(kept["binding"], _hash_of(proof.binding)):
            raise wrong_proof()
        return await provider.person(proof.code, kept["nonce"], kept["verifier"], proof.issuer)

    async def prove(self, request: pb.StartSessionRequest) -> Account:
        """The account that an identity is linked with; a new guest's if it was with none."""
        who = call_context.address.get()()
        self._there()
        await self.visitors.let_in(self.visitors.guesses, who)
        person = await self._person(LOGIN, request.provider)
        self.visitors.no_guess(who)
        issuer = self._there().client.issuer
        known = await self.store.identity(issuer, person.subject)
        if known is None:
            await self.visitors.let_in(self.visitors.made, who)
            return await self._new(issuer, person)
        await self.store.use_identity(known._replace(label=person.label), now_ms())
        return await self._found(known.account)

    async def _new(self, issuer: str, person: Person) -> Account:
        for _ in range(GUEST_TRIES):
            now = now_ms()
            made = Account(random_word(16), guest_name(), guest=True, created_ms=now)
            identity = Identity(issuer, person.subject, made.id, person.label, now, now)
            token = new_token(made.id)  # which nobody is told
            owner = await self.store.add_account_of(made, hash_of(token), identity)
            if owner:
                return made if owner == made.id else await self._found(owner)
        raise AssertionError("there are more guests than names for them")

    async def _found(self, account: str) -> Account:
        found = await self.store.credentials(account)
        if found is None:
            raise unauthenticated()
        return found.account

    # Links.

    async def link(
        self, account: Account, request: providers.LinkProviderRequest
    ) -> providers.LinkProviderResponse:
        person = await self._person(_linking(account), request.proof)
        now, issuer = now_ms(), self._there().client.issuer
        identity = Identity(issuer, person.subject, account.id, person.label, now, now)
        by = call_context.token_hash.get()
        kept = await self.store.add_identity(identity, MOST_IDENTITIES, by)
        if kept is Kept.REFUSED:
            raise unauthenticated()
        if kept is Kept.FULL:
            raise limit_reached(MOST_IDENTITIES, "identities at providers")
        if kept is Kept.TAKEN:
            message = "this identity is linked with another account: unlink it there first"
            raise Denied("NOT_ALLOWED", message, needs="an identity that is linked with no account")
        found = await self.store.identity(issuer, person.subject)
        return providers.LinkProviderResponse(identity=_message(found or identity))

    async def list(
        self, account: Account, _: providers.ListIdentitiesRequest
    ) -> providers.ListIdentitiesResponse:
        found = await self.store.identities(account.id)
        return providers.ListIdentitiesResponse(identities=[_message(one) for one in found])

    async def unlink(
        self, account: Account, request: providers.UnlinkProviderRequest
    ) -> providers.UnlinkProviderResponse:
        self._there()
        issuer, subject = request.issuer, request.subject
        for field, said, most in (
            ("issuer", issuer, LONGEST_ISSUER),
            ("subject", subject, LONGEST_CODE),
        ):
            if not 1 <= len(said) <= most or "\0" in said:
                raise invalid(field, f"{field} is that of an identity, as ListIdentities tells it")
        usable = ANYHOW if request.even_if_last else self.usable
        if not await self.store.remove_identity(account.id, issuer, subject, usable):
            raise last_way("identity")
        return providers.UnlinkProviderResponse()


def _linking(account: Account) -> str:
    return f"link {account.id} with the provider"


def _hash_of(binding: str) -> str:
    return hashlib.sha256(binding.encode()).hexdigest()


def _check(proof: pb.ProviderProof) -> None:
    """Refuse what cannot be right, whatever the provider says."""
    for field, text, most in (
        ("state", proof.state, LONGEST_WORD),
        ("code", proof.code, LONGEST_CODE),
        ("binding", proof.binding, LONGEST_WORD),
    ):
        if not 1 <= len(text) <= most or not text.isascii() or not text.isprintable():
            raise invalid(field, f"{field} is 1 to {most} printable characters of ASCII")
    if len(proof.issuer) > LONGEST_ISSUER:
        raise invalid("issuer", f"issuer is at most {LONGEST_ISSUER} characters")


def _message(one: Identity) -> providers.Identity:
    return providers.Identity(
        issuer=one.issuer,
        subject=one.subject,
        label=one.label,
        link_time=wire.time(one.created_ms),
        use_time=wire.time(one.used_ms),
    )
