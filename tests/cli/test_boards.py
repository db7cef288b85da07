"""The drawing of the Confrontation: what is in a view is seen, and nothing else; 79 columns."""

from __future__ import annotations

import random
import re
from io import StringIO

import pytest
from rich.console import Console
from rich.text import Text

from bree.cli.boards import confrontation, drawing_of
from bree.cli.boards.boxes import fit, flow
from bree.cli.boards.confrontation_facts import CARDS, REGIONS, TILES
from services import rules_of
from services.core.decisions import CHANCE
from tests.cli.views import DARK, GOOD, battle, view


def drawn(seen, drawing=confrontation):
    """The drawing as plain text."""
    console = Console(width=80, file=StringIO(), highlight=False)
    console.print(drawing.draw(seen))
    return console.file.getvalue()


def box(text, region):
    """The lines inside a region's box."""
    lines = text.splitlines()
    name = REGIONS[region].name
    top = next(n for n, line in enumerate(lines) if re.search(rf"╭ ▲?{name} ─*╮", line))
    found = re.search(rf"╭ ▲?{name} ─*╮", lines[top])
    inside = []
    for line in lines[top + 1 :]:
        part = line[found.start() : found.end()]
        if part.startswith("╰"):
            return [line.strip() for line in inside if line.strip()], part
        inside.append(part[1:-1])
    raise AssertionError


def test_own_pieces_are_named_and_hidden_ones_counted():
    """Good sees its own by strength and name, and how many of Dark's stand where."""
    text = drawn(view("good"))

    assert (["3 Gimli", "3 Legolas"], "╰──────────── 2/2 ╯") == box(text, "rhudaur")
    assert ["1 Frodo ○         2 Merry"] == box(text, "shire")[0]
    assert ["■■ 2 hidden"] == box(text, "mordor")[0]
    assert ["■ 1 hidden"] == box(text, "rohan")[0]
    assert ([], "╰──────────── 0/1 ╯") == box(text, "high_pass")
    assert "Shelob" not in text


def test_shown_pieces_are_named_and_marked():
    """What the enemy shows is named; what the enemy sees of one's own is marked."""
    text = drawn(view("good", shown=("gandalf", "shelob", "sauron")))

    assert ["5◉Gandalf"] == box(text, "moria")[0]
    assert ["5◉Shelob"] == box(text, "rohan")[0]
    assert ["9◉Sauron          ■ 1 hidden"] == box(text, "mordor")[0]
    assert "◉ seen by the enemy" in text


@pytest.mark.parametrize(("side", "home"), [("good", "The Shire"), ("dark", "Mordor")])
def test_the_viewers_home_is_at_the_bottom(side, home):
    """The map turns, rows and columns both, so that neighbours stay neighbours."""
    text = drawn(view(side))

    names = re.findall(r"╭ ▲?([A-Z][A-Za-z ]+?) ─*╮", text)
    assert home == names[-1]
    printed = [region.name for region in REGIONS.values()]
    rows = [1, 2, 3, 4, 3, 2, 1]
    assert names == (upside_down(printed, rows) if side == "good" else turned(printed, rows))


def upside_down(names, rows):
    parts = [names[sum(rows[:n]) : sum(rows[: n + 1])] for n in range(len(rows))]
    return [name for part in reversed(parts) for name in part]


def turned(names, rows):
    parts = [names[sum(rows[:n]) : sum(rows[: n + 1])] for n in range(len(rows))]
    return [name for part in parts for name in reversed(part)]


def test_the_anduin_runs_the_way_good_may_go():
    """From Mirkwood by Fangorn to Rohan, from whichever side one looks."""
    fangorn_good = next(n for n in drawn(view("good")).splitlines() if "›" in n)
    fangorn_dark = next(n for n in drawn(view("dark")).splitlines() if "‹" in n)

    assert 2 == fangorn_good.count("›")
    assert 2 == fangorn_dark.count("‹")


def test_hands_used_cards_and_the_fallen_stand_beside_the_homes():
    """Both hands are public, and so are the defeated."""
    text = drawn(view("dark"))

    assert "Dark: hand" in text
    for words in ("6 Retreat", "Eye of Sauron", "1 5 Magic", "Elven Cloak", "used"):
        assert words in text
    assert "Good: 1 fallen" in text
    assert "Boromir" in text
    assert "Dark: none fallen" in text


