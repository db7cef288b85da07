"""What the games' manifests say of how they are measured."""

from __future__ import annotations

from services.manifests import Manifest, manifests, usual_game


def test_a_game_whose_manifest_says_nothing_is_measured_all_the_same():
    assert Manifest("skirmish", "A Skirmish", (2, 2)).bench.matches


def test_one_game_stands_for_all_and_one_makes_long_records():
    """A manifest says so."""
    told = {game: manifest.bench for game, manifest in manifests().items()}

    assert [usual_game()] == [game for game, row in told.items() if row.stands_for_all]
    assert any(row.moves_unfinished for row in told.values())
