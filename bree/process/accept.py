"""`python -m bree.process.accept`: the host says that the store is to be used as it is now.

It is asked for once: when the store is new, and when one has lost something, been emptied or been
set back to a backup (docs/store.md). The store gets a new run, which follows the one that is known.
Where BREE_LEDGER_URL names a ledger, too, the two belong together from then on, whatever either
knew before.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Sequence

from redis.exceptions import RedisError

from bree.ledger import kinship
from bree.ledger.upgrade import Refused
from bree.process.epoch import FATE_KEYS, PLACES, keys_at
from bree.redis.primaries import Store, store

BEGIN = """
redis.call('HSET', KEYS[1], 'place', 0)
redis.call('HDEL', KEYS[1], 'doubt', 'ledger')
redis.call('HSET', KEYS[1], unpack(ARGV))
redis.call('DEL', KEYS[2])
"""


def main(arguments: Sequence[str] | None = None, url: str = "", ledger: str = "") -> int:
    """Accept a store; the exit code."""
    asked = argparse.ArgumentParser(prog="python -m bree.process.accept", description=__doc__)
    asked.add_argument("runs", nargs="*", help="runs that a part of the platform still knows")
    asked.add_argument(
        "--lost-key", action="store_true", help="forget with which fate keys matches began"
    )
    wanted = asked.parse_args(arguments)
    url = url or os.environ.get("BREE_STORE_URL", "redis://127.0.0.1:6379/0")
    ledger = ledger or os.environ.get("BREE_LEDGER_URL", "")
    try:
        with store(url, decode_responses=True, socket_timeout=10) as redis:
            if wanted.lost_key:
                redis.delete(FATE_KEYS)
                sys.stdout.write("the keys that matches began with are forgotten\n")
            else:
                sys.stdout.write(accept(redis, wanted.runs, ledger) + "\n")
    except (RedisError, OSError, ValueError) as error:
        sys.stderr.write(f"BREE_STORE_URL: the store cannot be asked: {error}\n")
        return 1
    except Refused as refused:
        sys.stderr.write(f"BREE_LEDGER_URL: {refused}; nothing is accepted\n")
        return 1
    return 0


def accept(redis: Store, runs: Sequence[str], ledger: str = "") -> str:
    """Give the store a new run, which follows what was known of it; that in a sentence."""
    word = kinship.word(ledger) if ledger else ""  # before anything is changed
    new = secrets.token_hex(8)
    places = [str(place) for place in redis.smembers(PLACES)]
    for place in places:
        _begin(redis, place, new, runs)
    known = _begin(redis, "", new, runs, *(("ledger", word) if word else ()))
    if ledger:
        kinship.belong(ledger, new)
    after = " and ".join(sorted(known)) or "none"
    with_it = ", with its ledger" if ledger else ""
    whole = f", all {len(places)} servers of it" if places else ""
    return f"the store is accepted as it is{whole}{with_it}: run {new}, after {after}"


def _begin(redis: Store, place: str, new: str, runs: Sequence[str], *more: str) -> set[str]:
    """Begin a run at one server; the runs that it follows."""
    keys = keys_at(place)
    kept = redis.hmget(keys[0], ["run", "follows", "doubt"])
    run, follows, doubt = (str(part or "") for part in kept)
    known = {run, *follows.split(), *doubt.split()[1:], *runs} - {""}
    fields = ("run", new, "follows", " ".join(sorted(known)), *more)
    redis.eval(BEGIN, len(keys), *keys, *fields)
    return known


if __name__ == "__main__":
    sys.exit(main())
