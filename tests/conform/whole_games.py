"""Checks of a whole game: its length, its record, its question numbers, and how it may end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.core.decisions import CHANCE
from services.core.reading import parse_record
from services.core.record import Record, record_of
from services.core.replaying import replay
from services.core.table import Entry, Table
from tests.conform.walks import Moment, Walk, chosen

_CUTS = 4  # places from which an open record is replayed
_FAR = 120  # a long game is played on so far


def a_game_plays_to_its_end_within_its_bound(w: Walk) -> None:
    if w.failure is not None:
        raise w.failure
    assert w.table.is_over or (w.bound is None and w.table.revision > w.most)
    assert w.bound is None or w.table.revision <= w.bound


def its_record_reads_back_and_replays(w: Walk) -> None:
    record = w.record()

    assert parse_record(record.text()) == record
    assert _replayed(w, record) == w.moments[-1].saved


def its_record_replays_from_wherever_it_is_cut(w: Walk) -> None:
    record = replace(w.record(), scores=None, aborted=False)
    for cut in range(0, len(w.moments) - 1, 1 + len(w.moments) // _CUTS):
        opened = replace(record, entries=record.entries[:cut])
        assert _replayed(w, parse_record(opened.text())) == w.moments[cut].saved


def the_seed_deals_what_the_record_says(w: Walk) -> None:
    table = Table(w.rules, w.options, w.fairness.fate())
    for m in w.moments:
        if m.action is not None and m.seat != CHANCE:
            table.act(m.seat, m.action, table.number(m.seat))

    assert table.entries == w.table.entries[: table.revision]
    assert table.revision == w.table.revision or not w.table.is_over


def every_new_question_has_a_new_number(w: Walk) -> None:
    latest = [0] * len(w.seats)
    for before, m in zip([None, *w.moments], w.moments, strict=False):
        for seat in m.asked:
            number = m.numbers[seat]
            stands = before is not None and seat in before.asked and seat != before.seat
            if not stands:
                assert number > latest[seat], f"seat {seat} at decision {m.number}"
            elif number == latest[seat]:
                assert before is not None
                assert m.offered(seat) == before.offered(seat), f"seat {seat} at {m.number}"
            assert number >= latest[seat]
            latest[seat] = number


def taking_back_and_doing_again_changes_nothing(w: Walk) -> None:
    table = Table(w.rules, w.options, w.fairness.fate())
    for m in w.moments:
        if m.action is None or m.seat == CHANCE:
            continue
        before, number = w.rules.dump(table.game), table.number(m.seat)
        table.act(m.seat, m.action, number)
        assert table.can_undo(m.seat) == m.undoable
        if m.undoable:
            table.undo(m.seat)
            assert w.rules.dump(table.game) == before
            assert table.number(m.seat) > number
            table.act(m.seat, m.action, table.number(m.seat))

    standing: list[Entry] = []
    for entry in table.entries:
        if entry.taken_back():
            standing.pop()  # what it took back is the entry before it
        else:
            standing.append(entry)
    assert standing == w.table.entries[: len(standing)]
    assert len(standing) >= sum(m.action is not None for m in w.moments if m.seat != CHANCE)
    replay(record_of(table, w.fairness), w.rules)


def a_seat_that_gives_up_is_never_asked_again(m: Moment) -> None:
    if not m.asked:
        return
    for seat in m.walk.seats:
        game = m.game.copy()
        events = m.rules.forfeit(game, seat)
        assert game.events == []
        assert all(m.rules.report(event) for event in events)
        _play_on(m, game, {seat})


def when_every_seat_gives_up_the_game_is_over(m: Moment) -> None:
    if not m.asked:
        return
    game, gone = m.game.copy(), set()
    for seat in m.walk.seats:
        if m.rules.waiting(game):
            m.rules.forfeit(game, seat)
            gone.add(seat)
            m.rules.audit(game)
            assert not gone & set(m.rules.waiting(game))

    assert m.rules.waiting(game) == ()


def a_forfeit_is_replayed_like_any_decision(w: Walk) -> None:
    for seat in w.seats:
        table = Table(w.rules, w.options, w.fairness.fate())
        stop = w.moments[-1].pick(f"stop {seat}")(len(w.moments))
        for m in w.moments[:stop]:
            if m.action is not None and m.seat != CHANCE:
                table.act(m.seat, m.action)
        if not table.is_over:
            (table.expire if stop % 2 else table.resign)(seat)
        record = record_of(table, w.fairness)
        assert _replayed(w, parse_record(record.text())) == w.rules.dump(table.game)


def _replayed(w: Walk, record: Record) -> bytes:
    table: Table[Any] = replay(record, w.rules)
    assert table.entries == list(record.entries)
    return w.rules.dump(table.game)


def _play_on(m: Moment, game: Any, gone: set[int]) -> None:
    """Play to the end, or far enough, without those who are gone."""
    pick = m.pick(f"without {gone}")
    for _ in range(_FAR if m.walk.is_long else m.walk.most):
        m.rules.audit(game)
        waiting = m.rules.waiting(game)
        assert not gone & set(waiting)
        if not waiting:
            break
        m.rules.apply(game, *chosen(m.rules, game, pick, pick))

    assert m.walk.is_long or m.walk.bound is None or not m.rules.waiting(game)
