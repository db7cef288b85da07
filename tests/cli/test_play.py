"""`bree play`: whole games from piped answers, and everything a person may say instead."""

from __future__ import annotations

import random
import re

import pytest

from services import rules_of
from services.core.fair import Fate
from services.core.reading import parse_record
from services.core.record import Fairness, record_of
from services.core.table import Table
from tests.cli.conftest import answers

DARK_NAMES = (
    "Sauron", "Witch-king", "Saruman", "Balrog", "Mouth of Sauron", "Nazgûl", "Orcs", "Shelob",
)  # fmt: skip


def record_in(path):
    return parse_record(path.read_text())


@pytest.mark.parametrize("bot", ["uniform", "greedy"])
@pytest.mark.parametrize("seat", ["good", "dark"])
def test_a_whole_game_is_played_recorded_and_verified(bree, tmp_path, seat, bot):
    """Either seat, against either bot: the game ends, and its record holds."""
    path = tmp_path / "my.record"
    game = ("play", "confrontation", "--seat", seat, "--bot", bot, "--seed", "01")

    played = bree(*game, "--record", path, says=answers(1))

    assert (0, "") == (played.code, played.err)
    assert re.search(r"^(You win|You lose|It is a draw)\.$", played.out, re.MULTILINE)
    assert "bree verify my.record" in played.out
    players = {"good": ("person", f"bot {bot}"), "dark": (f"bot {bot}", "person")}
    assert players[seat] == record_in(path).players
    assert record_in(path).scores is not None
    assert 0 == bree("verify", path).code


def test_a_side_and_options_are_left_to_chance(bree, tmp_path):
    """With a seed they follow from it; without, each comes up."""
    got = set()
    for seed in range(8):
        chosen = ("--seat", "random", "--option", "conceal=random", "--seed", f"{seed:02}")
        paths = [tmp_path / f"{seed}{letter}" for letter in "ab"]
        for path in paths:
            played = bree("play", "confrontation", *chosen, "--record", path, says="1\nquit\n")
            assert 0 == played.code
        first, second = map(record_in, paths)
        got.add((first.players.index("person"), first.options["conceal"]))

        assert (first.players, first.options) == (second.players, second.options)
    assert {0, 1} == {seat for seat, _ in got}
    assert 1 < len({conceal for _, conceal in got})


@pytest.mark.parametrize(
    "options",
    [
        ("--preset", "classic_2002", "--option", "special_cards=set_2002"),
        ("--preset", "deluxe_draft", "--option", "announce_draft=off"),
        ("--preset", "deluxe_variant", "--option", "special_cards=set_deluxe"),
        ("--option", "match=two_games_swap_sides", "--option", "inference=on"),
        ("--option", "draw_ply_cap=3"),
    ],
)
def test_every_kind_of_game_fits_eighty_columns(bree, options):
    """No line is wider than the terminal, whatever is played."""
    game = ("play", "confrontation", "--bot", "uniform", "--seed", "05", "--record", "a.record")

    played = bree(*game, *options, says=answers(7))

    assert (0, "") == (played.code, played.err)
    assert 80 >= max(map(len, played.out.splitlines()))
    assert 0 == bree("verify", "a.record").code


def test_a_narrow_terminal_is_told_so(bree, monkeypatch):
    """Boards are cut at the edge, never folded, and the person knows why."""
    monkeypatch.setenv("COLUMNS", "60")

    played = bree("play", "confrontation", says="quit\n")

    assert "Boards are cut here: they need 80 columns." in played.out
    assert 60 >= max(map(len, played.out.splitlines()))


def test_two_people_play_in_turns(bree, tmp_path):
    """With --hotseat both seats are asked, and each question names its seat."""
    played = bree("play", "confrontation", "--hotseat", "--record", "two.record", says=answers(2))

    assert 0 == played.code
    assert {"good decides", "dark decides"} <= set(re.findall(r"\w+ decides", played.out))
    assert ("person", "person") == record_in(tmp_path / "two.record").players


def test_the_same_seed_and_answers_are_the_same_game(bree, tmp_path):
    """A test that fails can be run again."""
    for name in ("one.record", "two.record"):
        bree("play", "confrontation", "--seed", "2a", "--record", name, says=answers(4))

    assert (tmp_path / "one.record").read_text() == (tmp_path / "two.record").read_text()


def test_chance_is_fresh_without_a_seed(bree, tmp_path):
    """No two games have the same secret or nonces."""
    for name in ("one.record", "two.record"):
        bree("play", "confrontation", "--record", name, says="1\n")

    one, two = (record_in(tmp_path / name).fairness for name in ("one.record", "two.record"))
    assert one.secret != two.secret
    assert 4 == len({*one.nonces, *two.nonces})


