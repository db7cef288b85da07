"""Who may sit at the desk: the accounts that the configuration names, and nobody else.

Design. What is 16 lower-case letters and digits is an id, and never a name: else somebody could
take an admin's id for a name. Ids are the safer way to say who is meant, since a name may be given
up.
"""

from __future__ import annotations

from typing import NamedTuple

from gateway.documents import Account
from gateway.fields import ACCOUNT_ID, NAME


class Admins(NamedTuple):
    """Accounts by their ids, and by their names in small letters."""

    ids: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Admins:
        """Those that are named in a list with commas; `ValueError` if that is none."""
        named = [one.strip() for one in text.split(",")] if text.strip() else []
        for one in named:
            if not NAME.fullmatch(one):
                raise ValueError(f"{one!r} is no name of an account and no id of one")
        ids = frozenset(one for one in named if ACCOUNT_ID.fullmatch(one))
        return cls(ids, frozenset(one.lower() for one in named if one not in ids))

    def has(self, account: Account) -> bool:
        """Whether an account is one of them."""
        return account.id in self.ids or account.name.lower() in self.names
