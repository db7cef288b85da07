"""The checks as one suite: which there are, how densely each is made, what a failure says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tests.conform import copies, garbage, offers, second_thoughts, secrets, whole_games
from tests.conform.walks import Moment, Variant, Walk, is_large, save
from tests.conform.walks import walk as walked

MomentCheck = Callable[[Moment], None]
WalkCheck = Callable[[Walk], None]

WALK_CHECKS: tuple[WalkCheck, ...] = (
    whole_games.a_game_plays_to_its_end_within_its_bound,
    whole_games.its_record_reads_back_and_replays,
    whole_games.its_record_replays_from_wherever_it_is_cut,
    whole_games.the_seed_deals_what_the_record_says,
    whole_games.every_new_question_has_a_new_number,
    whole_games.taking_back_and_doing_again_changes_nothing,
    whole_games.a_forfeit_is_replayed_like_any_decision,
    secrets.what_a_seat_did_not_see_is_not_in_its_view,
    secrets.who_is_waited_for_tells_nothing_of_what_was_dealt,
    garbage.changed_texts_are_refused_or_mean_what_they_say,
    garbage.changed_positions_are_refused_or_are_positions,
    garbage.changed_records_are_refused_or_are_the_same_game,
)

MOMENT_CHECKS: tuple[MomentCheck, ...] = (
    offers.somebody_is_waited_for_or_the_game_is_over,
    offers.every_prompt_is_one_that_the_game_speaks_of,
    offers.actions_are_offered_once_and_in_a_fixed_order,
    offers.what_is_allowed_is_what_is_offered,
    offers.chance_deals_what_is_allowed_and_the_same_from_the_same_draws,
    offers.an_action_is_the_text_that_spells_it,
    offers.every_question_and_action_is_a_sentence_of_its_own,
    offers.every_event_is_plain_and_can_be_told,
    offers.scores_are_one_number_a_seat,
    offers.the_audit_passes,
    offers.simultaneous_answers_may_come_in_any_order,
    copies.a_copy_stays_as_it_was,
    copies.a_copy_shares_nothing,
    copies.the_same_action_on_twins_gives_twins,
    copies.a_gist_tells_positions_apart,
    copies.a_saved_position_is_the_position,
    copies.no_query_changes_the_game,
    copies.every_frame_on_the_stack_is_known,
    secrets.views_are_plain_data,
    secrets.what_may_be_taken_back_told_nobody_what_it_was,
    secrets.a_question_is_neutral_where_others_may_not_know_that_there_is_no_choice,
    second_thoughts.what_is_taken_back_is_as_it_was_to_everyone,
)

DEAR_CHECKS: tuple[MomentCheck, ...] = (
    second_thoughts.what_may_be_taken_back_has_taught_its_seat_nothing,
    secrets.a_guess_looks_the_same_to_its_seat,
    secrets.a_guess_knows_only_what_its_seat_knows,
    secrets.a_guess_cannot_tell_apart_what_its_seat_cannot,
    secrets.a_guess_is_a_world_of_its_own,
    whole_games.a_seat_that_gives_up_is_never_asked_again,
    whole_games.when_every_seat_gives_up_the_game_is_over,
)
"""These cost as much as many decisions, and are made at some moments only."""


class Density(NamedTuple):
    """How much of a variant is looked at."""

    seeds: int
    dense: int  # seeds of which every moment is looked at; of the others
    every: int  # one moment of this many
    cheap: int = 1  # and one of this many where a check costs little


PRESET = Density(seeds=4, dense=1, every=5)
OPTION = Density(seeds=1, dense=0, every=7)
LENGTHY = Density(seeds=1, dense=0, every=1)

CHEAP_LOOKS, DEAR_LOOKS = 100, 16
"""Moments of a long game that are looked at, by cheap checks and by dear ones."""
LARGE_GAME = Density(seeds=1, dense=0, every=11, cheap=3)


class Broken(AssertionError):
    """A game does not hold to a check; the message says where, and which record shows it."""


def density(variant: Variant) -> Density:
    if is_large(variant.game):
        return LARGE_GAME
    if walked(variant, 0).is_long:
        return LENGTHY
    return PRESET if variant.is_preset else OPTION


def check_walk(check: WalkCheck, walk: Walk, folder: Path) -> None:
    """Make one check of a whole game."""
    try:
        check(walk)
    except Exception as e:
        raise _broken(check.__name__, walk, len(walk.moments) - 1, folder, e) from e


def check_moments(
    check: MomentCheck, walk: Walk, folder: Path, moments: Sequence[Moment] | None = None
) -> None:
    """Make one check at every moment, or at those given."""
    for moment in sampled(walk, 1, CHEAP_LOOKS) if moments is None else moments:
        try:
            check(moment)
        except Exception as e:
            raise _broken(check.__name__, walk, moment.number, folder, e) from e


def sampled(walk: Walk, every: int, most: int = DEAR_LOOKS) -> list[Moment]:
    """One of `every` moments, never the same ones in every walk; of a long one, some `most`."""
    if walk.is_long:
        every = max(every, len(walk.moments) // most)
    start = walk.moments[0].pick("sample")(every)
    return [m for m in walk.moments[:-1] if m.number % every == start] + walk.moments[-1:]


def check_all(walk: Walk, folder: Path, every: int, cheap: int = 1) -> None:
    """Make every check, the dear ones at one of `every` moments, the others at one of `cheap`."""
    for of_walk in WALK_CHECKS:
        check_walk(of_walk, walk, folder)
    for plain in MOMENT_CHECKS:
        check_moments(plain, walk, folder, sampled(walk, cheap))
    for dear in DEAR_CHECKS:
        check_moments(dear, walk, folder, sampled(walk, every))


def _broken(name: str, walk: Walk, number: int, folder: Path, error: Exception) -> Broken:
    kept = replace(walk.record(), scores=None)  # open, because the result may be what is wrong
    path = save(kept, folder, f"{walk}")
    place = walk.moments[number].game.where()
    return Broken(
        f"{name.replace('_', ' ')}\n"
        f"    fails in {walk}, at decision {number} ({place}):\n"
        f"    {type(error).__name__}: {error}\n"
        f"    the game is kept in {path}"
    )
