"""How a ledger with many matches and accounts finds things: by its indexes, all of them."""

from __future__ import annotations

import json

import pytest

from bree.ledger import exporting, names, outbox, retention
from bree.ledger import people as persons
from gateway import ledger_accounts as people
from gateway import ledger_keyring as keyring
from gateway import ledger_names as named
from gateway import ledger_personal as personal
from gateway import ledger_programs as programs
from gateway import ledger_ratings as rated
from gateway import ledger_results as played
from gateway import ledger_store as past
from gateway import ledger_ways as ways
from gateway import results_filling as filling
from gateway.contract import Filter, Place
from gateway.desk import ledger as desk
from gateway.desk.contract import Flag, Wanted
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
    CASE WHEN n % 10 = 0 THEN 'closed' ELSE 'over' END, n, n,
    '"creator":"a' || 1 + n % {accounts} || '"' || repeat('doc ', 200), 'counted'
    FROM generate_series(1, $1) n""",
    """INSERT INTO bree.seats SELECT 'a' || 1 + (n * k) % {accounts}, 'm' || n, n, 'game' || n % 4,
    'over' FROM generate_series(1, $1) n, generate_series(1, 2) k ON CONFLICT DO NOTHING""",
    """INSERT INTO bree.records SELECT id, '\\x00', '\\x00', '0f', 1 FROM bree.matches""",
    """INSERT INTO bree.results SELECT 'm' || n, seat, seat, 'a' || 1 + (n * k) % {accounts},
    'name' || 1 + (n * k) % {accounts}, 'game' || n % 4, 'live', 'length=6', n, n % 100, 'won', k,
    true FROM generate_series(1, $1) n, (VALUES (1, 'red'), (2, 'blue')) AS seats (k, seat)
    ON CONFLICT DO NOTHING""",
    """INSERT INTO bree.rating_history SELECT 'game1', 'name7', 'm' || n, n, n, 25, 8, 1, 25, 8, 1
    FROM generate_series(1, $1) n""",
    """INSERT INTO bree.outbox (kind, account, at_ms, delivered_ms)
    SELECT 'account', id, 1, CASE WHEN created_ms % 100 = 0 THEN NULL ELSE created_ms END
    FROM bree.accounts""",
    """INSERT INTO bree.passkeys (id, account, public_key, sign_count, name, transports, created_ms,
    used_ms) SELECT 'k' || id, id, '\\x00', 0, 'mine', '', 1, 1 FROM bree.accounts""",
    """INSERT INTO bree.identities SELECT 'https://i', 's' || id, id, '', 1, 1
    FROM bree.accounts""",
    """INSERT INTO bree.addresses SELECT id || '@x.yz', id, 1 FROM bree.accounts""",
    """INSERT INTO bree.recovery_codes SELECT id, md5(id), 1 FROM bree.accounts""",
    """UPDATE bree.accounts SET bot = created_ms % 50 = 0,
    leaving_ms = CASE WHEN created_ms % 100 = 0 THEN created_ms ELSE 0 END""",
    """INSERT INTO bree.rating_history SELECT 'game' || n % 4, 'name' || 1 + n % {accounts},
    'm' || n, n, n, 1, 1, 1, 1, 1, 1 FROM generate_series(1, $1) n""",
    "UPDATE bree.accounts SET banned_ms = 1 << 40 WHERE created_ms % 500 = 0",
    """INSERT INTO bree.reports (at_ms, by_account, about, match, kind, text, closed_ms)
    SELECT n, 'a' || n, 'a' || 1 + n % 99, '', 'talk', '', n % 50 FROM generate_series(1, $1) n""",
    """INSERT INTO bree.notices (at_ms, until_ms, account, kind, text)
    SELECT n, n, CASE WHEN n % 100 = 0 THEN '' ELSE 'a' || 1 + n % 999 END, 'account', ''
    FROM generate_series(1, $1) n""",
    "ANALYZE",
)

LOOKED_AT = 100
"""Among so many results is looked for what is wanted, for these tests."""

MINE = Filter(player="name77", account="a77", game="game1")
EVERY = {
    "options": "length=6",
    "pace": "live",
    "side": "red",
    "opponents": ("name7",),
    "others": ("name7", "name14"),
    "result": "won",
    "rated": True,
    "least": 3,
    "most": 9,
}


def listed(query, wanted):
    """What is asked for a page, and for where the looking ends."""
    top, end = Place(15_000, "m15000"), Place(14_700, "")
    order = played.ORDER if played._key(wanted) != played.BY_GAME else played.ORDER_OF_MATCHES
    key = played._key(wanted)
    ended = played.END.format(key=key, order=order)
    return (
        (query.format(key=key), *played._values(wanted, top, end), 21),
        (ended, *played._of(wanted), *top, 0, LOOKED_AT - 1),
    )


def counted(query, wanted):
    return query.format(key=played._key(wanted)), *played._values(
        wanted, Place(15_000, "m15000"), Place(14_900, "")
    )


RESULTS = {
    "a player's results": listed(played.LIST, MINE),
    "an account's": listed(played.LIST, MINE._replace(game="", player="")),
    "a game's matches": listed(played.FIND, Filter(game="game1")),
    "a player's matches": listed(played.FIND, MINE),
    "an account's matches": listed(played.FIND, MINE._replace(game="", player="")),
}
RESULTS |= {
    f"{what}, by {name}": listed(query, wanted._replace(**{name: value}))
    for what, query, wanted in (
        ("a player's results", played.LIST, MINE),
        ("an account's results", played.LIST, MINE._replace(game="", player="")),
        ("a game's matches", played.FIND, Filter(game="game1")),
    )
    for name, value in EVERY.items()
}
RESULTS |= {
    "a game's matches, by everything": listed(played.FIND, Filter(game="game1", **EVERY)),
    "a player's matches, by everything": listed(played.FIND, MINE._replace(**EVERY)),
}

ANYBODY = Wanted("", "", (), 1)
NAMED, BANNED = ANYBODY._replace(prefix="name77"), ANYBODY._replace(flags=(Flag.BANNED,))

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
    "a passkey": (f"{keyring.PASSKEY} WHERE id = $1", "ka77"),
    "passkeys of an account": (f"{keyring.PASSKEY} WHERE account = $1 ORDER BY id", "a77"),
    "an identity": (
        f"{keyring.IDENTITY} WHERE issuer = $1 AND subject = $2",
        *("https://i", "sa77"),
    ),
    "identities of an account": (f"{keyring.IDENTITY} WHERE account = $1", "a77"),
    "whose address it is": (keyring.AT, "a77@x.yz"),
    "the address of an account": ("SELECT address FROM bree.addresses WHERE account = $1", "a77"),
    "ways in that are left": (keyring.WAYS, "a77", True, "https://i", True),
    "who has shown a token": (keyring.LOCK_BY, "a77", "x"),
    "who of some is a bot": (programs.PROGRAMS, ["name7", "name50"]),
    "leaders who are people": (rated.PEOPLE, "game1", 51),
    "people after them": (rated.NEXT_PEOPLE, "game1", 20.0, "name7", 51),
    "who leaves": (personal.LEAVING, 0, "", 100),
    "what he played": (persons.SEATS, "a77", 1 << 62, "", 50),
    "what he opened": (persons.MADE, "a77", "", 50),
    "his ratings": (
        f"SELECT FROM bree.ratings WHERE game = ANY({persons.GAMES}) AND player = $1",
        "name77",
    ),
    "all of which there is little": (exporting.WHOLE, "a77", "name77"),
    "how his rating came about": (exporting.HISTORY, "name77", "game1", 1 << 60, -1, -1, 500),
    "what he has reported": (exporting.REPORTS, "a77", -1, -1, 500),
    "what he was told": (exporting.NOTICES, "a77", -1, -1, 500),
    "what was over by then": (exporting.OVER, "a77", 1 << 60, 1 << 62, "", 200),
    "matches without results": (filling.NEXT, "game1", "over", 15_000, "m15000", 50),
    "whose results they are": (filling.PLAYERS, ["a7", "a77"]),
    "a player's results counted": counted(played.COUNT, MINE),
    "an account's results counted": counted(played.COUNT, MINE._replace(game="", player="")),
    "those against one other": counted(played.COUNT, MINE._replace(opponents=("name7",))),
    "a player's opponents": counted(played.MET, MINE),
    "an account's opponents": counted(played.MET, MINE._replace(game="", player="")),
    "whether a rating has many points": (played.SPAN, "game1", "name7", 0, 1 << 52, 100),
    "when the last of them was": (played.LAST, "game1", "name7", 0, 1 << 52),
    "the points of a rating": (played.POINTS, "game1", "name7", 500, 600, 100),
    "some of many points": (played.EVENLY, "game1", "name7", 1, MATCHES, 50),
    **{f"{what} (page)": page for what, (page, _) in RESULTS.items()},
    **{f"{what} (end)": end for what, (_, end) in RESULTS.items()},
    "the latest accounts": (desk.found(ANYBODY), *desk.NEWEST, 21, "", 1),
    "accounts by how their names begin": (desk.found(NAMED), *desk.NEWEST, 21, "", 1, "name77"),
    "those who are banned": (desk.found(BANNED), *desk.NEWEST, 21, "", 1),
    "open reports": (desk.OPEN_REPORTS, 0, "", 21),
    "reports about somebody": (desk.ALL_REPORTS, 1 << 62, "a7", 21),
    "all reports": (desk.ALL_REPORTS, 1 << 62, "", 21),
    "the same report": (desk.SAME, "a77", "a78", "", "talk", ""),
    "how many reports of somebody": (desk.FILED_SINCE, "a77", 5, 10),
    "why somebody is banned": (desk.WHY, "a77"),
    "notices": (desk.NOTICES, ["", "a77"], 19_900, 1 << 62, 21),
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
        return f"ARRAY[{', '.join(map(literal, value))}]::text[]"
    if value is None:
        return "NULL"
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
