"""Plays more games of Risk for its board, with what was told before each question.

    python -m tests.page.record_risk

One game of each agreement below, by bots who now and then do anything, so that all kinds of cards
and questions come up. Of each kind of question and each verb in it some are kept with the view of
the seat and of a spectator, and with the events of the turn as the seat saw them; so are the ends,
in `web/tests/recorded/risk-more.json.gz`. The map, which is the same in all views, is kept once.
The same rules give the same file.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

from services import rules_of
from services.core.decisions import Event, Seat
from services.core.fair import Fate
from services.core.table import Table
from services.host import wire
from tests.page.record import FOLDER, LONGEST, _moment, _question, _told, _view
from workers.bots import bot_of

GAME = "risk"
AGREEMENTS: tuple[Mapping[str, str], ...] = (
    {"preset": "four_quick"},
    {"preset": "three_quick"},
    {"preset": "two_quick", "neutral_dice": "opponent"},
    {"preset": "partners"},
    {"preset": "two", "setup_mode": "batched", "location_profile": "published_board"},
)
ANYTHING = 5
"""One in so many choices is made by chance."""
OF_A_KIND = 2
"""How many questions of one prompt and verb are kept of each agreement."""


def main() -> None:
    """Play, and keep what was found."""
    agreements = [_found(dict(options)) for options in AGREEMENTS]
    views = [view for found in agreements for view in _views(found)]
    board, *_ = [view.pop("map") for view in views]
    told = {"game": GAME, "map": board, "agreements": agreements}
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    packed = gzip.compress(text.encode(), mtime=0)
    (FOLDER / f"{GAME}-more.json.gz").write_bytes(packed)
    sys.stdout.write(f"{len(text) // 1024} KiB, packed {len(packed) // 1024}\n")


def _views(found: dict[str, Any]) -> list[dict[str, Any]]:
    asked = [asked[of] for asked in found["questions"] for of in ("view", "watched")]
    return [*asked, *found["end"]["views"].values()]


def _found(options: dict[str, str]) -> dict[str, Any]:
    """What is kept of one game."""
    rules = rules_of(GAME)
    preset = options["preset"]
    own = {name: value for name, value in options.items() if name != "preset"}
    agreed = rules.agree({**rules.presets[preset], **own})
    seed = f"{GAME} more {preset}".encode()
    table: Table[Any] = Table(rules, agreed, Fate(seed))
    pick, bot = Fate(b"bots of " + seed).pick, bot_of("greedy", GAME)
    seen: Counter[tuple[str, str]] = Counter()
    questions: list[dict[str, Any]] = []
    turn: list[Event] = []
    while not table.is_over and table.revision < LONGEST:
        wanted = [seat for seat in table.waiting() if _is_wanted(table, seat, seen)]
        questions += [_asked(table, seat, turn) for seat in wanted]
        seat = table.waiting()[0]
        actions = table.ask(seat).actions
        action = (
            actions[pick(len(actions))]
            if pick(ANYTHING) == 0
            else bot.choose(rules, rules.guess(table.game, seat, pick), seat, pick)
        )
        for event in table.act(seat, action):
            turn = [event] if event.kind == "turn_began" else [*turn, event]
    told = {"end": _moment(GAME, table), "events": _seen(table, None, turn)}
    return {"options": options, "seats": list(table.seats), "questions": questions, **told}


def _is_wanted(table: Table[Any], seat: Seat, seen: Counter[tuple[str, str]]) -> bool:
    ask = table.ask(seat)
    new = {(ask.prompt, action.verb) for action in ask.actions}
    found = any(seen[key] < OF_A_KIND for key in new)
    if found:
        seen.update(new)
    return found


def _asked(table: Table[Any], seat: Seat, turn: list[Event]) -> dict[str, Any]:
    return {
        "seat": table.name(seat),
        "question": _told(_question(table, seat)),
        "view": _view(GAME, table, seat),
        "watched": _view(GAME, table, None),
        "events": _seen(table, seat, turn),
    }


def _seen(table: Table[Any], seat: Seat | None, turn: list[Event]) -> list[dict[str, Any]]:
    """What a viewer was told since the turn began."""
    told = [event for event in turn if event.is_seen_by(seat)]
    return [_told(wire.event(table.rules, event, table.revision)) for event in told]


if __name__ == "__main__":
    main()
