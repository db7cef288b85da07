"""The drawing of War of the Ring: what is in a view is seen, and nothing else; 79 columns."""

from __future__ import annotations

import pytest
from rich.console import Console

from bree.cli.boards import drawing_of, warofthering
from bree.cli.boards.warofthering_facts import FACE, GROUPS, REGIONS, WHO
from services import rules_of
from tests.conform.walks import chosen, fate
from tests.games.warofthering.positions import given
from tests.play import Play

RULES = rules_of("warofthering")
FREE, SHADOW = 0, 1


def drawn(seen):
    """A view as text, without colours."""
    console = Console(width=80, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(warofthering.draw(seen))
    return capture.get()


def view(*lines, seat=FREE):
    return RULES.view(given(RULES, lines), seat)


def line_of(text, word):
    """The line, in its column, that begins with a region's mark and name."""
    columns = [line[at : at + 39] for line in text.splitlines() for at in (0, 40)]
    return next(line.strip() for line in columns if line[2:].startswith(word))


def test_the_game_has_its_own_drawing():
    assert drawing_of("warofthering") is warofthering


def test_every_region_is_in_one_group():
    regions = [region for _, group in GROUPS for region in group]

    assert set(regions) == set(REGIONS)
    assert len(regions) == len(REGIONS)


def test_an_army_is_read_by_nation_regulars_and_elites():
    text = drawn(view("edoras: 3 rohan_regular, 1 rohan_elite, 2 rohan_leader, strider"))

    assert line_of(text, "Edoras") == "▲ Edoras Ro 3/1 L2 Strider"


def test_a_siege_shows_who_is_in_and_who_is_out():
    text = drawn(view("minas_tirith_garrison: 2 gondor_regular",
                      "minas_tirith: 4 sauron_regular, 2 nazgul"))  # fmt: skip

    assert "Minas Tirith [Go 2/0] besieged by" in text
    assert "Sa 4/0 N2" in text


def test_a_conquest_is_told():
    text = drawn(view("control shadow lorien; lorien: empty"))

    assert line_of(text, "Lórien") == "■ Lórien taken by the Shadow"
    assert "2 of 10 points" in text


def test_empty_settlements_share_a_line_and_other_regions_are_left_out():
    text = drawn(view("clear; moria: 1 sauron_regular"))

    assert "■ Minas Tirith" in text
    assert "Dead Marshes" not in text


def test_the_fellowship_stands_where_it_was_last_seen():
    text = drawn(view("fellowship hollin; progress 3; corruption 9; guide strider"))

    assert line_of(text, "Hollin") == "Hollin ◎ Fellowship, hidden"
    assert "progress 3" in text
    assert "Corruption 9 of 12" in text
    assert "Guide Strider" in text


def test_the_mordor_track_is_drawn_in_mordor():
    text = drawn(view("mordor 2; revealed"))

    assert "on the Mordor Track 0 1 [2] 3 4 Doom, revealed" in text
    assert "◎" not in text


def test_own_cards_have_names_and_others_are_counted():
    lines = ("hand free_peoples: athelas; hand shadow: wormtongue, orc_patrol",)
    free, shadow, nobody = (drawn(view(*lines, seat=seat)) for seat in (FREE, SHADOW, None))

    assert "Your hand:  Athelas (character)" in free
    assert "Wormtongue" not in free
    assert "Shadow:  2 Character and 0 Strategy cards" in free
    assert "Wormtongue (character)" in shadow
    assert "Athelas" not in shadow
    assert "Your hand" not in nobody


def test_dice_rings_and_the_hunt_are_shown():
    text = drawn(view("dice free: character, character, will_of_the_west",
                      "hunt shadow 2; hunt free 1",
                      "pool eye, 3, 3; waiting shelobs_lair; table wizards_staff"))  # fmt: skip

    assert "2× Character, Will of the West" in text
    assert "◦◦◦ Elven Rings" in text
    assert "2 Shadow and 1 Free dice in the box" in text
    assert "pool  3×2  Eye" in text
    assert "and for Mordor Shelob's Lair" in " ".join(text.split())
    assert "On the table:  Wizard's Staff" in text


def test_a_battle_shows_both_forces_and_what_they_roll():
    lines = ("hand shadow: stormcrow; hand free_peoples: athelas",
             "at_war sauron; dice shadow: army; to_act shadow",
             "osgiliath: 3 gondor_regular; south_ithilien: 4 sauron_regular")  # fmt: skip
    play = Play(RULES, {}, given(RULES, lines))
    play("shadow: act army attack")
    assert "Picked:  Sa 4/0" in drawn(play.view("shadow"))
    play("shadow: all\nshadow: combat stormcrow")
    own, other = drawn(play.view("shadow")), drawn(play.view("free_peoples"))

    assert "Battle of Osgiliath, round 1, attacked by Shadow" in own
    assert "Sa 4/0  4 dice on 6+, Leadership 0" in own
    assert "(face down)" in own
    assert "a Strategy card face down" in other
    assert "Stormcrow" not in other


def test_politics_say_who_is_at_war_and_who_is_passive():
    text = drawn(view("at_war sauron; box gondor 3"))

    assert "Sauron At War" in text
    assert "Gondor 3 passive" in text
    assert "Dwarves 1 passive" in text


@pytest.mark.parametrize("preset", ["two", "three", "four"])
def test_no_line_is_wider_than_the_table(preset):
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"draw {preset}").pick
    for number in range(900):
        seat, action = chosen(RULES, g, pick, pick)
        RULES.apply(g, seat, action)
        if number % 45 == 0:
            for viewer in (None, 0, 1):
                assert {79} == {len(line) for line in drawn(RULES.view(g, viewer)).splitlines()}


