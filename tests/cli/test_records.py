"""`bree record` and `bree verify`: what is in a record, and whether it holds."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from services.core.fair import commitment
from services.core.reading import parse_record
from services.core.table import CHANCE_NAME, HOST_NAME
from tests.cli.conftest import answers
from tests.docs.recorded import form_1, recorded


def test_a_record_is_shown_in_words(bree, finished):
    """Header, players, every decision as a sentence and as text, the result."""
    shown = bree("record", "show", finished)

    record = parse_record(finished.read_text())
    assert (0, "") == (shown.code, shown.err)
    assert "The Confrontation, edition 1" in shown.out
    assert "good: person" in shown.out
    assert "dark: bot greedy" in shown.out
    assert record.fairness.commitment in shown.out
    words = " ".join(shown.out.split())
    for entry in record.entries:
        assert entry.what in words
    assert re.search(r"Place \w+ in (Arthedain|Cardolan)\. place", words)
    assert f"Finished after {len(record.entries)} decisions. Result: good" in shown.out


def test_options_that_are_not_usual_are_shown(bree):
    """The header names what was agreed on beyond the defaults."""
    bree(
        "play", "confrontation", "--option", "conceal=after_each_battle", "--record", "c", says="1"
    )

    shown = bree("record", "show", "c").out
    assert "conceal = after_each_battle" in shown
    assert "every other option as usual" in shown
    assert "draw_ply_cap" not in shown


def test_an_open_record_keeps_its_secrets(bree, left):
    """While the game may go on, showing it tells no hidden choice."""
    shown = bree("record", "show", left)

    assert 0 == shown.code
    assert "what is still secret is left out" in shown.out
    assert "(unseen)" in shown.out
    assert "place" not in shown.out.replace("placed", "")
    assert "Not finished" in shown.out


@pytest.mark.parametrize("command", [("verify",), ("record", "verify")])
def test_a_record_that_holds_is_verified(bree, finished, left, command):
    """Finished or open, all that is in it is checked, and counted."""
    for path in (finished, left):
        verified = bree(*command, path.name)

        record = parse_record(path.read_text())
        assert (0, "") == (verified.code, verified.err)
        assert f"{path.name} holds." in verified.out
        assert f"{len(record.entries)} digests agree" in verified.out
        draws = sum(len(entry.draws) for entry in record.entries)
        assert f"{draws} draws of chance follow" in verified.out


def test_it_is_said_what_a_record_was_compared_with(bree, finished):
    """Itself and the rules, and nothing else; what a head and marks bind is told."""
    told = " ".join(bree("verify", finished).out.split())
    count = len(parse_record(finished.read_text()).entries)

    assert "Compared with the record itself: Its secret is the one of its commitment." in told
    assert f"Its head is that of its header, its {count} entries and its end." in told
    assert "The names at good, dark are those of its marks." in told
    assert "Compared with the rules: " in told
    assert "Nothing else was compared: what was promised and told while it was played" in told


def test_what_is_counted_is_what_is_in_it(bree, tmp_path):
    """Draws, of which an answer of chance may take several, and decisions of seats alone."""
    record = recorded("warofthering")
    (tmp_path / "ring.record").write_text(record.text())
    told = bree("verify", tmp_path / "ring.record").out
    by = Counter(entry.who for entry in record.entries if not entry.is_note)
    draws = sum(len(entry.draws) for entry in record.entries)

    assert by[HOST_NAME] > 0 < by[CHANCE_NAME] != draws
    assert f"{draws} draws of chance follow" in told
    assert f"{sum(by[seat] for seat in record.seats)} decisions were legal" in told


def test_names_that_were_taken_out_are_not_missed(bree, finished):
    """The record holds without them, and it is said."""
    one = re.sub("player good .*\n", "", finished.read_text())
    finished.write_text(one)
    first = bree("verify", finished)
    finished.write_text(re.sub("player .*\n", "", one))
    none = bree("verify", finished)

    assert (0, 0) == (first.code, none.code)
    assert "The names at dark are those of its marks; of good the mark is left, and" in first.out
    assert "Of good, dark the mark is left, and no name." in none.out


def test_an_old_record_is_said_to_prove_less(bree, finished):
    """Of form 1 neither digests nor a head can be compared; all else is."""
    finished.write_text(form_1(parse_record(finished.read_text())))
    verified = bree("verify", finished)

    assert (0, "") == (verified.code, verified.err)
    assert "It is of form 1: it has no head that would bind what is in it." in verified.out
    assert "Its digests are of an older kind, and were not compared." in verified.out
    assert "digests agree" not in verified.out


TAMPERED = {
    "another move": (r"good: .* ~", "good: place pippin arthedain ~", "entry 1"),
    "another digest": (r"~[0-9a-f]{8}\n", "~00000000\n", "entry 1"),
    "another secret": (r"secret [0-9a-f]{64}", f"secret {'00' * 32}", "committed"),
    "another promise": (r"commitment [0-9a-f]{4}", "commitment 0000", "committed"),
    "another edition": (r"edition 1", "edition 2", "edition"),
    "another option": (r"conceal \w+", "conceal after_each_battle", "entry"),
    "a missing option": (r"option conceal \w+\n", "", "missing"),
    "another result": (r"good -?1 dark -?1", "good 5 dark 1", "another ending"),
    "an impossible decision": (r"good: place", "good: move", "entry 1"),
}


@pytest.mark.parametrize(("pattern", "instead", "said"), TAMPERED.values(), ids=TAMPERED)
def test_a_changed_record_does_not_hold(bree, finished, pattern, instead, said):
    """Whatever is changed, verify finds it, says where, and exits with 1; so does show."""
    changed, count = re.subn(pattern, instead, finished.read_text(), count=1)
    finished.write_text(changed)

    verified = bree("verify", finished)
    shown = bree("record", "show", finished)

    assert 1 == count
    assert (1, "") == (verified.code, verified.err)
    assert "does NOT hold" in " ".join(verified.out.split())
    assert said in " ".join(verified.out.split())
    assert 1 == shown.code


def test_a_changed_draw_does_not_hold(bree, tmp_path):
    """Chance's answers must follow from the secret, even where others would be legal."""
    bree("play", "confrontation", "--hotseat", "--seed", "02", "--record", "a", says=answers(5))
    text = (tmp_path / "a").read_text()
    assert "\nchance: target" in text

    complaints = []
    for secret in (bytes([n]) * 32 for n in range(8)):
        forged = re.sub(r"commitment [0-9a-f]+", f"commitment {commitment(secret)}", text)
        (tmp_path / "a").write_text(re.sub(r"secret [0-9a-f]+", f"secret {secret.hex()}", forged))
        verified = bree("verify", "a")
        if verified.code:
            complaints.append(verified.out)

    # One of two defenders was drawn, so about half of these secrets would have drawn the other.
    assert complaints
    told = [" ".join(said.split()) for said in complaints]
    drawn = [said for said in told if "chance dealt" in said or "chance drew" in said]
    assert drawn
    # The others betray themselves too: histories are bound by a key that follows from the secret.
    assert all("changed after it was written" in said for said in told if said not in drawn)
    assert 8 == len(told)


