"""What must hold in every position of War of the Ring (RULES 2)."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import (
    ALL_KNOW,
    DISCARDED,
    IN_HAND,
    IN_PLAY,
    ON_TABLE,
    REASONS,
    UNDECIDED,
    Board,
)
from services.warofthering.play.hunt import Tile
from services.warofthering.play.turn import ChooseAction
from services.warofthering.tables import (
    AREA_COUNT,
    CHARACTERS,
    FIELD_LIMIT,
    FIGURE_COUNT,
    FREE,
    GARRISON_LIMIT,
    GARRISON_OF,
    LARGEST_CORRUPTION,
    LARGEST_PROGRESS,
    LEADERS,
    LOSSES,
    NAZGUL,
    ON_MAP,
    ORTHANC,
    OWNER,
    REGION_COUNT,
    SARUMAN,
    SHADOW,
    SIDE_OF,
    SIDE_OF_CARD,
    STRONGHOLDS,
    TILE_COUNT,
    TILE_NUMBERS,
    TILE_PILES,
    TOTALS,
    UNITS,
)

G = Game[Board]


def audit(g: G) -> None:
    """Assert that nothing is lost or doubled, and that tracks stay within their bounds."""
    b = g.board
    assert b.reason in REASONS
    assert 0 <= b.corruption <= LARGEST_CORRUPTION
    assert 0 <= b.progress <= LARGEST_PROGRESS
    _audit_end(g)
    _audit_figures(b)
    _audit_cards(b)
    _audit_tiles(b)
    _audit_control(b)
    question = g.question()
    if isinstance(question, ChooseAction):
        _audit_rest(b)
        assert b.actions in (None, question.action_choices(b)), "what was found can still be done"


def _audit_end(g: G) -> None:
    """What ends the game ends it at once; the Crack of Doom, when its tile is done (18.1, S12)."""
    b = g.board
    lost = b.corruption == LARGEST_CORRUPTION
    in_hunt = any(isinstance(frame, Tile) for frame in g.stack)
    assert not lost or b.result != UNDECIDED, "at twelve Corruption nobody is asked any more"
    assert not b.ring_is_destroyed() or in_hunt or b.result != UNDECIDED, "nor at the Crack of Doom"
    assert not g.stack or b.result == UNDECIDED, "after the end nothing waits"


def _audit_figures(b: Board) -> None:
    for figure in range(FIGURE_COUNT):
        total = sum(b.count(area, figure) for area in range(AREA_COUNT))
        assert total == TOTALS[figure], "figures are conserved"
    for area in range(AREA_COUNT):
        for side in (FREE, SHADOW):
            units = sum(b.count(area, f) for f in UNITS if SIDE_OF[f] == side)
            assert units == b.units_at(area, side), "the numbers of units follow from the figures"
        leaders = sum(b.count(area, f) for f in LEADERS)
        assert leaders == b.leaders[area], "so do the numbers of Leaders"
    for side in (FREE, SHADOW):
        armies = tuple(area for area in ON_MAP if b.units_at(area, side))
        assert armies == b.areas_with_units(side), "and the areas of armies"
    assert [area for area in ON_MAP if b.leaders[area]] == [a for a in ON_MAP if b.led >> a & 1]
    assert b.areas_with(NAZGUL) == [a for a in ON_MAP if b.winged >> a & 1]
    for who in CHARACTERS:
        assert b.count(b.place_of(who), who) == 1, "every character is where he is noted"


def _audit_cards(b: Board) -> None:
    seats = len(b.settings.seats)
    for card, pile in enumerate(b.cards):
        if pile >= IN_HAND:
            holder = b.holder_of(card)
            assert holder < seats
            assert b.settings.sides[holder] == SIDE_OF_CARD[card], "cards are in their own hands"
            assert b.knows(holder, card), "a seat knows its own cards"
        elif pile in (ON_TABLE, IN_PLAY, DISCARDED):
            assert b.knowers[card] == ALL_KNOW, "what lies open is known to all"


def _audit_tiles(b: Board) -> None:
    for tile in range(TILE_COUNT):
        total = sum(b.tiles_in(pile, tile) for pile in range(TILE_PILES))
        assert total == TILE_NUMBERS[tile], "tiles are conserved"


def _audit_control(b: Board) -> None:
    for region in range(REGION_COUNT):
        assert (b.control[region] == OWNER[region]) or b.control[region] in (FREE, SHADOW)
    for region in STRONGHOLDS:
        garrison = GARRISON_OF[region]
        for side in (FREE, SHADOW):
            if b.units_at(garrison, side):
                assert b.is_controlled_by(region, side), "a garrison holds what is its own"


def _audit_rest(b: Board) -> None:
    """Between actions no area is overfull or holds two armies, and no Leader stands alone.

    Nobody is on his way, either: no battle is open, and who guides is who may.
    """
    assert b.fight is None, "battles are over"
    assert not any(b.count(LOSSES, figure) for figure in range(FIGURE_COUNT)), "and their losses"
    assert b.guide in b.guide_choices(), "the Guide is of the highest Level, or Gollum"
    for area in ON_MAP:
        free, shadow = b.units_at(area, FREE), b.units_at(area, SHADOW)
        assert not (free and shadow), "armies of both sides do not mix"
        assert max(free, shadow) <= (FIELD_LIMIT if area < REGION_COUNT else GARRISON_LIMIT)
        assert free or not any(b.count(area, leader) for leader in LEADERS), "no Leader is alone"
    for region in STRONGHOLDS:
        garrison = GARRISON_OF[region]
        for side in (FREE, SHADOW):
            assert not b.units_at(garrison, side) or b.units_at(region, 1 - side), "besieged"
    assert not b.is_on_map(SARUMAN) or b.region_of(SARUMAN) == ORTHANC
    for seat, limit in enumerate(b.settings.hand_limits):
        assert b.hand_size(seat) <= limit, "hands keep to their limit"