def test_a_battle_shows_both_sides_whatever_the_room():
    """Two of each side in a region of two are all drawn."""
    good, dark = {"rohan": ["gandalf", "gimli"]}, {"rohan": ["shelob", "orcs"]}

    text = drawn(view("good", good, dark, shown=("gandalf", "shelob"), battle=battle()))

    assert ["5◉Gandalf", "3 Gimli", "5◉Shelob", "■ 1 hidden"] == box(text, "rohan")[0]
    assert "Battle in Rohan" in text
    assert "5 Gandalf  attacks  5 Shelob" in text
    assert "Good's card: not yet chosen    Dark's card: not yet chosen" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"defender": None}, "5 Gandalf  attacks  ?"),
        ({"sealed": {"good": True, "dark": True}}, "Good's card: sealed    Dark's card: sealed"),
        (
            {"sealed": {"good": True, "dark": False}, "your_card": "good_5"},
            "Good's card: 5 (sealed)    Dark's card: not yet chosen",
        ),
        (
            {
                "cards": {"good": "good_magic", "dark": "dark_6"},
                "in_force": {"good": "good_3", "dark": "dark_6"},
            },
            "Good's card: Magic, as 3    Dark's card: 6",
        ),
        ({"no_cards": True}, "No cards are used: the strengths decide."),
    ],
)
def test_the_battle_panel_says_what_is_known(changes, said):
    """Combatants and cards, as far as the viewer may know them."""
    assert said in drawn(view("good", battle=battle(**changes)))


def test_what_can_be_inferred_is_drawn():
    """A piece that can only be in one place stands there, marked; few places are listed."""
    could_be = {"shelob": ["rohan"], "sauron": ["mordor", "gondor"], "orcs": list(REGIONS)}

    text = drawn(view("good", inference={"worlds": 1680, "could_be": could_be}))

    assert ["≈5 Shelob"] == box(text, "rohan")[0]
    assert "1,680 ways the enemy may stand" in text
    assert "Sauron: Mordor, Gondor" in text
    assert "Orcs:" not in text


def test_what_is_rare_is_told_below_the_map():
    """Special cards, the tunnel, duties, the match and its points, the result."""
    text = drawn(
        view(
            "dark",
            specials={"good": ["sp_shadowfax"], "dark": ["sp_palantir", "sp_recall"]},
            journey={"from": "eregion", "to": "fangorn", "by": "good"},
            duty={"side": "dark", "must_move": True, "character": "orcs"},
            game=2,
            games=2,
            points=[3, 0],
        )
    )
    won = {"winner": "dark", "reason": "shire_overrun", "sentence": "Dark wins: the Shire fell."}
    over = drawn(view(None, result=won))
    even = {"winner": None, "reason": "turn_limit", "sentence": "Drawn: it took too long."}
    draw = drawn(view(None, result=even))

    assert "Good: Shadowfax  Dark: Palantír, Recall to Mordor" in text
    assert "Good goes through the tunnel to Fangorn." in text
    assert "Dark must move the Orcs now." in text
    assert "Game 2 of 2, points 3 : 0 · Turn 7 · Dark to move" in text
    assert "Dark wins: the Shire fell." in over
    assert "Drawn: it took too long." in draw


def test_while_placing_the_map_shows_the_plan():
    """Whoever has no place yet stands at home."""
    rosters = {"good": ["frodo", "merry", "gimli"], "dark": []}
    yours = ["gimli arthedain", "nobody cardolan"]
    setup = {"stage": "place", "done": {"good": 2, "dark": 1}, "yours": yours}

    text = drawn(view("good", {}, {}, turn=None, setup=setup, rosters=rosters))

    assert ["3 Gimli"] == box(text, "arthedain")[0]
    assert [] == box(text, "cardolan")[0]
    assert ["1 Frodo ○         2 Merry"] == box(text, "shire")[0]
    assert "placing the characters · Good has chosen 2 · Dark has chosen 1" in text


def test_drafted_faces_and_chosen_cards_are_listed():
    """Other stages of the setup name what the viewer has chosen."""
    setup = {"stage": "draft", "done": {"good": 2, "dark": 0}, "yours": ["elrond", "sp_gwaihir"]}

    text = drawn(view("good", {}, {}, turn=None, setup=setup))

    assert "You have · Elrond · Gwaihir the Windlord" in text


def test_views_of_both_seats_make_one_open_board():
    """Each side's pieces come from its own view; the map lies as for the seat that looks."""
    good, dark = (drawn(confrontation.unite([view("good"), view("dark")], seat)) for seat in (0, 1))

    for text in (good, dark):
        assert "hidden" not in text
        assert ["9 Sauron          2 Orcs"] == box(text, "mordor")[0]
        assert ["3 Gimli", "3 Legolas"] == box(text, "rhudaur")[0]
    assert good.index("Mordor") < good.index("The Shire")
    assert dark.index("Mordor") > dark.index("The Shire")


