"""What a match promised and told is kept on this machine, and `bree verify` compares it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bree.cli.online.promises import MOST_HEADS, Promise, Promises
from bree.cli.online.records import _difference
from bree.cli.trouble import Trouble
from bree.engine.v1.engine_pb2 import Standing
from services.core.reading import parse_record
from tests.cli.test_lobby import is_one_sentence, opened
from tests.docs.recorded import recorded


@pytest.fixture
def over(bree, ann, bob):
    """A match that ann has played and bob gives up, its promise noted."""
    name = opened(bree)
    bob.join(name, "dark")
    assert 0 == bree("start", name).code
    bob.resign(name, "dark")
    return name


def head_of(revision, digit="a"):
    return Standing(revision=revision, head=digit * 64)


def told(bree, match):
    """What verifying says, in one line."""
    done = bree("verify", match)
    return done.code, " ".join(done.out.split())


# What was promised.


def test_a_changed_commitment_is_found(bree, over):
    """What was noted before counts, not what the platform tells afterwards."""
    noted = Promises().of(over)
    path = Promises().root / f"{over}.json"
    path.write_text(path.read_text().replace(noted.commitment, "0" * 64))
    code, said = told(bree, over)

    assert 1 == code
    assert "does NOT hold: its commitment is not the one that was published" in said


@pytest.mark.parametrize("seat", ["good", "nobody"])
def test_a_changed_nonce_is_found(bree, over, seat):
    """A seat's own nonce is what nobody else would miss."""
    Promises().note(over, "", {seat: b"another"})
    code, said = told(bree, over)

    assert 1 == code
    assert f"its nonce of {seat} is not the one that was sent from" in said


def test_a_match_that_was_not_seen_before_is_verified_without_a_promise(bree, over):
    """And it says that this proves less."""
    for path in Promises().root.iterdir():
        path.unlink()
    code, said = told(bree, over)

    assert 0 == code
    assert "Game, options, commitment, result and head are the same." in said
    assert "Nothing was noted here while it ran" in said
    assert Promises().of(over) is None


def test_a_promise_has_a_file_of_its_own_whatever_its_name(tmp_path):
    """A platform that makes up names does not write outside of the folder."""
    promises = Promises(tmp_path / "promises")
    promises.note("../../escaped", "c")
    promises.note_head("../../escaped", head_of(1))

    made = sorted(path.name for path in (tmp_path / "promises").iterdir())
    assert ["none.heads.json", "none.json"] == made
    assert ["promises"] == [path.name for path in tmp_path.iterdir()]


# What was told.


def test_heads_are_kept_by_whoever_watches(bree, over):
    """The end of a match too; verifying says how many were compared."""
    before = Promises().of(over).heads
    bree("watch", over)
    heads = Promises().of(over).heads
    record = parse_record(bree("record", over, "-o", "-").out)
    code, said = told(bree, over)

    assert {} == before
    assert {len(record.entries): record.claimed_head} == heads
    assert 0 == code
    assert "The commitment is the one that was noted here before the match was over." in said
    assert f"is on the way to its head, up to entry {len(record.entries)}." in said


def test_a_history_that_was_changed_is_found(bree, over):
    """Whatever the platform tells afterwards."""
    Promises().note_head(over, head_of(1))
    code, said = told(bree, over)

    assert 1 == code
    assert "does NOT hold: up to entry 1 it is not the history whose head was told here." in said


def test_a_history_that_was_cut_off_is_found(bree, over):
    """A head of a revision that the record does not reach."""
    Promises().note_head(over, head_of(99))
    code, said = told(bree, over)

    assert 1 == code
    assert "NOT hold: the head of entry 99 was told here, but it has no more than 1." in said


def test_the_first_head_that_was_told_stays(tmp_path):
    """Who tells another one later has changed the history."""
    promises = Promises(tmp_path)
    for digit in "ab":
        promises.note_head("m-1", head_of(7, digit))

    assert Promise("", {}, {7: "a" * 64}) == promises.of("m-1")


def test_no_more_heads_are_kept_than_are_useful(tmp_path):
    """They are spread over the match, and the latest is among them."""
    promises = Promises(tmp_path)
    for revision in range(1000):
        promises.note_head("m-1", head_of(revision))

    kept = sorted(promises.of("m-1").heads)
    assert MOST_HEADS // 4 < len(kept) <= MOST_HEADS
    assert 999 == kept[-1]
    assert kept[0] < 100


