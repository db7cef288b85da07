"""Random play: what must hold after every decision, for all numbers of players and options."""

from __future__ import annotations

import pytest

from services.core.decisions import CHANCE, Seat
from services.core.frames import Game
from services.warofthering import RULES
from services.warofthering.board import FACE_DOWN, IN_HAND, Board
from services.warofthering.play.armies import departures, march_areas, march_regions, parties
from services.warofthering.play.forces import ANY_ARMY, BY_DIE, LED
from services.warofthering.tables import CARD_COUNT, CARDS, CARDS_IN, FIGURES, REGION_COUNT
from tests.conform.walks import Variant, chosen, fate, variants
from tests.games.warofthering.positions import given

DECISIONS = 250
_AUDITED = 60  # positions of a whole game from one audit to the next
_MOST = 12000
_LOOKS = 12
VARIANTS = variants(RULES.name)
TEAMS = ("three", "four")


@pytest.mark.parametrize("preset", list(RULES.presets))
def test_every_position_of_random_play_passes_the_audit(preset: str) -> None:
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"play {preset}").pick
    for _ in range(DECISIONS):
        if not RULES.waiting(g):
            break
        seat, action = chosen(RULES, g, pick, pick)
        RULES.apply(g, seat, action)
        RULES.audit(g)
        assert seat == CHANCE or RULES.spell(action)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_whole_game_is_played_to_its_end(variant: Variant) -> None:
    g = RULES.setup(RULES.agree(dict(variant.options)))
    pick = fate(f"whole {variant}").pick
    decided = 0
    while RULES.waiting(g) and decided < _MOST:
        seat, action = chosen(RULES, g, pick, pick)
        RULES.apply(g, seat, action)
        decided += 1
        if decided % _AUDITED == 0:
            RULES.audit(g)
    RULES.audit(g)

    assert () == RULES.waiting(g)
    assert g.board.reason


def _later(preset: str, decisions: int) -> Game[Board]:
    """A position well into a game, when hands are full and much is on the table."""
    pick = fate(f"later {preset} {decisions}").pick
    while True:
        g = RULES.setup(RULES.agree(RULES.presets[preset]))
        for _ in range(decisions):
            if not RULES.waiting(g):
                break
            RULES.apply(g, *chosen(RULES, g, pick, pick))
        if RULES.waiting(g):
            return g


@pytest.mark.parametrize("decisions", [900, 1600])
@pytest.mark.parametrize("preset", ["two", "three", "four"])
def test_a_guess_late_in_a_game_keeps_what_a_seat_knows_and_redraws_the_rest(
    preset: str, decisions: int
) -> None:
    g = _later(preset, decisions)
    for seat in range(len(g.board.settings.seats)):
        guesses = [
            RULES.guess(g, seat, fate(f"late {preset} {seat} {n}").pick) for n in range(_LOOKS)
        ]
        for guess in guesses:
            RULES.audit(guess)
            assert RULES.view(guess, seat) == RULES.view(g, seat)
            _assert_known_cards_stay(g, guess, seat)

        differs = any(guess.board.cards != g.board.cards for guess in guesses)
        assert differs == _leaves_doubt(g.board, seat)


def _leaves_doubt(b: Board, seat: Seat) -> bool:
    """Whether cards with one back, of which the seat is not sure, are in different places."""
    return any(
        len({b.cards[card] for card in cards if not b.knows(seat, card)}) > 1
        for decks in CARDS_IN
        for cards in decks
    )


def _assert_known_cards_stay(g: Game[Board], guess: Game[Board], seat: Seat) -> None:
    for card in range(CARD_COUNT):
        if g.board.knows(seat, card):
            assert g.board.pile_of(card) == guess.board.pile_of(card), CARDS[card]
    for other in range(len(g.board.settings.seats)):
        for pile in (IN_HAND + other, FACE_DOWN + other):
            assert g.board.cards.count(pile) == guess.board.cards.count(pile)


@pytest.mark.parametrize("preset", TEAMS)
def test_no_event_tells_a_seat_of_cards_that_it_may_not_know(preset: str) -> None:
    """A card that is drawn, discarded unseen or swapped is named to those alone who may know it."""
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"events {preset}").pick
    for _ in range(DECISIONS):
        seat, action = chosen(RULES, g, pick, pick)
        for event in RULES.apply(g, seat, action):
            named = {event.facts.get("card"), *_names(event.facts.get("cards"))} - {None}
            for card in [number for number, name in enumerate(CARDS) if name in named]:
                for viewer in range(len(g.board.settings.seats)):
                    if event.is_seen_by(viewer):
                        assert g.board.knows(viewer, card), (event, viewer)


def _names(cards: object) -> list[str]:
    return [str(card) for card in cards] if isinstance(cards, list) else []


@pytest.mark.parametrize("seed", range(24))
def test_none_but_a_hobbit_who_was_eliminated_is_about_to_return(seed: int) -> None:
    """Who separates is on the map from then on, whatever else the tile brings (H9, D07)."""
    lines = [
        "company meriadoc, peregrin; fellowship hollin; hunt shadow 3; guide meriadoc",
        "dice free: character, character, character; dice shadow: event",
    ]
    g, pick, lost = given(RULES, lines), fate(f"hobbits {seed}").pick, set()
    turn = g.board.turn
    while RULES.waiting(g) and g.board.turn == turn:
        for event in RULES.apply(g, *chosen(RULES, g, pick, pick)):
            lost.add(event.facts.get("companion") if event.kind == "companion_lost" else None)
        assert {FIGURES[who] for who in g.board.returning()} <= lost


@pytest.mark.parametrize("preset", ["two", "three", "four"])
def test_armies_that_may_march_are_those_that_have_somewhere_to_go(preset: str) -> None:
    """What is remembered of one position is never more or less than what is found in another."""
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"marches {preset}").pick
    for number in range(900):
        if number % 9 == 0:
            check_marches(g.board)
        RULES.apply(g, *chosen(RULES, g, pick, pick))


@pytest.mark.parametrize(
    ("lines", "before", "after"),
    [
        ("preset three; clear; moria: 1 sauron_regular, 1 isengard_regular; mixed moria",
         "leading saruman", "leading witch_king"),
        ("clear; fangorn: 2 isengard_elite, gimli; at_war isengard", "aside saruman",
         "orthanc: saruman"),
        ("clear; dale: 2 north_regular, 1 elves_regular", "box north 2", "at_war north, elves"),
    ],
)  # fmt: skip
def test_an_army_that_stands_still_marches_by_what_holds_now(
    lines: str, before: str, after: str
) -> None:
    """What is remembered of it goes with all on which it depends: who leads, and who is At War."""
    for line in (before, after, before):
        check_marches(given(RULES, (lines, line)).board)


def check_marches(b: Board) -> None:
    for seat, side in enumerate(b.settings.sides):
        fields = [area for area in b.areas_with_units(side) if area < REGION_COUNT]
        for need in (ANY_ARMY, LED, LED + BY_DIE):
            resting = b.resting[1] if need & BY_DIE else 0
            free = [area for area in fields if not resting >> area & 1]
            expected = [area for area in free if march_regions(b, seat, area, need)]
            assert expected == march_areas(b, seat, need)
            for area, ways, can_split in departures(b, seat, need):
                able = parties(b, seat, area, need)
                assert [divmod(way, REGION_COUNT) for way in ways] == [(area, r) for r, _ in able]
                assert can_split == any(sum(force) > 1 for _, force in able)
