"""docs/positions.md says what positions are written as; its vectors are what the games write."""

from __future__ import annotations

import hashlib
import json

import pytest

from services import GAMES
from services.confrontation import board as confrontation
from services.duel import board as duel
from services.risk.play import saving as risk
from services.warofthering.board import gist as warofthering
from tests.docs.positions import LISTED, VECTORS, made

FIELDS = {
    "The Confrontation": confrontation.TOLD_APART_BY,
    "Duel": duel.TOLD_APART_BY,
    "Risk": (*risk.CARDS, *risk.TURN),
    "War of the Ring": (
        "counts", *warofthering.ARRAYS, *warofthering.REST, *warofthering.IN_BATTLE,
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", FIELDS)
def test_the_page_lists_every_field_in_its_order(title):
    assert list(FIELDS[title]) == LISTED[title]


@pytest.mark.parametrize("game", GAMES)
def test_the_vectors_are_what_the_games_write(game):
    assert made(game) == VECTORS[game]


@pytest.mark.parametrize("game", GAMES)
def test_a_vector_has_its_digest_by_the_page_alone(game):
    """And is canonical: JSON that is read and written again is the same."""
    for vector in VECTORS[game]:
        position = vector["position"]
        text = f"{vector['said']}\n{position}".encode()

        assert vector["digest"] == hashlib.sha256(text).hexdigest()[:8]
        assert position == json.dumps(json.loads(position), separators=(",", ":"))
        assert position.isascii()
