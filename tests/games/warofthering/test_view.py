"""What a seat sees: all figures and tracks, its own cards, and of others the backs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from services.warofthering import RULES
from services.warofthering.play import kept
from services.warofthering.tables import AREAS, CARD_TEXTS, CARDS, FIGURES
from tests.conform.walks import chosen, fate
from tests.games.warofthering.positions import given
from tests.play import Play


def view(*lines: str, seat: int | None = 0) -> Any:
    return RULES.view(given(RULES, lines), seat)


def army(seen: Any, region: str, side: str, *, garrison: bool = False) -> Any:
    place = (region, side, garrison)
    return next(a for a in seen["armies"] if (a["region"], a["side"], a["garrison"]) == place)


def words(part: Any) -> Iterator[str]:
    """Every text anywhere in a view."""
    if isinstance(part, dict):
        for value in part.values():
            yield from words(value)
    elif isinstance(part, list):
        for value in part:
            yield from words(value)
    elif isinstance(part, str):
        yield part


def test_an_army_is_told_of_by_nation_and_kind() -> None:
    seen = view("lorien: 2 elves_regular, 1 elves_elite, 1 rohan_leader, strider; company none")
    expected = {
        "nations": [
            {"nation": "elves", "regulars": 2, "elites": 1, "leaders": 0},
            {"nation": "rohan", "regulars": 0, "elites": 0, "leaders": 1},
        ],
        "nazgul": 0,
        "characters": ["strider"],
    }

    assert army(seen, "lorien", "free")["figures"] == expected
    assert army(seen, "lorien", "free")["commander"] == "free_peoples"


def test_besieged_and_besiegers_are_told_apart() -> None:
    seen = view("minas_tirith_garrison: 2 gondor_regular", "minas_tirith: 3 sauron_regular")
    settlement = next(s for s in seen["settlements"] if s["region"] == "minas_tirith")

    assert army(seen, "minas_tirith", "free", garrison=True)
    assert army(seen, "minas_tirith", "shadow")
    assert settlement["besieged"]
    assert settlement["controller"] == "free"


def test_a_conquest_shows_who_took_it() -> None:
    seen = view("preset four; control shadow lorien; lorien: 1 sauron_regular")
    settlement = next(s for s in seen["settlements"] if s["region"] == "lorien")

    assert (settlement["owner"], settlement["controller"]) == ("free", "shadow")
    assert seen["shadow"]["points"] == 2


def test_a_seat_sees_its_own_hand_and_the_backs_of_others() -> None:
    lines = ("hand free_peoples: athelas; hand shadow: wormtongue, orc_patrol",)
    own, other = view(*lines)["seats"]

    assert [card["card"] for card in own["hand"]["cards"]] == ["athelas"]
    assert other["hand"]["cards"] == []
    assert (other["hand"]["character"], other["hand"]["strategy"]) == (2, 0)


def test_a_spectator_sees_no_hand() -> None:
    seen = view("hand free_peoples: athelas; hand shadow: wormtongue", seat=None)

    assert [seat["hand"]["cards"] for seat in seen["seats"]] == [[], []]
    assert seen["seat"] is None


def test_a_chosen_combat_card_is_a_back_to_all_but_its_player() -> None:
    lines = (
        "hand shadow: stormcrow; hand free_peoples: athelas; at_war sauron; dice shadow: army",
        "osgiliath: 3 gondor_regular; south_ithilien: 4 sauron_regular; to_act shadow",
    )
    play = Play(RULES, {}, given(RULES, lines))
    play("shadow: act army attack\nshadow: all\nshadow: combat stormcrow")

    assert play.view("shadow")["battle"]["your_card"]["card"] == "stormcrow"
    for viewer in ("free_peoples", None):
        seen = play.view(viewer)
        assert seen["battle"]["shadow"]["back"] == "strategy"
        assert seen["battle"]["your_card"] is None
        assert "stormcrow" not in set(words(seen))


@pytest.mark.parametrize("preset", ["two", "three", "four"])
def test_no_other_part_of_a_view_names_a_card_that_its_seat_does_not_know(preset: str) -> None:
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"view {preset}").pick
    for number in range(400):
        seat, action = chosen(RULES, g, pick, pick)
        RULES.apply(g, seat, action)
        for viewer in range(len(g.board.settings.seats)) if number % 20 == 0 else ():
            secret = {name for n, name in enumerate(CARDS) if not g.board.knows(viewer, n)}
            # Hunt tiles are called like the cards that bring them.
            seen = {key: part for key, part in RULES.view(g, viewer).items() if key != "hunt"}
            assert set() == secret & set(words(seen))


def test_every_figure_on_the_map_is_seen() -> None:
    g = RULES.setup(RULES.agree({}))
    seen = RULES.view(g, None)
    units = sum(
        nation[kind]
        for one in seen["armies"]
        for nation in one["figures"]["nations"]
        for kind in ("regulars", "elites", "leaders")
    )
    expected = sum(
        g.board.count(area, figure)
        for area in range(AREAS.index("reserve"))
        for figure in range(FIGURES.index("nazgul"))
    )

    assert expected == units


@pytest.mark.parametrize(
    ("step", "phase"),
    [("fellowship_phase", "fellowship"), ("ask_hunt", "hunt_allocation")],
)
def test_the_phase_is_named(step: str, phase: str) -> None:
    assert view(f"begin {step}")["phase"] == phase


def test_an_ended_game_says_how() -> None:
    g = RULES.setup(RULES.agree({}))
    RULES.forfeit(g, 0)
    seen = RULES.view(g, 1)

    assert seen["result"] == {
        "winner": "shadow",
        "reason": "forfeit",
        "merits": [{"seat": "free_peoples", "merit": 0}, {"seat": "shadow", "merit": 0}],
    }
    assert seen["phase"] is None


# What is at stake.


def at(*lines: str, then: str) -> Any:
    """The view of whoever is asked, after these decisions."""
    play = Play(RULES, {}, given(RULES, lines))
    for number, line in enumerate(then.split(";")):
        play(line.strip(), number)
    seat = RULES.waiting(play.game)[0]
    offered = RULES.ask(play.game, seat).actions
    sentences = [RULES.sentence(play.game, seat, action) for action in offered]
    return RULES.view(play.game, seat), RULES.question(play.game, seat), sentences


HUNTED = "fellowship hollin; company {}; hunt shadow 1; dice free: character; pool 3; corruption 3"


def test_the_damage_of_the_hunt_is_told_and_what_each_answer_meets() -> None:
    company = "gandalf_the_grey, gimli, meriadoc; table axe_and_bow"
    script = "free_peoples: act character move_fellowship; chance: roll1 6; chance: tile 3"
    seen, question, sentences = at(HUNTED.format(company), then=script)
    met = [(a["answer"], a["least"], a["most"]) for a in seen["hunt_damage"]["answers"]]

    assert 3 == seen["hunt_damage"]["damage"]
    assert [("corruption", 3, 3), ("guide", 3, 3), ("random", 1, 3), ("table", 1, 1)] == met
    assert "gandalf_the_grey" == seen["hunt_damage"]["answers"][1]["companion"]
    assert "Hunt damage of 3 is open: how do you meet it?" == question
    assert [
        "Take it as Corruption: 3 becomes 6.",
        "Eliminate the Guide, Gandalf the Grey: meets 3 of 3.",
        "Eliminate a random Companion: meets 1 to 3 of 3.",
        "Discard Axe and Bow: meets 1 of 3.",
    ] == sentences


def test_a_hobbit_who_falls_returns_to_the_fellowship() -> None:
    script = "free_peoples: act character move_fellowship; chance: roll1 6; chance: tile 3"
    seen, _, sentences = at(HUNTED.format("meriadoc"), then=script)

    assert next(a for a in seen["hunt_damage"]["answers"] if a["answer"] == "guide")["returns"]
    assert (
        "Eliminate the Guide, Meriadoc Brandybuck: meets 1 of 3;"
        " he returns to the Fellowship when the turn ends."
    ) in sentences
    assert "Meriadoc Brandybuck leaves the Fellowship: meets 1 of 3." in sentences


def test_corruption_that_ends_the_game_is_told() -> None:
    script = "free_peoples: act character move_fellowship; chance: roll1 6; chance: tile 3"
    lines = HUNTED.format("strider").replace("corruption 3", "corruption 9")

    assert (
        "Take it as Corruption: 9 becomes 12, and the Ring-bearers are lost."
        in at(lines, then=script)[2]
    )


BESIEGED = "clear; at_war gondor, sauron; minas_tirith: 5 sauron_regular; to_act shadow"
STORM = "shadow: act army attack; shadow: all; chance: roll5 6 6 1 1 1; chance: roll{}"


def test_each_loss_says_what_it_costs() -> None:
    army = "minas_tirith_garrison: 1 gondor_elite, 1 gondor_regular; dice shadow: army"
    seen, question, sentences = at(
        BESIEGED, army, "reserve 3 gondor_regular", then=STORM.format("2 1 1")
    )
    losses = seen["losses"]

    assert ("minas_tirith", True, 2) == (losses["region"], losses["garrison"], losses["hits"])
    assert [
        ("gondor_regular", 1, None),
        ("gondor_elite", 1, "gondor_regular"),
        ("gondor_elite", 2, None),
    ] == [(c["figure"], c["hits"], c["replaced_by"]) for c in losses["choices"]]
    assert "How does your army in the Stronghold of Minas Tirith take 2 hits?" == question
    assert [
        "Gondor Regular, 1 hit.",
        "Gondor Elite → Regular, 1 hit.",
        "Gondor Elite, 2 hits.",
    ] == sentences[1:]


def test_an_elite_without_a_regular_to_replace_it_costs_one_hit() -> None:
    army = "minas_tirith_garrison: 1 gondor_elite, 1 north_regular; dice shadow: army"
    seen, _, sentences = at(BESIEGED, army, "reserve 0 gondor_regular", then=STORM.format("2 1 1"))

    assert "No Gondor Regulars: Gondor Elite, 1 hit." in sentences
    assert [1, 1] == [choice["hits"] for choice in seen["losses"]["choices"]]


def test_nothing_is_at_stake_where_nothing_is_asked() -> None:
    seen = view()

    assert seen["hunt_damage"] is None
    assert seen["losses"] is None


# Cards in hand.


def plays(*lines: str, name: str = "free_peoples") -> dict[str, Any]:
    """By card in hand: the dice that could play it, or what is in the way."""
    g = given(RULES, lines)
    seats: Any = RULES.view(g, g.board.settings.seats.index(name))["seats"]
    hand = next(seat["hand"] for seat in seats if seat["seat"] == name)
    assert all(not s["hand"]["plays"] for s in seats if s["seat"] != name)
    return {play["card"]: play["reason"] or play["dice"] for play in hand["plays"]}


@pytest.mark.parametrize(
    ("card", "lines", "expected"),
    [
        ("wisdom_of_elrond", "dice free: muster, event", ["muster", "event"]),
        ("wisdom_of_elrond", "dice free: muster_army, army", ["muster_army"]),
        (
            "wisdom_of_elrond",
            "dice free: army",
            "It needs a Muster or an Event die, or a Will of the West.",
        ),
        (
            "paths_of_the_woses",
            "dice free: event",
            "Not so now: Rohan is At War.",
        ),
        ("athelas", "dice free: event", "Nothing that it does can be done now."),
        ("athelas", "corruption 2; dice free: event", ["event"]),
        (
            "axe_and_bow",
            "company strider; dice free: event",
            "Not so now: Gimli or Legolas is in the Fellowship.",
        ),
    ],
)
def test_a_card_in_hand_says_whether_it_can_be_played(
    card: str, lines: str, expected: object
) -> None:
    assert {card: expected} == plays(f"hand free_peoples: {card}; {lines}")


def test_a_card_that_would_go_at_once_is_not_played() -> None:
    lines = "hand shadow: wormtongue; orthanc: 2 isengard_regular, saruman; active rohan"

    expected = {"wormtongue": "It would be discarded at once."}
    assert expected == plays(lines, "dice shadow: event", name="shadow")


def test_a_card_with_another_players_icon_is_not_played() -> None:
    lines = "preset four; hand gondor: the_red_arrow; active gondor; dice free: event"

    assert {"the_red_arrow": "Only Rohan's player may play it."} == plays(lines, name="gondor")


def test_a_card_shows_the_players_icon() -> None:
    seen = view("hand free_peoples: the_red_arrow, athelas")
    cards = {card["card"]: card for card in seen["seats"][0]["hand"]["cards"]}

    assert ["rohan"] == cards["the_red_arrow"]["players"]
    assert [] == cards["athelas"]["players"]


@pytest.mark.parametrize("preset", ["two", "three", "four"])
def test_a_card_has_a_reason_if_and_only_if_it_is_not_offered(preset: str) -> None:
    """What is told of a hand is what may be done with it, whenever an action is chosen."""
    g, pick = RULES.setup(RULES.agree(RULES.presets[preset])), fate(f"plays {preset}").pick
    looked = 0
    for _ in range(1500):
        if not RULES.waiting(g):
            break
        seat, question = RULES.waiting(g)[0], g.question()
        if question is not None and question.prompt == "turn.action":
            seats: Any = RULES.view(g, seat)["seats"]
            told = {p["card"]: set(p["dice"]) for p in seats[seat]["hand"]["plays"]}
            assert {face for dice in told.values() for face in dice} == playing_faces(g, seat)
            looked += bool(told)
        RULES.apply(g, *chosen(RULES, g, pick, pick))
    assert looked > 50


def playing_faces(g: Any, seat: int) -> set[str]:
    """The dice with which an event is offered."""
    texts = [RULES.spell(action).split() for action in RULES.ask(g, seat).actions]
    return {words[1] for words in texts if words[-1] == "play_event"}


# Cards on the table.


@pytest.mark.parametrize(
    "card",
    [
        "a_power_too_great", "the_power_of_tom_bombadil", "the_palantir_of_orthanc", "wormtongue",
        "denethors_folly", "threats_and_promises", "the_last_battle", "worn_with_sorrow_and_toil",
        "flocks_of_crebain", "axe_and_bow", "horn_of_gondor", "wizards_staff",
    ],
)  # fmt: skip
def test_a_card_that_stays_says_when_it_goes(card: str) -> None:
    assert re.search(r" (Discarded when|may have it discarded) ", CARD_TEXTS[CARDS.index(card)])


def test_every_card_that_can_go_says_so() -> None:
    """Those that a state or an event ends, and those that a player may have discarded."""
    going = {*kept.GONE, *(card for cards in kept.GONE_WHEN.values() for card in cards)}

    assert [] == [CARDS[card] for card in going if "Discarded when" not in CARD_TEXTS[card]]


def test_of_a_hand_that_is_known_the_chosen_card_is_one_of_it() -> None:
    """Where a seat knows every card that the back could be of, no other can have been chosen."""
    lines = (
        "hand shadow: stormcrow; hand free_peoples: athelas; at_war sauron; dice shadow: army",
        "osgiliath: 3 gondor_regular; south_ithilien: 4 sauron_regular; to_act shadow",
    )
    play = Play(RULES, {}, given(RULES, lines))
    play("shadow: act army attack\nshadow: all\nshadow: combat stormcrow")
    seat, stormcrow = play.table.seat("free_peoples"), CARDS.index("stormcrow")
    play.game.board.knowers[stormcrow] |= 1 << seat
    pick = fate("a known hand").pick
    for _ in range(40):
        world = RULES.guess(play.game, seat, pick)

        assert stormcrow in world.board.hand(play.table.seat("shadow"))
        assert RULES.view(world, seat) == RULES.view(play.game, seat)
