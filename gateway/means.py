"""What every way in needs."""

from __future__ import annotations

from typing import NamedTuple

from gateway.contract import Store
from gateway.keyring import Usable
from gateway.once import Once
from gateway.visitors import Visitors


class Means(NamedTuple):
    """Where things are kept, how often an address may ask, and which ways in there are."""

    store: Store
    visitors: Visitors
    once: Once
    usable: Usable
