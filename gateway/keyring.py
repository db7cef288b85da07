"""What is kept of passkeys, identities and addresses, and what that needs of a store.

Design. Each of them is a row of its own beside its account, and no part of the account's copy: it
is asked for when somebody comes in, and then the ledger is needed anyway. Whoever takes one away
says which kinds are of use on this platform, and is told if none would be left. A new one is kept
only if what its maker has shown is worth something in the same transaction: else a session that was
ended meanwhile could leave a way in behind. What is worth something once, and for minutes, is in
Redis, by whom it was made for.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Protocol

from gateway.documents import Account


class Passkey(NamedTuple):
    """A credential of WebAuthn."""

    id: str  # as WebAuthn writes it
    account: str  # its id
    public_key: bytes
    sign_count: int
    name: str
    transports: str  # with blanks between
    created_ms: int
    used_ms: int
    eligible: bool  # it may be on several devices
    backed_up: bool  # and is kept elsewhere besides


class Identity(NamedTuple):
    """Who somebody is at a provider."""

    issuer: str
    subject: str
    account: str  # its id
    label: str
    created_ms: int
    used_ms: int


class Usable(NamedTuple):
    """Which ways in are of use on this platform, besides recovery codes."""

    passkeys: bool
    issuer: str  # of whose identities
    mail: bool


ANYHOW = Usable(passkeys=False, issuer="", mail=False)
"""Said by whoever takes something away whatever is left."""


class Kept(StrEnum):
    """What came of keeping something."""

    KEPT = "kept"  # now, or before
    TAKEN = "taken"  # by another account
    FULL = "full"  # the account has as many as one may
    REFUSED = "refused"  # the token by which it was to be kept is worth nothing any more


class KeyringStore(Protocol):
    """The part of a `contract.Store` that concerns ways in of other kinds."""

    async def keep_once(self, owner: str, name: str, value: str, ms: int, most: int) -> None:
        """Keep something that is taken once, for so long; of an owner's so many, the latest."""

    async def take_once(self, owner: str, name: str) -> str:
        """What was kept, or nothing; it is given to nobody else."""

    async def guess_once(self, owner: str, name: str, guess: str, tries: int) -> str | None:
        """What was kept behind its first word, if this is that word; else nothing.

        If it is, and after so many tries that are wrong, it is gone.
        """

    async def count_once(self, owner: str, ms: int, most: int) -> bool:
        """Whether an owner does something for the so-many-th time at most within such a while."""

    async def add_passkey(self, passkey: Passkey, most: int, by: str) -> Kept:
        """Keep a new passkey, by whoever has shown the token of which this is the hash."""

    async def passkey(self, passkey: str) -> Passkey | None:
        """The passkey with this id."""

    async def passkeys(self, account: str) -> list[Passkey]:
        """Those of an account, the oldest first."""

    async def use_passkey(self, passkey: Passkey, now_ms: int) -> bool:
        """Note a use, with its count; False if it is gone, or was used since with a higher one."""

    async def remove_passkey(self, account: str, passkey: str, usable: Usable) -> bool:
        """Take a passkey away; False, and nothing done, if no way in were left of those usable."""

    async def add_identity(self, identity: Identity, most: int, by: str) -> Kept:
        """Link an identity with its account, likewise."""

    async def add_account_of(self, account: Account, token_hash: str, identity: Identity) -> str:
        """Keep a new account with an identity; the id of whichever account that is linked with.

        Nothing if the name is taken.
        """

    async def identity(self, issuer: str, subject: str) -> Identity | None:
        """An identity that is linked with an account."""

    async def identities(self, account: str) -> list[Identity]:
        """Those of an account, the oldest first."""

    async def use_identity(self, identity: Identity, now_ms: int) -> None:
        """Note a use, and what people call it now."""

    async def remove_identity(
        self, account: str, issuer: str, subject: str, usable: Usable
    ) -> bool:
        """Link an identity no more; False as for passkeys."""

    async def add_address(self, account: str, address: str, now_ms: int, by: str) -> Kept:
        """Have an address be an account's, in the place of an older one, likewise."""

    async def account_at(self, address: str) -> str:
        """The id of the account whose address it is, or nothing."""

    async def address(self, account: str) -> str:
        """The address of an account, or nothing."""

    async def remove_address(self, account: str, usable: Usable) -> bool:
        """Have an account have no address; False as for passkeys."""
