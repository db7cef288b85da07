"""What must hold in every position of Duel for Middle-earth (RULES 17)."""

from __future__ import annotations

from services.core.frames import Game
from services.duel.board import (
    FACE_DOWN,
    IN_STACK,
    KEPT,
    OFFERED,
    ON_TOP,
    OWNED,
    RACE_COUNT,
    REASONS,
    REGION_COUNT,
    REVEALED,
    SKILL_COUNT,
    TAKEN,
    UNDECIDED,
    Board,
)
from services.duel.play.alliance import Alliance
from services.duel.play.taking import MainChoice
from services.duel.tables import (
    CARD_RACE,
    CARDS,
    CHAPTER,
    DECKS,
    FACE_UP_TILES,
    GOAL,
    NONE,
    PRODUCES,
    RACES,
    SIDES,
    TILE_AT,
    TOTAL_COINS,
    UNITS,
    available,
)

G = Game[Board]


def audit(g: G) -> None:
    """Assert that nothing is lost or doubled, and that what is kept twice agrees."""
    b = g.board
    assert b.reason in REASONS
    assert (b.result == UNDECIDED) == (not b.reason)
    _audit_cards(b)
    _audit_tables(b)
    _audit_map(b)
    _audit_tokens(g)
    if isinstance(g.question(), MainChoice):
        _audit_turn(b)


def _audit_cards(b: Board) -> None:
    shown = [face for face in b.display if face < FACE_DOWN]
    seen = [*shown, *b.bag, *b.aside, *b.discard, *b.areas[0], *b.areas[1]]
    later = [card for card in range(len(CARDS)) if CHAPTER[card] > b.chapter]
    assert sorted((*seen, *later)) == list(range(len(CARDS))), "each card is in one place"
    assert list(b.bag) == sorted(b.bag)
    assert list(b.aside) == sorted(b.aside)
    assert all(card in DECKS[b.chapter] for card in (*b.bag, *b.aside))
    for slot, face in enumerate(b.display):
        assert (face == TAKEN) == (not b.left >> slot & 1)


def _audit_tables(b: Board) -> None:
    """What cards in play give is counted as they came; count it anew."""
    for side, area in enumerate(b.areas):
        skills, races = bytearray(SKILL_COUNT), bytearray(RACE_COUNT)
        for card in area:
            for skill, count in PRODUCES[card]:
                skills[skill] += count
            if CARD_RACE[card] != NONE:
                races[CARD_RACE[card]] += 1
        assert skills == b.skills[side * SKILL_COUNT : side * SKILL_COUNT + SKILL_COUNT]
        assert races == b.races[side * RACE_COUNT : side * RACE_COUNT + RACE_COUNT]
    assert min(b.coins) >= 0
    if b.settings.limited:
        assert sum(b.coins) <= TOTAL_COINS, "no coin comes from nowhere"
    assert max(b.quest) <= GOAL


def _audit_map(b: Board) -> None:
    for side in range(len(SIDES)):
        assert (
            b.supply[side] + sum(b.units[side * REGION_COUNT : side * REGION_COUNT + REGION_COUNT])
            == UNITS
        )
    for region in range(REGION_COUNT):
        assert not (b.units[region] and b.units[REGION_COUNT + region]), "units do not mix"
    for tile, region in enumerate(TILE_AT):
        where = b.tiles[tile]
        assert b.forts[region] in ((0, where - OWNED + 1) if where >= OWNED else (0,))
    assert b.tiles.count(OFFERED) <= FACE_UP_TILES
    assert all(IN_STACK <= where <= OWNED + len(SIDES) - 1 for where in b.tiles)


def _audit_tokens(g: G) -> None:
    b = g.board
    for race in range(len(RACES)):
        assert len(b.race_tokens(race, ON_TOP)) <= 1, "only one is ever put back"
    if not any(isinstance(frame, Alliance) for frame in g.stack) and b.result == UNDECIDED:
        assert REVEALED not in b.tokens, "tokens are revealed in an alliance only"
    assert max(b.tokens) < KEPT + len(SIDES)


def _audit_turn(b: Board) -> None:
    """When the side on turn chooses, all that is available is face up, and what is not is a bag."""
    slots = available(b.chapter, b.left)
    assert slots
    assert all(b.display[slot] < FACE_DOWN for slot in slots)
    assert len(b.bag) == b.display.count(FACE_DOWN)