def test_the_end_shows_every_hand():
    g = given(RULES, ("hand free_peoples: athelas; hand shadow: wormtongue",))
    RULES.forfeit(g, FREE)
    united = warofthering.unite([RULES.view(g, seat) for seat in (FREE, SHADOW)], FREE)
    text = drawn(united)

    assert "Athelas" in text
    assert "Wormtongue" in text
    assert "The Shadow wins (the other gave up)" in text


def test_about_names_the_cards_in_hand_and_what_is_asked_for():
    seen = view("hand free_peoples: athelas; table wormtongue")
    titles = [title for title, _ in warofthering.about(seen, "")]

    assert any(title.startswith("Athelas") for title in titles)
    assert any(title.startswith("Wormtongue") for title in titles)
    assert [] == warofthering.about(seen, "stormcrow")
    (strider,) = warofthering.about(seen, "strider")
    assert "Level 3" in strider[1]
    assert any("In a battle" in text for _, text in warofthering.about(seen, "athelas"))


def test_about_says_what_can_be_played_and_why_the_rest_cannot():
    seen = view("hand free_peoples: athelas, the_red_arrow; corruption 3; active gondor",
                "dice free: character")  # fmt: skip
    (athelas,) = warofthering.about(seen, "athelas")
    (arrow,) = warofthering.about(seen, "arrow")

    assert "Now: it can be played with Character." in athelas[1]
    assert "Now: no. It needs a Muster or an Event die, or a Will of the West." in arrow[1]
    assert "muster icon, Rohan)" in arrow[0]


def test_about_names_places_as_the_map_does():
    (army,) = warofthering.about(view("minas_tirith: 2 gondor_regular"), "army minas tirith")

    assert "The army in Minas Tirith" == army[0]


def test_short_words_are_there_for_all():
    view_of_all = view()
    assert {c["character"] for c in view_of_all["characters"]} | {"gollum"} == set(WHO)
    assert {"character", "army", "muster", "muster_army", "event", "will_of_the_west"} == set(FACE)
