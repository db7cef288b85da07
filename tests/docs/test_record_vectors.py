"""docs/record-vectors.json agrees with the code and with the page, and tells all that it should."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest

from services import GAMES
from services.core.chain import Chain, mark
from services.core.errors import Invalid
from services.core.reading import parse_record
from tests.docs.recorded import HEAD, PROMISES, RECORD
from tests.docs.vectors import RECONSIDERED, VECTORS, applied, made

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
RECORDS = VECTORS["records"]
CHANGES = [(vector, change) for vector in RECORDS for change in vector["changed"]]


@pytest.mark.parametrize("vector", VECTORS["marks"])
def test_marks(vector):
    """A mark is what the page says, and what the code makes."""
    salt, name = bytes.fromhex(vector["salt"]), vector["name"]

    assert vector["mark"] == mark(salt, name)
    assert vector["mark"] == hashlib.sha256(b"bree player 1\n" + salt + name.encode()).hexdigest()


@pytest.mark.parametrize("vector", VECTORS["chains"])
def test_chains(vector):
    """Key, heads and end are what the page says, and what the code makes."""
    key = hmac.digest(bytes.fromhex(vector["secret"]), b"bree chain 1\n", "sha256")
    head, heads = b"", []
    for line in (vector["heading"], *vector["entries"], vector["ending"]):
        head = hmac.digest(key, head + line.encode(), "sha256")
        heads.append(head.hex())
    chain = Chain(bytes.fromhex(vector["secret"]), vector["heading"])
    for entry in vector["entries"]:
        chain.link(entry)

    assert vector["key"] == key.hex()
    assert [*vector["heads"], vector["end"]] == heads
    assert vector["heads"][-1] == chain.head
    assert vector["end"] == chain.closed(vector["ending"])


@pytest.mark.parametrize("vector", RECORDS, ids=lambda vector: vector["game"])
def test_records(vector):
    """Each is read and written as it stands; heads, commitment, nonces and draws are its own."""
    record = parse_record(vector["record"])
    fate = record.fairness.fate()

    assert record.text() == vector["record"]
    assert [*vector["heads"], vector["end"]] == list(record.heads())
    assert vector["commitment"] == record.fairness.commitment
    assert list(vector["nonces"]) == list(record.seats)
    assert all(
        drawn.drawn == fate.pick(drawn.choices) + 1
        for entry in record.entries
        for drawn in entry.draws
    )
    assert parse_record(applied(vector["record"], vector["without_names"])).players == ()


@pytest.mark.parametrize(
    ("vector", "change"), CHANGES, ids=lambda part: part.get("what", part.get("game"))
)
def test_changed_records(vector, change):
    """Each is another record; where only what was kept can find it, it has a head of its own."""
    text = applied(vector["record"], change["lines"])

    assert text != vector["record"]
    assert {RECORD} == set(change["found_by"]) or set(change["found_by"]) <= PROMISES
    assert (RECORD in change["found_by"]) or (HEAD in change["found_by"])
    if RECORD not in change["found_by"]:
        record = parse_record(text)
        assert record.claimed_head == record.head() != vector["end"]


def test_a_name_that_is_not_its_mark_s_is_refused():
    """Reading finds it, before anything is played."""
    for vector, change in CHANGES:
        if change["what"] == "a player's name":
            with pytest.raises(Invalid, match="another name"):
                parse_record(applied(vector["record"], change["lines"]))


def test_all_games_and_all_tamperings_are_there():
    """What is made today has the same parts; only what the games made then is kept."""
    today = made()
    told = [(vector["game"], [c["what"] for c in vector["changed"]]) for vector in RECORDS]

    assert [*GAMES, *RECONSIDERED] == [vector["game"] for vector in RECORDS]
    assert today["marks"] == VECTORS["marks"]
    assert today["chains"] == VECTORS["chains"]
    assert told == [
        (vector["game"], [c["what"] for c in vector["changed"]]) for vector in today["records"]
    ]


def test_the_page_explains_every_part():
    """Whoever reads the file finds each word of it on the page."""
    words = {*VECTORS, *RECORDS[0], *CHANGES[0][1], *CHANGES[0][1]["lines"][0]}
    words |= {*VECTORS["marks"][0], *VECTORS["chains"][0]}

    assert [] == sorted(word for word in words if f"`{word}`" not in PAGE)
