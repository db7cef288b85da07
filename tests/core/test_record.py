"""Records: the text and back, every complaint with its line, and nothing but the truth replays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from services.core.errors import Invalid
from services.core.reading import FIRST_LINE, parse_record
from services.core.record import LARGEST, Fairness, Player, players_of, record_of
from services.core.replaying import Replay, replay
from services.core.table import Table
from tests.conform.walks import fairness
from tests.core.records import FIRST_ENTRY, LENGTH, LINES, SEEDS, TEXT, WHOLE, verifies, walk
from tests.games.skirmish.rules import RULES, Board

# The text and back.


@pytest.mark.parametrize("variant", range(3))
@pytest.mark.parametrize("seed", SEEDS)
def test_a_record_is_read_back_as_it_was_written(seed: int, variant: int) -> None:
    record = walk(seed, variant).record()

    assert record == parse_record(record.text())
    assert record.text() == parse_record(record.text()).text()


@pytest.mark.parametrize("variant", range(3))
@pytest.mark.parametrize("seed", SEEDS)
def test_a_record_leads_to_the_game_that_was_played(seed: int, variant: int) -> None:
    played = walk(seed, variant)
    table = replay(parse_record(played.record().text()), RULES)

    assert RULES.dump(played.table.game) == RULES.dump(table.game)
    assert played.table.entries == table.entries
    assert table.is_over


def test_a_record_reads_as_the_game_went() -> None:
    table: Table[Board] = Table(RULES, RULES.agree({"deck": "small"}))
    table.act(-1, "draw horn")
    record = record_of(table, Fairness.of(bytes(32), (b"one", b"to")), ("Rosie Cotton", ""))
    lines = record.text().splitlines()

    rosie = record.sitting[0]
    assert ["bree record 2", "game skirmish", "edition 1"] == lines[:3]
    assert ["option seats 2", "option rounds 3", "option deck small"] == lines[3:6]
    assert [f"seat gondor 6f6e65 {rosie.mark}", "seat mordor 746f"] == lines[6:8]
    assert f"player gondor {rosie.salt.hex()} Rosie Cotton" == lines[9]
    assert [f"secret {'00' * 32}", ""] == lines[10:12]
    assert [f"chance: draw horn ~{table.entries[0].digest}", "", "open 1"] == lines[12:15]
    assert [f"head {record.head()}"] == lines[15:]


@pytest.mark.parametrize(
    "players", [(), ("Sam", "Frodo"), ("", "Frodo of the Shire"), ("Éowyn ❤ 王", "x  y")]
)
def test_players_are_kept_for_people(players: tuple[str, ...]) -> None:
    record = replace(WHOLE, sitting=players_of(players, WHOLE.seats, bytes(32)) if players else ())

    assert record == parse_record(record.text())
    assert players == parse_record(record.text()).players


def test_a_name_may_go_and_the_record_still_holds() -> None:
    """Its mark stays; another name does not fit it."""
    sam, frodo = players_of(("Sam", "Frodo"), WHOLE.seats, bytes(32))
    named = replace(WHOLE, sitting=(sam, frodo))
    gone = replace(named, sitting=(Player(mark=sam.mark), frodo))

    assert named.head() == gone.head()
    assert ("", "Frodo") == parse_record(gone.text()).players
    assert verifies(gone.text())
    assert WHOLE.head() != named.head()
    with pytest.raises(Invalid, match="another name stands at this seat"):
        parse_record(named.text().replace(" Sam\n", " Gollum\n"))


def test_a_head_binds_all_before_it() -> None:
    """Every entry changes it, and none after it does."""
    heads = list(WHOLE.heads())

    assert LENGTH + 2 == len(set(heads))
    for cut in range(LENGTH):
        shorter = replace(WHOLE, entries=WHOLE.entries[:cut], scores=None)
        assert heads[: cut + 1] == list(shorter.heads())


def test_notes_are_kept_and_change_nothing() -> None:
    table: Table[Board] = Table(RULES, RULES.agree({}), (chance := fairness("notes", 2)).fate())
    before = RULES.dump(table.game)
    table.note("gondor", "orders never")
    record = record_of(table, chance)

    assert before == RULES.dump(table.game)
    assert record.entries[-1].text().startswith("gondor! orders never ~")
    assert record == parse_record(record.text())
    assert verifies(record.text())
    with pytest.raises(Invalid, match="there is no such seat"):
        table.note("nobody", "orders never")


def test_records_of_form_1_are_read_and_replayed() -> None:
    """They have no draws, marks or head; their digests are of another kind."""
    entries = tuple(entry._replace(draws=(), digest="0" * 8) for entry in WHOLE.entries)
    old = replace(WHOLE, form=1, entries=entries, sitting=players_of(("Sam", ""), WHOLE.seats, b""))

    assert "bree record 1" == old.text().splitlines()[0]
    assert old.text() == parse_record(old.text()).text()
    assert ("Sam", "") == parse_record(old.text()).players
    assert RULES.dump(walk().table.game) == RULES.dump(replay(parse_record(old.text()), RULES).game)
    wrong = replace(old, scores=(0, 9))
    with pytest.raises(Invalid, match="the record claims another ending"):
        replay(wrong, RULES)


def test_an_open_record_leads_to_where_it_stops() -> None:
    for cut, moment in enumerate(walk().moments):
        opened = replace(WHOLE, entries=WHOLE.entries[:cut], scores=None)
        if cut < LENGTH:
            assert moment.saved == RULES.dump(replay(parse_record(opened.text()), RULES).game)
        else:
            with pytest.raises(Invalid, match="the record claims another ending"):
                replay(opened, RULES)


def test_endings_outside_the_rules_are_replayed() -> None:
    chance = fairness("endings", 3)
    table = Table(RULES, RULES.agree({"seats": "3"}), chance.fate())
    table.expire(0)
    table.act(1, "ready", table.number(1))
    table.resign(2)
    resigned = record_of(table, chance)
    chance = fairness("endings", 2)
    table = Table(RULES, RULES.agree({}), chance.fate())
    table.abort()
    aborted = record_of(table, chance)

    assert "finished 9 gondor 0 mordor 3 rohan 0" == resigned.text().splitlines()[-2]
    assert verifies(resigned.text())
    assert "aborted 5" == aborted.text().splitlines()[-2]
    assert aborted.scores is None
    assert replay(parse_record(aborted.text()), RULES).aborted


def test_a_replay_goes_entry_by_entry() -> None:
    steps = Replay(WHOLE, RULES)
    entries, events = [], []
    while not steps.table.is_over:
        entries.append(steps.replay_entry())
        events.append(steps.events)

    assert list(WHOLE.entries) == entries
    assert [moment.events for moment in walk().moments[:-1]] == events


# Complaints, each with its line.

HEADER = {
    key: next(number for number, line in enumerate(LINES) if line.startswith(f"{key} "))
    for key in ("option", "seat", "commitment", "secret")
}


def with_line(number: int, *lines: str) -> str:
    return "\n".join([*LINES[:number], *lines, *LINES[number + 1 :]])


def with_header(key: str, *lines: str) -> tuple[str, str]:
    """A text whose first line of this key is replaced, and where the complaint should point."""
    return with_line(HEADER[key], *lines), f"line {HEADER[key] + len(lines)}: "


PROMISED = LINES[HEADER["commitment"]]


def complaints() -> dict[str, tuple[str, str]]:
    """Texts that are no records, and what is said of each."""
    at, last = FIRST_ENTRY, len(LINES) - 1
    entry, ending, head = LINES[at], LINES[-3], LINES[-2]
    option, seat = LINES[HEADER["option"]], LINES[HEADER["seat"]]
    nonce = seat.split()[2]
    word = "here stands {!r} and its value".format
    no_entry = f"line {at + 1}: an entry is who, what and a digest"
    texts = {
        "first line": (
            with_line(0, "bree record 3"),
            f"line 1: a record begins with 'bree record 1' or {FIRST_LINE!r}",
        ),
        "empty": ("", "the record is torn: its last line has no end"),
        "one empty line": ("\n", "line 1: a record begins"),
        "no last end": (TEXT[:-1], "the record is torn: its last line has no end"),
        "game": (with_line(1, "Game skirmish"), f"line 2: {word('game')}"),
        "game's name": (with_line(1, "game Skirmish"), f"line 2: {word('game')}"),
        "no game": (with_line(1), f"line 2: {word('game')}"),
        "edition": (with_line(2, "edition 0"), f"line 3: {word('edition')}"),
        "edition's form": (with_line(2, "edition 1.0"), f"line 3: {word('edition')}"),
        "edition's length": (with_line(2, "edition 1234567"), f"line 3: {word('edition')}"),
        "option twice": (with_line(3, option, option), "line 5: this option was given before"),
        "option bare": (with_line(3, "option seats"), "line 4: an option is a name and a value"),
        "option's name": (with_line(3, "option 2 2"), "line 4: an option is a name and a value"),
        "option's value": (with_line(3, "option seats II"), "line 4: an option is a name and"),
        "no seats": (
            "\n".join(line for line in LINES if not line.startswith("seat")),
            "nobody plays",
        ),
        "no commitment": (with_header("commitment")[0], word("commitment")),
        "commitment": (with_header("commitment", "commitment x")[0], word("commitment")),
        "secret": (with_header("secret", "secret 0")[0], word("secret")),
        "short secret": (with_header("secret", "secret 00")[0], "a secret has 32 bytes"),
        "no empty line": (with_line(at - 1), f"line {at}: here stands an empty line"),
        "who": (with_line(at, entry.replace(":", "", 1)), no_entry),
        "what": (with_line(at, "chance:  ~00000000"), no_entry),
        "no digest": (with_line(at, entry[:-10]), no_entry),
        "digest": (with_line(at, entry[:-1] + "G"), no_entry),
        "capitals": (with_line(at, entry.replace("draw", "Draw")), no_entry),
        "long": (with_line(at, f"chance: {'x' * 401} ~00000000"), no_entry),
        "carriage": (with_line(at, entry + "\r"), no_entry),
        "gap": (with_line(at + 1, "", LINES[at + 1]), f"line {at + 3}: a record of 1 entries"),
        "two spaces": (with_line(at, entry.replace(" ", "  ", 2).replace("  ", " ", 1)), no_entry),
        "space at the end": (with_line(at, f"gondor: ready  {entry[-9:]}"), no_entry),
        "nonce and a space": with_header("seat", f"{seat} "),
        "seat of chance": with_header("seat", seat.replace("gondor", "chance")),
        "seat of the host": with_header("seat", seat.replace("gondor", "host")),
        "no head": (with_line(last - 1), "the record is torn: it stops before its ending"),
        "head": (with_line(last - 1, head[:-1]), word("head")),
        "draw of nothing": (with_line(at, entry.replace("[", "[0 of 9, ")), no_entry),
        "draw past the last": (with_line(at, entry.replace("[", "[9 of 8, ")), "a draw is one of"),
        "draw of a seat": (with_line(at, f"gondor: ready [1 of 2] {entry[-9:]}"), "only chance"),
        "mark": with_header("seat", f"{seat} 00"),
        "player of nobody": (
            with_header("commitment", PROMISED, "player sam 00 Sam")[0],
            "a player",
        ),
        "player without salt": (
            with_header("commitment", PROMISED, "player gondor  Sam")[0],
            "a player is",
        ),
        "player without mark": (
            with_header("commitment", PROMISED, "player gondor 00 Sam")[0],
            "another name stands at this seat",
        ),
        "ending": (
            with_line(last - 2, "finished"),
            f"line {last - 1}: a record of {LENGTH} entries",
        ),
        "ending's word": (with_line(last - 2, f"over {LENGTH}"), "a record of"),
        "count": (with_line(last - 2, f"finished {LENGTH - 1} gondor 1 mordor 0"), "a record of"),
        "no scores": (with_line(last - 2, f"finished {LENGTH}"), "scores are given by seat"),
        "scores": (with_line(last - 2, f"finished {LENGTH} gondor 1"), "scores are given by seat"),
        "order": (with_line(last - 2, f"finished {LENGTH} mordor 1 gondor 0"), "scores are given"),
        "score": (with_line(last - 2, f"finished {LENGTH} gondor 01 mordor 0"), "scores are given"),
        "open scores": (with_line(last - 2, ending.replace("finished", "open")), "only a finished"),
        "more": (TEXT + "more\n", f"line {last}: nothing follows the ending"),
        "one line more": (TEXT + "\n", f"line {last}: nothing follows the ending"),
        "too long": ("x" * (LARGEST + 1), f"a record has at most {LARGEST} characters"),
    }
    texts |= {
        f"seat {bad!r}": with_header("seat", bad)
        for bad in ("seat gondor", "seat gondor x", "seat gondor 0", f"seat gondor {'00' * 65}")
    }
    texts |= {
        f"player {bad!r}": with_header("seat", f"{seat} {bad}")
        for bad in ("tab\tbed", " early", "late ", "bell\x07", "line\u2028break")
    }
    texts["seat twice"] = with_header("seat", seat, seat)
    texts["seat's name"] = with_header("seat", f"seat Gondor {nonce}")
    return texts


COMPLAINTS = complaints()


@pytest.mark.parametrize("case", COMPLAINTS)
def test_what_is_no_record_is_invalid_and_says_why(case: str) -> None:
    text, message = COMPLAINTS[case]
    with pytest.raises(Invalid) as caught:
        parse_record(text)

    assert message in caught.value.why
    assert 80 >= len(caught.value.said)


def test_a_record_torn_between_lines_is_invalid() -> None:
    for number in range(len(LINES) - 1):
        text = "".join(f"{line}\n" for line in LINES[:number])
        with pytest.raises(Invalid):
            parse_record(text)


def test_a_record_torn_anywhere_is_invalid() -> None:
    for cut in range(len(TEXT)):
        with pytest.raises(Invalid):
            parse_record(TEXT[:cut])


def test_the_record_is_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    path.write_text(TEXT, encoding="ascii")

    assert WHOLE == parse_record(path.read_text(encoding="ascii"))
