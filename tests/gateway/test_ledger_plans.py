"""How a ledger with many matches and accounts finds things: by its indexes, all of them."""

from __future__ import annotations

import json

import pytest

from bree.ledger import names, outbox, retention
from gateway import ledger_accounts as people
from gateway import ledger_names as named
from gateway import ledger_ratings as rated
from gateway import ledger_store as past
from gateway import ledger_ways as ways
from tests.ledgers import NAME
from tests.postgres_server import PROGRAMS

MATCHES, ACCOUNTS = 20_000, 5_000
FILL = (
    """INSERT INTO bree.accounts (id, name, guest, created_ms, token_hash)
    SELECT 'a' || n, 'name' || n, false, n, md5(n::text) FROM generate_series(1, $1) n""",
    """INSERT INTO bree.names SELECT lower(name), id,
    CASE WHEN created_ms % 100 = 0 THEN created_ms ELSE 0 END FROM bree.accounts""",
    """INSERT INTO bree.sessions SELECT id, 'session1', md5(id), 1, created_ms, 'Firefox'
    FROM bree.accounts""",
    """INSERT INTO bree.tokens SELECT id, 'token123', 'mine', 'play', md5(id), 1, created_ms
    FROM bree.accounts""",
    """INSERT INTO bree.login_codes SELECT id, md5(id), 1 FROM bree.accounts""",
    """INSERT INTO bree.recovery_codes SELECT id, md5(id || n), 1
    FROM bree.accounts, generate_series(1, 2) n""",
    """INSERT INTO bree.freed_names SELECT left(md5(id), 8) FROM bree.accounts
    ON CONFLICT DO NOTHING""",
    """INSERT INTO bree.ratings SELECT 'game' || n % 4, name, 1, 1, 25, 8, random() * 50
    FROM bree.accounts, generate_series(1, 4) n""",
    """INSERT INTO bree.matches SELECT 'm' || n, 'game' || n % 4,
    CASE WHEN n % 10 = 0 THEN 'closed' ELSE 'over' END, n, n, repeat('doc ', 200), 'counted'
    FROM generate_series(1, $1) n""",
    """INSERT INTO bree.seats SELECT 'a' || 1 + (n * k) % {accounts}, 'm' || n, n, 'game' || n % 4,
    'over' FROM generate_series(1, $1) n, generate_series(1, 2) k ON CONFLICT DO NOTHING""",
    """INSERT INTO bree.records SELECT id, '\\x00', '\\x00', '0f', 1 FROM bree.matches""",
    """INSERT INTO bree.outbox (kind, account, at_ms, delivered_ms)
    SELECT 'account', id, 1, CASE WHEN created_ms % 100 = 0 THEN NULL ELSE created_ms END
    FROM bree.accounts""",
    "ANALYZE",
)

ASKED = {
    "an account": (people.KEPT, "a77"),
    "accounts": (people.THESE, ["a7", "a77"]),
    "accounts by name": (people.NAMED, ["name7", "name77"]),
    "whose name it is": (people.OWNER, "name7"),
    "a login code": ("SELECT account FROM bree.login_codes WHERE code = $1", "x"),
    "a recovery code": (ways.RECOVERED, "x"),
    "how many codes are left": (ways.LEFT, "a77"),
    "whose ratings they are": (named.PLAYERS, ["name7", "=a77"]),
    "whether a name was somebody's": (names.FIRST_NAME, "a0", "name77"),
    "names whose time is over": (names.OVER, 1_000_000_000, 100),
    "a match": (past.DOC, "m77"),
    "matches": (past.DOCS, ["m7", "m77"]),
    "the latest of a game and state": (past.LISTED, "game1", "over", 101),
    "those after them": (past.LISTED_AFTER, "game1", "over", 500, "m500", 101),
    "the latest of an account": (past.SEATED, "a77", 101),
    "those of an account after them": (past.SEATED_AFTER, "a77", 500, "m500", 101),
    "ratings": (rated.RATINGS, "game1", ["name7", "name77"]),
    "leaders": (rated.BEST, "game1", 51),
    "leaders after them": (rated.NEXT_BEST, "game1", 20.0, "name7", 51),
    "what is to be delivered": (outbox.TAKE, 20),
    "what is too old": (retention.OLD, "game1", "over", 1_000_000_000, 100),
    "how much that is": (outbox.WAITING,),
}


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda program: str(program.major))
def filled(request, ledger_servers):
    """A server with a ledger that has many of everything."""
    ledger_servers.empty(request.param)
    server = ledger_servers.server(request.param)
    for number, command in enumerate(FILL):
        many = str(MATCHES if number > 6 else ACCOUNTS)
        text = command.replace("$1", many).replace("{accounts}", str(ACCOUNTS))
        server.say(text, database=NAME)
    return server


def literal(value):
    if isinstance(value, list):
        return f"ARRAY[{', '.join(map(literal, value))}]"
    return f"'{value}'" if isinstance(value, str) else str(value)


@pytest.mark.parametrize("what", ASKED)
def test_it_is_found_by_an_index(filled, what):
    """No table is read from its beginning to its end, and no more than a page is sorted."""
    query, *values = ASKED[what]
    for number, value in reversed(list(enumerate(values, 1))):
        query = query.replace(f"${number}", literal(value))
    [row] = filled.say(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", database=NAME)
    nodes = list(_nodes(json.loads(row[0])[0]["Plan"]))
    kinds = {node["Node Type"] for node in nodes}

    assert "Seq Scan" not in kinds, row[0]
    assert any("Index" in kind for kind in kinds), row[0]
    read = [node["Actual Rows"] * node["Actual Loops"] for node in nodes if "Index" in
            node["Node Type"]]  # fmt: skip
    assert max(read) <= 210, row[0]


def _nodes(plan):
    yield plan
    for child in plan.get("Plans", ()):
        yield from _nodes(child)
