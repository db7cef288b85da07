"""Checks that what is not understood is refused: texts, saved positions and records with a change.

Design. A change is drawn with a pick, as chance is, so that the suite makes the same few changes
every time and the fuzz makes new ones for as long as it runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from services.core.decisions import CHANCE, Pick
from services.core.errors import Invalid, Refused
from services.core.reading import parse_record
from services.core.record import Record
from services.core.replaying import replay
from services.core.table import Table
from tests.conform.walks import Moment, Walk, fate

_SIGNS = "abz 019_-:~#\n\t\r\0ABé٣\u2028\U0001f409"
_ODD: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 31, 255, 256, 2**40, 2**63, 2**64, -(2**63), 10**30),
    *(0.5, 1e308, "", "0", "a", "Turn", [], [0], [[]], [-1], {}, {"a": 1}),
)
_TEXTS, _POSITIONS, _RECORDS = 150, 150, 60


def changed_texts_are_refused_or_mean_what_they_say(w: Walk) -> None:
    pick = fate(f"{w} texts").pick
    for _ in range(_TEXTS):
        try_text(_any_moment(w, pick), pick)


def changed_positions_are_refused_or_are_positions(w: Walk) -> None:
    pick = fate(f"{w} positions").pick
    for _ in range(_POSITIONS):
        try_position(_any_moment(w, pick), pick)


def changed_records_are_refused_or_are_the_same_game(w: Walk) -> None:
    pick = fate(f"{w} records").pick
    for _ in range(_RECORDS // 6 if w.is_long else _RECORDS):
        try_record(w, pick)


def try_text(m: Moment, pick: Pick) -> None:
    """Say something that is nearly an action: it is refused and nothing changes, or it is one."""
    rules = m.rules
    texts = [rules.spell(action) for action in m.walk.everything_offered] or ["x"]
    said = _changed_text(texts[pick(len(texts))], texts, pick)
    try:
        action = rules.parse(said)
    except Invalid:
        action = None
    assert action is None or said.split() == rules.spell(action).split(), said
    table: Table[Any] = Table(rules, m.walk.options)
    table.game = m.game.copy()
    seat = pick(1 + len(m.walk.seats)) + CHANCE
    allowed = seat in m.waiting and action is not None and rules.allows(m.game, seat, action)
    try:
        table.act(seat, said)
    except Refused:
        assert not allowed, said
        assert rules.dump(table.game) == m.saved, said
    else:
        assert allowed, said


def try_position(m: Moment, pick: Pick) -> None:
    """Load something that is nearly a position."""
    data = (_changed_json if pick(3) else _changed_bytes)(m.saved, pick)
    try:
        game = m.rules.load(data)
    except Invalid:
        return
    again = m.rules.dump(game)
    assert m.rules.dump(m.rules.load(again)) == again, data


def try_record(w: Walk, pick: Pick) -> None:
    """Replay something that is nearly a record: nothing but what was played can pass.

    But for who sat there, and for nonces where nothing was drawn that depends on them. Its head is
    left out of account: whoever changes a record could make that anew.
    """
    record = w.record()
    text = _changed_text(record.text(), [], pick) if pick(2) else _changed_lines(record, pick)
    try:
        read = parse_record(text)
        replay(replace(read, claimed_head=""), w.rules)
    except Refused:
        return
    assert replace(read, sitting=(), fairness=record.fairness) == record, text


def _any_moment(w: Walk, pick: Pick) -> Moment:
    return w.moments[pick(len(w.moments))]


def _changed_text(text: str, others: Sequence[str], pick: Pick) -> str:
    for _ in range(1 + pick(3)):
        at = pick(1 + len(text))
        way = pick(5)
        if way == 0:
            text = text[:at] + _SIGNS[pick(len(_SIGNS))] + text[at:]
        elif way == 1:
            text = text[:at] + text[at + 1 + pick(4) :]
        elif way == 2:
            text = text[:at] + text[pick(1 + at) :]
        elif others:
            text = _mixed(text, others[pick(len(others))], pick)
        else:
            text = text[: at // 2 + pick(1 + len(text) - at // 2)]
    return text


def _mixed(text: str, other: str, pick: Pick) -> str:
    """The beginning of one action and the end of another."""
    words, others = text.split(" "), other.split(" ")
    return " ".join(words[: pick(1 + len(words))] + others[pick(1 + len(others)) :])


def _changed_lines(record: Record, pick: Pick) -> str:
    lines = record.text().split("\n")
    for _ in range(1 + pick(2)):
        at, other = pick(len(lines)), pick(len(lines))
        way = pick(5)
        if way == 0:
            lines[at], lines[other] = lines[other], lines[at]
        elif way == 1:
            lines[at : at + 2] = lines[at : at + 2][::-1]
        elif way == 2:
            lines.insert(at, lines[other])
        elif way == 3 and len(lines) > 1:
            del lines[at]
        else:
            lines[at] = lines[other]
    return "\n".join(lines)


def _changed_json(data: bytes, pick: Pick) -> bytes:
    whole: list[Any] = json.loads(data)
    part: Any = whole
    while True:
        inner = [item for item in part if isinstance(item, list) and item]
        if not inner or not pick(4):
            break
        part = inner[pick(len(inner))]
    at = pick(len(part))
    changes: tuple[Callable[[], object], ...] = (
        lambda: part.__setitem__(at, _ODD[pick(len(_ODD))]),
        lambda: part.__setitem__(at, part[pick(len(part))]),
        lambda: part.insert(at, part[pick(len(part))]),
        lambda: part.pop(at),
        part.reverse,
    )
    changes[pick(len(changes))]()
    return json.dumps(whole).encode()


def _changed_bytes(data: bytes, pick: Pick) -> bytes:
    at = pick(len(data))
    return data[:at] + bytes([pick(256)] * pick(3)) + data[at + pick(4) :]