def test_a_record_gets_a_name_of_its_own(bree, tmp_path):
    """Two games of one day do not share a file."""
    for _ in range(2):
        assert 0 == bree("play", "confrontation", says="1\n").code

    names = sorted(path.name for path in tmp_path.iterdir())
    assert 2 == len(names)
    assert all(re.fullmatch(r"confrontation-\d{4}-\d\d-\d\d(-2)?\.record", n) for n in names)


def test_an_answer_may_be_its_text_or_words_of_it(bree, left):
    """A number, the whole text, or as much of it as no other answer has."""
    says = "place legolas arthedain\nGIMLI\nplace frodo rhudaur\nleave\nquit\n"

    bree("play", "confrontation", "--record", "words.record", says=says)

    chosen = [entry.what for entry in record_in(left.parent / "words.record").entries][:4]
    assert "place legolas arthedain" == chosen[0]
    assert "place gimli cardolan" == chosen[1]
    assert "place frodo rhudaur" == chosen[2]
    assert "leave eregion" == chosen[3]


def test_what_is_no_answer_is_asked_again(bree):
    """Nonsense, a number too high and an ambiguous word change nothing."""
    played = bree("play", "confrontation", says="fly\n99\n0\n-1\n²\narthedain\n\n")

    assert "'fly' is no answer here. Type a number from 1 to 9" in played.out
    assert 2 == played.out.count("The answers have the numbers 1 to 9.")
    assert "Say which, by its number:" in played.out
    assert "Nothing was played, so nothing is kept." in played.out


def test_a_question_with_one_answer_answers_itself(bree):
    """Once four regions are filled the fifth can only be left, and that is said."""
    played = bree("play", "confrontation", "--seed", "01", says="1\n1\n1\n1\n")

    assert "You, having no choice: Leave Enedwaith empty." in played.out


def test_a_neutral_question_is_never_answered_for_a_person(bree, tmp_path):
    """Were it, its speed would tell others that the Balrog is not in Moria."""
    rules = rules_of("confrontation")
    for seed in range(1000):
        fairness, pick = Fairness.of(bytes([seed % 256] * 32), (b"a", b"b")), random.Random(seed)
        table = Table(rules, rules.agree({}), Fate(fairness.fate().seed))
        while not table.is_over:
            ask = table.ask(table.waiting()[0])
            if ask.neutral and ask.prompt == "tunnel.ambush" and len(ask.actions) == 1:
                break
            table.act(table.waiting()[0], pick.choice(ask.actions))
        if not table.is_over:
            break
    path = tmp_path / "moria.record"
    path.write_text(record_of(table, fairness).text())

    played = bree("play", "--resume", path, "--seat", "dark", "--bot", "uniform", says="")

    assert rules.question(table.game, 1) in played.out
    assert "You, having no choice" not in played.out
    assert table.revision == len(record_in(path).entries)


def test_an_answer_can_be_taken_back_while_nobody_has_learnt_from_it(bree, tmp_path):
    """Placing is undone piece by piece, back to the first; the record tells what was tried."""
    says = "gimli\nlegolas\nundo\nfrodo\nlog\nundo\nundo\nundo\nmerry\n"

    played = bree("play", "confrontation", "--record", "undo.record", says=says)

    assert 3 == played.out.count("Taken back.")
    assert 1 == played.out.count("There is nothing that can still be taken back.")
    told = played.out[played.out.index("good> log") :].splitlines()[1:3]
    assert ["  • You: Place Gimli in Arthedain.", "  • You: Place Frodo in Cardolan."] == told
    entries = [entry.what for entry in record_in(tmp_path / "undo.record").entries]
    tried = ["place gimli arthedain", "place legolas cardolan", "undo good"]
    tried += ["place frodo cardolan", "undo good", "undo good", "place merry arthedain"]
    assert tried == entries
    resumed = bree("play", "--resume", "undo.record", says="log\n").out
    assert "Place Merry" in resumed
    assert "Gimli" not in resumed[resumed.index("good> log") :].partition("decides")[0]


def test_what_the_other_side_has_seen_stays(bree):
    """After a move that the bot has answered there is nothing to undo."""
    played = bree("play", "confrontation", "--seed", "01", says="1\n1\n1\n1\nundo\n")

    assert "There is nothing that can still be taken back." in played.out
    assert "Taken back." not in played.out


def test_help_tells_every_command(bree):
    """What may be said is what help lists."""
    played = bree("play", "confrontation", says="help\n")

    commands = {"help", "board", "map", "about", "legend", "log"}
    commands |= {"hint", "undo", "save", "resign", "quit"}
    assert commands <= set(re.findall(r"^  (\w+)  ", played.out, re.MULTILINE))


