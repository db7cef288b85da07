"""Each check of the chaos is quiet where all is well, and fails on a breach that was planted."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import grpc
import pytest
from grpc_status import rpc_status

from bree.process.statuses import Denied
from tests.chaos import checks, ledger
from tests.chaos.journal import Journal, Promise
from tests.chaos.people import Heard
from tests.chaos.run import Run
from tests.chaos.tables import Table

GOLDEN = Path(__file__).parent.parent / "golden" / "confrontation" / "manual-1-resigned.record"
TEXT = GOLDEN.read_text(encoding="utf-8")
RECORD = checks.record_of(TEXT)
SEAT = "dark"
SAID = [entry.what for entry in RECORD.entries if entry.who == SEAT]


def seat(acknowledged, too_late="", refused=()):
    """A seat that was acknowledged these moves."""
    return SimpleNamespace(
        seat=SEAT, acknowledged=acknowledged, too_late=too_late, refused=list(refused)
    )


def promises(found):
    return [promise for promise, _ in found]


def test_a_record_that_holds_is_no_breach():
    assert [] == promises(checks.of_text(TEXT))


def test_a_record_of_which_one_letter_was_changed_does_not_hold():
    """The planted breach: another move in the place of one."""
    entry = f"{SEAT}: {SAID[0]}"
    changed = TEXT.replace(entry, f"{SEAT}: {SAID[1]}", 1)

    assert changed != TEXT
    assert [Promise.VERIFIED] == promises(checks.of_text(changed))


def test_a_record_with_exactly_what_was_acknowledged_is_no_breach():
    assert [] == promises(checks.of_record(RECORD, [seat(SAID)]))


@pytest.mark.parametrize(
    "acknowledged",
    [
        [*SAID, "move shelob gondor"],  # lost from the end
        [*SAID[:2], "move shelob gondor", *SAID[2:]],  # lost from the middle
        SAID[:-1],  # it is there, and nobody was told so
        [SAID[0], *SAID[2:]],
        [SAID[1], SAID[0], *SAID[2:]],  # in another order
    ],
)
def test_a_move_that_was_lost_or_doubled_is_told_with_its_place(acknowledged):
    """What a seat was acknowledged and what the record has of it differ."""
    (broken,) = checks.of_record(RECORD, [seat(acknowledged)])

    assert Promise.LOST == broken[0]
    assert SEAT in broken[1]


def test_a_move_that_came_as_the_match_ended_may_be_in_the_record_or_not():
    """It was refused because the match was over: when it was sent first, it may not have been."""
    late = seat(SAID[:-1], too_late=SAID[-1])

    assert [] == promises(checks.of_record(RECORD, [late]))
    assert [] == promises(checks.of_record(RECORD, [seat(SAID, too_late="move shelob gondor")]))


@pytest.mark.parametrize(
    ("refusal", "promise"),
    [
        ("ABORTED HISTORY_CHANGED: another history", Promise.LOST),
        ("INTERNAL BUG: this is a bug in Bree", Promise.INTERNAL),
        ("ABORTED STALE_QUESTION: an older one", Promise.SERVED),
    ],
)
def test_an_answer_that_was_refused_is_a_breach(refusal, promise):
    assert [promise] == promises(checks.of_record(RECORD, [seat(SAID, refused=[refusal])]))


def test_a_seat_that_lost_on_time_is_a_breach():
    """No clock of the chaos runs out, so one that did was wrong."""
    entries = [*RECORD.entries, SimpleNamespace(who="host", what="expire dark")]
    record = SimpleNamespace(entries=entries)

    assert [Promise.CLOCKS] == promises(checks.of_record(record, []))


def crowd(events, revisions):
    return SimpleNamespace(events=events, revisions=revisions)


ALL = crowd(["a", "b"], [1, len(RECORD.entries)])


def test_a_spectator_who_saw_everything_once_is_no_breach():
    assert [] == promises(checks.of_crowd(ALL, ALL, RECORD))


@pytest.mark.parametrize(
    "seen",
    [
        crowd(["a"], ALL.revisions),
        crowd(["a", "b", "b"], ALL.revisions),
        crowd(["b", "a"], ALL.revisions),
        crowd(ALL.events, [*ALL.revisions, 1, len(RECORD.entries)]),
        crowd(ALL.events, [1]),
        crowd(ALL.events, []),
    ],
)
def test_a_spectator_who_missed_something_or_saw_it_twice_is_a_breach(seen):
    assert [Promise.WATCHED] == promises(checks.of_crowd(seen, ALL, RECORD))


ROSIE = ("rosie", "duel")


@pytest.mark.parametrize(
    ("counted", "perhaps", "expected"),
    [
        (3, 0, []),
        (4, 0, [Promise.RATED]),
        (2, 0, [Promise.SCORED]),
        (4, 1, []),  # one was left unfinished, and has ended by itself since
        (5, 1, [Promise.RATED]),
    ],
)
def test_a_match_that_counts_twice_or_never_is_a_breach(counted, perhaps, expected):
    """Three matches were finished."""
    found = checks.of_ratings(Counter({ROSIE: 3}), Counter({ROSIE: perhaps}), {ROSIE: counted})

    assert expected == promises(found)


LINES = {
    "gateway.log": (
        '{"event": "refused", "reason": "UNAVAILABLE", "timestamp": "2026-01-31T12:00:00Z"}',
        json.dumps(
            {
                "event": "bug",
                "method": "Act",
                "exception": "Traceback\nKeyError: 7",
                "timestamp": "2026-01-31T12:00:05Z",
            }
        ),
    ),
    "duel-1.log": (
        '{"event": "Future exception was never retrieved", "timestamp": "2026-01-31T12:00:06Z"}',
        "Traceback (most recent call last):",
    ),
    "redis.log": ("1:M 31 Jan 2026 12:00:00.000 * Ready to accept connections",),
}


def test_what_logs_should_not_say_is_found_with_its_log_and_its_time(tmp_path):
    """A refusal and a server's chatter are no breach; a bug and an error that nobody heard are."""
    for name, lines in LINES.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")

    found = list(checks.of_logs(tmp_path))

    assert [
        (Promise.UNHEARD, "duel-1.log", "2026-01-31T12:00:06Z"),
        (Promise.UNHEARD, "duel-1.log", ""),
        (Promise.INTERNAL, "gateway.log", "2026-01-31T12:00:05Z"),
    ] == [line[:3] for line in found]
    assert "bug Act KeyError: …" == found[-1].told


