"""The drawing of Duel: what is in a view is seen, and nothing else; 79 columns."""

from __future__ import annotations

import random
import re

import pytest
from rich.console import Console

from bree.cli.boards import drawing_of, duel, duel_panels
from bree.cli.boards.duel_facts import CARDS, REGIONS, SHORT, SKILLS, TILES, letter
from services import rules_of
from services.core.decisions import CHANCE
from tests.games.duel.positions import given

RULES = rules_of("duel")
FELLOWSHIP, SAURON = 0, 1


def drawn(seen):
    """A view as text, without colours."""
    console = Console(width=80, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(duel.draw(seen))
    return capture.get()


def view(*lines, seat=SAURON):
    return RULES.view(given(RULES, lines), seat)


def cards_of(text):
    """The boxes of the display: the upper edge of each, and whether it is available."""
    return re.findall(r"([╔┌])([^╔┌╗┐]{11})[╗┐]", text)


def test_the_game_has_its_own_drawing():
    assert drawing_of("duel") is duel


def test_a_card_shows_its_price_and_skills_its_name_what_it_does_and_the_chain_it_gives():
    text = drawn(view("display gimli, aragorn; coins sauron 4"))

    assert [("╔", "1●════════L"), ("╔", "1●════════K")] == cards_of(text)
    assert "║Gimli      ║" in text
    assert "║Dwarves    ║" in text
    assert "║»horseshoe ║" in text
    assert "║1 Gon/Roh  ║" in drawn(view("display orcs"))


def test_the_skills_that_a_cost_needs_stand_beside_todays_price():
    """Every symbol that is printed, whatever it costs today; what is not produced stands out."""
    lines = "chapter 3; display banners, oliphaunts; landmarks erebor; sauron: nazgul_first"
    text = drawn(view(lines, "coins sauron 9"))

    assert [("╔", "4●════RSKLL"), ("╔", "3●═════RRCC")] == cards_of(text)
    assert "5●  RSSCKL Erebor: a fortress in Rhovanion" in text
    assert "Needs: R ruse, S strength, C courage, K knowledge, L leadership" in text
    asked = duel_panels.needs_text({"ruse": 3, "courage": 1}, {"short": {"ruse": 2}})
    styles = {asked.plain[span.start : span.end]: span.style for span in asked.spans}
    assert {"R": "dim", "RR": "bold yellow", "C": "dim"} == styles


def test_prices_are_the_viewers_own_and_a_spectator_sees_those_of_the_side_on_turn():
    lines = ("chapter 2; display dwarves, archers; sauron: gimli; fellowship: lothlorien_cloak",)
    own = [[edge[:4] for _, edge in cards_of(drawn(view(*lines, seat=seat)))]
           for seat in (SAURON, FELLOWSHIP, None)]  # fmt: skip

    assert ["free", "3●══"] == own[0]
    assert ["3●══", "1●══"] == own[1]
    assert own[2] == own[0]


def test_face_down_cards_show_nothing_and_what_is_covered_has_a_single_edge():
    text = drawn(view("slot 9: face_down; slot 14: orcs; slot 15: gimli; bag legolas"))

    assert 2 == text.count("╔")
    assert 1 == text.count("┌")
    assert 1 == text.count("│░░░░░░░░░░░│")
    assert "Legolas" not in text


def test_rows_lie_over_each_other_half_a_card_apart():
    text = drawn(view("slot 9: face_down; slot 14: orcs; slot 15: gimli; bag legolas"))
    under, over = (next(n for n, line in enumerate(text.splitlines()) if sign in line)
                   for sign in "┌╔")  # fmt: skip
    lines = text.splitlines()

    assert over == under + 2
    assert "└" not in text
    assert lines[over].index("╔") < lines[under].index("┌") < lines[over].rindex("╔")


def test_the_map_says_who_is_where():
    text = drawn(view("display orcs; army sauron: rohan 3, lindon 1; fortress sauron: gondor",
                      "fortress fellowship: rohan"))  # fmt: skip
    lines = text.splitlines()

    def below(name):
        row = next(n for n, line in enumerate(lines) if f"{name} " in line and "─" in line)
        at = lines[row].index(name)
        return lines[row + 1][at : at + 14].strip()

    assert "S1" == below("Lindon")
    assert "F2" == below("Arnor")
    assert "♜S" == below("Gondor")
    assert "S3 ♜F" in text


def test_the_track_says_how_far_both_have_come():
    text = drawn(view("display orcs; quest fellowship 4; quest sauron 7"))

    assert "Frodo and Sam: 10 from Mount Doom" in text
    assert "The Nazgûl: 7 behind them" in text
    assert "···········N······F·········▲" in text
    assert "F 4: 6 unit  9 turn  12 raze" in text
    assert "S 7: 9 turn  12 raze" in text


def test_who_reaches_the_goal_is_drawn_there():
    play = given(RULES, ["display orcs, gollum_in_the_cave_free; quest sauron 13"])
    RULES.apply(play, SAURON, RULES.parse("play gollum_in_the_cave_free"))
    text = drawn(RULES.view(play, SAURON))

    assert "The Nazgûl: 0 behind them" in text
    assert "Sauron wins (Quest of the Ring)" in text


def test_what_both_sides_have_stands_side_by_side():
    text = drawn(view(
        "display orcs; sauron: legolas, gimli, captains_of_the_west; chapter 2",
        "fellowship: nazgul_first, nazgul_second; token sauron: hobbits_eagle",
        "fortress fellowship: gondor",
    ))  # fmt: skip

    for words in ("Sauron (you) 2●", "Races: Elves, Dwarves, support 3 of 6", "Chains: anvil, harp",
                  "Skills: ruse 2", "Skills: knowledge/leadership", "Landmarks: Minas Tirith",
                  "Hobbits: the Eagle", "Cards: 2 grey"):  # fmt: skip
        assert words in text, words


def test_landmarks_have_their_price_and_what_they_do():
    text = drawn(view("display orcs; landmarks bree; fortress sauron: rohan"))

    assert "7●  SSSCCL Bree: a fortress in Arnor, 2 units in Arnor, 2 movements" in text
    assert "5 more face down" in text
    assert "No landmark is face up" in drawn(view("display orcs"))


def test_known_and_revealed_tokens_are_told():
    game = given(RULES, ["chapter 2; display galadriel, archers; sauron: legolas",
                         "top elves_wild_skill"])  # fmt: skip
    assert "Elves 3 (top: covers 1 missing skill" in drawn(RULES.view(game, SAURON))
    for text in ("play galadriel", "draw elves_red_anywhere"):
        seat = SAURON if text.startswith("play") else CHANCE
        RULES.apply(game, seat, RULES.parse(text))

    assert "Revealed Elves: the units of a red card" in drawn(RULES.view(game, FELLOWSHIP))


def test_extra_turns_and_shared_victories_are_told():
    game = given(RULES, ["slot 9: face_down; slot 14: gold_coins_first; bag legolas",
                         "token sauron: elves_yellow_extra_turn"])  # fmt: skip
    RULES.apply(game, SAURON, RULES.parse("play gold_coins_first"))
    assert "Sauron to play · and once more" in drawn(RULES.view(game, None))

    end = given(RULES, ["chapter 3; display banners"])
    RULES.apply(end, SAURON, RULES.parse("discard banners"))
    assert "A shared victory (present in as many regions)" in drawn(RULES.view(end, None))


@pytest.mark.parametrize("chosen", [{}, {"coins": "unlimited"}], ids=["standard", "unlimited"])
def test_every_position_of_random_games_is_drawn_whole(chosen):
    """No line is too long or cut, and every card and number of the view is in the drawing."""
    chance = random.Random("draw")
    for _ in range(2):
        game = RULES.setup(RULES.agree(chosen))
        while waiting := RULES.waiting(game):
            assert_whole(RULES.view(game, chance.choice((0, 1, None))))
            (seat,) = waiting
            actions = () if seat == CHANCE else RULES.ask(game, seat).actions
            action = chance.choice(actions) if actions else RULES.deal(game, chance.randrange)
            RULES.apply(game, seat, action)
        assert_whole(duel.unite([RULES.view(game, 0), RULES.view(game, 1)]))


def assert_whole(seen):
    text = drawn(seen)
    lines = text.splitlines()
    assert all(len(line) == 79 for line in lines)
    slots = [slot for slot in seen["display"] if not slot["taken"]]
    assert len(slots) == len(cards_of(text))
    assert sum(slot["available"] for slot in slots) == text.count("╔")
    below = lines[next(n for n, line in enumerate(lines) if "andmark" in line) :]
    assert "…" not in "\n".join(below)
    for side, initial in (("fellowship", "F"), ("sauron", "S")):
        for region in seen["regions"]:
            if region["units"][side]:
                assert f"{initial}{region['units'][side]}" in text
        assert f"{seen['players'][side]['coins']}●" in text
        assert f"{seen['players'][side]['units']} units" in text


# What is printed.


def test_about_without_words_tells_what_may_be_taken():
    told = dict(duel.about(view("display gimli, orcs; landmarks bree; fortress sauron: rohan"), ""))

    assert told == {
        "Gimli (green), cost leadership": "Dwarves; gives the anvil",
        "Orcs (red), cost ruse": "1 unit in Rohan or Gondor; gives the bow",
        "Bree, cost 3 strength, 2 courage, leadership and surcharge": (
            "a fortress in Arnor, 2 units in Arnor, 2 movements"
        ),
    }


def test_about_finds_cards_played_discarded_and_tokens():
    seen = view("chapter 2; display dwarves, archers; sauron: gimli; top hobbits_eagle")

    assert [("Gimli (green)", "played by Sauron: Dwarves; gives the anvil")] == duel.about(
        seen, "gimli"
    )
    assert [("Hobbits token: The Eagle", "the Eagle, which supports you like one more race")] == (
        duel.about(seen, "eagle")
    )
    assert ("Legolas (green)", "in the discard pile: Elves; gives the harp") in duel.about(
        seen, "legolas"
    )
    assert [("Dwarves (green), cost 2 strength, leadership", "Dwarves; free with the anvil")] == [
        one for one in duel.about(seen, "dwarves") if "cost" in one[0]
    ]
    assert [] == duel.about(seen, "balrog gimli")


def test_about_names_no_card_that_the_viewer_does_not_know():
    lines = ("slot 9: face_down; slot 14: orcs; bag legolas; aside imrahil, balrog, fellowship",)

    assert [] == duel.about(view(*lines), "imrahil")
    assert duel.about(view(*lines, "searched sauron"), "imrahil")
    assert [] == duel.about(view(*lines, "searched sauron", seat=FELLOWSHIP), "imrahil")


def test_together_both_sides_know_what_each_has_seen():
    lines = ("slot 9: face_down; slot 14: orcs; bag legolas; aside imrahil, balrog, fellowship",)
    views = [view(*lines, "searched sauron", seat=seat) for seat in (FELLOWSHIP, SAURON)]

    assert duel.about(duel.unite(views, FELLOWSHIP), "imrahil")


def test_every_short_word_fits_its_box():
    assert 11 >= max(len(short.effect) for short in SHORT.values())
    assert 11 > max(len(short.chain) for short in SHORT.values())
    assert 5 == len(set(map(letter, SKILLS)))
    assert 13 > max(len(name) for name in REGIONS.values())
    assert {tile["effects"][0]["region"] for tile in TILES.values()} == set(REGIONS)
    assert len(CARDS) == len(SHORT)
    assert len({s.chain for s in SHORT.values() if s.chain}) == 17