def test_a_hint_is_one_of_the_answers(bree, tmp_path):
    """It has the number of an answer, and its sentence; it stays the same, and changes nothing."""
    game = ("play", "confrontation", "--seed", "01")

    played = bree(*game, "--record", "a", says="hint\nhint\n1\n1\n1\n1\nhint\n1\n")
    bree(*game, "--record", "b", says="1\n1\n1\n1\n1\n")

    hints = re.findall(r"greedy bot would say (\d+): (.*)", played.out)
    assert 3 == len(hints)
    assert hints[0] == hints[1]
    assert all(
        re.search(rf"^ +{number}  {sentence}", played.out, re.MULTILINE)
        for number, sentence in hints
    )
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_about_tells_what_is_printed(bree):
    """Without a name it is the charts of both sides; with one, any character or card there is."""
    says = "about\nabout shelob\nabout eye\nabout tom\nabout elrond\n"
    played = bree("play", "confrontation", says=says)

    charts, shelob, eye, tom, elrond = played.out.split("good> about")[1:]
    good, dark = charts.split("The chart of Dark.")
    assert "Frodo, strength 1  The Ring-bearer." in good
    assert "Shelob, strength 5  After defeating" in dark
    assert "Shelob, strength 5  After defeating" in shelob
    assert "Dark's card The Eye of Sauron  The text" in eye
    assert "No character or card is called 'tom'." in tom
    assert "Elrond, strength 3 (not in this game)" in elrond


def test_nothing_is_told_that_the_seat_may_not_know(bree):
    """In the first turns Good reads the names of those Dark characters that it has fought."""
    fought = []
    for seed in range(6):
        says = "1\n1\n1\n1\n1\nboard\nlog\n"
        played = bree("play", "confrontation", "--seed", f"{seed:02x}", says=says).out
        attacks = [line for line in played.splitlines() if " attacked " in line]
        fought.append({name for name in DARK_NAMES if any(name in line for line in attacks)})
        told = played.partition("Kept in")[2].replace("Eye of Sauron", "")

        assert fought[-1] == {name for name in DARK_NAMES if name in told}

    assert set() in fought


def test_resigning_ends_the_game(bree, tmp_path):
    """The record says who gave up, and what was hidden is laid open."""
    played = bree("play", "confrontation", "--record", "r.record", says="1\n1\n1\n1\nresign\n")

    assert (0, "") == (played.code, played.err)
    assert "Dark wins: the other side has given up." in played.out
    assert "You lose." in played.out
    assert {name for name in DARK_NAMES if name in played.out} == set(DARK_NAMES)
    assert (-1, 1) == record_in(tmp_path / "r.record").scores


def test_a_copy_can_be_saved(bree, tmp_path):
    """`save` says where the game is; `save FILE` writes it elsewhere and overwrites nothing."""
    says = "1\nsave\nsave copy.record\nsave copy.record\nsave no/where\n"

    played = bree("play", "confrontation", "--record", "g.record", says=says)

    assert "The game is kept in g.record, after every decision." in played.out
    assert "A copy of the game as it stands is in copy.record." in played.out
    assert "copy.record is there already." in played.out
    assert "no/where cannot be written: no such file or directory." in played.out
    assert (tmp_path / "copy.record").read_text() == (tmp_path / "g.record").read_text()


# Leaving and going on.


@pytest.mark.parametrize("says", ["1\n2\n", "1\n2\nquit\n"])
def test_a_game_that_is_left_is_kept(bree, tmp_path, says):
    """The end of the answers is a way to leave like `quit`."""
    played = bree("play", "confrontation", "--record", "my game.record", says=says)

    assert (0, "") == (played.code, played.err)
    assert "To go on: bree play --resume 'my game.record'" in played.out
    assert 2 == len(record_in(tmp_path / "my game.record").entries)


def test_a_left_game_goes_on_where_it_was(bree, left):
    """The log has what happened before, chance goes on from its last draw, the record holds."""
    before = record_in(left).entries

    played = bree("play", "--resume", left, says="log\n" + answers(3))

    assert (0, "") == (played.code, played.err)
    assert "You: Place " in played.out
    assert "Both sides have placed their characters." in played.out
    after = record_in(left)
    assert before == after.entries[: len(before)]
    assert after.scores is not None
    assert 0 == bree("verify", left).code


def test_a_game_resumed_is_the_game_that_was_not_left(bree, tmp_path):
    """Leaving changes nothing that chance decides: people alone play the same game on."""
    says = answers(9)
    game = ("play", "confrontation", "--hotseat", "--seed", "0c")
    bree(*game, "--record", "whole.record", says=says)
    whole = record_in(tmp_path / "whole.record")
    script = [entry.what for entry in whole.entries if entry.who != "chance"]

    bree(*game, "--record", "parts.record", says=f"{script[0]}\n")
    for what in script[1:]:
        bree("play", "--resume", "parts.record", says=f"{what}\n")

    assert whole == record_in(tmp_path / "parts.record")


def test_the_other_seat_can_be_taken_up(bree, left):
    """--seat on a resumed game says anew who plays."""
    played = bree("play", "--resume", left, "--seat", "dark", "--bot", "uniform", says="board\n")

    assert "dark> board" in played.out
    assert ("bot uniform", "person") == record_in(left).players