@pytest.mark.parametrize(
    "standing",
    [Standing(revision=1), Standing(revision=1, head="A" * 64), head_of(-1), head_of(10**10)],
    ids=["none", "no hex", "below nought", "beyond all"],
)
def test_what_can_be_no_head_is_not_kept(tmp_path, standing):
    """So that a platform cannot spoil the file."""
    Promises(tmp_path).note_head("m-1", standing)

    assert [] == list(tmp_path.iterdir())


def test_every_head_that_a_match_told_is_on_its_way():
    """At the last entry of a match that is over, the end counts too; of no other any head."""
    record = recorded("duel")
    heads, last = list(record.heads()), len(record.entries)
    right = [{min(n, last): head} for n, head in enumerate(heads)]
    wrong = [{n: heads[n + 1]} for n in range(last)] + [{last - 1: heads[-1]}]
    commitment = record.fairness.commitment

    assert {""} == {Promise(commitment, {}, some).broken_by(record) for some in right}
    assert all(Promise(commitment, {}, some).broken_by(record) for some in wrong)


def test_the_head_that_the_platform_tells_is_its_word(bree, ann, bob, over):
    """A record that is not the one that its host stands by does not hold."""
    match, told = bob.match(over), bob.record(over)
    record = parse_record(told.text)

    assert _difference(match, told.standing.head, record) == ""
    assert "head is not the one" in _difference(match, "a" * 64, record)


def test_a_record_that_differs_from_what_the_platform_tells_does_not_hold(bree, ann, bob, over):
    """In any of what is told of a match: which it is, its options, its result."""
    match, told = bob.match(over), bob.record(over)
    record, said = parse_record(told.text), told.standing.head
    options = {**record.options, "conceal": "another"}
    fairness = replace(record.fairness, commitment="0" * 64)
    changed = {
        "it is the record of another match": [{"game": "duel"}, {"fairness": fairness}],
        "its options are not those of the match": [{"options": options}],
        "its result is not the one that the platform tells": [{"scores": (5, 1)}, {"scores": None}],
    }

    for why, others in changed.items():
        assert [why] * len(others) == [
            _difference(match, said, replace(record, **other)) for other in others
        ]


def test_a_record_of_form_1_cannot_be_one_whose_heads_were_told():
    """A host that hands out the older form keeps nothing of what it told."""
    record = replace(recorded("duel"), form=1, claimed_head="")
    promise = Promise(record.fairness.commitment, {}, {1: "a" * 64})

    assert "it is of form 1, and cannot have had the heads" in promise.broken_by(record)
    assert "" == replace(promise, heads={}).broken_by(record)


# Files that are spoilt.


BROKEN = (
    "",
    "{",
    "[]",
    "7",
    '{"1": 2}',
    '{"x": "y"}',
    "\0",
    "[" * 10**5,
    "9" * 10**5,
    '{"1": "a"}',
)


@pytest.mark.parametrize("content", BROKEN, ids=lambda content: content[:10])
@pytest.mark.parametrize("kind", ["", ".heads"])
def test_a_spoilt_file_gets_a_sentence(bree, over, kind, content):
    """Nothing is said to hold that was not compared; and whoever plays is not stopped."""
    path = Promises().root / f"{over}{kind}.json"
    path.write_text(content)
    Promises().note(over, "c")
    Promises().note_head(over, head_of(1))
    done = bree("verify", over)

    assert is_one_sentence(done)
    assert f"{over}{kind}.json" in done.err
    assert content == path.read_text()


def test_a_folder_in_the_place_of_a_file_gets_a_sentence(bree, over):
    """Whatever stands there."""
    (Promises().root / f"{over}.heads.json").mkdir()

    assert is_one_sentence(bree("verify", over))
    with pytest.raises(Trouble, match="cannot be read"):
        Promises().of(over)


def test_older_files_without_heads_are_read(tmp_path):
    """What was noted before there were heads still counts."""
    (tmp_path / "m-1.json").write_text(json.dumps({"commitment": "c", "nonces": {"good": "00"}}))

    assert Promise("c", {"good": "00"}, {}) == Promises(tmp_path).of("m-1")


def test_heads_of_moves_that_the_platform_lost_are_told_and_no_lie(bree, over):
    """It has said so; what it tells from then on is held against it again."""
    Promises().note_head(over, head_of(1))
    Promises().note_head(over, head_of(2))
    assert 1 == told(bree, over)[0]
    Promises().doubt_heads(over)
    code, said = told(bree, over)

    assert 0 == code
    assert "2 heads, told here, are of moves that the platform said it had lost." in said
    Promises().note_head(over, head_of(1, "b"))
    assert 1 == told(bree, over)[0]
