"""Plays more games of The Confrontation for its board, with what each seat sees when it is asked.

    python -m tests.page.record_confrontation

One game of each agreement below, by random bots, so that all kinds of cards, texts and special
cards come up. Of each kind of question and each verb in it some are kept with the views of all, and
some ends with the charts, in `web/tests/recorded/confrontation-more.json.gz`. The same rules give
the same file.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from services import rules_of
from services.core.decisions import Seat
from services.core.fair import Fate
from services.core.table import Table
from services.host.boards import codec_of
from tests.page.record import FOLDER, LONGEST, _moment, _question, _told, _view
from workers.bots import bot_of

GAME = "confrontation"
TWO = {"match": "two_games_swap_sides"}
KNOWING = {"inference": "on"}
DELUXE = {"special_cards": "set_deluxe", "special_count": "4"}
AGREEMENTS: tuple[Mapping[str, str], ...] = (
    {"preset": "manual", "conceal": "after_each_battle", **KNOWING},
    {"preset": "classic_2002", "special_cards": "set_2002", **KNOWING, **TWO},
    {"preset": "deluxe_classic", "special_pick": "opponents", **DELUXE, **KNOWING},
    {"preset": "deluxe_variant", **DELUXE, **KNOWING},
    {"preset": "deluxe_draft", "announce_draft": "off", **DELUXE, **TWO, **KNOWING},
)
GAMES_OF_EACH = 14
STRETCH = 4
"""While all choose before the first turn, every so many choices are kept."""
OF_A_KIND = 2
"""How many questions of one prompt and verb are kept of each agreement."""


def main() -> None:
    """Play, and keep what was found."""
    found = {"game": GAME, "agreements": [_found(dict(options)) for options in AGREEMENTS]}
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    packed = gzip.compress(text.encode(), mtime=0)
    (FOLDER / f"{GAME}-more.json.gz").write_bytes(packed)
    sys.stdout.write(f"{len(text) // 1024} KiB, packed {len(packed) // 1024}\n")


def _found(options: dict[str, str]) -> dict[str, Any]:
    seen: Counter[tuple[str, str]] = Counter()
    questions: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    seats: list[str] = []
    for number in range(GAMES_OF_EACH):
        for table in _played(options, number):
            seats = list(table.seats)
            if table.is_over and len(ends) < OF_A_KIND:
                ends.append({**_moment(GAME, table), "charts": _charts(table)})
            for seat in table.waiting():
                verbs = {action.verb for action in table.ask(seat).actions}
                new = {(_moment_of(table, seat), verb) for verb in verbs}
                if any(seen[key] < OF_A_KIND for key in new):
                    seen.update(new)
                    questions.append(
                        {
                            "seat": table.name(seat),
                            "question": _told(_question(table, seat)),
                            "view": _view(GAME, table, seat),
                            "watched": _view(GAME, table, None),
                            "other": _view(GAME, table, 1 - seat),
                        }
                    )
    return {"options": options, "seats": seats, "questions": questions, "ends": ends}


def _charts(table: Table[Any]) -> dict[str, Any]:
    """The charts as all see them, which views are kept without."""
    viewers: list[Seat | None] = [*range(len(table.seats)), None]
    return {
        "" if seat is None else table.name(seat): _told(
            codec_of(GAME).encode(table.rules.view(table.game, seat))
        )["charts"]
        for seat in viewers
    }


def _moment_of(table: Table[Any], seat: Seat) -> str:
    """What is asked, whether the other has answered, and how far the setup has come."""
    prompt = table.ask(seat).prompt
    far = table.revision % STRETCH if prompt.startswith("setup.") else 0
    return f"{prompt} {len(table.waiting())} {far}"


def _played(options: dict[str, str], number: int) -> Iterator[Table[Any]]:
    """The positions of a game in which everyone answers by lot."""
    rules = rules_of(GAME)
    seed = f"{GAME} {sorted(options.items())} {number}".encode()
    table = Table(rules, rules.agree(options), Fate(seed))
    pick, bot = Fate(b"bots of " + seed).pick, bot_of("uniform", GAME)
    while not table.is_over and table.revision < LONGEST:
        yield table
        seat = table.waiting()[0]
        table.act(seat, bot.choose(rules, rules.guess(table.game, seat, pick), seat, pick))
    yield table


if __name__ == "__main__":
    main()