def test_an_open_board_shows_sealed_cards_and_plans():
    """What each side has chosen unseen is in its own view, and so on the open board."""
    sealed = {"sealed": {"good": True, "dark": False}}
    setup = {"stage": "place", "done": {"good": 1, "dark": 1}}
    fight = [
        view("good", battle=battle(**sealed, your_card="good_5")),
        view("dark", battle=battle(**sealed)),
    ]
    plans = [
        view("good", {}, {}, setup={**setup, "yours": ["gimli arthedain"]}),
        view("dark", {}, {}, setup={**setup, "yours": ["orcs gondor"]}),
    ]
    for plan in plans:
        plan["rosters"] = {"good": ["gimli", "frodo"], "dark": ["orcs", "sauron"]}

    battling, placing = drawn(confrontation.unite(fight)), drawn(confrontation.unite(plans))

    assert "Good's card: 5    Dark's card: not yet chosen" in battling
    assert ["3 Gimli"] == box(placing, "arthedain")[0]
    assert ["2 Orcs"] == box(placing, "gondor")[0]
    assert ["9 Sauron"] == box(placing, "mordor")[0]


def test_a_game_without_a_drawing_is_drawn_plainly():
    """Whatever its view holds can be read, so that any game can be played."""
    plain = drawing_of("hopscotch")

    text = drawn({"stones": [3, 1], "turn": "north"}, plain)

    assert '"turn": "north"' in text
    assert {"0": {"a": 1}, "1": {"b": 2}} == plain.unite([{"a": 1}, {"b": 2}])
    assert drawing_of("confrontation") is confrontation


def test_every_name_fits_its_box():
    """No character's name is cut, nor any card's in a hand."""
    assert 17 >= max(len(f"{tile.strength} {tile.short}") for tile in TILES.values())
    assert 19 >= max(len(card.short) for key, card in CARDS.items() if not key.startswith("sp_"))


@pytest.mark.parametrize("preset", ["manual", "deluxe_draft", "deluxe_variant"])
def test_every_position_of_random_games_is_drawn_whole(preset):
    """All that a viewer may know is in the drawing, no line is too long, every count is right."""
    rules = rules_of("confrontation")
    special = {} if preset == "manual" else {"special_cards": "set_deluxe"}
    options = rules.agree({"preset": preset, "inference": "on", **special})
    chance = random.Random(preset)
    game = rules.setup(options)
    while rules.waiting(game):
        for viewer in (0, 1, None):
            assert_whole(rules.view(game, viewer))
        seat = rules.waiting(game)[0]
        actions = () if seat == CHANCE else rules.ask(game, seat).actions
        action = chance.choice(actions) if actions else rules.deal(game, chance.randrange)
        rules.apply(game, seat, action)
    assert_whole(confrontation.unite([rules.view(game, 0), rules.view(game, 1)]))


def assert_whole(seen):
    text = drawn(seen)
    assert all(len(line) == 79 for line in text.splitlines())
    if seen["setup"]:
        return
    for region in seen["regions"]:
        lines, _ = box(text, region["region"])
        said = "  ".join(lines)
        for side in ("good", "dark"):
            known = region[side]["pieces"]
            hidden = region[side]["count"] - len(known)
            for piece in known:
                assert re.search(rf"\d[◉ ]{TILES[piece['character']].short}", said)
            if not seen["inference"] and not region["dark" if side == "good" else "good"]["count"]:
                assert (f"■ {hidden} hidden" in said) is (hidden > 0)


def test_the_sample_views_are_shaped_like_the_game(bree):
    """The views above have the fields that the game's own have."""
    rules = rules_of("confrontation")
    game = rules.setup(rules.agree({}))

    assert set(rules.view(game, 0)) == set(view("good"))
    assert {"good", "dark", "region"} == set(rules.view(game, 0)["regions"][0])
    assert GOOD.keys() | DARK.keys() <= set(REGIONS)


def test_a_word_that_stands_alone_is_styled_and_not_what_fills_its_line():
    """A fallen character's name is struck through, not the empty place beside it."""
    (line,) = flow([Text("Legolas", "strike")], 20)
    struck = [span for span in fit(line, 20).spans if span.style == "strike"]

    assert "" == fit(line, 20).style
    assert [(0, len("Legolas"))] == [(span.start, span.end) for span in struck]
