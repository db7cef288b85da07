"""What is kept of a match beside its record makes again what the store had, to the letter."""

from __future__ import annotations

import json
import zlib

import pytest

from bree.engine.v1 import engine_pb2 as e
from services import rules_of
from services.host.in_memory_store import InMemoryStore
from services.host.kept import Unreadable, as_settled, packed, unpacked
from services.host.serialization import SETTLED, SETUP, LogEntry, Setup
from services.host.store import Stored
from tests.games.skirmish.rules import RULES
from tests.host.archives import creation, play
from tests.host.engines import MATCH, Time, in_loop, replica


async def ended(rules=RULES, luck=1, levels=None, **more):
    """A match that is over, as a store has it, and its record."""
    store, time = InMemoryStore(), Time()
    async with replica(store, rules, time) as engine:
        await engine.call("CreateMatch", creation(rules, MATCH, levels or {}, **more))
        await play(engine, MATCH, time, luck)
        text = (await engine.record()).text
        return await store.load(MATCH), text


@pytest.mark.parametrize("game", ["confrontation", "duel", "risk", "warofthering"])
@pytest.mark.parametrize("luck", [1, 2])
@in_loop
async def test_record_and_rest_make_the_match_again(game, luck):
    """Every line and every field; and the rest alone has neither decisions nor names."""
    stored, text = await ended(rules_of(game), luck, clock=e.Clock(bank_ms=900_000_000))
    kept = packed(stored, text)
    whole = zlib.compress(json.dumps([dict(stored.fields), list(stored.lines)]).encode(), 9)
    rest = zlib.decompress(kept[1:]).decode()

    assert as_settled(stored) == unpacked(kept, text)
    assert len(kept) < 0.7 * len(whole)
    assert "ofie" not in rest
    assert LogEntry.of(stored.lines[-1]).digest not in rest


@in_loop
async def test_a_match_is_the_same_whether_it_was_settled_when_it_was_kept():
    """It is kept before it is settled, and asked for afterwards too."""
    stored, text = await ended()
    fields = {**stored.fields, SETTLED: "1", "due": "leave|x||0||1"}
    later = stored._replace(version=stored.version + 1, fields=fields)

    assert packed(stored, text) == packed(later, text)
    assert stored.version + 1 == unpacked(packed(later, text), text).version


@in_loop
async def test_bots_without_names_keep_what_hides_them():
    """The salts of those whom the record does not name stand in no record."""
    stored, text = await ended(levels={"mordor": "greedy"})

    assert as_settled(stored) == unpacked(packed(stored, text), text)


@in_loop
async def test_whoever_is_struck_out_of_the_record_is_struck_out_of_the_match():
    """Nothing that is kept names him, and what is made of both replays to the same head."""
    stored, text = await ended()
    kept = packed(stored, text)
    struck = "".join(x for x in text.splitlines(keepends=True) if not x.startswith("player gondor"))
    made = unpacked(kept, struck)
    begun, before = Setup.of(made.fields[SETUP]), Setup.of(stored.fields[SETUP])

    assert struck != text
    assert begun.heading("skirmish") == before.heading("skirmish")
    assert ["", "Žofie mordor"] == [player.label for player in begun.players]
    assert stored.lines == made.lines
    assert made.fields[SETUP] == Setup.of(made.fields[SETUP]).text()


def test_a_match_of_form_1_is_made_again():
    """Without a head, without draws, without salts: as it was stored when there were none."""
    players = [["gondor", "Ann", "", "aa"], ["mordor", "", "greedy", "bb"]]
    setup = [1, 1000, "cc" * 32, None, players, {"seats": "2"}]
    lines = ("chance\troll 1\t0a1b2c3d\t5\t", "gondor\tmove 2\t00112233\t77\tr-1")
    fields = {"setup": json.dumps(setup, separators=(",", ":")), "ended": "finished 3 -1"}
    stored = Stored(9, 2, lines, fields)
    text = (
        "bree record 1\ngame skirmish\nedition 1\noption seats 2\nseat gondor aa Ann\n"
        f"seat mordor bb\ncommitment {'cc' * 32}\nsecret {'dd' * 32}\n\n"
        "chance: roll 1 ~0a1b2c3d\ngondor: move 2 ~00112233\n\nfinished 2 gondor 3 mordor -1\n"
    )
    kept = packed(stored, text)

    assert as_settled(stored) == unpacked(kept, text)
    assert kept.startswith(b"1")


@in_loop
async def test_what_the_record_does_not_make_again_is_kept_as_it_is():
    """Fields of another time, or lines that are written otherwise, are not lost for that."""
    stored, text = await ended()
    odd = stored._replace(lines=[*stored.lines[:-1], stored.lines[-1] + " "])
    more = stored._replace(fields={**stored.fields, "handovers": "", "of_later": "x"})
    other = stored._replace(head="ab" * 32)

    for kind, match in ((b"0", odd), (b"1", more), (b"0", other)):
        kept = packed(match, text)
        assert as_settled(match) == unpacked(kept, text)
        assert kept.startswith(kind)


@in_loop
async def test_bytes_that_are_not_kept_of_this_match_are_said_to_be():
    """Torn ones, those of another way, and those beside another record."""
    stored, text = await ended()
    kept = packed(stored, text)
    shorter = text.replace(text.split("\n\n")[1].split("\n")[0] + "\n", "", 1)
    for wrong, beside in ((b"", text), (b"7" + kept[1:], text), (kept[:-5], text), (kept, "x\n")):
        with pytest.raises(Unreadable):
            unpacked(wrong, beside)
    with pytest.raises(Unreadable):
        unpacked(kept, shorter)
