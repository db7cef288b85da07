"""Golden games replay to the last digest; counts of decision paths are what they were."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.core.errors import Invalid
from services.core.reading import parse_record
from services.core.record import record_of
from services.core.replaying import replay
from tests.counts import Count, Unlisted, counts_in, paths
from tests.games import rules_of
from tests.golden import count_paths, record_paths
from tests.golden.__main__ import digest_again, main, played, write
from tests.play import Play

RECORDS = record_paths()
COUNTS = [(path, count) for path in count_paths() for count in counts_in(path)]
SKIRMISH = rules_of("skirmish")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_game_replays(path: Path) -> None:
    """Of an older edition, it is refused as such: it never replays to something else.

    Of an older form, it says less, and what it says is so.
    """
    text = path.read_text(encoding="utf-8")
    record, rules = parse_record(text), rules_of(path.parent.name)
    assert text == record.text()
    if record.edition != rules.edition:
        with pytest.raises(Invalid, match=f"replays edition {rules.edition} only"):
            replay(record, rules)
        return
    table = replay(record, rules)
    if record.form == 1:
        assert [entry[:2] for entry in record.entries] == [entry[:2] for entry in table.entries]
        return

    assert text == record_of(table, record.fairness, record.sitting).text()


@pytest.mark.parametrize(("path", "count"), COUNTS, ids=lambda part: getattr(part, "name", part))
def test_a_count_is_what_it_was(path: Path, count: Count) -> None:
    counted = count.counted(rules_of(path.parent.name), path.parent)

    assert str(count) == str(counted)


# The tools themselves, on the toy game.


def test_golden_games_depend_on_nothing_but_their_names() -> None:
    assert played(SKIRMISH, "duel") == played(SKIRMISH, "duel")
    assert played(SKIRMISH, "duel")["duel-1"] != played(SKIRMISH, "raid")["raid-1"]


def test_every_preset_gets_a_whole_game_and_one_that_is_given_up(tmp_path: Path) -> None:
    names = {path.stem for path in write(SKIRMISH, tmp_path, again=False)}

    assert names == {f"{p}-1{how}" for p in ("duel", "brawl", "raid") for how in ("", "-resigned")}
    assert names == {path.stem for path in tmp_path.iterdir()}


def test_what_is_there_is_not_written_again_unless_asked(tmp_path: Path) -> None:
    write(SKIRMISH, tmp_path, again=False)
    kept = tmp_path / "duel-1.record"
    kept.write_text("another\n", encoding="utf-8")
    (tmp_path / "raid-1.record").unlink()

    assert [tmp_path / "raid-1.record"] == write(SKIRMISH, tmp_path, again=False)
    assert "another\n" == kept.read_text(encoding="utf-8")
    write(SKIRMISH, tmp_path, again=True)
    assert "another\n" != kept.read_text(encoding="utf-8")


def test_digests_are_written_again_and_nothing_else(tmp_path: Path) -> None:
    write(SKIRMISH, tmp_path, again=False)
    before = {path: path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())}
    for path, text in before.items():
        path.write_text(re.sub("~[0-9a-f]{8}", "~00000000", text), encoding="utf-8")
    (tmp_path / "old.record").write_text(
        next(iter(before.values())).replace("\nedition 1\n", "\nedition 9\n"), encoding="utf-8"
    )

    assert list(before) == digest_again(SKIRMISH, tmp_path)
    assert before == {path: path.read_text(encoding="utf-8") for path in before}


def test_the_toy_has_its_golden_games() -> None:
    kept = [path for path in RECORDS if path.parent.name == "skirmish"]
    toys = {path.stem: path.read_text(encoding="utf-8") for path in kept}
    expected = {
        name: record.text()
        for preset in SKIRMISH.presets
        for name, record in played(SKIRMISH, preset).items()
    }

    assert expected == toys


def test_paths_are_counted_to_their_depth() -> None:
    """Words of this number of letters, of which two may come twice and the third but once."""
    game = Play(SKIRMISH, {"deck": "small"}).game

    assert [1, 3, 8, 18, 30] == [paths(SKIRMISH, game, depth) for depth in range(5)]


def test_paths_end_with_the_game() -> None:
    play = Play(SKIRMISH)
    play("chance: draw horn\nhost: resign gondor")

    assert [1, 0, 0] == [paths(SKIRMISH, play.game, depth) for depth in range(3)]


def test_paths_that_are_not_listed_cannot_be_counted() -> None:
    play = Play(SKIRMISH)
    play("chance: draw horn\nchance: draw horn\nchance: draw charge\nchance: draw charge")
    play("gondor: ready\nmordor: ready")

    with pytest.raises(Unlisted, match=r"Battle\.strike > Roll does not list"):
        paths(SKIRMISH, play.game, 1)


@pytest.mark.parametrize(
    "line", ["", "a", "a | - | - ", "a | - | - | x", "a | - | - | 1 | -1", "a | | - | 1"]
)
def test_a_line_that_counts_nothing_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not of the form"):
        Count.parse(line)


def test_a_line_is_printed_with_its_count(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--counts", "skirmish", "draws | deck=small | chance: draw horn | 1"])

    assert "draws | deck=small | chance: draw horn | 1 | 2\n" == capsys.readouterr().out