class Error(grpc.RpcError):
    """A status as a caller receives it."""

    def __init__(self, denied):
        self.status = denied.status()

    def code(self):
        return self.status.code

    def details(self):
        return self.status.details

    def trailing_metadata(self):
        return self.status.trailing_metadata


@pytest.mark.parametrize(("reason", "bugs"), [("UNAVAILABLE", 0), ("BUG", 1)])
def test_a_status_that_is_internal_is_a_breach_and_another_is_counted(reason, bugs):
    heard, error = Heard(), Error(Denied(reason, "so it is"))
    assert rpc_status.from_call(error) is not None

    heard.note("Act", error)

    assert bugs == len(heard.bugs)
    assert 1 == heard.codes.total()


def looked_at(quiet):
    """A run that looks at a table where nothing has happened for so long, and the table."""
    cancelled = []
    table = Table(1, 1, (None, None), 0.0, [], lambda: 0.0)
    table.work = SimpleNamespace(cancel=lambda: cancelled.append(True))
    table.current = SimpleNamespace(match="d-1", crowd=crowd([], [7]), seats=[])
    table.quiet = quiet
    run = Run(SimpleNamespace(seconds=1), None, Journal(), print)
    run._look_at(table)
    return run.journal.breaches, cancelled


def test_a_match_that_is_quiet_for_a_minute_without_a_fault_is_stuck_and_left():
    """So that its table may go on; a second less is no breach."""
    broken, cancelled = looked_at(checks.MOST_QUIET)

    assert [(Promise.STUCK, "d-1")] == [(breach.promise, breach.match) for breach in broken]
    assert "a spectator is at [7]" in broken[0].told
    assert cancelled
    assert ([], []) == looked_at(checks.MOST_QUIET - 1)


def test_a_match_that_is_not_over_when_the_time_is_does_not_keep_others_from_being_examined():
    """The planted breach: a table that plays for ever."""
    table = Table(1, 1, (None, None), 0.0, [], lambda: 0.0)
    table.busy = True
    table.current = SimpleNamespace(match="d-1", crowd=crowd([], [7]), seats=[])
    run = Run(SimpleNamespace(seconds=0), None, Journal(), print)
    run.tables = [table]

    async def end():
        playing = asyncio.create_task(asyncio.sleep(3600))
        await run._end_of([playing])
        playing.cancel()

    asyncio.run(end())

    assert [(Promise.ENDED, "d-1")] == [(one.promise, one.match) for one in run.journal.breaches]


def test_a_breach_names_the_faults_that_lasted_then_or_else_the_last_one():
    """Faults that came long before or after it are not named."""
    journal = Journal()
    for kind, began, ended in (("kill", 1, 2), ("pause", 10, 40), ("cut", 30, 35), ("disk", 90, 0)):
        happened = journal.begin(kind, "redis")
        happened.began, happened.ended = began, ended

    def near(*when):
        return [happened.kind for happened in journal.near(*when)]

    assert ["pause", "cut"] == near(33)
    assert ["pause"] == near(44)
    assert ["cut"] == near(60)
    assert ["disk"] == near(500)
    assert ["pause", "cut", "disk"] == near(500, 20)  # through all of a match
    assert "cut redis (30–35 s)" == str(journal.near(60)[0])


def test_the_same_words_soon_after_are_one_breach_that_is_counted():
    """A line that stands in a log a thousand times is one entry of the report."""
    journal = Journal()
    for at in (1, 2, 3, 100):
        journal.breach(Promise.UNHEARD, "the same", at=at)
    journal.breach(Promise.UNHEARD, "another", at=1)

    assert [3, 1, 1] == [breach.times for breach in journal.breaches]
    assert Counter(UNHEARD=5) == journal.broken()


def test_a_ledger_sums_up_runs_and_tells_every_breach(tmp_path):
    """Of two pieces one has broken a promise: the sum is of both, the breach has its seed."""
    kept, journal = tmp_path / "ledger", Journal()
    journal.breach(Promise.LOST, "two moves are gone", "d-1", at=7)
    figures = dict.fromkeys(ledger.SUMMED, 10) | {"missed": 0, "logs": "/where/they/are"}
    for seed, breaches in ((1, []), (2, [*journal.told_breaches()])):
        faults = {"kill": 3, "pause": seed}
        ledger.add(kept, {"seed": seed, "faults": faults, "breaches": breaches, **figures})

    told, (breach,) = (list(of(ledger.read(kept))) for of in (ledger.summary, ledger.details))

    assert "runs: 2, with the seeds 1, 2" == told[0]
    assert "matches: 20" in told[1]
    assert "faults: 9 (kill 6, pause 3); 0 more could not begin" == told[2]
    assert any(line.split()[0] == "1" and "lost or doubled" in line for line in told)
    assert "seed 2, 7 s, LOST: d-1: two moves are gone" in breach
    assert "/where/they/are" in breach
    assert json.loads(kept.read_text().splitlines()[0])["seed"] == 1