# Replaying.


def test_a_position_is_drawn_without_asking(bree, finished):
    """--to prints the board after a number of decisions, as a spectator sees it."""
    shown = bree("record", "replay", finished, "--to", 10)

    assert (0, "") == (shown.code, shown.err)
    assert "10 of" in shown.out
    assert 2 == shown.out.count("■■■■ 4 hidden")
    assert "Frodo" not in shown.out


def test_a_viewer_goes_through_a_record_step_by_step(bree, finished):
    """Enter goes on, b back, a number anywhere, q leaves; what is none of these is asked again."""
    shown = bree("record", "replay", finished, says="\n\nb\n9\nfoo\n9999\n0\nq\n\n")

    stops = [int(n) for n in re.findall(r"^(\d+) of \d+, ", shown.out, re.MULTILINE)]
    assert 0 == shown.code
    assert [1, 2, 1, 9] == stops
    assert 2 == shown.out.count("There is no decision")
    assert shown.out.rstrip().endswith("] q")


def test_a_replay_ends_with_the_record(bree, finished):
    """Enter at the end leaves; so does the end of the answers."""
    last = len(parse_record(finished.read_text()).entries)

    shown = bree("record", "replay", finished, says=f"{last}\n\n")
    cut = bree("record", "replay", finished, says=f"{last}\n")

    assert f"Finished after {last} decisions." in shown.out
    assert (0, 0) == (shown.code, cut.code)


def test_a_replay_has_the_eyes_of_its_viewer(bree, finished):
    """A seat sees its own side only; --open shows both."""
    good = bree("record", "replay", finished, "--to", 10, "--seat", "good").out
    dark = bree("record", "replay", finished, "--to", 10, "--seat", "dark").out
    both = bree("record", "replay", finished, "--to", 10, "--open").out

    assert ("Frodo" in good, "Balrog" in good) == (True, False)
    assert ("Frodo" in dark, "Balrog" in dark) == (False, True)
    assert ("Frodo" in both, "Balrog" in both) == (True, True)
    assert "hidden" not in both
    assert good.index("The Shire") > good.index("Mordor")
    assert dark.index("The Shire") < dark.index("Mordor")


def test_a_replay_stops_where_the_record_does_not_hold(bree, finished):
    """The step that cannot have happened is named, and nothing after it is drawn."""
    text = finished.read_text()
    finished.write_text(text.replace("dark: place", "dark: move", 1))

    before = bree("record", "replay", "game.record", "--to", 5)
    after = bree("record", "replay", "game.record", "--to", 6)

    assert (0, 1) == (before.code, after.code)
    assert "game.record does NOT hold: entry 6: dark may not do this" in after.out
